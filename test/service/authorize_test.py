# SPDX-License-Identifier: Apache-2.0
"""Permission asked of an endpoint before every look-up, replays included: no replay without it (A1), none later than
five seconds after its loss (A2), and nothing executed where the endpoint does not say yes (fail closed)."""

import http.server
import socket
import threading
import time
import unittest

from harness import ServiceTest, free_port, wait_for

REFUSING = free_port()


class Endpoint:
    """Permits requests by their Authorization line: a dictionary from its value to (status, header lines)."""

    def __init__(self):
        self.answers, self.asked, self.pause, self.raw = {}, [], 0, None
        endpoint = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                endpoint.asked.append((self.path, dict(self.headers.items())))
                time.sleep(endpoint.pause)
                if endpoint.raw is not None:
                    self.wfile.write(endpoint.raw)
                    self.close_connection = True
                    return
                status, lines = endpoint.answers.get(self.headers.get("Authorization"), (401, []))
                self.send_response(status)
                for name, value in lines:
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


ENDPOINT = Endpoint()


class Raw:
    """A service that keeps each request's bytes as they came, and answers with a trailer section of its own."""

    ANSWER = (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n"
              b"Set-Cookie: s=1\r\nPawl-Outcome: applied\r\nAccess-Control-Allow-Origin: *\r\n\r\n")

    def __init__(self):
        self.requests = []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            with self.listening.accept()[0] as talk:
                said = b""
                while b"\r\n0\r\n" not in said or not said.endswith(b"\r\n\r\n"):
                    if not (piece := talk.recv(65536)):
                        break
                    said += piece
                self.requests.append(said)
                talk.sendall(self.ANSWER)


RAW = Raw()


