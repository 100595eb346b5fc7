# SPDX-License-Identifier: Apache-2.0
"""Routes change while requests are served: nothing is dropped, what runs ends as it began, and what a change does to
records is said (SIGHUP or a changed file)."""

import http.client
import os
import signal
import threading
import time
import unittest

from harness import ServiceTest, receive, send, wait_for

ORDERS = """
  - match: POST /orders
    name: orders
    upstream: {plain}
    key: { header: %s, required: true }
    caller: public
    wait: %s
    uncertain: { effect_horizon: 1h }
"""
OTHERS = "".join("  - { match: POST /other-%d, upstream: {plain}, protect: false }\n" % i for i in range(30))


def routes(key="Idempotency-Key", wait="10s", more=""):
    return "default_upstream: {plain}\nroutes:" + ORDERS % (key, wait) + more


class Client(threading.Thread):
    """Sends one new key after the other over one connection."""

    def __init__(self, test, number, until):
        super().__init__()
        self.test, self.number, self.until = test, number, until
        self.done, self.wrong = [], []

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.test.pawl.port, timeout=30)
        connection.connect()
        socket = connection.sock
        count = 0
        while time.monotonic() < self.until:
            count += 1
            key = f"reload-{self.number}-{count}"
            path = "/orders" if count % 3 else "/other-7"
            body = b'{"key":"%s"}' % key.encode()
            try:
                send(connection, "POST", path, [("Content-Type", "application/json"), ("Idempotency-Key", key)], body)
                answer = receive(connection)
            except (OSError, http.client.HTTPException) as error:
                self.wrong.append((key, repr(error)))
                return
            if answer.status != 201 or connection.sock is not socket:
                self.wrong.append((key, answer))
            self.done.append((path, key))
        connection.close()


class Reload(ServiceTest):
    config = routes()

    def configure(self, text):
        self.pawl.configure(text.replace("{plain}", self.plain.url))

    def reload(self, text):
        """Returns once it is taken."""
        self.configure(text)
        before = self.pawl.log().count("loaded from")
        self.pawl.child.send_signal(signal.SIGHUP)
        wait_for(lambda: self.pawl.log().count("loaded from") > before, 10, "the file is taken")

    def notes(self):
        ready = self.pawl.admin("GET", "/readyz")
        self.assertEqual(ready.status, 200)
        return ready.json().get("notes", [])

    def setUp(self):
        self.reload(routes())
        self.reload(routes())

    def test_nothing_is_dropped_while_routes_change(self):
        clients = [Client(self, number, time.monotonic() + 6) for number in range(4)]
        for client in clients:
            client.start()
        reloads = 0
        while any(client.is_alive() for client in clients):
            self.reload(routes(wait="5s", more=OTHERS) if reloads % 2 else routes())
            reloads += 1
        for client in clients:
            client.join()
        self.assertEqual([wrong for client in clients for wrong in client.wrong], [])
        self.assertGreater(reloads, 10)
        ran = [entry["order"]["key"] for entry in self.plain.effects("/orders")
               if str(entry["order"].get("key")).startswith("reload-")]
        sent = [key for client in clients for path, key in client.done if path == "/orders"]
        self.assertGreater(len(sent), 100)
        self.assertEqual(sorted(ran), sorted(sent), "each once")

    def test_what_runs_ends_as_it_began(self):
        found = []
        thread = threading.Thread(target=lambda: found.append(
            self.post("/orders", self.key(), headers=[("X-Fault", "hold")])))
        thread.start()
        wait_for(lambda: len(self.plain.held()) == 1, 10, "it runs")
        self.reload("routes:\n  - { match: POST /elsewhere, upstream: {plain}, protect: false }\n")
        self.assertEqual(self.post("/orders", self.key()).status, 404)
        self.plain.release()
        thread.join()
        self.assertEqual(found[0].status, 201)
        self.reload(routes())
        self.assertTrue(self.post("/orders", self.key()).replayed)

    def test_a_change_that_renames_records_is_said(self):
        self.assertEqual(self.notes(), [])
        self.post("/orders", self.key())
        self.reload(routes(key="X-Key"))
        self.assertEqual(len(self.notes()), 1)
        self.assertIn("was `header Idempotency-Key` and is `header X-Key`", self.notes()[0])
        self.assertIn("run again", self.pawl.log())
        self.reload(routes(key="X-Key", wait="5s"))
        self.assertEqual(self.notes(), [])

    def test_a_route_that_is_not_protected_any_more_is_said(self):
        key = self.key()
        self.assertEqual(self.post("/orders", key).status, 201)
        for word in ("shadow", "false"):
            self.reload(routes(more="    protect: %s\n" % word))
            self.assertEqual(len(self.notes()), 1, word)
            self.assertIn("`protect` of `orders` was `true` and is `%s`" % word, self.notes()[0])
            self.assertIn("run again", self.notes()[0])
            self.assertIn("was `true` and is `%s`" % word, self.pawl.log())
            self.assertFalse(self.post("/orders", key).replayed, "as was said")
            self.reload(routes())
            self.assertEqual(self.notes(), [])
            self.assertTrue(self.post("/orders", key).replayed)
        self.reload("default_upstream: {plain}\nroutes: []\n")
        self.assertIn("the protected route `orders` is not in the file any more", self.notes()[0])

    def test_a_changed_file_is_taken_without_a_signal(self):
        self.assertEqual(self.post("/fresh").status, 201, "default_upstream")
        self.configure("routes:" + ORDERS % ("Idempotency-Key", "10s"))
        wait_for(lambda: self.post("/fresh").status == 404, 10, "the file is taken")
        self.configure("routes: 7")
        refused = "is not taken, routes and flows stay as they are"
        wait_for(lambda: refused in self.pawl.log(), 10, "the file is refused")
        self.assertEqual(self.post("/orders", self.key()).status, 201)
        self.assertEqual(len(self.notes()), 1, "ready, and it says so")
        self.assertIn("was not taken", self.notes()[0])
        self.assertIn("pawl check", self.notes()[0])
        self.reload(routes())
        self.assertEqual(self.notes(), [])

    def test_a_pipe_in_place_of_the_file_makes_nobody_wait(self):
        os.remove(self.pawl.config_path)
        os.mkfifo(self.pawl.config_path)
        self.addCleanup(os.remove, self.pawl.config_path)
        wait_for(lambda: "the file is a pipe, a folder or a device" in self.pawl.log(), 10, "the pipe is refused")
        self.assertEqual(self.post("/orders", self.key()).status, 201)
        self.assertEqual(self.pawl.admin("GET", "/readyz").status, 200)


if __name__ == "__main__":
    unittest.main()
