# SPDX-License-Identifier: Apache-2.0
"""The tours of the README and of the flow files, as somebody walks them who has read them: order, payment, booking,
packing (R-ORDER, R-PAYMENT, R-BOOKING, R-PACKING; field cases 26, 27, 29, 32, 33, 35, 37)."""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time

from flow_harness import CALLBACKS, FlowTest, flow_file, unittest, with_deadlines
from harness import ROOT, Pawl, free_port, plain_environment, program, wait_for

TOUR = os.path.join(ROOT, "examples", "tour", "tour.py")


def scan(box, time_ms, nonce):
    """A packing station's token: every value behind its length."""
    parts = [str(value).encode() for value in ("pawl.scan.2", "packing", "pack", box, time_ms, nonce)]
    token = hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()
    return {"token": token, "ts_ms": time_ms, "nonce": nonce}


def now_ms():
    return int(time.time() * 1000)


class Order(FlowTest):
    config = CALLBACKS

    def test_create_pay_five_times_ship(self):
        self.stock("Tour", 5)
        order = self.order(sku="Tour", quantity=2)
        for _ in range(5):
            self.assertEqual(self.paid(self.key("o")).status, 200)
        self.assertState("order", order, "paid")
        self.assertEqual(self.level("Tour"), (3, 0, 2))
        self.assertEqual(self.event("order", order, "ship").json()["state"], "shipped")
        self.assertEqual([step["event"] for step in self.steps("order", order)], ["create", "pay", "ship"])

    def test_a_second_payment_is_refunded_once(self):
        self.stock("Twice", 5)
        order = self.order(sku="Twice")
        self.assertEqual(self.paid(self.key("o")).status, 200)
        for _ in range(3):
            self.assertEqual(self.paid(self.key("o"), "T2", "n-2").status, 200)
        self.eventually(lambda: self.done("/refunds"), "the second payment is refunded")
        self.assertEqual(len(self.done("/refunds")), 1)
        self.assertState("order", order, "paid")
        self.assertEqual(self.level("Twice"), (4, 0, 1))

    def test_money_for_a_cancelled_order_is_refunded_once_and_it_stays_cancelled(self):
        """Cases 27, 35: three notifications of it, by different numbers too."""
        self.stock("Late", 5)
        order = self.order(sku="Late", quantity=2)
        self.event("order", order, "begin_payment")
        self.event("order", order, "reserve")
        self.assertEqual(self.event("order", order, "cancel").status, 200)
        for number in ("n-1", "n-1", "n-2"):
            self.assertEqual(self.paid(self.key("o"), number=number).status, 200)
        self.eventually(lambda: self.done("/refunds"), "the late payment is refunded")
        self.assertEqual(len(self.done("/refunds")), 1)
        self.assertState("order", order, "cancelled")
        self.assertEqual(self.level("Late"), (5, 0, 0))
        self.assertEqual(self.steps("order", order)[-1]["course"], "compensated")

    def test_money_whose_stock_is_gone_is_refunded(self):
        self.stock("Gone", 1)
        first, second = self.order("one", sku="Gone"), self.order("two", sku="Gone")
        self.assertEqual(self.paid(self.key("one")).status, 200)
        self.assertEqual(self.paid(self.key("two")).status, 200)
        self.eventually(lambda: self.done("/refunds"), "the payment is refunded")
        self.assertEqual((self.state("order", first), self.state("order", second)), ("paid", "cancelled"))
        self.assertEqual(self.level("Gone"), (0, 0, 1))

    def test_the_courier_s_word_before_the_parcel_has_left_waits(self):
        """Case 29's kind: a fact that comes before its order is ready for it is not lost."""
        self.stock("Soon", 1)
        order = self.order(sku="Soon")
        early = self.event("order", order, "deliver")
        self.assertProblem(early, 403, "forbidden")
        self.assertState("order", order, "created")

    def test_what_happened_is_shown_on_the_command_line(self):
        order = self.order()
        self.assertEqual(self.event("order", order, "begin_payment", self.key("begin")).status, 200)
        code, out, err = self.pawl.cli("flow", "timeline", "order", order)
        self.assertEqual((code, err), (0, ""))
        for part in (order, "paying, version 2", "begin_payment", "12.50"):
            self.assertIn(part, out)
        by_key = self.pawl.cli_json("flow", "timeline", "order", self.key("o"), "--key")
        self.assertEqual((by_key["id"], len(by_key["steps"])), (order, 2))
        listed = self.pawl.cli_json("flow", "list", "order", "--limit", "500")
        self.assertIn(order, [one["id"] for one in listed["entities"]])
        explained = self.pawl.cli_json("explain", self.key("begin"))["records"][0]
        self.assertEqual(explained["operation"], "POST /v1/flows/order/events/begin_payment")
        self.assertEqual(explained["result"]["location"], f"/v1/flows/order/{order}")
        self.assertEqual(self.pawl.cli("flow", "timeline", "order", "17")[0], 3)
        self.assertEqual(self.pawl.cli("flow", "list", "oder")[0], 3)


