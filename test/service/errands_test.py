# SPDX-License-Identifier: Apache-2.0
"""What flows send out, before real receivers that fail: events to a file and a webhook, at least once and in order
(O1, O3), and a refund that is made exactly once whatever happens in between (G1; field cases 35, 68, 70, 71, 75)."""

import base64
import hashlib
import hmac
import http.server
import json
import os
import tempfile
import threading
import time

from flow_harness import FlowTest, account, unittest

KEY = b"k" * 32
WHSEC = "whsec_" + base64.b64encode(KEY).decode()


class Service:
    """Answers each request with the next of `script`, a status, "hang" or "drop", and at its end with `otherwise`."""

    def __init__(self):
        self.requests, self.script, self.otherwise, self.held = [], [], 200, threading.Event()
        self.lock = threading.Lock()
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with service.lock:
                    word = service.script.pop(0) if service.script else service.otherwise
                    document = service.take(self.command, self.path, self.headers, body, word)
                    service.requests.append((self.path, dict(self.headers.items()), body, word))
                if word == "hang":
                    service.held.wait(60)
                if word in ("hang", "drop"):
                    self.close_connection = True
                    return
                self.send_response(word)
                self.send_header("Content-Length", str(len(document)))
                self.end_headers()
                self.wfile.write(document)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, method, path, headers, body, word):
        return b""


class Pay(Service):
    """Says that nothing is paid, and refunds: once per Idempotency-Key, which it remembers as a service should. A call
    that hangs has taken effect; its answer is lost."""

    def __init__(self):
        super().__init__()
        self.refunds = {}

    def take(self, method, path, headers, body, word):
        if method == "GET":
            return b'{"paid": false}'
        if word == "hang" or (isinstance(word, int) and word < 300):
            self.refunds.setdefault(headers["Idempotency-Key"], []).append(json.loads(body))
        return b"{}"


class Shop(Service):
    """A receiver of webhooks. It believes what is signed, and keeps what it answered 2xx to."""

    def __init__(self):
        super().__init__()
        self.events, self.forged = [], 0

    def take(self, method, path, headers, body, word):
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        wanted = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
        age = abs(time.time() - int(headers["webhook-timestamp"]))
        self.forged += headers["webhook-signature"] != wanted or age > 300
        if isinstance(word, int) and word < 300:
            self.events.append(json.loads(body))
        return b""


PAY, SHOP = Pay(), Shop()


