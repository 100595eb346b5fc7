# SPDX-License-Identifier: Apache-2.0
"""Bad input to flows: each gets a typed answer that says where and what to do, and leaves everything as it was
(field cases 16, 24, 59, X5)."""

import json

from flow_harness import CALLBACKS, FlowTest, signed, unittest

GOOD = {"amount": "12.50", "currency": "EUR", "items": [{"sku": "A", "quantity": 1}]}


def order(**changed):
    return {name: value for name, value in {**GOOD, **changed}.items() if value is not ...}


def items(*lines):
    return order(items=list(lines))


class Refusals(FlowTest):
    config = CALLBACKS

    def orders(self):
        return len(self.get("/v1/flows/order?limit=500").json()["entities"])

    def test_bad_bodies_of_a_creation(self):
        """Field, amount, items and JSON: what is said, and no order is there after it."""
        line = {"sku": "A", "quantity": 1}
        table = [
            (order(amonut="1"), "field_invalid", "takes no `amonut`"),
            (order(amount=...), "field_invalid", "amount"),
            (order(amount=None), "field_invalid", "is null"),
            (order(amount="12,50"), "field_invalid", "amount"),
            (order(amount="12.50 euro"), "field_invalid", "amount"),
            (order(amount="1" * 61), "field_invalid", "at most 60"),
            (order(amount={"value": 1}), "field_invalid", "is an object"),
            (order(amount=[1]), "field_invalid", "is a list"),
            (order(amount=True), "field_invalid", "is true"),
            (order(currency="E" * 4097), "field_invalid", "at most 4096"),
            (order(items=...), "field_invalid", "lines"),
            (order(items=[]), "field_invalid", "lines"),
            (order(items={"A": 1}), "field_invalid", "is a list"),
            (items({"sku": "A", "quantity": 0}), "field_invalid", "from 1 to"),
            (items({"sku": "A", "quantity": -3}), "field_invalid", "from 1 to"),
            (items({"sku": "A", "quantity": 1.5}), "field_invalid", "whole number"),
            (items({"sku": "A", "quantity": 2 ** 53}), "field_invalid", "from 1 to"),
            (items({"sku": "A", "quantity": 2 ** 80}), "field_invalid", "whole number"),
            (items({"sku": "", "quantity": 1}), "field_invalid", "no SKU"),
            (items({"sku": "A" * 129, "quantity": 1}), "field_invalid", "at most 128"),
            (items({"sku": "A\n", "quantity": 1}), "field_invalid", "control character"),
            (items({**line, "price": 3}), "field_invalid", "items[0].price"),
            (items(*[line] * 501), "field_invalid", "at most 500"),
            (items({"sku": "A", "quantity": 2 ** 53 - 1}, line), "field_invalid", "add up to more"),
            (order(business_key="b" * 256), "field_invalid", "at most 255"),
            (order(business_key=9007199254740992), "field_invalid", "Send ids as texts"),
            (order(business_key=201605131024011000), "field_invalid", "Send ids as texts"),
            (order(business_key=1.5), "field_invalid", "business_key"),
        ]
        raw = [
            (b"", "field_invalid", "amount"),
            (b"[]", "request_invalid", "one JSON object"),
            (b"{", "request_invalid", "one JSON object"),
            (b'{"amount":"1"} x', "request_invalid", "text follows"),
            (b'{"amount":"1","amount":"2"}', "request_invalid", "twice"),
            (b'{"amount":"1","a\\u006dount":"2"}', "request_invalid", "twice"),
            (b'{"amount":"\xff"}', "request_invalid", "UTF-8"),
            (b'{"amount":"\\ud800"}', "request_invalid", "surrogate"),
            (b'{"amount":' + b"[" * 64 + b"]" * 64 + b"}", "request_invalid", "deeper"),
            (b'{"amount":01}', "request_invalid", ""),
            (b'{"amount":NaN}', "request_invalid", ""),
        ]
        before = self.orders()
        for number, (fields, code, says) in enumerate(table):
            with self.subTest(says, body=str(fields)[:80]):
                answer = self.post("/v1/flows/order", self.key(f"t{number}"), fields)
                self.assertIn(says, self.assertProblem(answer, 400, code)["detail"])
        for number, (body, code, says) in enumerate(raw):
            with self.subTest(says, body=body[:80]):
                answer = self.post("/v1/flows/order", self.key(f"r{number}"), body=body)
                self.assertIn(says, self.assertProblem(answer, 400, code)["detail"])
        self.assertEqual(self.orders(), before)

    def test_a_body_of_a_megabyte_is_read_and_one_byte_more_is_not(self):
        """Of the size it is refused for what it says, beyond it for its size."""
        body = b'{"x":"' + b"x" * ((1 << 20) - 8) + b'"}'
        self.assertProblem(self.post("/v1/flows/order", self.key("a"), body=body), 400, "field_invalid")
        self.assertProblem(self.post("/v1/flows/order", self.key("b"), body=body + b" "), 413, "body_too_large")

    def test_amounts_are_compared_at_full_precision_and_never_rounded(self):
        """Case X5."""
        amounts = ("12.50", "0.001", "123456789.012345", "999999999999999", "999999999999998.0")
        for number, amount in enumerate(amounts):
            made = self.post("/v1/flows/order", self.key(str(number)), order(amount=amount))
            self.assertEqual(made.status, 201, (amount, made))
            self.assertEqual(made.json()["fields"]["amount"], amount)
        text = b'{"amount":99999999999.9993,"currency":"EUR","items":[{"sku":"A","quantity":1}]}'
        as_number = self.post("/v1/flows/order", self.key("n"), body=text)
        self.assertEqual(as_number.json()["fields"]["amount"], "99999999999.9993")

    def test_an_order_that_nobody_could_pay_is_not_created(self):
        """Below zero, for nothing, finer or longer than payments, in two currencies: said before the money is in."""
        table = [
            (order(amount="0"), 409, "guard_refused", "amount"),
            (order(amount="-7"), 400, "field_invalid", "below zero"),
            (order(amount="0.0000001"), 400, "field_invalid", "15 digits"),
            (order(amount="9007199254740993"), 400, "field_invalid", "15 digits"),
            (order(amount="12.50 USD"), 400, "field_invalid", "write 12.50"),
            (order(currency="eur"), 400, "field_invalid", "capitals"),
        ]
        before = self.orders()
        for number, (body, status, code, says) in enumerate(table):
            with self.subTest(body=body):
                answer = self.post("/v1/flows/order", self.key(str(number)), body)
                self.assertIn(says, self.assertProblem(answer, status, code)["detail"])
        self.assertEqual(self.orders(), before)

    def test_unknown_flows_events_and_entities(self):
        known = self.order()
        big = str(2 ** 63)
        for answer, says in ((self.post("/v1/flows/oder", "k", GOOD), "`order`"),
                             (self.event("order", known, "shipp"), "`ship`")):
            self.assertIn(says, self.assertProblem(answer, 404, "not_found")["detail"])
        self.assertProblem(self.event("order", "1234567890123456", "ship"), 404, "not_found")
        for path in (f"/v1/flows/order/{known}1", "/v1/flows/order/1"):
            self.assertProblem(self.get(path), 404, "not_found")
            self.assertProblem(self.get(path + "/timeline"), 404, "not_found")
        for number, bad in enumerate(("abc", "0", "-1", "01", "1e3", "1.0", big, "%00", "9" * 400)):
            self.assertProblem(self.get(f"/v1/flows/order/{bad}"), 400, "request_invalid")
            self.assertProblem(self.event("order", bad, "ship", self.key(str(number))), 400, "request_invalid")
        self.assertProblem(self.get(f"/v1/flows/packing/{known}"), 404, "not_found")
        self.assertEqual(self.state("order", known), "created")

    def test_paths_and_methods_that_are_not_there(self):
        self.assertProblem(self.get("/v1/flows"), 404, "not_found")
        self.assertProblem(self.get("/v1/flows/order/1/events"), 404, "not_found")
        for method, path, allow in (("PUT", "/v1/flows/order", "GET, HEAD, POST"),
                                    ("DELETE", "/v1/flows/order/1", "GET, HEAD"),
                                    ("GET", "/v1/flows/order/1/events/ship", "POST"),
                                    ("PATCH", "/v1/stock/A", "GET, HEAD, POST")):
            answer = self.pawl.ask(method, path)
            self.assertEqual((answer.status, answer.code), (405, "method_not_allowed"), path)
            self.assertEqual(answer.header("Allow"), allow, path)

    def test_parameters_that_mean_nothing_here(self):
        for path in ("/v1/flows/order?limit=0", "/v1/flows/order?limit=501", "/v1/flows/order?limit=x",
                     "/v1/flows/order?after=x", "/v1/flows/order?after=0", "/v1/flows/order?after=",
                     "/v1/flows/order?state=paid",
                     "/v1/flows/order/1?x=1", "/v1/stock/A?kind=things", "/v1/flows/order/1/timeline?after=-1"):
            self.assertProblem(self.get(path), 400, "request_invalid")
        self.assertEqual(self.get("/v1/flows/order?limit=500").status, 200)

    def test_keys(self):
        """Case 16: as on every protected route."""
        self.assertProblem(self.post("/v1/flows/order", None, GOOD), 400, "key_missing")
        self.assertProblem(self.post("/v1/flows/order", "x" * 256, GOOD), 400, "key_invalid")
        self.assertProblem(self.post("/v1/flows/order", "a b", GOOD), 400, "key_invalid")
        twice = self.post("/v1/flows/order", "one", GOOD, [("Idempotency-Key", "two")])
        self.assertProblem(twice, 400, "key_invalid")
        first = self.post("/v1/flows/order", self.key("q"), GOOD)
        self.assertSameAnswer(first, self.post("/v1/flows/order", f'"{self.key("q")}"', GOOD))

    def test_a_key_does_not_answer_another_entity_or_event(self):
        one, other = self.order("one"), self.order("other")
        self.assertEqual(self.event("order", one, "begin_payment", self.key()).status, 200)
        self.assertProblem(self.event("order", other, "begin_payment", self.key()), 422, "key_reused")
        self.assertState("order", other, "created")
        # Another event is another operation, as another route is.
        self.assertEqual(self.event("order", one, "cancel", self.key()).status, 200)

    def test_versions_of_any_size(self):
        """Case 59."""
        known = self.order()
        for tag in ('"0"', '"2"', '"9007199254740993"', f'"{2 ** 64 - 1}"', f'"{2 ** 64 + 1}"', f'"{"9" * 400}"'):
            answer = self.event("order", known, "begin_payment", headers=[("If-Match", tag)])
            self.assertProblem(answer, 412, "version_conflict")
        self.assertProblem(self.event("order", known, "begin_payment", headers=[("If-Match", "2")]), 412,
                           "version_conflict")
        for tag in ('"x"', 'W/"1"', '"1", "2"', '""', '"', '"-1"', '"1.0"'):
            answer = self.event("order", known, "begin_payment", headers=[("If-Match", tag)])
            self.assertProblem(answer, 400, "request_invalid")
        for stamp in ("x", "-1", "1" * 201):
            answer = self.event("order", known, "begin_payment", headers=[("Pawl-Version", stamp)])
            self.assertProblem(answer, 400, "version_invalid")
        self.assertEqual(self.event("order", known, "begin_payment", headers=[("If-Match", '"1"')]).status, 200)

    def test_older_stamps_of_one_event_are_stale(self):
        known = self.order()
        newest = str(2 ** 53 + 1)
        done = self.event("order", known, "begin_payment", self.key("a"), headers=[("Pawl-Version", newest)])
        self.assertEqual(done.status, 200, done)
        for stamp in (newest, str(2 ** 53), "1"):
            stale = self.event("order", known, "begin_payment", self.key(f"b{stamp}"),
                               headers=[("Pawl-Version", stamp)])
            self.assertProblem(stale, 409, "stale_version")

    def test_events_that_are_not_the_callers(self):
        known = self.order()
        for event, fields in (("pay", {"amount": "12.50"}), ("deliver", None), ("expire", None), ("close", None),
                              ("refund", None)):
            self.assertProblem(self.event("order", known, event, self.key(event)), 403, "forbidden")
        self.assertState("order", known, "created")

    def test_a_business_key_is_had_once(self):
        first = self.order("same")
        taken = self.post("/v1/flows/order", self.key("again"), order(business_key=self.key("same")))
        document = self.assertProblem(taken, 409, "business_key_taken")
        self.assertIn(first, json.dumps(document))

    def test_items_that_the_order_does_not_have(self):
        self.stock("Has", 9)
        known = self.order(sku="Has", quantity=2)
        self.event("order", known, "begin_payment")
        for key, line in (("a", {"sku": "Other", "quantity": 1}), ("b", {"sku": "Has", "quantity": 0})):
            answer = self.event("order", known, "reserve", self.key(key), {"items": [line]})
            self.assertProblem(answer, 400, "field_invalid")
        self.assertEqual(self.level("Has"), (9, 0, 0))

    def test_bad_words_about_stock(self):
        bodies = [b"", b"{}", b"[]", b'{"set":-1}', b'{"set":1.5}', b'{"set":"1"}', b'{"adjust":0}',
                  b'{"set":1,"adjust":1}', b'{"set":9007199254740992}', b'{"set":1,"kind":"x"}', b'{"set":1,"set":2}',
                  b'{"sett":1}']
        for number, body in enumerate(bodies):
            answer = self.post("/v1/stock/BadWords", self.key(str(number)), body=body)
            self.assertIn(answer.code, ("field_invalid", "request_invalid"), (body, answer))
            self.assertEqual(answer.status, 400)
        self.assertProblem(self.post("/v1/stock/" + "x" * 129, self.key("long"), {"set": 1}), 400, "field_invalid")
        self.assertProblem(self.post("/v1/stock/a%0ab", self.key("ctl"), {"set": 1}), 400, "field_invalid")
        self.assertEqual(self.get("/v1/stock/BadWords").status, 404)


