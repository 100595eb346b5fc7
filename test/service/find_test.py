# SPDX-License-Identifier: Apache-2.0
"""What happened to this order? (R-TRIPLE, R-EXPLAIN): found by whatever a person has in hand of it, by the command line
and by the admin port, and in a sentence where it has not reached an order yet."""

import json
import secrets

from flow_harness import CALLBACKS, FlowTest, unittest


class Find(FlowTest):
    config = CALLBACKS

    def find(self, word):
        return self.pawl.cli_json("flow", "find", word)

    def made(self, name, trace):
        self.stock("A", 1000)
        wanted = {"business_key": self.key(name), "amount": "12.50", "currency": "EUR",
                  "items": [{"sku": "A", "quantity": 1}]}
        answer = self.post("/v1/flows/order", self.key(f"create-{name}"), wanted,
                           [("traceparent", f"00-{trace}-b7ad6b7169203331-01")])
        self.assertEqual(answer.status, 201, answer)
        return answer.json()["id"]

    def test_by_whatever_is_at_hand(self):
        trace = secrets.token_hex(16)
        order, other = self.made("o", trace), self.made("p", secrets.token_hex(16))
        self.assertEqual(self.paid(self.key("o"), "T7").status, 200)
        self.eventually(lambda: self.state("order", order) == "paid", "the order is paid")
        by_key = self.find(self.key("o"))["found"][0]
        support = by_key["support_id"]
        self.assertEqual(support.split("_")[0], trace[:12])
        self.assertLessEqual(len(support), 64)
        for word, by in ((order, "id"), (self.key("o"), "business_key"), (trace, "trace_id"),
                         (f"00-{trace}-b7ad6b7169203331-01", "trace_id"), (support, "support_id"),
                         (f"{self.key('o')}-T7", "value")):
            with self.subTest(by, word=word):
                found = self.find(word)["found"]
                self.assertEqual([(one["by"], one["entity"]["id"]) for one in found], [(by, order)])
                self.assertEqual(found[0]["entity"]["state"], "paid")
        code, out, err = self.pawl.cli("flow", "find", trace)
        self.assertEqual(code, 0, err)
        self.assertIn(f"pawl flow timeline order {order}", out)
        self.assertNotIn(other, out)
        self.assertIn(support, self.pawl.cli("flow", "timeline", "order", order)[1])

    def test_a_payment_whose_order_is_not_there_yet_is_told_as_waiting(self):
        self.assertEqual(self.paid(self.key("later"), "T8").status, 200)
        word = f"{self.key('later')}-T8"
        waiting = self.find(word)["waiting"]
        self.assertEqual([(one["event"], one["business_key"]) for one in waiting], [("pay", self.key("later"))])
        self.assertIn(self.key("later"), self.pawl.cli("flow", "find", word)[1])

    def test_without_a_server_the_file_says_the_same(self):
        order = self.made("o", secrets.token_hex(16))
        self.assertEqual(self.paid(self.key("o"), "T9").status, 200)
        self.eventually(lambda: self.state("order", order) == "paid", "the order is paid")
        commands = (("flow", "find", self.key("o")), ("flow", "find", f"{self.key('o')}-T9"),
                    ("flow", "timeline", "order", order), ("flow", "list", "order"))
        before = [self.pawl.cli_json(*command) for command in commands]
        self.pawl.stop()
        try:
            for command, told in zip(commands, before):
                code, out, err = self.pawl.cli(*command, "--json")
                self.assertEqual(code, 0, err)
                self.assertIn("reading", err)
                self.assertEqual(json.loads(out), told, command)
            self.assertEqual(self.pawl.cli("flow", "find", self.key("nobody"))[0], 3)
        finally:
            self.pawl.start()

    def test_what_nobody_knows_is_not_found(self):
        for word in (self.key("nobody"), "17", "17-7K3QZ", "0" * 32, "0af7651916cd_B1_1764000000123"):
            code, _, err = self.pawl.cli("flow", "find", word)
            self.assertEqual(code, 3, (word, err))
        empty = self.pawl.admin("GET", "/admin/v1/flows/find")
        self.assertEqual((empty.status, empty.code), (400, "request_invalid"))
        slip = self.pawl.admin("GET", "/admin/v1/flows/find?word=x")
        self.assertEqual((slip.status, slip.code), (400, "request_invalid"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
