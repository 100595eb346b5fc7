# SPDX-License-Identifier: Apache-2.0
"""The example session in the head of each built-in flow's file, played line by line over HTTP: what it shows as an
answer is the answer."""

import hashlib
import json
import os
import re
import time

from flow_harness import CALLBACKS, FlowTest, unittest
from harness import ROOT

REQUEST = re.compile(r"POST (/v1/\S+) +Idempotency-Key: (\S+)(?: +(\d{3}) (\w+).*)?$")


def session_of(flow):
    """The lines of the head's example, each without its mark; a body that goes on is one line with its beginning."""
    with open(os.path.join(ROOT, "flows", f"{flow}.yaml"), encoding="utf-8") as stream:
        head = [line[1:].strip() for line in stream if line.startswith("#")]
    begin = next(i for i, line in enumerate(head) if line.startswith("An example session"))
    lines = []
    for line in head[begin + 1:]:
        if lines and lines[-1].startswith("{") and "}" not in lines[-1]:
            lines[-1] += " " + line
        elif line and (line[0] in "({P" or re.match(r"\d{3} ", line)):
            request, brace, body = line.partition("{") if line.startswith("P") else (line, "", "")
            lines += [request.rstrip(), brace + body] if brace else [line]
    return lines


class Player:
    """One session. What it tells in parentheses is done by `told`, by how it begins."""

    def __init__(self, test, flow, told):
        self.test, self.flow, self.told = test, flow, told
        self.id = self.answer = self.pending = None

    def play(self):
        played = 0
        lines = session_of(self.flow)
        for number, line in enumerate(lines):
            with self.test.subTest(line=line):
                played += 1
                self.step(line, lines[number + 1] if number + 1 < len(lines) else "")
        return played

    def step(self, line, following):
        request = REQUEST.match(line)
        if request:
            self.pending = (request[1].replace("/ID/", f"/{self.id}/"), request[2])
            if not following.startswith("{"):
                self.send(None, request[3], request[4])
        elif line.startswith("{"):
            body, _, rest = line.rpartition("}")
            expected = re.match(r" *(\d{3}) (\w+)", rest)
            self.send(json.loads(body + "}"), *(expected.groups() if expected else (None, None)))
        elif line.startswith("("):
            words, _, rest = line[1:].rpartition(")")
            for begin, do in self.told.items():
                if words.startswith(begin):
                    do(self, rest.strip())
                    return
            self.test.fail(f"nobody knows what this means: {line}")
        else:
            self.expect(*re.match(r"(\d{3}) (\w+)", line).groups())

    def send(self, fields, status, state):
        path, key = self.pending
        if fields and "token" in fields and fields["token"] == "TOKEN":
            fields = self.scan(fields)
        self.sent = fields
        self.answer = self.test.post(path, key, fields)
        if path == f"/v1/flows/{self.flow}" and self.answer.status == 201:
            self.id, self.fields = self.answer.json()["id"], fields
        self.expect(status, state)

    def scan(self, fields):
        fields = {**fields, "ts_ms": int(time.time() * 1000)}
        values = ["pawl.scan.2", "packing", "pack", self.fields["box"], fields["ts_ms"], fields["nonce"]]
        parts = [str(value).encode() for value in values]
        fields["token"] = hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()
        return fields

    def expect(self, status, state):
        if status is None:
            return
        self.test.assertEqual(self.answer.status, int(status), self.answer)
        document = self.answer.json()
        self.test.assertEqual(document.get("code") or document["state"], state, document)

    def is_now(self, state):
        self.test.assertState(self.flow, self.id, state)


def reported(account, transaction, state=None, **fields):
    """The provider tells a payment, and the entity is in a state afterwards."""
    def do(player, rest):
        test = player.test
        test.assertEqual(test.notify(account, {
            "id": f"{player.flow}-{transaction}", "type": "paid", "order": player.fields.get("business_key", ""),
            "transaction": transaction, "amount": player.fields["amount"], "currency": player.fields["currency"],
            "merchant": "m-7", **fields}).status, 200)
        player.is_now(state or re.match(r"\w+", rest)[0])
    return do


