# SPDX-License-Identifier: Apache-2.0
"""The storm of flows: the calls of orders, bookings, boxes and payments, and the callbacks of their provider, are each
sent three times, the callbacks in whatever order, while Pawl is killed again and again. Judged from the outside, by
what clients were told, what the provider was acknowledged, what the services were asked for and with which amounts, and
what the entities show afterwards (E1, L1 to L4, Q1 to Q3, G1; R-ORDER, R-BOOKING, R-PACKING, R-PAYMENT, R-STOCK).
STORM_ORDERS, STORM_KILL_SECONDS and STORM_KILLS make it longer and harsher."""

import collections
import json
import os
import random
import threading
import time

from flow_harness import CALLBACKS, FlowTest, signed, unittest
from harness import receive, send, wait_for
from storm_wants import Booking, Order, Payment, SKUS, same_money, wants

WANTS = int(os.environ.get("STORM_ORDERS", 600))
KILL_SECONDS = float(os.environ.get("STORM_KILL_SECONDS", 2))
KILLS_MIN = int(os.environ.get("STORM_KILLS", 2))
CLIENTS = 16
COPIES = 3
STOCK = 1_000_000
STORM_SECONDS_MAX = 120 + WANTS / 20
CALM_SECONDS_MAX = 60 + WANTS / 100

# Says that nothing is paid, and does what it is asked to once per key, but answers every fifth time that it could not.
SERVICES = """
import http from "node:http";
const done = new Map();
let asked = 0;
http.createServer((request, response) => {
  const say = (status, value) =>
    response.writeHead(status, {"Content-Type": "application/json"}).end(JSON.stringify(value));
  if (request.url === "/") return say(200, [...done.values()]);
  if (request.method === "GET") return say(200, {paid: false});
  let body = "";
  request.on("data", part => body += part).on("end", () => {
    const key = request.url + " " + request.headers["idempotency-key"];
    const one = done.get(key) ?? {path: request.url, bodies: []};
    if (!one.bodies.includes(body)) one.bodies.push(body);
    done.set(key, one);
    say(++asked % 5 === 0 ? 500 : 200, {});
  });
}).listen(process.env.PORT, "127.0.0.1", () => console.log("services"));
"""


class Client(threading.Thread):
    """Carries one want after the other from its creation to its end, meets a dead server with patience, and sends
    everything three times: a copy whose answer was lost is sent until one is heard."""

    def __init__(self, test, waiting):
        super().__init__(daemon=True)
        self.test, self.waiting = test, waiting
        self.connection, self.wrong = None, []

    def run(self):
        while not self.test.over.is_set():
            try:
                want = self.waiting.pop()
            except IndexError:
                return self.leave()
            try:
                want.carry(self)
            except AssertionError as error:
                self.wrong.append(str(error))

    def call(self, want, name, path, fields, statuses):
        """What all copies were told. A refusal may name what is there now, and so is compared by what it is."""
        body = json.dumps(fields).encode()
        lines = [("Idempotency-Key", f"{want.key}-{name}"), ("Content-Type", "application/json")]
        for _ in range(COPIES):
            answer = self.ask("POST", path, lines, body, statuses)
            told = (answer.status, answer.body if answer.status < 400 else answer.code)
            if want.told.setdefault(name, told) != told:
                raise AssertionError(f"{want.key} {name}: told {want.told[name]}, then {told}")
        return answer.json()

    def notify(self, account, fact):
        body = json.dumps(fact).encode()
        self.ask("POST", f"/v1/callbacks/hmac/{account}", [("Content-Type", "application/json"), signed(body)], body,
                 (200,))

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
            if answer.code not in ("contended", "in_progress", "undecided"):
                if answer.status in statuses:
                    return answer
                if answer.status < 500:
                    raise AssertionError(f"{method} {path}: {answer}")
            time.sleep(0.05)
        raise AssertionError(f"{method} {path}: the storm was over before it was answered")

    def leave(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


class OrderStorm(FlowTest):
    config = CALLBACKS
    services_text = SERVICES

    def test_everything_comes_to_its_one_end(self):
        self.over = threading.Event()
        for number in range(SKUS):
            self.stock(f"S{number}", STOCK)
        chance = random.Random(7)
        everything = [wants(number, random.Random(chance.random())) for number in range(WANTS)]
        waiting = list(reversed(everything))
        clients = [Client(self, waiting) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        kills = self.kill_until_done(clients)
        self.assertEqual([wrong for client in clients for wrong in client.wrong][:5], [])
        self.assertGreaterEqual(kills, KILLS_MIN)
        self.assertEnded(everything)
        self.assertDone(everything)
        self.assertStock(everything)
        self.assertRooms(everything)

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

    def assertEnded(self, everything):
        for want in everything:
            want.judge(self, self.entity(want.flow, want.id), self.steps(want.flow, want.id))
        for flow, count in collections.Counter(want.flow for want in everything).items():
            seen, behind = 0, ""
            while page := self.get(f"/v1/flows/{flow}?limit=100{behind}").json()["entities"]:
                seen, behind = seen + len(page), f"&after={page[-1]['id']}"
            self.assertEqual(seen, count)

    def assertDone(self, everything):
        """Each refund and each step under one key, with one body, however often the services were asked under it; and
        a refund of what was paid."""
        must = {of: amount for want in everything for of, amount in want.refunds().items()}
        may = {of: amount for want in everything for of, amount in want.maybe_refunds().items()}
        bought = {want.key for want in everything if isinstance(want, Payment) and want.state == "success"}
        steps = {(step, key): 1 for step in Payment.steps for key in bought}
        wanted = must.keys() | steps.keys()
        wait_for(lambda: wanted <= {one for done in self.what_was_done() for one in done}, CALM_SECONDS_MAX,
                 "all refunds and steps are made")
        refunded, stepped = self.what_was_done()
        self.assertEqual(stepped, steps)
        self.assertEqual(set(refunded) - set(may), set(must))
        for transaction, amount in refunded.items():
            self.assertTrue(same_money(amount, {**must, **may}[transaction]), (transaction, amount))

    def what_was_done(self):
        """The amounts that went back, by transaction, and how often each step was done for each payment."""
        refunded, stepped = {}, collections.Counter()
        for deed in self.deeds():
            self.assertEqual(len(deed["bodies"]), 1, deed)
            body = json.loads(deed["bodies"][0])
            if deed["path"] != "/refunds":
                stepped[deed["path"], body["business_key"]] += 1
                continue
            transaction = body["values"]["transaction_id"]
            self.assertNotIn(transaction, refunded)
            refunded[transaction] = body["amount"]
        return refunded, stepped

    def assertStock(self, everything):
        sold = collections.Counter()
        for want in everything:
            for item in want.items if isinstance(want, Order) and not want.cancelled else ():
                sold[item["sku"]] += item["quantity"]
        for number in range(SKUS):
            self.assertEqual(self.level(f"S{number}"), (STOCK - sold[f"S{number}"], 0, sold[f"S{number}"]))

    def assertRooms(self, everything):
        taken = collections.Counter(
            want.room for want in everything if isinstance(want, Booking) and want.state == "confirmed")
        self.assertEqual(set(taken), {want.room for want in everything if isinstance(want, Booking)})
        self.assertEqual(set(taken.values()), {1})


if __name__ == "__main__":
    unittest.main()
