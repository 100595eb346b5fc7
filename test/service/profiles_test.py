# SPDX-License-Identifier: Apache-2.0
"""Each profile from outside, row by row (rulings 12): what an identity is, and every situation in the words that its
clients know. Then client libraries that are not ours retry through it: Stripe's for Node, and an IETF-style one."""

import http.server
import json
import os
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from harness import Pawl, ServiceTest, free_port, node, plain_environment, wait_for

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLIENTS = os.path.join(ROOT, "build", "clients")
ROUTE = """
  - match: POST {path}
    upstream: {upstream}
    caller: {{ header: {header} }}
    profile: {profile}
    wait: 300ms
    uncertain: {{ effect_horizon: 1h }}
    {more}
"""


class Shop(http.server.BaseHTTPRequestHandler):
    """An upstream with a ledger: every POST it answers 2xx for, or breaks off after, took effect. Amounts choose what
    it does: 1500 takes 1.5 s, 66 breaks off behind the effect, 400 and 500 are answered so."""

    protocol_version = "HTTP/1.1"
    ledger = []
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        amount = json.loads(body)["amount"] if body.startswith("{") else int(body.split("amount=")[1].split("&")[0])
        with self.lock:
            self.ledger.append((self.path, self.headers.get("Idempotency-Key"), amount))
            number = len(self.ledger)
        if amount == 1500:
            time.sleep(1.5)
        if amount == 66:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        status = amount if amount in (400, 401, 500) else 200
        answer = json.dumps({"id": f"pi_{number}", "object": "payment_intent", "amount": amount}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def cutting_proxy(port, cuts):
    """Passes bytes both ways; the first `cuts` connections end as soon as the answer comes, before a byte of it."""
    listener = socket.create_server(("127.0.0.1", 0))
    sockets = [listener]

    def copy(source, target, cut):
        try:
            while data := source.recv(65536):
                if cut:
                    break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def serve():
        for number in range(1000):
            try:
                client, _ = listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", port))
            sockets.extend((client, server))
            threading.Thread(target=copy, args=(client, server, False), daemon=True).start()
            threading.Thread(target=copy, args=(server, client, number < cuts), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1], lambda: [one.close() for one in sockets]


class Profiles(ServiceTest):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="pawl-test-")
        cls.addClassCleanup(holder.cleanup)
        cls.shop = http.server.ThreadingHTTPServer(("127.0.0.1", free_port()), Shop)
        cls.shop.daemon_threads = True
        threading.Thread(target=cls.shop.serve_forever, daemon=True).start()
        cls.addClassCleanup(cls.shop.shutdown)
        upstream = f"http://127.0.0.1:{cls.shop.server_address[1]}"
        header = "key: { header: Idempotency-Key, required: true }"
        routes = [("/v1/payment_intents", "Authorization", "stripe-v1", ""),
                  ("/v1/refunds", "Authorization", "stripe-v1", ""),
                  ("/v1/strict_intents", "Authorization", "stripe-v1", header),
                  ("/checkout/{id}", "X-User", "acp-2026-04-17", ""),
                  ("/v1/orders", "X-User", "ietf", header),
                  ("/money/{id}", "X-User", "strict-money", header),
                  ("/once", "X-User", "strict-money",
                   header + "\n    on_repeat: refuse\n    in_progress_status: 423"),
                  ("/renamed", "X-User", "strict-money", header + "\n    replay_header: X-Was-Replayed")]
        config = "routes:" + "".join(ROUTE.format(path=path, header=who, profile=profile, more=more, upstream=upstream)
                                     for path, who, profile, more in routes)
        cls.pawl = Pawl(holder.name, config)
        cls.addClassCleanup(cls.pawl.kill)
        cls.pawl.start()

    def send(self, path, key, amount, headers=()):
        lines = [("Authorization", "Bearer sk_test"), ("X-User", "ada"), ("Content-Type", "application/json"), *headers]
        if key is not None:
            lines.append(("Idempotency-Key", key))
        return self.pawl.ask("POST", path, lines, json.dumps({"amount": amount}).encode())

    def effects(self, key, path=None):
        return [entry for entry in Shop.ledger if entry[1] == key and path in (None, entry[0])]

    def assertError(self, answer, profile, status, kind, code):
        self.assertEqual((answer.status, answer.header("Content-Type")), (status, "application/json"), answer)
        document = answer.json()
        error = document["error"] if profile == "stripe-v1" else document
        self.assertEqual((error["type"], error["code"]), (kind, code), document)
        self.assertTrue(error["message"], document)
        return error

    def while_it_runs(self, path, key):
        """What a repeat is told while the first takes longer than the route lets it wait."""
        first = {}
        thread = threading.Thread(target=lambda: first.update(answer=self.send(path, key, 1500)))
        thread.start()
        wait_for(lambda: self.effects(key), 10, "the first is with the upstream")
        repeat = self.send(path, key, 1500)
        thread.join()
        wait_for(lambda: self.send(path, key, 1500).status == 200, 10, "the first has ended")
        self.assertEqual(len(self.effects(key)), 1)
        return repeat

    def test_stripe(self):
        path, key = "/v1/payment_intents", self.key()
        first = self.send(path, key, 1)
        self.assertEqual(first.status, 200)
        self.assertSameAnswer(first, self.send(path, key, 1))
        self.assertError(self.send(path, key, 2), "stripe-v1", 400, "idempotency_error", "key_reused")
        other = self.send("/v1/refunds", key, 1)  # the key is the caller's, whatever it is sent to
        self.assertError(other, "stripe-v1", 400, "idempotency_error", "key_reused")
        self.assertEqual(len(self.effects(key)), 1)
        self.assertError(self.while_it_runs(path, self.key("slow")), "stripe-v1", 409, "idempotency_error",
                         "idempotency_key_in_use")

        for _ in range(2):  # nobody knows: 500, and it stays so
            lost = self.send(path, self.key("lost"), 66)
            self.assertError(lost, "stripe-v1", 500, "api_error", "uncertain")
            self.assertRegex(lost.header("Pawl-Operation"), "^op_")
        self.assertEqual(len(self.effects(self.key("lost"))), 1)

        broken = self.send(path, self.key("broken"), 500)  # a 500 of the upstream is a result
        self.assertEqual(broken.status, 500)
        self.assertSameAnswer(broken, self.send(path, self.key("broken"), 500))
        self.assertEqual(self.send(path, self.key("again"), 401).status, 401)  # not a result
        self.assertEqual(self.send(path, self.key("again"), 401).status, 401)
        self.assertEqual(len(self.effects(self.key("again"))), 2)

        before = self.pawl.metric("unprotected_writes_total") or 0
        count = len(Shop.ledger)
        for _ in range(2):  # without a key it runs, unprotected and counted
            self.assertEqual(self.send(path, None, 1).status, 200)
        self.assertEqual(len(Shop.ledger) - count, 2)
        self.assertEqual(self.pawl.metric("unprotected_writes_total"), before + 2)
        anonymous = self.pawl.ask("POST", path, [("Content-Type", "application/json")], b'{"amount":1}')
        self.assertError(anonymous, "stripe-v1", 401, "authentication_error", "caller_unknown")
        self.assertEqual(len(Shop.ledger) - count, 2, "without a key, but not without a caller")
        self.assertError(self.send("/v1/strict_intents", None, 1), "stripe-v1", 400, "invalid_request_error",
                         "key_missing")
        self.assertError(self.send(path, "a b", 1), "stripe-v1", 400, "invalid_request_error", "key_invalid")

    def test_acp(self):
        key = self.key()
        first = self.send("/checkout/1", key, 1)
        self.assertSameAnswer(first, self.send("/checkout/1", key, 1.0))
        self.assertEqual(self.send("/checkout/2", key, 1).status, 200)  # the path is part of the identity
        self.assertEqual([entry[0] for entry in self.effects(key)], ["/checkout/1", "/checkout/2"])
        self.assertError(self.send("/checkout/1", key, 2), "acp", 422, "invalid_request", "idempotency_conflict")
        self.assertError(self.while_it_runs("/checkout/1", self.key("slow")), "acp", 409, "invalid_request",
                         "idempotency_in_flight")
        self.assertError(self.send("/checkout/1", None, 1), "acp", 400, "invalid_request", "idempotency_key_required")
        self.assertError(self.send("/checkout/1", self.key("lost"), 66), "acp", 500, "processing_error", "uncertain")
        self.assertError(self.send("/checkout/1", self.key("lost"), 66), "acp", 500, "processing_error", "uncertain")
        broken = self.send("/checkout/1", self.key("broken"), 500)
        self.assertEqual((broken.status, broken.header("Pawl-Outcome")), (500, "unknown"))
        self.assertError(self.send("/checkout/1", self.key("broken"), 500), "acp", 500, "processing_error", "uncertain")
        self.assertEqual(len(self.effects(self.key("broken"))), 1)

    def test_ietf_and_strict_money(self):
        for name, path in (("ietf", "/v1/orders"), ("money", "/money/1")):
            with self.subTest(name):
                key = self.key(name)
                first = self.send(path, key, 1)
                self.assertSameAnswer(first, self.send(path, f'"{key}"', 1))
                self.assertProblem(self.send(path, key, 2), 422, "key_reused")
                self.assertProblem(self.while_it_runs(path, key + "-slow"), 409, "in_progress")
                self.assertProblem(self.send(path, None, 1), 400, "key_missing")
                self.assertProblem(self.send(path, key + "-lost", 66), 502, "uncertain")
                self.assertProblem(self.send(path, key + "-lost", 66), 409, "uncertain")
                self.assertEqual(len(self.effects(key + "-lost")), 1)
        broken = self.send("/v1/orders", self.key("broken"), 500)
        self.assertSameAnswer(broken, self.send("/v1/orders", self.key("broken"), 500))
        self.assertEqual(self.send("/money/1", self.key("doubt"), 500).header("Pawl-Outcome"), "unknown")
        self.assertProblem(self.send("/money/1", self.key("doubt"), 500), 409, "uncertain")
        other = self.send("/money/2", key := self.key("path"), 1)
        self.assertEqual(other.status, 200)
        self.assertProblem(self.send("/money/3", key, 1), 422, "key_reused")

    def test_a_route_that_answers_no_repeat(self):
        key = self.key()
        first = self.send("/once", key, 1)
        self.assertEqual(first.status, 200)
        document = self.assertProblem(self.send("/once", key, 1), 409, "duplicate_request", retryable=False)
        self.assertTrue(document["first_seen_at"] and document["operation_ref"])
        self.assertNotIn("pi_", json.dumps(document))
        self.assertEqual(len(self.effects(key)), 1)

    def test_a_renamed_replay_header(self):
        key = self.key()
        self.send("/renamed", key, 1)
        repeat = self.send("/renamed", key, 1)
        self.assertEqual((repeat.header("X-Was-Replayed"), repeat.header("Idempotent-Replayed")), ("true", None))

    def client(self, script, port, retries, *creates):
        self.assertTrue(os.path.isdir(os.path.join(CLIENTS, "node_modules")),
                        "the client libraries are missing: run tools/setup test")
        done = subprocess.run([node(), os.path.join(ROOT, "test/service/clients", script), str(port), str(retries),
                               *map(str, creates)], capture_output=True, text=True, timeout=90, check=False,
                              env={**plain_environment(), "PAWL_CLIENTS": CLIENTS})
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def retries_through(self, script, error):
        """A client library of others: replay, lost answers, what still runs, another body, and what nobody knows."""
        key = self.key()
        first, = self.client(script, self.pawl.port, 2, key, 1)
        again, = self.client(script, self.pawl.port, 2, key, 1)
        self.assertEqual((first["replayed"], again), (None, {"id": first["id"], "replayed": "true"}))
        other, = self.client(script, self.pawl.port, 0, key, 2)
        self.assertEqual(other["status"], error["mismatch"])

        port, close = cutting_proxy(self.pawl.port, 2)
        self.addCleanup(close)
        count = len(Shop.ledger)
        lost, = self.client(script, port, 4, self.key("cut"), 1)
        self.assertEqual(lost.get("replayed"), "true", lost)
        self.assertEqual(len(Shop.ledger) - count, 1)

        pair = self.client(script, self.pawl.port, 8, self.key("pair"), 1500, self.key("pair"), 1500)
        self.assertEqual(len({one.get("id") for one in pair}), 1, pair)
        self.assertEqual(len(Shop.ledger) - count, 2)

        doubt, = self.client(script, self.pawl.port, 1, self.key("doubt"), 66)
        self.assertEqual(doubt["status"], error["doubt"], doubt)
        self.assertEqual(len(Shop.ledger) - count, 3, "however often it was sent")

    def test_stripes_own_library_retries_through_it(self):
        self.retries_through("stripe_client.mjs", {"mismatch": 400, "doubt": 500})
        made, = self.client("stripe_client.mjs", self.pawl.port, 2, "-", 1)  # under a key of the library's own
        self.assertEqual(made.get("replayed", made), None)
        mismatch, = self.client("stripe_client.mjs", self.pawl.port, 0, self.key(), 7)
        self.assertEqual(mismatch["error"], "StripeIdempotencyError")

    def test_an_ietf_style_client_retries_through_it(self):
        self.retries_through("ietf_client.mjs", {"mismatch": 422, "doubt": 409})


if __name__ == "__main__":
    unittest.main()
