# SPDX-License-Identifier: Apache-2.0
"""Which requests are one operation: keys, callers, routes, methods, bodies (R-KEY, R-SCOPE, R-FPR; field cases
8, 10, 12, 13, 15, 16, 18, 26, X5, X7, X8)."""

import json
import random
import string
import threading
import unittest

from harness import ServiceTest, receive

CONFIG = """
default_upstream: {plain}
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
  - match: POST /invoices
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
  - match: POST /invoices/{id}/pay
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
  - match: POST /owned
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: { header: X-Caller }
  - match: PUT /things/{id}
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
  - match: DELETE /things/{id}
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
  - match: POST /envelope
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    fingerprint: { json: canonical, exclude: [$.id] }
  - match: POST /in-body
    upstream: {plain}
    key: { json: $.request_id, required: true }
    caller: public
  - match: POST /checkout
    upstream: {plain}
    key: { header: Idempotency-Key, required: false, window: 5s }
    caller: { header: X-Caller }
  - match: POST /carts/checkout
    upstream: {plain}
    key: { derive: [caller, $.cart_id, $.cart_version] }
    caller: { header: X-Caller }
    fingerprint: { include: [$.cart_id, $.cart_version] }
"""


class Keys(ServiceTest):
    config = CONFIG

    def raw(self, path, key, text, *headers):
        lines = [("Idempotency-Key", key), ("Content-Type", "application/json"), *headers]
        return self.pawl.ask("POST", path, lines, text.encode())

    def effects_of(self, path):
        return len(self.plain.effects(path))

    def test_a_key_carried_into_the_next_call_does_not_answer_it(self):
        """Case 8."""
        created = self.post("/invoices", self.key())
        paid = self.post("/invoices/7/pay", self.key(), {"amount": 1})
        self.assertEqual((created.status, paid.status), (201, 201))
        self.assertNotEqual(created.body, paid.body)
        self.assertFalse(paid.replayed)
        other = self.post("/invoices/8/pay", self.key(), {"amount": 1})
        self.assertProblem(other, 422, "key_reused")
        self.assertEqual(self.effects_of("/invoices/8/pay"), 0)

    def test_json_is_compared_by_meaning(self):
        """Case 10."""
        first = self.raw("/orders", self.key(), '{"sku":"A","qty":1,"to":{"x":1,"y":[1,2]}}')
        for text in ['{"qty":1,"sku":"A","to":{"y":[1,2],"x":1}}',
                     '{ "sku" : "A",\n "qty": 1.0,"to":{"x":1,"y":[1, 2]}}',
                     '{"sku":"\\u0041","qty":1e0,"to":{"x":1,"y":[1,2]}}']:
            self.assertSameAnswer(first, self.raw("/orders", self.key(), text))
        for text in ['{"sku":"A","qty":1,"to":{"x":1,"y":[2,1]}}', '{"sku":"A","qty":2,"to":{"x":1,"y":[1,2]}}',
                     '{"sku":"A","qty":1,"to":{"x":1,"y":[1,2]},"z":null}']:
            self.assertProblem(self.raw("/orders", self.key(), text), 422, "key_reused")

    def at_host(self, host, key):
        connection = self.pawl.connect()
        self.addCleanup(connection.close)
        connection.putrequest("POST", "/orders", skip_host=True, skip_accept_encoding=True)
        for name, value in (("Host", host), ("Idempotency-Key", key), ("Content-Length", "2")):
            connection.putheader(name, value)
        connection.endheaders(b"{}")
        return receive(connection)

    def test_the_same_key_at_another_host_is_not_answered_with_the_first_ones_result(self):
        before = self.effects_of("/orders")
        first = self.at_host("a.example", self.key())
        self.assertEqual(first.status, 201)
        self.assertSameAnswer(first, self.at_host("A.example:8080", self.key()))
        self.assertProblem(self.at_host("b.example", self.key()), 422, "key_reused")
        self.assertEqual(self.effects_of("/orders"), before + 1)

    def test_a_large_number_that_differs_is_another_body(self):
        """Case X5: money never passes through a double."""
        self.raw("/orders", self.key(), '{"amount":9007199254740993}')
        self.assertProblem(self.raw("/orders", self.key(), '{"amount":9007199254740992}'), 422, "key_reused")

    def test_members_that_change_per_attempt_can_be_left_out(self):
        """Case 12."""
        first = self.raw("/envelope", self.key(), '{"id":1,"amount":5}')
        self.assertSameAnswer(first, self.raw("/envelope", self.key(), '{"id":2,"amount":5}'))
        self.assertProblem(self.raw("/envelope", self.key(), '{"id":1,"amount":6}'), 422, "key_reused")

    def test_callers_do_not_share_keys(self):
        """Case 13, A1."""
        answers = {}
        for caller in ("a", "b", "ab"):
            answers[caller] = self.post("/owned", self.key(), {"of": caller}, [("X-Caller", caller)])
            self.assertEqual((answers[caller].status, answers[caller].json()["of"]), (201, caller))
            self.assertFalse(answers[caller].replayed)
        self.assertSameAnswer(answers["a"], self.post("/owned", self.key(), {"of": "a"}, [("X-Caller", "a")]))
        before = self.effects_of("/owned")
        self.assertProblem(self.post("/owned", self.key()), 401, "caller_unknown")
        self.assertProblem(self.post("/owned", self.key(), headers=[("X-Caller", "")]), 401, "caller_unknown")
        two = [("X-Caller", "a"), ("X-Caller", "b")]
        self.assertProblem(self.post("/owned", self.key(), headers=two), 401, "caller_unknown")
        self.assertEqual(self.effects_of("/owned"), before)

    def test_parts_of_an_identity_do_not_run_together(self):
        """Case 15."""
        one = self.post("/owned", "bc" + self.key(), headers=[("X-Caller", "a")])
        two = self.post("/owned", "c" + self.key(), headers=[("X-Caller", "ab")])
        self.assertFalse(one.replayed or two.replayed)
        self.assertNotEqual(one.json()["order_id"], two.json()["order_id"])

    def test_keys_have_255_bytes_at_most(self):
        """Case 16, X7."""
        letters = random.Random(3).choices(string.ascii_letters + string.digits, k=8192)
        body = b'{"key":"long"}'
        before = self.effects_of("/orders")
        for key in ["".join(letters[:256]), "x" * 256, "".join(letters), "x" * 8192]:
            self.assertProblem(self.post("/orders", key, body=body), 400, "key_invalid")
        self.assertEqual(self.effects_of("/orders"), before)
        for key in ["".join(letters[:255]), "x" * 255]:
            first = self.post("/orders", key, body=body)
            self.assertEqual(first.status, 201)
            self.assertSameAnswer(first, self.post("/orders", key, body=body))
            self.assertProblem(self.post("/orders", key, body=b'{"key":"other"}'), 422, "key_reused")

    def test_emoji_are_counted_in_bytes_and_belong_into_json(self):
        emoji = "\U0001F600"
        header = emoji.encode().decode("latin-1")
        self.assertProblem(self.post("/orders", header * 128, body=b"{}"), 400, "key_invalid")
        self.assertProblem(self.post("/orders", header, body=b"{}"), 400, "key_invalid")
        fits = json.dumps({"request_id": emoji * 63}, ensure_ascii=False).encode()
        self.assertEqual(self.post("/in-body", body=fits).status, 201)
        self.assertTrue(self.post("/in-body", body=fits).replayed)
        beyond = json.dumps({"request_id": emoji * 64}, ensure_ascii=False).encode()
        self.assertProblem(self.post("/in-body", body=beyond), 400, "key_invalid")

    def test_quoted_and_bare_are_one_key_and_case_counts(self):
        """Case X8."""
        first = self.raw("/orders", self.key("Ab"), '{"a":1}')
        self.assertSameAnswer(first, self.raw("/orders", f'"{self.key("Ab")}"', '{"a":1}'))
        self.assertFalse(self.raw("/orders", self.key("aB"), '{"a":1}').replayed)

    def test_safe_methods_and_routes_that_never_asked_ignore_the_key(self):
        """Cases 18 and X8."""
        lines = [("Idempotency-Key", self.key())]
        self.post("/orders", self.key())
        for method in ("GET", "OPTIONS"):
            answer = self.pawl.ask(method, "/elsewhere", lines)
            self.assertEqual((answer.status, answer.json()["method"]), (200, method))
            self.assertFalse(answer.replayed)
        head = self.pawl.ask("HEAD", "/elsewhere", lines)
        self.assertEqual((head.status, head.body), (200, b""))
        self.assertNotEqual(self.pawl.ask("GET", "/orders", lines).status, 201)
        for _ in range(2):
            for key in (self.key(), f'"{self.key()}"'):
                self.assertFalse(self.post("/never-asked", key).replayed)
        self.assertEqual(self.effects_of("/never-asked"), 4)

    def test_put_and_delete_take_part_where_the_route_says_so(self):
        """Case 18."""
        for method in ("PUT", "DELETE"):
            lines = [("Idempotency-Key", self.key(method))]
            first = self.pawl.ask(method, "/things/1", lines, b"{}")
            self.assertSameAnswer(first, self.pawl.ask(method, "/things/1", lines, b"{}"))
            self.assertProblem(self.pawl.ask(method, "/things/2", lines, b"{}"), 422, "key_reused")
            for _ in range(2):
                self.assertFalse(self.pawl.ask(method, "/unlisted/1", lines, b"{}").replayed)
        self.assertEqual((self.effects_of("/things/1"), self.effects_of("/unlisted/1")), (2, 4))

    def all_at_once(self, requests):
        answers = [None] * len(requests)

        def one(number):
            answers[number] = requests[number]()

        threads = [threading.Thread(target=one, args=(number,)) for number in range(len(requests))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        return answers

    def test_four_fast_clicks_are_one_charge(self):
        """Case 26: the same key; no key; four keys from one form."""
        caller = [("X-Caller", "buyer")]
        slow = [("X-Fault", "slow:200")]
        cart = {"cart_id": 7, "cart_version": 3}
        same = self.all_at_once([lambda: self.post("/checkout", self.key(), headers=caller + slow)] * 4)
        none = self.all_at_once([lambda: self.post("/checkout", None, {"cart": self.key("b")}, caller + slow)] * 4)
        four = self.all_at_once([lambda n=n: self.post("/carts/checkout", None, {**cart, "click": n}, [
            *caller, *slow, ("Idempotency-Key", self.key(str(n)))]) for n in range(4)])
        for answers in (same, none, four):
            self.assertEqual([answer.status for answer in answers], [201] * 4)
            self.assertEqual(len({answer.body for answer in answers}), 1)
            self.assertEqual(sum(answer.replayed for answer in answers), 3)
        self.assertEqual((self.effects_of("/checkout"), self.effects_of("/carts/checkout")), (2, 1))

    def test_the_same_click_on_purpose_passes(self):
        """R-FINGERPRINT-GUARD."""
        lines = [("X-Caller", "again")]
        before = self.effects_of("/checkout")
        first = self.post("/checkout", None, {"cart": 9}, lines)
        self.assertTrue(self.post("/checkout", None, {"cart": 9}, lines).replayed)
        self.assertFalse(self.post("/checkout", None, {"cart": 9}, [*lines, ("Pawl-Repeat", "intended")]).replayed)
        self.assertFalse(self.post("/checkout", None, {"cart": 10}, lines).replayed)
        self.assertEqual((first.status, self.effects_of("/checkout") - before), (201, 3))


if __name__ == "__main__":
    unittest.main()
