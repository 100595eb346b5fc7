# SPDX-License-Identifier: Apache-2.0
"""The storm of orders: each order's calls and its provider's callbacks are sent three times, the callbacks in whatever
order, while Pawl is killed again and again. Judged from the outside, by what clients were told, what the provider was
acknowledged, what the refund service was asked for, and what the entities show afterwards (E1, L1 to L3, Q1 to Q3;
R-ORDER, R-PAYMENT, R-STOCK). STORM_ORDERS, STORM_KILL_SECONDS and STORM_KILLS make it longer and harsher."""

import collections
import hashlib
import hmac
import json
import os
import random
import threading
import time
import unittest

from harness import Script, ServiceTest, ask, free_port, receive, send, wait_for

ORDERS = int(os.environ.get("STORM_ORDERS", 1500))
KILL_SECONDS = float(os.environ.get("STORM_KILL_SECONDS", 2))
KILLS_MIN = int(os.environ.get("STORM_KILLS", 2))
CLIENTS = 16
COPIES = 3
SKUS = 20
STOCK = 1_000_000
AMOUNT = "12.50"
SECRET = "a secret of the storm's own, 32 b"
STORM_SECONDS_MAX = 120 + ORDERS / 20
CALM_SECONDS_MAX = 60 + ORDERS / 100

# Says that nothing is paid, and gives money back once per key, but answers every fifth time that it could not.
PAY = """
import http from 'node:http';
const refunds = new Map();
let asked = 0;
http.createServer((request, response) => {
    request.resume().on('end', () => {
        let status = 200, told = { paid: false };
        if (request.method === 'POST') {
            const key = request.headers['idempotency-key'];
            refunds.set(key, (refunds.get(key) ?? 0) + 1);
            if (++asked % 5 === 0) status = 500;
            told = {};
        } else if (request.url === '/refunds') {
            told = Object.fromEntries(refunds);
        }
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(told));
    });
}).listen(process.env.PORT, '127.0.0.1', () => console.log('refunder'));
"""

CONFIG = """
flows: { use: [order], caller: public }
services: { pay: "http://127.0.0.1:PAY_PORT" }
callbacks:
  - provider: hmac
    name: shop
    flow: order
    secrets: [{ file: secret }]
    signature: { header: X-Signature }
    event_id: $.id
    body: { type: $.type, kinds: { paid: paid }, order: $.order, transaction: $.transaction, amount: $.amount,
            minor_units: false, currency: $.currency }
"""


class Order:
    """What one order goes through. Shape: `ends` is the state it must end in; `payments` are transactions that the
    provider tells of; all of them but the one that the order takes are refunded."""

    def __init__(self, number, chance):
        self.number, self.key = number, f"B{number}"
        self.items = [{"sku": f"S{sku}", "quantity": chance.randrange(1, 4)}
                      for sku in sorted(chance.sample(range(SKUS), 2))]
        kind = chance.random()
        self.payments = [f"T{number}"]
        self.cancelled = kind < 0.2
        if kind > 0.85:
            self.payments.append(f"U{number}")
        self.ends = "cancelled" if self.cancelled else "shipped"
        self.early = not self.cancelled and chance.random() < 0.3
        self.id = None
        self.told = {}

    def refunds(self):
        return len(self.payments) - (0 if self.cancelled else 1)