class Deadlines(FlowTest):
    flows = "flows: { use: [./order.yaml] }\n"
    called = ("pay",)
    files = {"order.yaml": with_deadlines(flow_file("order"), created="1s", reserved="1s")}
    config = CALLBACKS.split("  - provider: hmac\n    name: seats")[0]

    def test_an_order_expires_and_is_paid_late(self):
        self.stock("Slow", 3)
        order = self.order(sku="Slow", quantity=2)
        self.event("order", order, "begin_payment")
        self.event("order", order, "reserve")
        self.assertEqual(self.level("Slow"), (1, 2, 0))
        self.eventually(lambda: self.state("order", order) == "cancelled", "the order expires")
        self.assertEqual(self.level("Slow"), (3, 0, 0))
        for _ in range(3):
            self.assertEqual(self.paid(self.key("o")).status, 200)
        self.eventually(lambda: self.done("/refunds"), "the late payment is refunded")
        self.assertEqual(len(self.done("/refunds")), 1)
        self.assertState("order", order, "cancelled")
        events = [step["event"] for step in self.steps("order", order)]
        self.assertEqual(events, ["create", "begin_payment", "reserve", "expire", "pay"])
        self.assertEqual(self.steps("order", order)[3]["sender"], "timer")

    def test_a_renewed_deadline_does_not_fire_early(self):
        self.stock("Renewed", 3)
        order = self.order(sku="Renewed")
        self.event("order", order, "begin_payment")
        self.event("order", order, "reserve")
        renewed = self.post(f"/v1/flows/order/{order}/deadlines/reserved").json()
        due = next(one["due_at"] for one in renewed["deadlines"] if one["name"] == "reserved")
        self.eventually(lambda: self.state("order", order) == "cancelled", "it expires in the end")
        self.assertGreaterEqual(self.steps("order", order)[-1]["at"], due)

    def test_a_payment_against_its_deadline_ends_in_one_of_two_ways(self):
        """Case 37: never both, never neither."""
        self.stock("Race", 40)
        orders = [self.order(f"r{i}", sku="Race") for i in range(12)]
        time.sleep(0.8)  # into the moment in which they expire
        self.at_once([lambda i=i: self.paid(self.key(f"r{i}"), number="n") for i in range(12)])
        ends = {"paid", "cancelled"}
        self.eventually(lambda: {self.state("order", one) for one in orders} <= ends, "all are decided")
        states = [self.state("order", one) for one in orders]
        paid, cancelled = states.count("paid"), states.count("cancelled")
        self.assertEqual(self.level("Race"), (40 - paid, 0, paid))
        self.eventually(lambda: len(self.done("/refunds")) == cancelled, "the late ones are refunded")


class Payment(FlowTest):
    config = CALLBACKS

    def payment(self, name="p"):
        fields = {"business_key": self.key(name), "amount": "12.50", "currency": "EUR", "merchant": "m-7"}
        return self.create("payment", self.key(f"create-{name}"), fields).json()["id"]

    def test_fifty_copies_of_a_success_start_its_saga_once(self):
        payment = self.payment()
        self.assertEqual(self.event("payment", payment, "begin").json()["state"], "processing")
        copies = self.at_once([lambda: self.paid(self.key("p"), account_name="bank")] * 50)
        self.assertEqual({answer.status for answer in copies}, {200})
        self.assertEqual(len(self.steps("payment", payment)), 3)
        begun = [saga["saga"] for step in self.steps("payment", payment) for saga in step.get("sagas", [])]
        self.assertEqual(begun, ["fulfil"])
        find = lambda path: [one for one in self.deeds() if one["path"] == path and payment in one["body"]]
        for path in ("/outgoing", "/jobs", "/bills", "/granted"):
            self.eventually(lambda path=path: find(path), f"{path} is asked")
            self.assertEqual(len(find(path)), 1, path)

    def test_who_may_not_refund_is_told_so(self):
        payment = self.payment()
        self.assertProblem(self.event("payment", payment, "refund"), 403, "forbidden")