def refunded(player, _):
    player.test.eventually(lambda: [one for one in player.test.deeds() if one["path"] == "/refunds"], "it is refunded")


class Sessions(FlowTest):
    flows = """flows:
  use: [order, payment, booking, packing]
  caller: { header: X-User }
  roles: { support: [ann] }
  allow: { payment: { failed: [anyone] } }
"""
    config = CALLBACKS

    def post(self, path, key=None, fields=None, headers=(), body=None, timeout=30):
        own = [] if any(name == "X-User" for name, _ in headers) else [("X-User", "ann")]
        return super().post(path, key, fields, [*headers, *own], body, timeout)

    def get(self, path, headers=()):
        return super().get(path, [*headers, ("X-User", "ann")])

    def test_order(self):
        self.stock("A", 10)

        def second(player, rest):
            reported("shop", "T2", "paid")(player, rest)
            refunded(player, rest)
        played = Player(self, "order", {
            "the provider reports payment T1": reported("shop", "T1", "paid"),
            "the provider reports it again": reported("shop", "T1", "paid"),
            "the provider reports payment T2": second,
            "the courier reports the delivery": lambda player, rest: player.is_now("shipped"),
        }).play()
        self.assertGreaterEqual(played, 9)

    def test_payment(self):
        def declined(player, rest):
            self.assertIn(self.event("payment", player.id, "failed", self.key(rest)).status, (200, 202))

        def declined_first(player, rest):
            declined(player, "first")
            player.is_now("failed")

        def again(player, rest):
            for _ in range(50):
                reported("bank", "T1", "success")(player, rest)
            declined(player, "again")
            player.is_now("success")
        played = Player(self, "payment", {
            "the provider reports a declined try": declined_first,
            "the provider reports payment T1": reported("bank", "T1"),
            "fifty copies of it": again,
            "the provider reports the refund of another": reported(
                "bank", "T9", "refunding", id="refund-9", type="refunded", refund="R9"),
            "the provider reports the refund of T1": reported(
                "bank", "T1", id="refund-1", type="refunded", refund="R1"),
        }).play()
        self.assertGreaterEqual(played, 8)

    def test_booking(self):
        def another_tab(player, _):
            path, first = "/v1/flows/booking", player.answer
            answer = self.post(path, "b-1-tab", player.fields)
            self.assertEqual((answer.status, answer.json()["id"], answer.replayed), (201, player.id, True), first)

        def another_time(player, rest):
            path = "/v1/flows/booking"
            other = self.post(path, "b-1-other", {**player.fields, "end": "2026-05-01T12:00:00Z"})
            self.assertProblem(other, *[int(word) if word.isdigit() else word for word in rest.split()])
            self.assertEqual(other.header("Location"), f"{path}/{player.id}")

        def somebody_else(player, _):
            other = self.create("booking", "other", {
                **player.fields, "business_key": "B2", "user": "bob", "token": "t-2", "order": "B2",
                "start": "2026-05-01T10:30:00Z", "end": "2026-05-01T11:30:00Z"}).json()["id"]
            self.assertProblem(self.event("booking", other, "reserve"), 409, "slot_taken")
        played = Player(self, "booking", {
            "the same from another tab": another_tab, "another time": another_time,
            "somebody else reserves": somebody_else, "the provider reports payment T1": reported("seats", "T1"),
        }).play()
        self.assertGreaterEqual(played, 8)

    def test_packing(self):
        def again(player, _):
            self.assertSameAnswer(player.answer, self.post(*player.pending, player.sent))

        def another(player, _):
            player.pending = (player.pending[0], "x-4")
            player.send({"token": "TOKEN", "ts_ms": 0, "nonce": "n-2"}, "409", "transition_refused")
        played = Player(self, "packing", {"the same scan again": again, "a scan by another terminal": another}).play()
        self.assertGreaterEqual(played, 6)


with open(os.path.join(ROOT, "examples", "flows", "coupon.yaml"), encoding="utf-8") as coupon:
    COUPON = coupon.read()