class Client(threading.Thread):
    """Carries one order after the other from its creation to its end, meets a dead server with patience, and sends
    everything three times: a copy whose answer was lost is sent until one is heard."""

    def __init__(self, test, orders, seed):
        super().__init__(daemon=True)
        self.test, self.orders, self.random = test, orders, random.Random(seed)
        self.connection, self.wrong = None, []

    def run(self):
        while not self.test.over.is_set():
            try:
                order = self.orders.pop()
            except IndexError:
                return self.leave()
            try:
                self.carry(order)
            except AssertionError as error:
                self.wrong.append(str(error))

    def carry(self, order):
        if order.early:
            self.pay(order)
        order.id = self.call(order, "create", "/v1/flows/order", {
            "business_key": order.key, "amount": AMOUNT, "currency": "EUR", "items": order.items}, 201)["id"]
        if order.cancelled:
            self.call(order, "cancel", f"/v1/flows/order/{order.id}/events/cancel", {}, 200)
        if not order.early:
            self.pay(order)
        if not order.cancelled:
            self.wait_until(order, "paid")
            self.call(order, "ship", f"/v1/flows/order/{order.id}/events/ship", {}, 200)

    def call(self, order, name, path, fields, status):
        body = json.dumps(fields).encode()
        lines = [("Idempotency-Key", f"{order.key}-{name}"), ("Content-Type", "application/json")]
        for _ in range(COPIES):
            answer = self.ask("POST", path, lines, body, (status,))
            told = (answer.status, answer.body)
            if order.told.setdefault(name, told) != told:
                raise AssertionError(f"{order.key} {name}: told {order.told[name]}, then {told}")
        return json.loads(order.told[name][1])

    def pay(self, order):
        copies = [(transaction, copy % 2) for transaction in order.payments for copy in range(COPIES)]
        self.random.shuffle(copies)
        for transaction, event in copies:
            body = json.dumps({"id": f"{transaction}-{event}", "type": "paid", "order": order.key,
                               "transaction": transaction, "amount": AMOUNT, "currency": "EUR"}).encode()
            signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
            self.ask("POST", "/v1/callbacks/hmac/shop", [("X-Signature", signature)], body, (200,))

    def wait_until(self, order, state):
        while self.ask("GET", f"/v1/flows/order/{order.id}", [], None, (200,)).json()["state"] != state:
            time.sleep(0.02)

    def ask(self, method, path, lines, body, statuses):
        """Until an answer is heard that says how it ended."""
        while not self.test.over.is_set():
            try:
                if self.connection is None:
                    self.connection = self.test.pawl.connect(timeout=10)
                    self.connection.connect()
                send(self.connection, method, path, lines, body)
                answer = receive(self.connection)
            except Exception:  # the connection died, in whatever way
                self.leave()
                time.sleep(0.03)
                continue
            if answer.status in statuses:
                return answer
            if answer.status < 500 and answer.code not in ("contended", "in_progress", "undecided"):
                raise AssertionError(f"{method} {path}: {answer}")
            time.sleep(0.05)
        raise AssertionError(f"{method} {path}: the storm was over before it was answered")

    def leave(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


class OrderStorm(ServiceTest):
    files = {"secret": SECRET}
    upstreams = {}

    @classmethod
    def setUpClass(cls):
        cls.pay_port = free_port()
        cls.config = CONFIG.replace("PAY_PORT", str(cls.pay_port))
        super().setUpClass()
        cls.refunder = Script(cls.folder, "refunder", PAY, cls.pay_port)
        cls.addClassCleanup(cls.refunder.kill)
        cls.refunder.start()

    def stock_up(self):
        for number in range(SKUS):
            answer = self.pawl.ask("POST", f"/v1/stock/S{number}", [("Idempotency-Key", f"stock-{number}")],
                                   json.dumps({"set": STOCK}).encode())
            self.assertEqual(answer.status, 200, answer)

    def test_every_order_comes_to_its_one_end(self):
        self.over = threading.Event()
        self.stock_up()
        chance = random.Random(7)
        orders = [Order(number, chance) for number in range(ORDERS)]
        waiting = list(reversed(orders))
        clients = [Client(self, waiting, seed) for seed in range(CLIENTS)]
        for client in clients:
            client.start()
        kills = self.kill_until_done(clients)
        self.assertEqual([wrong for client in clients for wrong in client.wrong][:5], [])
        self.assertGreaterEqual(kills, KILLS_MIN)
        self.assertRefunded(orders)
        self.assertEnded(orders)
        self.assertStock(orders)

    def kill_until_done(self, clients):
        end, kills = time.monotonic() + STORM_SECONDS_MAX, 0
        while any(client.is_alive() for client in clients):
            if time.monotonic() > end:
                self.over.set()
                self.fail(f"{sum(client.is_alive() for client in clients)} clients still run")
            time.sleep(KILL_SECONDS)
            self.pawl.kill()
            self.pawl.start()
            kills += 1
        return kills

    def assertRefunded(self, orders):
        """One key per payment that an order did not take, however often the service was asked under it."""
        wanted = sum(order.refunds() for order in orders)
        wait_for(lambda: len(self.refunds()) >= wanted, CALM_SECONDS_MAX, "all refunds are made")
        self.assertEqual(len(self.refunds()), wanted)

    def refunds(self):
        return ask(self.pay_port, "GET", "/refunds").json()

    def assertEnded(self, orders):
        for order in orders:
            entity = self.pawl.ask("GET", f"/v1/flows/order/{order.id}").json()
            self.assertEqual((entity["state"], entity["business_key"]), (order.ends, order.key))
            steps = self.pawl.ask("GET", f"/v1/flows/order/{order.id}/timeline").json()["steps"]
            self.assertEqual([step["version"] for step in steps], list(range(1, entity["version"] + 1)))
            counts = collections.Counter(step["event"] for step in steps if step["course"] != "compensated")
            expected = {"create": 1, "cancel": 1} if order.cancelled else {"create": 1, "pay": 1, "ship": 1}
            self.assertEqual(counts, expected, order.key)
        seen, behind = 0, ""
        while page := self.pawl.ask("GET", f"/v1/flows/order?limit=100{behind}").json()["entities"]:
            seen, behind = seen + len(page), f"&after={page[-1]['id']}"
        self.assertEqual(seen, len(orders))

    def assertStock(self, orders):
        sold = collections.Counter()
        for order in orders:
            for item in order.items if not order.cancelled else ():
                sold[item["sku"]] += item["quantity"]
        for number in range(SKUS):
            level = self.pawl.ask("GET", f"/v1/stock/S{number}").json()
            self.assertEqual((level["available"], level["reserved"], level["sold"]),
                             (STOCK - sold[f"S{number}"], 0, sold[f"S{number}"]))


if __name__ == "__main__":
    unittest.main()