class Callbacks(FlowTest):
    """What a provider says, and what somebody says who is none."""

    config = CALLBACKS

    def setUp(self):
        self.stock("Called", 100)
        self.known = self.order(sku="Called")
        self.fact = {"id": self.key("n"), "type": "paid", "order": self.key("o"), "transaction": self.key("t"),
                     "amount": "12.50", "currency": "EUR", "merchant": "m-7"}

    def test_what_nobody_vouches_for_is_refused_and_changes_nothing(self):
        """Case 24: verified over the bytes as they came."""
        body = json.dumps(self.fact).encode()
        path = "/v1/callbacks/hmac/shop"
        wrong = signed(body, "another-secret-0123456789")
        for headers, sent in (([wrong], body), ([], body), ([signed(body), signed(body)], body),
                              ([signed(body)], body + b" "), ([("X-Signature", "sha256=00")], body)):
            answer = self.pawl.ask("POST", path, headers, sent)
            self.assertEqual(answer.status, 401, (headers, answer))
        self.assertEqual(self.pawl.ask("POST", "/v1/callbacks/hmac/nobody", [signed(body)], body).status, 404)
        self.assertEqual(self.pawl.ask("POST", "/v1/callbacks/paypal/shop", [signed(body)], body).status, 404)
        self.assertState("order", self.known, "created")

    def test_a_replayed_notification_is_acknowledged_and_does_nothing(self):
        for _ in range(4):
            self.assertEqual(self.notify("shop", self.fact).status, 200)
        self.assertState("order", self.known, "paid")
        self.assertEqual(len(self.steps("order", self.known)), 2)

    def test_a_payment_that_differs_waits_for_a_person(self):
        differing = [{"amount": "12.51"}, {"amount": "0.01"}, {"currency": "USD"}, {"amount": "99999999"}]
        for number, changed in enumerate(differing):
            answer = self.notify("shop", {**self.fact, **changed, "id": self.key(f"d{number}"),
                                          "transaction": self.key(f"t{number}")})
            self.assertEqual(answer.status, 200, (changed, answer))
        self.assertState("order", self.known, "created")
        listed = self.pawl.admin("GET", "/admin/v1/attention?limit=500").json()["entries"]
        mine = [one for one in listed if one.get("id") == self.known]
        self.assertEqual(len(mine), 4, listed)

    def entries(self, of):
        listed = self.pawl.admin("GET", "/admin/v1/attention?limit=500").json()["entries"]
        return [one for one in listed if one.get("id") == of]

    def close(self, entry, **word):
        said = {"number": entry["number"], "by": "ann", "reason": "paid back by hand", **word}
        return self.pawl.admin("POST", "/admin/v1/attention/close", [("Content-Type", "application/json")],
                               json.dumps(said).encode())

    def test_what_a_person_has_settled_is_not_refunded_as_well(self):
        wrong = {**self.fact, "amount": "12.51"}
        self.assertEqual(self.notify("shop", wrong).status, 200)
        entry = self.entries(self.known)[0]
        self.assertEqual(entry["about"][0]["transaction_id"], wrong["transaction"])
        closed = self.close(entry)
        self.assertEqual((closed.status, closed.json()["as"]), (200, "settled"), closed)
        self.assertEqual(self.close(entry, by="bob").status, 409)
        self.assertEqual(self.event("order", self.known, "cancel").status, 200)
        self.assertEqual(self.notify("shop", {**wrong, "id": self.key("again")}).status, 200)
        self.assertState("order", self.known, "cancelled")
        self.assertEqual(len(self.steps("order", self.known)), 2, "nothing was refunded")
        self.assertEqual(self.entries(self.known), [])

    def test_an_order_says_what_waits_for_a_person_and_what_one_has_closed(self):
        wrong = {**self.fact, "amount": "12.51"}
        self.assertEqual(self.notify("shop", wrong).status, 200)
        entry = self.entries(self.known)[0]
        timeline = lambda: self.pawl.cli_json("flow", "timeline", "order", self.known)["entries"]
        self.assertEqual([(one["number"], "closed" in one) for one in timeline()], [(entry["number"], False)])
        for word in (self.known, wrong["transaction"]):
            found = self.pawl.cli_json("flow", "find", word)["found"]
            self.assertEqual([one["number"] for one in found[0]["entries"]], [entry["number"]], word)
        code, out, err = self.pawl.cli("flow", "timeline", "order", self.known)
        self.assertEqual(code, 0, err)
        self.assertIn(f"waits for a person, entry {entry['number']}", out)
        self.assertIn("12.51", out)
        self.assertEqual(self.pawl.cli("attention", "close", entry["number"], "--reason", "paid back by hand")[0], 0)
        closed = timeline()[0]["closed"]
        self.assertEqual((closed["as"], closed["reason"]), ("settled", "paid back by hand"))
        for command in (("flow", "timeline", "order", self.known), ("flow", "find", wrong["transaction"]),
                        ("attention", "list", "--closed")):
            code, out, err = self.pawl.cli(*command)
            self.assertEqual(code, 0, err)
            self.assertIn("settled by hand by ", out, command)
            self.assertIn("paid back by hand", out, command)
            self.assertNotIn("waits for a person", out, command)
        self.assertEqual(self.pawl.admin("GET", "/admin/v1/attention?closed=maybe").status, 400)

    def test_what_is_refunded_is_no_longer_before_a_person(self):
        wrong = {**self.fact, "amount": "12.51"}
        self.assertEqual(self.notify("shop", wrong).status, 200)
        entry = self.entries(self.known)[0]
        self.assertEqual(self.event("order", self.known, "cancel").status, 200)
        self.assertEqual(self.notify("shop", {**wrong, "id": self.key("again")}).status, 200)
        self.assertEqual(self.steps("order", self.known)[-1]["type"], "late_payment")
        self.assertEqual(self.entries(self.known), [])
        told = self.close(entry)
        self.assertEqual(told.status, 409, told)
        self.assertIn(b"Do not", told.body)

    def test_an_id_that_comes_again_with_other_words_is_for_a_person(self):
        self.assertEqual(self.notify("shop", self.fact).status, 200)
        self.assertEqual(self.notify("shop", {**self.fact, "transaction": self.key("other")}).status, 200)
        listed = self.pawl.admin("GET", "/admin/v1/attention?limit=500").json()["entries"]
        mine = [one for one in listed if one["event"]["values"].get("event_id") == self.fact["id"]]
        self.assertEqual(len(mine), 1, listed)
        self.assertEqual(len(self.steps("order", self.known)), 2)
        self.assertGreaterEqual(self.pawl.metric("attention_open"), 1)

    def test_a_signed_notification_that_cannot_be_read_is_acknowledged(self):
        for body in (b"not json", b"[]", b'{"id":"x"}', b'{"id":"negative","type":"paid","amount":"-5"}'):
            answer = self.pawl.ask("POST", "/v1/callbacks/hmac/shop", [signed(body)], body)
            self.assertEqual(answer.status, 200, (body, answer))

    def test_a_notification_before_its_order_is_applied_when_the_order_comes(self):
        early = {**self.fact, "id": self.key("early"), "order": self.key("later"), "transaction": self.key("e")}
        self.assertEqual(self.notify("shop", early).status, 200)
        later = self.order("later", sku="Called")
        self.eventually(lambda: self.state("order", later) == "paid", "the parked payment is applied")

    def test_another_account_s_notification_is_no_word_about_this_flow(self):
        """The bank reports to `payment`: an order of that name is none of its."""
        body = json.dumps(self.fact).encode()
        self.assertEqual(self.pawl.ask("POST", "/v1/callbacks/hmac/bank", [signed(body)], body).status, 200)
        self.assertState("order", self.known, "created")