class Booking(FlowTest):
    config = CALLBACKS

    def booking(self, user, start="10:00", end="11:00", room=None, **fields):
        wanted = {"business_key": self.key(user), "user": user, "resource": room or self.key("room"),
                  "start": f"2026-05-01T{start}:00Z", "end": f"2026-05-01T{end}:00Z", "token": f"t-{user}",
                  "order": self.key(user), "operation": "book", "amount": "30.00", "currency": "EUR", **fields}
        return self.create("booking", self.key(f"create-{user}"), wanted).json()["id"]

    def test_ten_callers_for_one_slot(self):
        """Case 32: one gets it, nine are told so, each under its own key for ever."""
        bookings = [self.booking(f"u{i}") for i in range(10)]
        answers = self.at_once([lambda one=one: self.event("booking", one, "reserve", self.key(one))
                                for one in bookings])
        self.assertEqual(sorted(answer.status for answer in answers), [200] + [409] * 9)
        for booking, answer in zip(bookings, answers):
            if answer.status == 409:
                self.assertProblem(answer, 409, "slot_taken")
            self.assertSameAnswer(answer, self.event("booking", booking, "reserve", self.key(booking)))

    def test_slots_that_touch_do_not_overlap(self):
        for user, start, end, status in (("a", "10:00", "11:00", 200), ("b", "11:00", "12:00", 200),
                                         ("c", "09:00", "10:00", 200), ("d", "10:59", "11:01", 409),
                                         ("e", "08:00", "13:00", 409)):
            answer = self.event("booking", self.booking(user, start, end), "reserve")
            self.assertEqual(answer.status, status, (user, answer))

    def test_the_same_booking_from_another_tab_is_the_first_one(self):
        """Case 26: another key, the same user, resource and token."""
        first = self.booking("ann")
        wanted = {
            "business_key": self.key("ann"), "user": "ann", "resource": self.key("room"),
            "start": "2026-05-01T10:00:00Z", "end": "2026-05-01T11:00:00Z", "token": "t-ann", "order": self.key("ann"),
            "operation": "book", "amount": "30.00", "currency": "EUR"}
        again = self.post("/v1/flows/booking", self.key("tab"), {**wanted, "amount": "30"})
        self.assertEqual((again.status, again.json()["id"], again.replayed), (201, first, True), again)
        for name, value in (("end", "2026-05-01T12:00:00Z"), ("amount", "3.00"), ("order", self.key("other")),
                            ("business_key", self.key("other"))):
            other = self.post("/v1/flows/booking", self.key(f"tab-{name}"), {**wanted, name: value})
            document = self.assertProblem(other, 409, "duplicate_request")
            self.assertEqual((document["winner"]["id"], other.header("Location")),
                             (first, f"/v1/flows/booking/{first}"))
            self.assertIn(f"`{name}`", document["detail"])

    def test_two_that_pay_for_one_slot_are_not_both_confirmed(self):
        """Case 33: who comes second is refunded."""
        first, second = self.booking("one"), self.booking("two")
        for user in ("one", "two"):
            self.assertEqual(self.paid(self.key(user), amount="30.00", account_name="seats").status, 200)
        self.assertEqual([self.state("booking", one) for one in (first, second)], ["paid", "cancelled"])
        self.eventually(lambda: self.done("/refunds"), "the second is refunded")
        self.assertEqual(self.event("booking", first, "confirm").json()["state"], "confirmed")

    def test_a_cancelled_booking_frees_its_slot_and_gives_the_money_back(self):
        first, second = self.booking("one"), self.booking("two")
        self.event("booking", first, "reserve")
        self.paid(self.key("one"), amount="30.00", account_name="seats")
        self.event("booking", first, "confirm")
        self.assertProblem(self.event("booking", second, "reserve", self.key("a")), 409, "slot_taken")
        for number, money in enumerate(({"amount": "5000", "currency": "USD"}, {"amount": "0"}, {"amount": "-7"})):
            refused = self.event("booking", first, "cancel", self.key(f"c{number}"), money)
            said = self.assertProblem(refused, 422, "amount_mismatch")["detail"]
            self.assertIn(money["amount"], said)
            self.assertIn("30.00 EUR", said)
        self.assertEqual(self.event("booking", first, "cancel").json()["state"], "cancelled")
        self.eventually(lambda: self.done("/refunds"), "it is refunded")
        self.assertEqual(self.event("booking", second, "reserve", self.key("b")).status, 200)


