# SPDX-License-Identifier: Apache-2.0
"""WebSockets through routes without protection, both ends by a library that is not ours; and what is not switched to:
other protocols, and anything on a protected route."""

import json
import os
import socket
import subprocess
import time
import unittest

from harness import ROOT, Pawl, Process, ServiceTest, ask, free_port, node, plain_environment, wait_for

CLIENTS = os.path.join(ROOT, "build", "clients")
SCRIPTS = os.path.join(ROOT, "test/service/clients")
ENVIRONMENT = {**plain_environment(), "PAWL_CLIENTS": CLIENTS}
PORT, SWITCHING = free_port(), free_port()
IDLE_SECONDS = 2
UPGRADE = ("GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")


class Switching:
    """An upstream that answers every request with 101."""

    def __init__(self, port):
        self.listener = socket.create_server(("127.0.0.1", port))

    def answer_one(self):
        talk, _ = self.listener.accept()
        head = talk.recv(65536)
        talk.sendall(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        return talk, head


class WebSockets(ServiceTest):
    config = f"""
default_upstream: http://127.0.0.1:{PORT}
limits: {{ websocket_idle: {IDLE_SECONDS}s }}
drain: 8s
routes:
  - match: POST /orders
    upstream: http://127.0.0.1:{SWITCHING}
    key: {{ header: Idempotency-Key, required: true }}
    uncertain: {{ effect_horizon: 1h }}
"""

    @classmethod
    def setUpClass(cls):
        if not os.path.isdir(os.path.join(CLIENTS, "node_modules", "ws")):
            raise RuntimeError("the library ws is missing: run tools/setup test")
        super().setUpClass()
        cls.upstream = Process(cls.folder, "websocket upstream")
        cls.addClassCleanup(cls.upstream.kill)
        cls.upstream.launch([node(), os.path.join(SCRIPTS, "websocket_upstream.mjs")],
                            {"PORT": str(PORT), "PAWL_CLIENTS": CLIENTS})
        wait_for(lambda: "is there" in cls.upstream.log(), 20, "the upstream starts")
        cls.switching = Switching(SWITCHING)
        cls.addClassCleanup(cls.switching.listener.close)

    def client(self, *steps, path="/ws", port=None):
        done = subprocess.run([node(), os.path.join(SCRIPTS, "websocket_client.mjs"),
                               f"ws://127.0.0.1:{port or self.pawl.port}{path}", *steps],
                              capture_output=True, text=True, timeout=60, check=False, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def closes(self):
        return ask(PORT, "GET", "/closes").json()

    def talk(self, pawl=None):
        """A client by hand that has switched."""
        talk = socket.create_connection(("127.0.0.1", (pawl or self.pawl).port), timeout=20)
        self.addCleanup(talk.close)
        talk.sendall(UPGRADE.encode())
        head = b""
        while not head.endswith(b"welcome"):
            piece = talk.recv(4096)
            self.assertTrue(piece, head)
            head += piece
        self.assertTrue(head.startswith(b"HTTP/1.1 101 "), head)
        return talk

    def test_both_ends_hear_each_other(self):
        said = self.client("send:hello", "ping", "bytes:1", "bytes:3000000", "send:again", "close:4000")
        self.assertEqual(said, {"welcome": "welcome", "protocol": "orders.v2",
                                "told": ["hello", "p", "same", "same", "again", 4000]})
        wait_for(lambda: 4000 in self.closes(), 5, "the upstream hears the farewell")
        _, path, lines = ask(PORT, "GET", "/heads").json()[-1]
        names = [name.lower() for name in lines[::2]]
        self.assertEqual(path, "/ws")
        self.assertIn("x-forwarded-for", names)
        self.assertEqual(names.count("upgrade"), 1)

    def test_the_upstreams_farewell_reaches_the_client(self):
        self.assertEqual(self.client("send:leave", "wait")["told"], [4001])

    def test_a_client_that_is_gone_is_noticed(self):
        before = self.closes().count(1006)
        self.client("send:hello", "cut")
        wait_for(lambda: self.closes().count(1006) > before, 5, "the upstream's end is closed")

    def test_a_refusal_of_the_upstream_is_an_answer(self):
        self.assertEqual(self.client(path="/refused"), {"refused": 403})

    def test_silence_ends_it_and_talk_keeps_it(self):
        talk = self.talk()
        began = time.monotonic()
        while time.monotonic() - began < 1.5 * IDLE_SECONDS:
            talk.sendall(b"\x89\x80\0\0\0\0")  # a ping
            self.assertEqual(talk.recv(16), b"\x8a\x00")
            time.sleep(0.2)
        began = time.monotonic()
        self.assertEqual(talk.recv(16), b"")
        self.assertAlmostEqual(time.monotonic() - began, IDLE_SECONDS, delta=1)

    def test_leaving_ends_it_at_once_and_cleanly(self):
        own = Pawl(os.path.join(self.folder), f"default_upstream: http://127.0.0.1:{PORT}\n")
        own.config_path = os.path.join(self.folder, "leaving.yaml")
        own.database = os.path.join(self.folder, "leaving.db")
        own.configure(f"drain: 8s\ndefault_upstream: http://127.0.0.1:{PORT}\n")
        own.start()
        self.addCleanup(own.kill)
        talk, before, began = self.talk(own), self.closes().count(1006), time.monotonic()
        self.assertEqual(own.stop(), 0)
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual(talk.recv(16), b"")
        wait_for(lambda: self.closes().count(1006) > before, 5, "the upstream's end is closed")

    def test_no_other_protocol_is_switched_to(self):
        with socket.create_connection(("127.0.0.1", self.pawl.port), timeout=20) as talk:
            talk.sendall(b"GET /closes HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                         b"HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n")
            self.assertTrue(talk.recv(65536).startswith(b"HTTP/1.1 200 "))
        self.assertEqual([head for head in ask(PORT, "GET", "/heads").json() if head[1] == "/closes"], [])

    def test_no_tunnel_is_made(self):
        for target in ("127.0.0.1:22", "/orders"):
            with socket.create_connection(("127.0.0.1", self.pawl.port), timeout=20) as talk:
                talk.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                answer = talk.recv(65536)
                self.assertTrue(answer.startswith(b"HTTP/1.1 501 "), answer)
                self.assertIn(b'"code":"request_invalid"', answer)

    def test_a_protected_request_is_not_switched_and_its_outcome_is_not_known(self):
        key = self.key()
        with socket.create_connection(("127.0.0.1", self.pawl.port), timeout=20) as talk:
            talk.sendall(f"POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                         f"Idempotency-Key: {key}\r\nContent-Length: 0\r\n\r\n".encode())
            upstream, head = self.switching.answer_one()
            self.addCleanup(upstream.close)
            self.assertNotIn(b"upgrade", head.lower())
            answer = talk.recv(65536)
        self.assertTrue(answer.startswith(b"HTTP/1.1 502 "), answer)
        self.assertIn(b'"code":"uncertain"', answer)
        self.assertProblem(self.post("/orders", key, body=b""), 409, "uncertain")


if __name__ == "__main__":
    unittest.main()