class Tenants(FlowTest):
    """Entities of another tenant are not there: not to be read, moved or listed."""

    config = "tenant: { header: X-Tenant }\n"

    def post(self, path, key=None, fields=None, headers=(), body=None, timeout=30):
        own = [] if any(name == "X-Tenant" for name, _ in headers) else [("X-Tenant", "a")]
        return super().post(path, key, fields, [*headers, *own], body, timeout)

    def test_an_entity_of_somebody_else_is_not_found(self):
        known = self.order()
        of_b = [("X-Tenant", "b")]
        path = f"/v1/flows/order/{known}"
        self.assertEqual(self.get(path, [("X-Tenant", "a")]).status, 200)
        for suffix in ("", "/timeline"):
            self.assertProblem(self.get(path + suffix, of_b), 404, "not_found")
        self.assertProblem(self.event("order", known, "begin_payment", headers=of_b), 404, "not_found")
        self.assertProblem(self.post(path + "/deadlines/created", headers=of_b), 404, "not_found")
        self.assertEqual(self.get("/v1/flows/order", of_b).json()["entities"], [])
        self.assertEqual(self.get(path, [("X-Tenant", "a")]).json()["state"], "created")
        # The same key and business key are another's.
        again = self.post("/v1/flows/order", self.key("create-o"), order(business_key=self.key("o")), of_b)
        self.assertEqual((again.status, again.replayed), (201, False), again)

    def test_who_says_no_tenant_is_refused(self):
        self.assertProblem(self.get("/v1/flows/order"), 401, "caller_unknown")
        unsaid = self.pawl.ask("POST", "/v1/flows/order", [("Idempotency-Key", "k")], b"{}")
        self.assertProblem(unsaid, 401, "caller_unknown")


if __name__ == "__main__":
    unittest.main(verbosity=2)