class Packing(FlowTest):
    flows = "flows: { use: [packing], caller: { header: X-Terminal } }\n"
    called = ()

    def post(self, path, key=None, fields=None, headers=(), body=None, timeout=30):
        own = [] if any(name == "X-Terminal" for name, _ in headers) else [("X-Terminal", "t-1")]
        return super().post(path, key, fields, [*headers, *own], body, timeout)

    def box(self, name="x"):
        made = self.create("packing", self.key(f"create-{name}"), {"box": self.key(name)}).json()["id"]
        self.assertEqual(self.event("packing", made, "arrive").json()["state"], "pending")
        return made

    def pack(self, box, fields, key, terminal="t-1"):
        return self.event("packing", box, "pack", self.key(key), fields, [("X-Terminal", terminal)])

    def test_two_terminals_and_a_scanner_that_bounces(self):
        box = self.box()
        first = scan(self.key("x"), now_ms(), "n-1")
        other = scan(self.key("x"), now_ms() + 100, "n-2")
        answers = self.at_once([lambda: self.pack(box, first, "one", "t-1"),
                                lambda: self.pack(box, other, "two", "t-2")])
        self.assertEqual(sorted(answer.status for answer in answers), [200, 409])
        won = answers[0].status == 200
        loser = answers[1 if won else 0]
        document = self.assertProblem(loser, 409, "transition_refused")
        self.assertIn("t-1" if won else "t-2", str(document))
        mine, key, terminal = (first, "one", "t-1") if won else (other, "two", "t-2")
        self.assertTrue(self.pack(box, mine, key, terminal).replayed)
        again = self.pack(box, mine, "again", terminal)
        self.assertEqual((again.status, again.replayed), (200, True), again)
        self.assertProblem(self.pack(box, mine, "stolen", "t-9"), 409, "duplicate_request")

    def test_tokens_that_are_wrong_or_old(self):
        box = self.box()
        good = scan(self.key("x"), now_ms(), "n-1")
        self.assertProblem(self.pack(box, {**good, "nonce": "n-2"}, "a"), 401, "token_invalid")
        self.assertProblem(self.pack(box, scan("another", now_ms(), "n-1"), "b"), 401, "token_invalid")
        self.assertProblem(self.pack(box, scan(self.key("x"), now_ms() - 60_000, "n-1"), "c"), 410, "token_expired")
        self.assertEqual(self.pack(box, scan(self.key("x"), now_ms(), "n-3"), "d").json()["state"], "packed")

    def test_arriving_twice_is_fine(self):
        box = self.box()
        again = self.event("packing", box, "arrive", self.key("again"))
        self.assertEqual((again.status, again.json()["version"]), (200, 2), again)


class Greeting(unittest.TestCase):
    """`pawl serve` without a file: every line that it prints to be pasted works, one after the other."""

    def test_the_lines_to_paste(self):
        with tempfile.TemporaryDirectory(prefix="pawl-test-") as folder:
            server = Pawl(folder, "")
            server.launch([program(), "serve", "--listen", f"127.0.0.1:{server.port}",
                           "--admin", f"127.0.0.1:{server.admin_port}"])
            self.addCleanup(server.kill)
            wait_for(lambda: "five times" in server.log() or not server.running(), 20, server.log())
            lines = re.findall(r"^    (\S.*)$", server.log(), re.M)
            outputs = []
            for line in lines:
                done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, cwd=folder,
                                      env=plain_environment(), timeout=60, check=False)
                self.assertEqual(done.returncode, 0, (line, done.stdout, done.stderr))
                outputs.append(done.stdout)
            by_line = dict(zip(lines, outputs))
            find = lambda part: next(text for line, text in by_line.items() if part in line)
            self.assertIn("201 Created", find("business_key"))
            self.assertEqual(find("callbacks/hmac").split(), ["200"] * 5)
            self.assertIn("shipped", find("events/ship"))
            timeline = find("flow timeline")
            for event in ("create", "pay", "ship"):
                self.assertIn(event, timeline)
            self.assertEqual(timeline.count("callback"), 1, timeline)
            self.assertEqual(self.tour("book", server).split().count("reserved"), 1)
            self.assertEqual(self.tour("book", server).split().count("slot_taken"), 9)
            packed = self.tour("pack", server)
            self.assertEqual((packed.count("200  packed"), packed.count("transition_refused")), (2, 1), packed)
            self.assertEqual(server.stop(), 0)

    def tour(self, what, server=None):
        """The script of the README; its output. A flag tells one part where Pawl listens, the environment another."""
        environment = plain_environment()
        place = ["--pawl", program()]
        if server:
            url = f"http://127.0.0.1:{server.port}"
            environment["TOUR_URL"] = "http://127.0.0.1:1" if what == "book" else url
            place = ["--url", url] if what == "book" else []
        done = subprocess.run([sys.executable, TOUR, what, *place], capture_output=True, text=True, timeout=90,
                              env=environment, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_where_nothing_listens_the_tour_says_so(self):
        done = subprocess.run([sys.executable, TOUR, "book", "--url", f"http://127.0.0.1:{free_port()}"],
                              capture_output=True, text=True, timeout=90, env=plain_environment(), check=False)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("Is `make run` up", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_an_order_that_is_paid_late(self):
        late = self.tour("late")
        self.assertIn("refunds: 1\nthe order: cancelled\n", late)
        self.assertEqual(late.count("the provider reports the payment: 200"), 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
