# SPDX-License-Identifier: Apache-2.0
"""Every refusal is a problem document that a program can act on: the table "HTTP mapping" of the protocol, row by
row as far as a client can reach it (RFC 9457; field case X14 for bodies)."""

import http.client
import socket
import threading
import unittest

from harness import ServiceTest, wait_for

ROUTES = """
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 300ms
    body_bytes_max: 64KiB
    uncertain: { effect_horizon: 1h }
  - match: POST /owned
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: { header: X-Caller }
  - match: "* /any"
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: { header: X-Caller }
  - match: POST /formed
    upstream: {plain}
    key: { header: Idempotency-Key, required: true, format: "[0-9a-f]{8}" }
    caller: public
  - match: POST /ruled
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    fingerprint: { json: canonical, exclude: [$.sent_at] }
"""
CONFIG = "limits: { waiters_per_key_max: 3, unresolved_per_caller_max: 2 }\n" + ROUTES
MIB = 1 << 20


class Problems(ServiceTest):
    config = CONFIG

    def raw(self, headers, body=b"{}", path="/orders"):
        return self.pawl.ask("POST", path, headers, body)

    def test_no_route(self):
        self.assertProblem(self.raw([], path="/nowhere"), 404, "not_found", retryable=False)

    def test_a_spelling_that_services_read_as_a_protected_path(self):
        for path in ("//x/orders", "/\\x/orders", "/x\\..\\orders", "/x/..\\orders", "/v1%5C..%5Corders",
                     "//x\\y/orders", "//x%2Fy/orders", "/orders;x=1", "/orders%3b", "/orders;", "/x/..;/orders",
                     "/x/..;a=1/orders", "/orders/.;/", "/x/%2e%2e%3b/orders", "/;/orders", "/orders%00", "/orders%09",
                     "/orders%20", "/orders%0d%0a", "/orders%00.txt", "/orders%3b%20", "/x/..%00/orders"):
            with self.subTest(path):
                self.assertProblem(self.raw([("Idempotency-Key", self.key())], path=path), 400, "request_invalid")

    def test_a_connection_line_that_takes_the_caller_away(self):
        lines = [("Idempotency-Key", self.key()), ("X-Caller", "ada"), ("Connection", "X-Caller")]
        self.assertProblem(self.raw(lines, path="/owned"), 400, "request_invalid")
        read = self.pawl.ask("GET", "/any", [("X-Caller", "ada"), ("Connection", "close, x-caller")])
        self.assertProblem(read, 400, "request_invalid")
        self.assertEqual(self.plain.seen("/any"), [])

    def test_a_second_name_of_the_caller_and_of_what_pawl_says_is_taken_out(self):
        lines = [("Idempotency-Key", self.key()), ("X-Caller", "ada"), ("X_Caller", "root"), ("Pawl_Fence", "9999")]
        self.assertEqual(self.raw(lines, path="/owned").status, 201)
        seen = self.plain.seen("/owned")[-1]["headers"]
        self.assertEqual((seen.header("X-Caller"), seen.header("X_Caller"), seen.header("Pawl_Fence")),
                         ("ada", None, None))

    def test_key_missing(self):
        document = self.assertProblem(self.raw([]), 400, "key_missing", retryable=False)
        self.assertIn("Idempotency-Key", document["detail"])

    def test_key_invalid(self):
        for name, lines in {
            "empty": [("Idempotency-Key", "")],
            "empty quoted": [("Idempotency-Key", '""')],
            "several": [("Idempotency-Key", "a"), ("Idempotency-Key", "b")],
            "the same twice": [("Idempotency-Key", "a"), ("Idempotency-Key", "a")],
            "open quote": [("Idempotency-Key", '"a')],
            "space inside": [("Idempotency-Key", "a b")],
            "too long": [("Idempotency-Key", "a" * 256)],
        }.items():
            with self.subTest(name):
                document = self.assertProblem(self.raw(lines), 400, "key_invalid", retryable=False)
                self.assertNotIn("aaaa", str(document))

    def test_key_of_another_form(self):
        self.assertProblem(self.raw([("Idempotency-Key", "zz")], path="/formed"), 400, "key_invalid")
        self.assertEqual(self.raw([("Idempotency-Key", "0a1b2c3d")], path="/formed").status, 201)

    def test_caller_unknown_comes_before_the_key(self):
        self.assertProblem(self.raw([], path="/owned"), 401, "caller_unknown", retryable=False)

    def test_body_too_large(self):
        """Case X14: at the limit and one beyond; a promise beyond it is refused before a byte is sent."""
        lines = [("Idempotency-Key", self.key())]
        self.assertProblem(self.raw(lines, b"x" * (64 * 1024 + 1)), 413, "body_too_large")
        self.assertEqual(self.raw(lines, b"x" * (64 * 1024)).status, 201)
        answer = self.raw([*lines, ("Content-Length", str(10 << 30))], None)
        self.assertProblem(answer, 413, "body_too_large")

    def test_a_chunked_body_is_cut_at_the_limit_and_memory_stays_flat(self):
        """Case X14."""
        before = self.pawl.memory_kib()
        for _ in range(4):
            self.assertEqual(self.push_chunks(2048 * MIB), 413)
        self.assertMemoryBelow(self.pawl.memory_kib() - before, 32 * 1024)
        self.assertEqual(self.plain.effects(key=self.key()), [])

    def push_chunks(self, total):
        """Sends until it is stopped; the status of the answer, and never more than a part of the total."""
        with socket.create_connection(("127.0.0.1", self.pawl.port), timeout=20) as stream:
            stream.sendall(f"POST /orders HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {self.key()}\r\n"
                           "Transfer-Encoding: chunked\r\n\r\n".encode())
            chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
            sent = 0
            try:
                while sent < total:
                    stream.sendall(chunk)
                    sent += 65536
            except OSError:
                sent += 0
            self.assertLess(sent, 64 * MIB, "the body was taken on and on")
            response = http.client.HTTPResponse(stream)
            try:
                response.begin()
                return response.status
            except (OSError, http.client.HTTPException):
                return 413 if sent < 64 * MIB else 0

    def test_a_body_shorter_than_promised_has_no_effect(self):
        """Case X14, R3."""
        with socket.create_connection(("127.0.0.1", self.pawl.port), timeout=10) as stream:
            stream.sendall(f"POST /ruled HTTP/1.1\r\nHost: x\r\nIdempotency-Key: {self.key()}\r\n"
                           "Content-Length: 100\r\n\r\n{\"key\":1}".encode())
            stream.shutdown(socket.SHUT_WR)
            stream.recv(4096)
        answer = self.post("/ruled", self.key())
        self.assertEqual((answer.status, answer.replayed), (201, False))
        self.assertEqual(len(self.plain.effects(key=self.key())), 1)

    def test_key_reused(self):
        first = self.post("/orders", self.key())
        self.assertEqual(first.status, 201, first)
        document = self.assertProblem(self.post("/orders", self.key(), {"other": "secret-member"}), 422, "key_reused",
                                      retryable=False, safe_new_key=True)
        self.assertNotIn("secret-member", str(document))
        self.assertTrue(document["operation_ref"])
        self.assertEqual(len(self.plain.effects(key=self.key())), 1)

    def test_in_progress_and_limited(self):
        slow = [("X-Fault", "slow:900")]
        answers = []
        callers = [threading.Thread(target=lambda: answers.append(self.post("/orders", self.key(), headers=slow)))
                   for _ in range(12)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join(20)
        told = {answer.code for answer in answers}
        self.assertEqual(told, {"in_progress", "limited"}, answers)
        for answer in answers:
            self.assertProblem(answer, 409 if answer.code == "in_progress" else 429, answer.code, retryable=True)
            self.assertGreaterEqual(int(answer.header("Retry-After")), 1)
            self.assertEqual(answer.json()["retry_after"], int(answer.header("Retry-After")))
        wait_for(lambda: self.post("/orders", self.key()).status == 201, 10, "the first one's answer")

    def test_uncertain(self):
        lines = [("X-Fault", "drop-after")]
        first = self.assertProblem(self.post("/orders", self.key(), headers=lines), 502, "uncertain", retryable=True,
                                   safe_new_key=False)
        again = self.assertProblem(self.post("/orders", self.key()), 409, "uncertain", retryable=True,
                                   safe_new_key=False, operation_ref=first["operation_ref"])
        self.assertIn(f"pawl resolve {first['operation_ref']}", again["detail"] + str(again.get("resolve")))
        self.assertRegex(again["first_seen_at"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d")

    def test_a_caller_with_too_much_unresolved(self):
        """Protocol rule 15: at the limit and one beyond; only this caller's new keys are refused."""
        lines = [("X-Caller", "ada")]
        for number in range(2):
            self.assertEqual(self.post("/owned", self.key(number), headers=[*lines, ("X-Fault", "drop-after")]).status,
                             502)
        refused = self.post("/owned", self.key(2), headers=lines)
        document = self.assertProblem(refused, 429, "limited", retryable=True, safe_new_key=False)
        self.assertEqual(document["retry_after"], int(refused.header("Retry-After")))
        self.assertEqual(self.plain.effects(key=self.key(2)), [])
        self.assertProblem(self.post("/owned", self.key(0), headers=lines), 409, "uncertain")
        self.assertEqual(self.post("/owned", self.key(3), headers=[("X-Caller", "bob")]).status, 201)
        ref = self.post("/owned", self.key(0), headers=lines).json()["operation_ref"]
        self.assertEqual(self.pawl.cli("resolve", ref, "--applied", "--reason", "seen")[0], 0)
        self.assertEqual(self.post("/owned", self.key(2), headers=lines).status, 201)

    def test_rule_changed(self):
        self.assertEqual(self.post("/ruled", self.key(), {"sent_at": 1}).status, 201)
        text = CONFIG.replace("exclude: [$.sent_at]", "exclude: [$.other]").replace("{plain}", self.plain.url)
        self.addCleanup(self.restart_with, CONFIG.replace("{plain}", self.plain.url))
        self.restart_with(text)
        self.assertProblem(self.post("/ruled", self.key(), {"sent_at": 1}), 409, "rule_changed", retryable=False)
        self.assertEqual(len(self.plain.effects(key=self.key())), 1)

    def restart_with(self, text):
        self.pawl.stop()
        self.pawl.configure(text)
        self.pawl.start()

    def test_unavailable(self):
        self.plain.control("PUT", "/listening", False)
        self.addCleanup(self.plain.control, "PUT", "/listening", True)
        answer = self.post("/orders", self.key())
        document = self.assertProblem(answer, 503, "unavailable", retryable=True)
        self.assertGreaterEqual(int(answer.header("Retry-After")), 1)
        self.assertNotIn("127.0.0.1", str(document), "the other side's words stay inside")
        self.assertNotIn("operation_ref", document, "nothing is recorded under it")


if __name__ == "__main__":
    unittest.main()
