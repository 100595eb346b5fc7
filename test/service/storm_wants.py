# SPDX-License-Identifier: Apache-2.0
"""What people want in the storm of flows: an order, a booking, a box that is packed, a payment. Each carries itself
from its creation to its end through a client that sends everything three times, and says afterwards how it must have
ended: in which states, by which steps, and with which money refunded."""

import collections
import hashlib
import time

SKUS = 20
CURRENCY = "EUR"


class Want:
    """Shape: `told` is what each call was answered, the same for every copy; `payments` are the transactions that the
    provider tells of, with their amounts; `ends` are the states that it may end in, `unpaid` those without money."""

    flow, account, unpaid, ends = None, None, set(), set()

    def __init__(self, number, chance):
        self.number, self.key, self.chance = number, f"{self.flow}-{number}", chance
        self.amount = f"{chance.randrange(1, 90)}.50"
        self.payments, self.told, self.id = {}, {}, None

    def create(self, client, fields):
        self.id = client.call(self, "create", f"/v1/flows/{self.flow}", {"business_key": self.key, **fields},
                              (201,))["id"]

    def event(self, client, event, fields=None, statuses=(200,), name=None):
        return client.call(self, name or event, f"/v1/flows/{self.flow}/{self.id}/events/{event}", fields or {},
                           statuses)

    def money(self, letter, amount=None):
        self.payments[f"{letter}-{self.key}"] = amount or self.amount

    def facts(self):
        """Each payment as the provider tells it: three times, under two ids, and all of them in whatever order."""
        told = [({"id": f"{transaction}-{copy % 2}", "type": "paid", "order": self.key, "transaction": transaction,
                  "amount": amount, "currency": CURRENCY, "merchant": "m-7"})
                for transaction, amount in self.payments.items() for copy in range(3)]
        self.chance.shuffle(told)
        return told

    def pay(self, client):
        for fact in self.facts():
            client.notify(self.account, fact)

    def wait_until(self, client, *states):
        path = f"/v1/flows/{self.flow}/{self.id}"
        while client.ask("GET", path, [], None, (200,)).json()["state"] not in states:
            time.sleep(0.02)

    def judge(self, test, entity, steps):
        test.assertEqual([step["version"] for step in steps], list(range(1, entity["version"] + 1)), self.key)
        counts = collections.Counter(step["event"] for step in steps if step["course"] != "compensated")
        test.assertEqual(set(counts.values()), {1}, (self.key, counts))
        test.assertIn(entity["state"], self.ends, self.key)
        test.assertEqual(entity["business_key"], self.key)
        self.state, self.events = entity["state"], set(counts)
        self.kept = [step["values"]["transaction_id"] for step in steps
                     if step["event"] in ("pay", "paid") and step["course"] == "applied"]
        test.assertEqual(len(self.kept), 0 if self.state in self.unpaid else 1, self.key)

    def refunds(self):
        """By transaction: what must have been given back, which is all but what the history says was taken."""
        return {one: amount for one, amount in self.payments.items() if one not in self.kept}

    def maybe_refunds(self):
        """What may have been: a wrong amount is for a person before the order is paid, and refunded after it."""
        return {}


class Order(Want):
    flow, account, unpaid = "order", "shop", {"cancelled"}

    def __init__(self, number, chance):
        super().__init__(number, chance)
        self.items = [{"sku": f"S{sku}", "quantity": chance.randrange(1, 4)}
                      for sku in sorted(chance.sample(range(SKUS), 2))]
        kind = chance.random()
        self.cancelled = kind < 0.2
        self.early = not self.cancelled and chance.random() < 0.3
        self.ends = {"cancelled" if self.cancelled else "shipped"}
        self.money("T")
        self.wrong = f"W-{self.key}" if 0.7 < kind < 0.8 else None
        if kind > 0.85:
            self.money("U")

    def facts(self):
        if self.wrong is None:
            return super().facts()
        self.payments[self.wrong] = "0.01"
        told = super().facts()
        del self.payments[self.wrong]
        return told

    def carry(self, client):
        if self.early:
            self.pay(client)
        self.create(client, {"amount": self.amount, "currency": CURRENCY, "items": self.items})
        if self.cancelled:
            self.event(client, "cancel")
        if not self.early:
            self.pay(client)
        if not self.cancelled:
            self.wait_until(client, "paid")
            self.event(client, "ship")

    def judge(self, test, entity, steps):
        super().judge(test, entity, steps)
        test.assertEqual(self.events, {"create", "cancel"} if self.cancelled else {"create", "pay", "ship"}, self.key)

    def maybe_refunds(self):
        return {self.wrong: "0.01"} if self.wrong else {}