class Authorize(ServiceTest):
    config = f"""
loops: 1
routes:
  - match: POST /orders/*
    upstream: {{plain}}
    key: {{ header: Idempotency-Key, required: true }}
    authorize: {{ url: "http://127.0.0.1:{ENDPOINT.port}/check?x=1", timeout: 1s }}
    caller: {{ header: X-Tenant-User }}
    uncertain: {{ effect_horizon: 1h }}
  - match: POST /named/*
    upstream: {{plain}}
    key: {{ header: Idempotency-Key, required: true }}
    authorize: {{ url: "http://127.0.0.1:{ENDPOINT.port}/check", caller_header: X-User, cache: 2s }}
    uncertain: {{ effect_horizon: 1h }}
  - match: GET /named/*
    protect: false
    upstream: {{plain}}
    authorize: {{ url: "http://127.0.0.1:{ENDPOINT.port}/check", caller_header: X-User, cache: 0 }}
  - match: PUT /raw
    protect: false
    upstream: "http://127.0.0.1:{RAW.port}"
    authorize:
      url: "http://127.0.0.1:{ENDPOINT.port}/check"
      caller_header: X-User
      headers: [Authorization, X-Team]
  - match: POST /away
    upstream: {{plain}}
    key: {{ header: Idempotency-Key, required: true }}
    authorize: {{ url: "http://127.0.0.1:{REFUSING}/check", caller_header: X-User }}
    uncertain: {{ effect_horizon: 1h }}
"""

    def setUp(self):
        ENDPOINT.answers, ENDPOINT.pause, ENDPOINT.raw = {}, 0, None
        ENDPOINT.asked.clear()

    def send(self, path, key, token, *headers):
        return self.post(path, key, headers=[("Authorization", token), *headers])

    def order(self, key, token, user="anna"):
        return self.send("/orders/" + key, key, token, ("X-Tenant-User", user))

    def test_nothing_happens_and_nothing_is_replayed_without_permission(self):
        key = self.key()
        ENDPOINT.answers = {"good": (200, [])}
        first = self.order(key, "good")
        self.assertEqual(first.status, 201)
        self.assertSameAnswer(first, self.order(key, "good"))
        stranger = self.order(key, "bad")
        self.assertProblem(stranger, 401, "caller_unknown")
        self.assertFalse(stranger.replayed)
        self.assertProblem(self.order(self.key("new"), "bad"), 401, "caller_unknown")
        self.assertEqual(len(self.plain.effects("/orders/" + key)), 1)
        self.assertEqual(len(self.plain.effects("/orders/" + self.key("new"))), 0)

    def test_the_endpoint_is_told_what_is_asked_for(self):
        key = self.key()
        ENDPOINT.answers = {"good": (204, [])}
        self.order(key, "good")
        path, told = ENDPOINT.asked[-1]
        self.assertEqual(path, "/check?x=1")
        self.assertEqual(told["X-Forwarded-Method"], "POST")
        self.assertEqual(told["X-Forwarded-Uri"], "/orders/" + key)
        self.assertEqual(told["X-Forwarded-For"], "127.0.0.1")
        self.assertEqual(told["Pawl-Caller"], "anna")
        self.assertEqual(told["Host"], f"127.0.0.1:{ENDPOINT.port}")
        self.assertNotIn("Idempotency-Key", told)

    def test_permission_lasts_five_seconds_at_most(self):
        key = self.key()
        ENDPOINT.answers = {"good": (200, [])}
        first = self.order(key, "good")
        asked = len(ENDPOINT.asked)
        self.assertTrue(self.order(key, "good").replayed)
        self.assertEqual(len(ENDPOINT.asked), asked, "a replay within the time asks nobody")
        ENDPOINT.answers = {"good": (403, [])}
        lost = time.monotonic()
        refused = wait_for(lambda: (answer := self.order(key, "good")).status == 403 and answer, 10, "the right ends")
        self.assertLess(time.monotonic() - lost, 5.5)
        self.assertProblem(refused, 403, "forbidden")
        ENDPOINT.answers = {"good": (200, [])}
        self.assertSameAnswer(first, self.order(key, "good"))

    def test_a_body_that_takes_longer_than_its_permission_is_permitted_again(self):
        key = self.key()
        ENDPOINT.answers = {"good": (200, [])}
        body = b'{"key":"' + key.encode() + b'"}'
        with socket.create_connection(("127.0.0.1", self.pawl.port), timeout=30) as talk:
            talk.sendall(f"POST /orders/{key} HTTP/1.1\r\nHost: a\r\nAuthorization: good\r\nX-Tenant-User: anna\r\n"
                         f"Idempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body[:5])
            wait_for(lambda: ENDPOINT.asked, 5, "the head is judged")
            ENDPOINT.answers = {}
            time.sleep(5.2)
            talk.sendall(body[5:])
            self.assertTrue(talk.recv(65536).startswith(b"HTTP/1.1 401 "))
        self.assertEqual(self.plain.effects("/orders/" + key), [])

    def test_who_waits_for_a_result_longer_than_its_permission_lasts_is_permitted_again(self):
        key = self.key()
        ENDPOINT.answers = {"good": (200, [])}
        answers = {}

        def ask(name, *headers):
            answers[name] = self.send("/orders/" + key, key, "good", ("X-Tenant-User", "anna"), *headers)
        clients = [threading.Thread(target=ask, args=("first", ("X-Fault", "hold")))]
        clients[0].start()
        wait_for(self.plain.held, 5, "the first request is held")
        clients.append(threading.Thread(target=ask, args=("second",)))
        clients[1].start()
        time.sleep(0.3)
        ENDPOINT.answers = {}
        time.sleep(5.2)
        self.plain.release()
        for client in clients:
            client.join()
        self.assertEqual(answers["first"].status, 201, "it happened, and who made it happen hears of it")
        self.assertProblem(answers["second"], 401, "caller_unknown")

    def test_what_the_endpoint_says_of_itself_passes(self):
        ENDPOINT.answers = {"bad": (401, [("WWW-Authenticate", 'Bearer realm="shop"'), ("Set-Cookie", "s=1")])}
        answer = self.order(self.key(), "bad")
        self.assertProblem(answer, 401, "caller_unknown")
        self.assertEqual(answer.all("WWW-Authenticate"), ['Bearer realm="shop"'])
        self.assertIsNone(answer.header("Set-Cookie"))

    def test_an_endpoint_that_says_neither_yes_nor_no_lets_nothing_pass(self):
        for number, answer in enumerate([(302, [("Location", "/login")]), (500, []), (404, []), (429, [])]):
            ENDPOINT.answers = {"good": answer}
            key = self.key(str(number))
            document = self.assertProblem(self.order(key, "good"), 503, "unavailable")
            self.assertTrue(document["retryable"])
            self.assertEqual(self.plain.effects("/orders/" + key), [])
        ENDPOINT.raw = b"\0\1\2 this is no HTTP\r\n\r\n"
        self.assertProblem(self.order(self.key("raw"), "good"), 503, "unavailable")
        ENDPOINT.raw = b""
        self.assertProblem(self.order(self.key("empty"), "good"), 503, "unavailable")
        ENDPOINT.raw, ENDPOINT.pause, ENDPOINT.answers = None, 2, {"good": (200, [])}
        began = time.monotonic()
        self.assertProblem(self.order(self.key("slow"), "good"), 503, "unavailable")
        self.assertLess(time.monotonic() - began, 1.8)
        for key in ("raw", "empty", "slow"):
            self.assertEqual(self.plain.effects("/orders/" + self.key(key)), [])

    def test_an_endpoint_that_is_down_lets_nothing_pass(self):
        answer = self.send("/away", self.key(), "good", ("X-User", "anna"))
        self.assertProblem(answer, 503, "unavailable")
        self.assertIsNotNone(answer.header("Retry-After"))
        self.assertEqual(self.plain.effects("/away"), [])

    def test_the_callers_name_comes_from_the_endpoint_alone(self):
        key = self.key()
        ENDPOINT.answers = {"anna": (200, [("X-User", "anna")]), "bert": (200, [("X-User", "bert")]),
                            "nobody": (200, [])}
        path = "/named/" + key
        first = self.send(path, key, "anna")
        self.assertEqual(first.status, 201)
        forged = self.send(path, key, "bert", ("X-User", "anna"), ("X_User", "anna"))
        self.assertEqual(forged.status, 201)
        self.assertFalse(forged.replayed, "one caller's key is not another's")
        self.assertEqual(len(self.plain.effects(path)), 2)
        self.assertEqual([seen["headers"].all("X-User") for seen in self.plain.seen(path)], [["anna"], ["bert"]])
        self.assertEqual([seen["headers"].all("X_User") for seen in self.plain.seen(path)], [[], []])
        self.assertSameAnswer(first, self.send(path, key, "anna", ("X-User", "bert")))
        self.assertProblem(self.send(path, key, "nobody", ("X-User", "anna")), 503, "unavailable")
        self.assertEqual(len(self.plain.effects(path)), 2)

    def test_a_route_without_protection_is_permitted_too(self):
        path = "/named/" + self.key()
        self.assertProblem(self.pawl.ask("GET", path, [("Authorization", "bad")]), 401, "caller_unknown")
        ENDPOINT.answers = {"anna": (200, [("X-User", "anna")])}
        answer = self.pawl.ask("GET", path, [("Authorization", "anna"), ("x-user", "bert")])
        self.assertNotIn(answer.status, (401, 503))
        self.assertEqual(self.plain.seen(path)[-1]["headers"].all("X-User"), ["anna"])
        asked = len(ENDPOINT.asked)
        self.pawl.ask("GET", path, [("Authorization", "anna")])
        self.assertEqual(len(ENDPOINT.asked), asked + 1, "without a cache each request asks")

    def test_a_connection_line_cannot_take_the_endpoints_word_away(self):
        ENDPOINT.answers = {"anna": (200, [("X-User", "anna")])}
        path = "/named/" + self.key()
        for line in ("X-User", "close, x-user", "keep-alive,X-USER"):
            with self.subTest(line):
                protected = self.send(path, self.key(), "anna", ("Connection", line))
                self.assertProblem(protected, 400, "request_invalid")
                read = self.pawl.ask("GET", path, [("Authorization", "anna"), ("Connection", line)])
                self.assertProblem(read, 400, "request_invalid")
        self.assertEqual(self.plain.seen(path), [])

    def test_a_trailer_says_nothing_that_the_head_has_to_say(self):
        ENDPOINT.answers = {"anna": (200, [("X-User", "anna")])}
        with socket.create_connection(("127.0.0.1", self.pawl.port), timeout=20) as talk:
            talk.sendall(b"PUT /raw HTTP/1.1\r\nHost: a\r\nAuthorization: anna\r\nTransfer-Encoding: chunked\r\n\r\n"
                         b"2\r\nhi\r\n0\r\nX-Sum: 1\r\n"
                         b"X-User: root\r\nx_user: root\r\nX-Team: root\r\nPawl-Fence: 9\r\n"
                         b"Authorization: root\r\n\r\n")
            answer = b""
            while not answer.endswith(b"\r\n\r\n") or b"\r\n0\r\n" not in answer:
                answer += (piece := talk.recv(65536))
                self.assertTrue(piece, answer)
        head, _, body = RAW.requests[-1].partition(b"\r\n\r\n")
        self.assertIn(b"\r\nX-User: anna", head)
        self.assertEqual(body, b"2\r\nhi\r\n0\r\nX-Sum: 1\r\n\r\n")
        self.assertTrue(answer.endswith(b"2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n"), answer)

    def test_another_spelling_of_the_path_does_not_pass_by(self):
        for path in ("/named%2fx", "/named;a=1/x", "/named%3ba/x", "/b/..;/named/x", "/named%20/x", "/named%09/x"):
            with self.subTest(path):
                answer = self.pawl.ask("GET", path, [("Authorization", "bad")])
                self.assertProblem(answer, 400, "request_invalid")


if __name__ == "__main__":
    unittest.main()
