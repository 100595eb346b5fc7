# SPDX-License-Identifier: Apache-2.0
"""Every call of flows over HTTP, as its user sees it (R-FLOW, R-ORDER; field cases 23, 40, 42, 46, X3)."""

import json
import pathlib
import threading

from flow_harness import CALLBACKS, FlowTest, unittest


class Flows(FlowTest):
    config = CALLBACKS

    def test_an_order_is_created_once_and_read_back(self):
        wanted = {"business_key": self.key("b"), "amount": "12.50", "currency": "EUR",
                  "items": [{"sku": "A", "quantity": 2}, {"sku": "A", "quantity": 1}]}
        first = self.create("order", self.key(), wanted)
        made = first.json()
        self.assertRegex(made["id"], r"^[1-9][0-9]{15,18}$")
        self.assertEqual((made["state"], made["version"], made["flow"]), ("created", 1, "order"))
        self.assertEqual(first.header("Location"), f"/v1/flows/order/{made['id']}")
        self.assertEqual(first.header("ETag"), '"1"')
        again = self.create("order", self.key(), wanted)
        self.assertSameAnswer(first, again)
        self.assertEqual(again.header("Idempotency-Key"), self.key())
        read = self.get(first.header("Location"))
        self.assertEqual((read.status, read.header("ETag")), (200, '"1"'))
        self.assertEqual(read.json()["fields"], {"amount": "12.50", "currency": "EUR"})
        self.assertEqual(read.json()["items"], [{"sku": "A", "quantity": 3}])
        deadlines = {one["name"]: one for one in read.json()["deadlines"]}
        self.assertEqual(set(deadlines), {"created", "unpaid"})
        self.assertEqual(deadlines["created"]["event"], "expire")
        self.assertLess(deadlines["created"]["due_at"], deadlines["unpaid"]["due_at"])

    def test_the_same_words_in_another_order_are_the_same_request(self):
        fields = {"amount": "1", "currency": "EUR", "items": [{"sku": "A", "quantity": 1}]}
        first = self.create("order", self.key(), fields)
        turned = json.dumps(dict(reversed(fields.items())), indent=1).encode()
        self.assertSameAnswer(first, self.post("/v1/flows/order", self.key(), body=turned))
        other = {**fields, "amount": "2"}
        self.assertProblem(self.post("/v1/flows/order", self.key(), other), 422, "key_reused")

    def test_an_answer_of_a_repeat_is_the_first_one_though_the_order_has_moved_on(self):
        """Case 23."""
        order = self.order()
        began = self.event("order", order, "begin_payment", self.key("begin"))
        self.assertEqual((began.status, began.json()["state"], began.header("ETag")), (200, "paying", '"2"'))
        self.assertEqual(self.event("order", order, "cancel").json()["state"], "cancelled")
        self.assertSameAnswer(began, self.event("order", order, "begin_payment", self.key("begin")))
        self.assertState("order", order, "cancelled")

    def test_a_version_guards_an_event(self):
        """Case 46: of two callers that read the same version, one is told that it has passed."""
        order = self.order()
        stale = self.event("order", order, "begin_payment", headers=[("If-Match", '"7"')])
        self.assertProblem(stale, 412, "version_conflict")
        answers = self.at_once([
            lambda event=event: self.event("order", order, event, headers=[("If-Match", '"1"')])
            for event in ("begin_payment", "cancel")])
        self.assertEqual(sorted(answer.status for answer in answers), [200, 412])
        # Not stored: the same key may try again with the version of now.
        loser = "cancel" if answers[0].status == 200 else "begin_payment"
        again = self.event("order", order, loser, headers=[("If-Match", '"2"')])
        self.assertIn(again.status, (200, 409))

    def test_what_is_known_already_is_not_sent_again(self):
        order = self.order()
        path = f"/v1/flows/order/{order}"
        for tag in ('"1"', 'W/"1"', '"7", "1"', "*"):
            answer = self.get(path, [("If-None-Match", tag)])
            self.assertEqual((answer.status, answer.body, answer.header("ETag")), (304, b"", '"1"'), tag)
        self.assertEqual(self.get(path, [("If-None-Match", '"2"')]).status, 200)

    def test_pages_are_newest_first_and_stay_as_they_are_while_orders_come(self):
        made = [self.create("packing", self.key(f"c{i}"), {"box": self.key(f"b{i}")}).json()["id"] for i in range(7)]
        made.sort(key=int)  # pages go by id; two loops may number the same millisecond in either order
        first = self.get("/v1/flows/packing?limit=3")
        self.assertEqual([one["id"] for one in first.json()["entities"]], made[:3:-1])
        self.create("packing", self.key("late"), {"box": self.key("late")})
        self.assertEqual(first.header("Link"), f'<{first.json()["next"]}>; rel="next"')
        second = self.get(first.json()["next"]).json()
        self.assertEqual([one["id"] for one in second["entities"]], made[3:0:-1])
        third = self.get(second["next"]).json()
        self.assertIn(made[0], [one["id"] for one in third["entities"]])

    def test_the_timeline_has_every_step_with_what_moved(self):
        self.stock("TL", 5)
        order = self.order(sku="TL", quantity=2)
        self.event("order", order, "begin_payment")
        self.event("order", order, "reserve")
        self.assertEqual(self.paid(self.key("o")).status, 200)
        steps = self.steps("order", order)
        self.assertEqual([step["version"] for step in steps], [1, 2, 3, 4])
        self.assertEqual([step["event"] for step in steps], ["create", "begin_payment", "reserve", "pay"])
        self.assertEqual(steps[2]["stock"], [{"sku": "TL", "available": -2, "reserved": 2, "sold": 0}])
        self.assertEqual(steps[3]["stock"], [{"sku": "TL", "available": 0, "reserved": -2, "sold": 2}])
        self.assertEqual((steps[3]["sender"], steps[3]["type"]), ("callback", "order.paid"))
        page = self.get(f"/v1/flows/order/{order}/timeline?limit=3").json()
        self.assertEqual(len(page["steps"]), 3)
        self.assertEqual([step["event"] for step in self.get(page["next"]).json()["steps"]], ["pay"])

    def test_the_machine_is_shown_as_json_and_as_a_picture(self):
        machine = self.get("/v1/flows/order/states").json()
        self.assertEqual(machine["initial"], "created")
        cancelled = {"final": True, "late": {"pay": "refund", "deliver": "ignore"}}
        self.assertEqual(machine["states"]["cancelled"], cancelled)
        shipping = {"from": ["paid"], "to": "shipped", "emits": "order.shipped"}
        self.assertEqual(machine["events"]["ship"]["transitions"], [shipping])
        guards = machine["events"]["pay"]["transitions"][0]["guards"]
        self.assertIn({"field": "amount", "is": "same"}, guards)
        picture = self.get("/v1/flows/order/states?format=mermaid")
        self.assertEqual(picture.header("Content-Type"), "text/vnd.mermaid")
        self.assertTrue(picture.body.startswith(b"stateDiagram-v2"), picture.body[:80])
        self.assertProblem(self.get("/v1/flows/order/states?format=svg"), 400, "request_invalid")

    def test_a_refusal_links_the_machine_and_is_the_result_of_its_key(self):
        self.stock("Ship", 1)
        order = self.order(sku="Ship")
        refused = self.event("order", order, "ship")
        document = self.assertProblem(refused, 409, "transition_refused")
        self.assertIn('</v1/flows/order/states>; rel="describedby"', refused.all("Link"))
        self.assertIn("created", json.dumps(document))
        self.assertEqual(self.paid(self.key("o")).status, 200)
        self.assertSameAnswer(refused, self.event("order", order, "ship"))
        self.assertEqual(self.event("order", order, "ship", self.key("another")).status, 200)

    def test_a_deadline_is_renewed_without_a_new_version(self):
        order = self.order()
        self.event("order", order, "begin_payment")
        before = self.entity("order", order)
        due = lambda shown: {one["name"]: one["due_at"] for one in shown["deadlines"]}["paying"]
        renewed = self.post(f"/v1/flows/order/{order}/deadlines/paying")
        self.assertEqual(renewed.status, 200, renewed)
        self.assertGreaterEqual(due(renewed.json()), due(before))
        self.assertEqual(renewed.json()["version"], before["version"])
        for name, status in (("unpaid", 404), ("shipped", 404), ("nonsense", 404)):
            answer = self.post(f"/v1/flows/order/{order}/deadlines/{name}")
            self.assertEqual(answer.status, status, (name, answer))

    def test_stock_is_set_adjusted_and_read(self):
        """Case X3: the same key counts once."""
        path = "/v1/stock/" + self.key("sku").replace("_", "%2F")
        self.assertProblem(self.get(path), 404, "not_found")
        first = self.post(path, self.key("s"), {"set": 10})
        self.assertEqual(first.status, 200, first)
        for _ in range(3):
            self.assertEqual(self.post(path, self.key("a"), {"adjust": -3}).status, 200)
        self.assertEqual(self.get(path).json()["available"], 7)
        self.assertProblem(self.post(path, self.key("a"), {"adjust": -4}), 422, "key_reused")
        self.assertProblem(self.post(path, self.key("much"), {"adjust": -8}), 409, "out_of_stock")
        self.assertProblem(self.get(path + "?kind=voucher"), 404, "not_found")
        self.assertEqual(self.post(path, self.key("v"), {"set": 4, "kind": "voucher"}).status, 200)
        self.assertEqual(self.get(path + "?kind=voucher").json()["available"], 4)
        self.assertEqual(self.get(path).json()["available"], 7)

    def test_two_carts_together_never_take_more_than_there_is(self):
        """Case 40: exactly ten of a hundred orders of one get the ten that there are."""
        self.stock("Rare", 10)
        orders = [self.order(f"o{i}", sku="Rare") for i in range(30)]
        for order in orders:
            self.event("order", order, "begin_payment")
        answers = self.at_once([lambda order=order: self.event("order", order, "reserve") for order in orders])
        self.assertEqual(sorted(answer.status for answer in answers), [200] * 10 + [409] * 20)
        self.assertEqual({answer.code for answer in answers if answer.status == 409}, {"out_of_stock"})
        self.assertEqual(self.level("Rare"), (0, 10, 0))

    def test_what_was_held_is_given_back_once(self):
        """Case 42's second half: cancelled twice, it comes back once."""
        self.stock("Part", 10)
        order = self.order(sku="Part", quantity=10)
        self.event("order", order, "begin_payment")
        self.event("order", order, "reserve")
        self.assertEqual(self.level("Part"), (0, 10, 0))
        self.assertEqual(self.event("order", order, "cancel").status, 200)
        self.assertEqual(self.level("Part"), (10, 0, 0))
        self.assertProblem(self.event("order", order, "cancel", self.key("again")), 409, "transition_refused")
        self.assertEqual(self.level("Part"), (10, 0, 0))

    def test_one_key_from_ten_callers_at_once_makes_one_order(self):
        fields = {"amount": "1", "currency": "EUR", "items": [{"sku": "A", "quantity": 1}]}
        answers = self.at_once([lambda: self.post("/v1/flows/order", self.key(), fields)] * 10)
        self.assertEqual({answer.status for answer in answers}, {201})
        self.assertEqual(len({answer.json()["id"] for answer in answers}), 1)
        self.assertEqual(sum(answer.replayed for answer in answers), 9)

    def test_the_reserved_path_is_the_same_place(self):
        order = self.order()
        self.assertEqual(self.get(f"/_pawl/v1/flows/order/{order}").json()["id"], order)
        first = self.event("order", order, "begin_payment", self.key("k"))
        again = self.post(f"/_pawl/v1/flows/order/{order}/events/begin_payment", self.key("k"))
        self.assertSameAnswer(first, again)

    def test_a_connection_that_is_kept_serves_flows_one_after_the_other(self):
        done = []

        def many(number):
            for i in range(20):
                self.create("packing", self.key(f"{number}-{i}"), {"box": self.key(f"{number}-{i}")})
            done.append(number)
        threads = [threading.Thread(target=many, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(done), 4)


class BesideRoutes(FlowTest):
    """With routes of its user's the reserved path is the only one, and links name it."""

    config = """
routes:
  - match: POST /v1/orders
    upstream: http://127.0.0.1:9
    caller: public
"""

    def test_flows_have_the_reserved_path_only(self):
        self.assertProblem(self.get("/v1/flows/order"), 404, "not_found")
        self.assertEqual(self.get("/openapi.json").status, 404)
        fields = {"amount": "1", "currency": "EUR", "items": [{"sku": "A", "quantity": 1}]}
        made = self.post("/_pawl/v1/flows/order", self.key(), fields)
        self.assertEqual(made.status, 201, made)
        self.assertEqual(made.header("Location"), f"/_pawl/v1/flows/order/{made.json()['id']}")
        self.assertEqual(self.get(made.header("Location")).status, 200)
        self.assertEqual(self.get("/_pawl/v1/openapi.json").json()["servers"], [{"url": "/_pawl/v1"}])
        self.assertProblem(self.get("/_pawl/v1/operations/op_x"), 404, "not_found")


class Encrypted(FlowTest):
    """What flows store is encrypted where the store is; they are served all the same, over a restart too."""

    flows = "flows: { use: [packing], caller: public }\n"
    called = ()

    def test_nothing_of_an_entity_stands_in_the_file(self):
        self.pawl.stop()
        key = {"PAWL_STORE_KEY": "5" * 64}
        with open(self.pawl.config_path, encoding="utf-8") as stream:
            text = stream.read().replace("pawl.db }", "pawl.db, encryption: { key: { env: PAWL_STORE_KEY } } }")
        with open(self.pawl.config_path, "w", encoding="utf-8") as stream:
            stream.write(text)
        self.pawl.env = key
        self.pawl.start()
        box = self.create("packing", self.key(), {"box": "SecretBoxNumber"}).json()["id"]
        self.assertEqual(self.event("packing", box, "arrive").json()["state"], "pending")
        self.pawl.stop()
        files = [pathlib.Path(self.pawl.database + end) for end in ("", "-wal")]
        stored = b"".join(file.read_bytes() for file in files if file.exists())
        self.assertGreater(len(stored), 4096)
        self.assertNotIn(b"SecretBoxNumber", stored)
        self.pawl.start()
        self.assertEqual(self.entity("packing", box)["fields"], {"box": "SecretBoxNumber"})
        self.assertTrue(self.event("packing", box, "arrive").replayed)


BOX = """flow: box
initial: open
states: { open: {}, shut: {}, EXTRA }
events: { shut: { from: open, to: shut }, drop: { from: [open, shut], to: gone } }
"""


class Reloads(FlowTest):
    """A changed flow is taken while it runs, unless it forgets a state that something is in."""

    flows = "flows: { use: [./box.yaml], caller: public }\n"
    called = ()
    files = {"box.yaml": BOX.replace("EXTRA", "gone: { final: true }")}

    def rewrite(self, text):
        with open(f"{self.folder}/box.yaml", "w", encoding="utf-8") as stream:
            stream.write(text)

    def test_what_something_is_in_cannot_be_taken_away(self):
        box = self.create("box", self.key(), {}).json()["id"]
        self.assertEqual(self.event("box", box, "shut").json()["state"], "shut")
        without = ("flow: box\ninitial: open\nstates: { open: {}, gone: { final: true } }\n"
                   "events: { drop: { from: open, to: gone } }\n")
        self.rewrite(without)
        self.eventually(lambda: f"box {box} is in `shut`" in self.pawl.log(), "the change is refused")
        self.assertIn("routes and flows stay as they are", self.pawl.log())
        ready = self.pawl.admin("GET", "/readyz")
        self.assertEqual(ready.status, 200)
        self.assertIn(f"box {box} is in `shut`", " ".join(ready.json()["notes"]))
        self.assertEqual(self.get("/v1/flows/box/states").json()["states"]["shut"], {"final": False})
        # The event of a state that is added is there without a restart; the key of before is known.
        wider = BOX.replace("EXTRA", "gone: { final: true }, lost: { final: true }").replace(
            "events: {", "events: { lose: { from: shut, to: lost },")
        self.rewrite(wider)
        self.eventually(lambda: "lose" in self.get("/v1/flows/box/states").json()["events"], "the change is taken")
        self.assertTrue(self.event("box", box, "shut").replayed)
        self.assertEqual(self.event("box", box, "lose").json()["state"], "lost")
        # Nothing is in `shut` any more.
        self.rewrite(without.replace("gone: { final: true } }", "gone: { final: true }, lost: { final: true } }", 1)
                     .replace("events: {", "events: { lose: { from: open, to: lost },"))
        self.eventually(lambda: "shut" not in self.get("/v1/flows/box/states").json()["states"], "it is taken away")


if __name__ == "__main__":
    unittest.main(verbosity=2)