class Errands(FlowTest):
    flows = "flows: { use: [order], caller: public }\n"
    called = ()

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="pawl-ledger-")
        cls.addClassCleanup(holder.cleanup)
        cls.ledger = os.path.join(holder.name, "events.jsonl")
        secret = os.path.join(holder.name, "whsec")
        with open(secret, "w", encoding="utf-8") as stream:
            stream.write(WHSEC)
        cls.config = f"""callbacks: {account("shop", "order", "paid: pay")}
services: {{ pay: "http://127.0.0.1:{PAY.port}" }}
sinks:
  ledger: {{ file: {cls.ledger} }}
  shop:
    webhook: {{ url: "http://127.0.0.1:{SHOP.port}/hooks", secret: {{ file: {secret} }}, timeout: 2s }}
    flows: [order]
    tries: 3
"""
        super().setUpClass()

    def setUp(self):
        super().setUp()
        for service in (PAY, SHOP):
            service.script, service.otherwise = [], 200
            service.held.clear()

    def tearDown(self):
        for service in (PAY, SHOP):
            service.held.set()

    def lines(self):
        """The whole ones; the last one may be under way."""
        with open(self.ledger, "rb") as stream:
            text = stream.read()
        return [json.loads(line) for line in text[:text.rfind(b"\n") + 1].splitlines()]

    def of(self, events, order):
        return [event["type"] for event in events if event["subject"] == order]

    def cancelled(self, name="o"):
        order = self.order(name)
        self.assertEqual(self.event("order", order, "cancel").status, 200)
        return order

    def test_events_reach_every_sink_in_order(self):
        orders = [self.cancelled(f"o{i}") for i in range(20)]
        wanted = ["order.created", "order.cancelled"]
        for order in orders:
            self.eventually(lambda: self.of(SHOP.events, order) == wanted, "the webhook has both")
            self.eventually(lambda: self.of(self.lines(), order) == wanted, "the file has both")
        self.assertEqual(SHOP.forged, 0)
        event = next(one for one in SHOP.events if one["subject"] == orders[0])
        self.assertEqual(event, next(one for one in self.lines() if one["subject"] == orders[0]))
        self.assertEqual((event["specversion"], event["source"], event["data"]["to"]),
                         ("1.0", "/v1/flows/order", "created"))

    def test_a_receiver_that_fails_gets_all_of_it_later(self):
        """Cases 68, 71: nothing is lost or parked, and the file does not wait for the webhook."""
        SHOP.otherwise = 503
        order = self.cancelled()
        self.eventually(lambda: len(self.of(self.lines(), order)) == 2, "the file has both")
        self.eventually(lambda: self.sink("shop")["standing"] == "paused", "the webhook pauses")
        self.assertEqual(self.of(SHOP.events, order), [])
        SHOP.script = ["hang", "drop", 500]
        SHOP.otherwise = 200
        self.eventually(lambda: len(set(self.ids(order))) == 2, "the webhook has both", 60)
        self.assertEqual(self.sink("shop")["parked"], 0)

    def ids(self, order):
        return [event["id"] for event in SHOP.events if event["subject"] == order]

    def sink(self, name):
        return next(one for one in self.pawl.cli_json("outbox", "list")["sinks"] if one["sink"] == name)

    def test_an_event_that_is_refused_is_parked_and_sent_again_by_hand(self):
        """Case 70: only its own order waits."""
        SHOP.otherwise = 422
        stuck = self.cancelled("stuck")
        self.eventually(lambda: self.sink("shop")["parked"] == 1, "it is parked", 40)
        SHOP.otherwise = 200
        other = self.cancelled("other")
        self.eventually(lambda: len(self.of(SHOP.events, other)) == 2, "the other order's events pass")
        parked = self.pawl.cli_json("outbox", "list")["parked"]
        self.assertEqual([(one["id"], one["type"], one["said"]) for one in parked],
                         [(stuck, "order.created", "the receiver answered 422")])
        code, out, err = self.pawl.cli("outbox", "redrive", "shop", "--reason", "mended")
        self.assertEqual((code, out), (0, "1 parked events go out again\n"), err)
        self.eventually(lambda: self.of(SHOP.events, stuck) == ["order.created", "order.cancelled"], "both")
        self.assertIn("sent again by", self.pawl.log())

    def test_a_late_payment_is_refunded_once_over_faults_and_kills(self):
        """Case 35: 500, an answer that is lost, kill -9 while it is waited for, and at last 200."""
        order = self.cancelled()
        before = dict(PAY.refunds)
        PAY.script = [500, 503, "hang"]
        self.assertEqual(self.paid(self.key("o")).status, 200)
        self.eventually(lambda: not PAY.script, "the service hangs", 40)
        self.pawl.kill()
        PAY.held.set()
        self.pawl.start()
        self.assertEqual(self.paid(self.key("o")).status, 200)  # the provider says it once more
        self.eventually(lambda: self.saga_of(order)["state"] == "done", "the refund is known to be made", 90)
        made = {key: bodies for key, bodies in PAY.refunds.items() if key not in before}
        self.assertEqual(list(made), [self.saga_of(order)["key"]])
        for body in made[self.saga_of(order)["key"]]:
            self.assertEqual((body["id"], body["amount"], body["currency"], body["values"]["transaction_id"]),
                             (order, "12.50", "EUR", f"{self.key('o')}-T1"))
        asked = len(PAY.requests)
        time.sleep(3)
        self.assertEqual(len(PAY.requests), asked)
        self.assertState("order", order, "cancelled")

    def saga_of(self, order):
        found = [one for one in self.pawl.cli_json("saga", "list", "--state", "all", "--limit", "1000")["sagas"]
                 if one["id"] == order]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_a_refund_that_fails_is_told_at_once_and_seen_until_it_is_done(self):
        order = self.cancelled()
        PAY.script = [503, "hang"]
        self.assertEqual(self.paid(self.key("o")).status, 200)
        line = f"refund of order {order} failed and is tried again: its service answered 503"
        self.eventually(lambda: line in self.pawl.log(), "the first failure is told")
        self.eventually(lambda: not PAY.script, "it is asked again", 40)
        mine = [one for one in self.pawl.cli_json("saga", "list", "--limit", "1000")["sagas"] if one["id"] == order]
        self.assertEqual([(one["state"], one["said"]) for one in mine], [("running", "its service answered 503")])
        self.assertIn("next_at", mine[0])
        self.assertGreaterEqual(self.pawl.metric("sagas_running"), 1)
        self.assertGreaterEqual(self.pawl.metric("sagas_running_oldest_seconds"), 0)
        self.assertIn("is running, tries 2", self.pawl.cli("flow", "timeline", "order", order)[1])
        PAY.held.set()
        self.eventually(lambda: self.saga_of(order)["state"] == "done", "it is done", 90)
        self.assertIn(f"begins refund (saga {mine[0]['saga']} is done: its service answered 200",
                      self.pawl.cli("flow", "timeline", "order", order)[1])
        self.assertEqual(self.pawl.log().count(line), 1)

    def test_a_refund_that_is_refused_waits_for_a_person(self):
        """Case 75."""
        order = self.cancelled()
        PAY.script = [422]
        self.assertEqual(self.paid(self.key("o")).status, 200)
        self.eventually(lambda: self.saga_of(order)["state"] == "needs_attention", "a person is asked")
        self.assertIn("needs a person", self.pawl.log())
        number = self.saga_of(order)["saga"]
        code, out, err = self.pawl.cli("saga", "retry", number, "--reason", "the account is open again")
        self.assertEqual((code, out[:len(f"saga {number} is ")]), (0, f"saga {number} is "), err)
        self.eventually(lambda: self.saga_of(order)["state"] == "done", "it is done")
        code, _, _ = self.pawl.cli("saga", "skip", number, "--reason", "too late")
        self.assertEqual(code, 3)

    def test_a_kill_repeats_events_under_their_ids_and_loses_none(self):
        SHOP.otherwise = "hang"
        orders = [self.cancelled(f"o{i}") for i in range(5)]
        self.pawl.kill()
        SHOP.held.set()
        SHOP.otherwise = 200
        with open(self.ledger, "ab") as stream:  # as a kill in the middle of a write leaves it
            stream.write(b'{"specversion":"1.')
        self.pawl.start()
        for order in orders:
            self.eventually(lambda: len(set(self.ids(order))) == 2, "the webhook has both", 40)
            self.eventually(lambda: len({one["id"] for one in self.lines() if one["subject"] == order}) == 2,
                            "the file has both", 40)
        with open(self.ledger, "rb") as stream:
            self.assertTrue(stream.read().endswith(b"\n"), "the torn line is gone")


if __name__ == "__main__":
    unittest.main()