class Coupon(FlowTest):
    """The flow of docs/write_your_own_flow.md, as that page serves and calls it."""

    flows = "flows: { use: [./coupon.yaml], caller: { header: X-User }, roles: { support: [ann] } }\n"
    called = ()
    files = {"coupon.yaml": COUPON}

    def post(self, path, key=None, fields=None, headers=(), body=None, timeout=30):
        own = [] if any(name == "X-User" for name, _ in headers) else [("X-User", "shop")]
        return super().post(path, key, fields, [*headers, *own], body, timeout)

    def get(self, path, headers=()):
        return super().get(path, [*headers, ("X-User", "shop")])

    def coupon(self, code):
        return self.create("coupon", self.key(code), {"code": code, "holder": "bob", "worth": "5.00"}).json()["id"]

    def test_what_the_page_promises(self):
        spring, summer = self.coupon("SPRING"), self.coupon("SUMMER")
        again = self.post("/v1/flows/coupon", self.key("again"), {"code": "SPRING", "holder": "bob", "worth": "5.00"})
        self.assertEqual((again.json()["id"], again.replayed), (spring, True))
        first = self.event("coupon", spring, "redeem", "redeem-1", {"order": "o-1", "total": "12.50"})
        self.assertEqual(first.json()["state"], "redeemed")
        self.assertSameAnswer(first, self.event("coupon", spring, "redeem", "redeem-1",
                                                {"order": "o-1", "total": "12.50"}))
        same_order = self.event("coupon", spring, "redeem", "redeem-1b", {"order": "o-1", "total": "12.50"})
        self.assertEqual((same_order.status, same_order.json()["state"]), (200, "redeemed"))
        other_total = self.event("coupon", spring, "redeem", "redeem-1c", {"order": "o-1", "total": "13.50"})
        self.assertProblem(other_total, 409, "duplicate_request")
        self.assertIn("with another `total`", other_total.json()["detail"])
        other_coupon = self.event("coupon", summer, "redeem", "redeem-1d", {"order": "o-1", "total": "12.50"})
        document = self.assertProblem(other_coupon, 409, "duplicate_request")
        self.assertEqual(document["winner"]["id"], spring)
        self.assertState("coupon", summer, "issued")
        other_order = self.event("coupon", spring, "redeem", "redeem-2", {"order": "o-2", "total": "99"})
        self.assertProblem(other_order, 409, "transition_refused")
        small = self.event("coupon", summer, "redeem", "redeem-3", {"order": "o-3", "total": "9.99"})
        self.assertProblem(small, 409, "guard_refused")
        self.assertProblem(self.event("coupon", summer, "lapse"), 403, "forbidden")
        self.assertProblem(self.event("coupon", summer, "revoke", "revoke-1"), 403, "forbidden")
        revoked = self.event("coupon", summer, "revoke", "revoke-2", headers=[("X-User", "ann")])
        self.assertEqual(revoked.json()["state"], "void")

    def test_an_order_gives_back_its_own_coupon_only(self):
        autumn, winter = self.coupon("AUTUMN"), self.coupon("WINTER")
        self.assertEqual(self.event("coupon", autumn, "redeem", "r-1", {"order": "o-7", "total": "20"}).status, 200)
        self.assertProblem(self.event("coupon", autumn, "give_back", "g-1", {"order": "o-8"}), 409, "guard_refused")
        self.assertProblem(self.event("coupon", autumn, "give_back", "g-2"), 400, "field_invalid")
        given = self.event("coupon", autumn, "give_back", "g-3", {"order": "o-7"})
        self.assertEqual(given.json()["state"], "issued")
        self.assertEqual(self.event("coupon", winter, "redeem", "r-2", {"order": "o-7", "total": "20"}).status, 200)

    def test_a_coupon_is_worth_something_and_its_code_is_its_own(self):
        nothing = self.post("/v1/flows/coupon", self.key("free"), {"code": "FREE", "holder": "bob", "worth": "0"})
        self.assertProblem(nothing, 409, "guard_refused")
        gold = self.coupon("GOLD")
        other = self.post("/v1/flows/coupon", self.key("more"), {"code": "GOLD", "holder": "bob", "worth": "50.00"})
        document = self.assertProblem(other, 409, "duplicate_request")
        self.assertEqual(document["winner"]["id"], gold)
        self.assertIn("`worth`", document["detail"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