class Booking(Want):
    """Two of them want each room: one has it, and the other's money goes back."""

    flow, account, unpaid = "booking", "seats", {"cancelled"}
    ends = {"confirmed", "cancelled"}

    def __init__(self, number, chance):
        super().__init__(number, chance)
        self.room = f"room-{number // 2}"
        self.money("T")

    def carry(self, client):
        self.create(client, {"user": f"user-{self.number}", "resource": self.room, "start": "2026-05-01T10:00:00Z",
                             "end": "2026-05-01T11:00:00Z", "token": self.key, "order": self.key, "operation": "book",
                             "amount": self.amount, "currency": CURRENCY})
        self.event(client, "reserve", statuses=(200, 409))
        self.pay(client)
        self.wait_until(client, "paid", "cancelled")
        self.event(client, "confirm", statuses=(200, 409))


class Box(Want):
    """Two terminals scan it; one of them packs it."""

    flow, unpaid, ends = "packing", {"packed"}, {"packed"}

    def carry(self, client):
        self.create(client, {"box": self.key})
        self.event(client, "arrive")
        won = []
        for terminal in self.chance.sample(("left", "right"), 2):
            while (answer := self.scan(client, terminal)).get("code") == "token_expired":
                continue
            won.append("code" not in answer)
        if won != [True, False]:
            raise AssertionError(f"{self.key}: packed by {won}")

    def scan(self, client, terminal):
        self.scans = getattr(self, "scans", 0) + 1
        ts_ms, nonce = int(time.time() * 1000), f"{terminal}-{self.scans}"
        parts = [part.encode() for part in ("pawl.scan.2", "packing", "pack", self.key, str(ts_ms), nonce)]
        token = hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()
        return self.event(client, "pack", {"token": token, "ts_ms": ts_ms, "nonce": nonce}, (200, 409, 410), nonce)


class Payment(Want):
    """What a payment bought is done once, however often it is told; some are closed by the provider on the way."""

    flow, account, unpaid = "payment", "bank", {"closed"}
    ends = {"success", "closed"}
    steps = ("/outgoing", "/jobs", "/bills", "/granted")

    def __init__(self, number, chance):
        super().__init__(number, chance)
        self.money("T")
        self.closes = chance.random() < 0.3

    def facts(self):
        told = super().facts()
        if self.closes:
            told += 3 * [{"id": f"C-{self.key}", "type": "closed", "order": self.key, "transaction": f"C-{self.key}",
                          "merchant": "m-7"}]
            self.chance.shuffle(told)
        return told

    def carry(self, client):
        if self.chance.random() < 0.3:
            self.pay(client)
        self.create(client, {"amount": self.amount, "currency": CURRENCY, "merchant": "m-7"})
        self.event(client, "begin", statuses=(200, 409))
        self.pay(client)
        self.wait_until(client, "success", "closed")


def wants(number, chance):
    """Of ten people seven want an order; of the others, who come in pairs, each something else."""
    kinds = (Order, Booking, Order, Box, Order, Payment, Order)
    return kinds[number // 2 % len(kinds)](number, chance)


def same_money(told, amount):
    return told is not None and float(told) == float(amount)


__all__ = ["Booking", "Order", "Payment", "SKUS", "same_money", "wants"]
