# SPDX-License-Identifier: Apache-2.0
"""A repeat gets the first answer, byte for byte, and nothing that belonged to the first exchange alone
(R-REPLAY; field cases 7, 19, 21, 23, X11, X12, X13)."""

import hashlib
import json
import os
import unittest

from harness import ServiceTest, ask, receive, send, wanted

CONFIG = """
default_upstream: {plain}
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { close: "POST /orders/close/{operation_key}", effect_horizon: 60s }
    replay_headers: [Content-Disposition, X-Label]
"""


class Replay(ServiceTest):
    config = CONFIG

    def twice(self, **answer):
        first = self.post("/orders", self.key(), headers=[wanted(**answer)])
        repeat = self.post("/orders", self.key(), headers=[wanted(**answer)])
        self.assertSameAnswer(first, repeat)
        self.assertEqual(len(self.plain.effects(key=self.key())), 1)
        return first, repeat

    def test_empty_and_false_like_results_are_results(self):
        """Case 7."""
        shapes = [(204, b""), (200, b""), (200, b"0"), (200, b"false"), (200, b"null"), (200, b"{}"), (200, b"[]"),
                  (200, b'""'), (200, b"None"), (201, b"\0"), (202, b"")]
        for number, (status, body) in enumerate(shapes):
            with self.subTest(status=status, body=body):
                key = self.key(str(number))
                answer = wanted(status=status, body=body)
                first = self.post("/orders", key, headers=[answer])
                self.assertEqual((first.status, first.body), (status, body))
                for _ in range(2):
                    self.assertSameAnswer(first, self.post("/orders", key, headers=[answer]))
                self.assertEqual(len(self.plain.effects(key=key)), 1)

    def test_a_refusal_by_the_upstream_is_a_result_too(self):
        for status in (400, 404, 409, 422):
            with self.subTest(status=status):
                key = self.key(str(status))
                answer = wanted(status=status, headers=[["Content-Type", "text/plain"]], body=b"no")
                first = self.post("/orders", key, headers=[answer])
                self.assertSameAnswer(first, self.post("/orders", key, headers=[answer]))
                self.assertEqual(len(self.plain.effects(key=key)), 1)

    def test_a_chunked_answer_is_replayed_with_exact_framing(self):
        """Case 19: over one connection, so that a wrong length would break the next request."""
        for trailers in (None, [["X-Sum", "abc"]]):
            with self.subTest(trailers=trailers):
                key = self.key("with" if trailers else "without")
                body = os.urandom(3000)
                answer = {"status": 200, "body": body, "chunked": True, "headers": [["Content-Type", "x/y"]]}
                if trailers:
                    answer["trailers"] = trailers
                connection = self.pawl.connect()
                self.addCleanup(connection.close)
                lines = [("Idempotency-Key", key), wanted(**answer)]
                answers = []
                for _ in range(3):
                    send(connection, "POST", "/orders", lines, b'{"key":"c"}')
                    answers.append(receive(connection))
                self.assertEqual(answers[0].body, body)
                for repeat in answers[1:]:
                    self.assertSameAnswer(answers[0], repeat)
                    self.assertEqual(repeat.all("Transfer-Encoding"), [])
                    self.assertEqual(repeat.header("Content-Length"), str(len(body)))
                    self.assertEqual(repeat.all("Trailer") + repeat.all("X-Sum"), [])
                send(connection, "GET", "/elsewhere")
                self.assertEqual(receive(connection).json()["path"], "/elsewhere")

    def test_header_lines_stay_apart_and_in_order(self):
        """Cases 21 and X11."""
        lines = [["Set-Cookie", "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT"],
                 ["Link", "</a>; rel=\"x\", </b>; rel=\"y\""],
                 ["Set-Cookie", "b=2"], ["Content-Disposition", 'attachment; filename="one, two.pdf"'],
                 ["Link", "</c>; rel=\"z\""], ["X-Label", "first"], ["X-Label", "second, third"]]
        first, repeat = self.twice(status=200, headers=lines, body=b"x")
        self.assertEqual(first.all("Set-Cookie"), [lines[0][1], lines[2][1]])
        for name in ("Link", "Content-Disposition", "X-Label"):
            sent = [value for key, value in lines if key == name]
            self.assertEqual(first.all(name), sent)
            self.assertEqual(repeat.all(name), sent)
        self.assertEqual(repeat.all("Set-Cookie"), [])

    def test_what_describes_the_result_returns_and_what_describes_the_exchange_does_not(self):
        """Case X13."""
        kept = [["Location", "/orders/9"], ["ETag", '"v1"'], ["Content-Language", "de"], ["Content-Type", "text/plain"]]
        gone = [["X-Request-Id", "1"], ["WWW-Authenticate", "Basic"], ["X-RateLimit-Remaining", "3"],
                ["Access-Control-Allow-Origin", "*"], ["Keep-Alive", "timeout=9"], ["Traceparent", "00-1-2-00"]]
        first, repeat = self.twice(status=201, headers=kept + gone, body=b"x")
        for name, value in kept:
            self.assertEqual((first.header(name), repeat.header(name)), (value, value))
        for name, _ in gone:
            self.assertEqual(repeat.all(name), [], name)
        self.assertEqual(first.header("X-Request-Id"), "1")

    def test_bytes_are_bytes(self):
        """Case X12: in answers and in requests."""
        body = b"%PDF-1.7\n\x00\xff\xfe" + b"\xed\xa0\x80" + os.urandom(2000)
        first, _ = self.twice(status=200, headers=[["Content-Type", "application/pdf"]], body=body)
        self.assertEqual(first.body, body)
        sent = b"\x00\xff\xfe\xed\xa0\x80" + os.urandom(500)
        headers = [("Idempotency-Key", self.key("up")), ("Content-Type", "application/octet-stream")]
        first = self.pawl.ask("POST", "/orders", headers, sent)
        self.assertEqual(first.status, 201)
        digest = hashlib.sha256(sent).hexdigest()
        self.assertIn((len(sent), digest), [(seen["length"], seen["sha256"]) for seen in self.plain.seen("/orders")])
        self.assertSameAnswer(first, self.pawl.ask("POST", "/orders", headers, sent))
        other = self.pawl.ask("POST", "/orders", headers, sent[:-1] + bytes([sent[-1] ^ 1]))
        self.assertProblem(other, 422, "key_reused")

    def test_the_first_answer_stays_although_the_order_moves_on(self):
        """Case 23."""
        first = self.post("/orders", self.key())
        order = first.json()["order_id"]
        moved = ask(self.plain.port, "PUT", f"/orders/{order}/status", body=json.dumps({"status": "paid"}).encode())
        self.assertEqual(moved.json()["status"], "paid")
        repeat = self.post("/orders", self.key())
        self.assertSameAnswer(first, repeat)
        self.assertEqual(repeat.json()["status"], "created")
        self.assertEqual(self.pawl.ask("GET", f"/orders/{order}").json()["status"], "paid")

    def test_a_replay_is_marked_and_echoes_the_key(self):
        self.post("/orders", self.key())
        repeat = self.pawl.ask("POST", "/orders", [("Idempotency-Key", f'"{self.key()}"'),
                                                   ("Content-Type", "application/json")],
                               json.dumps({"key": self.key()}).encode())
        self.assertTrue(repeat.replayed)
        self.assertEqual(repeat.header("Idempotency-Key"), f'"{self.key()}"')

    def test_replays_survive_a_restart(self):
        first = self.post("/orders", self.key())
        self.pawl.kill()
        self.pawl.start()
        self.assertSameAnswer(first, self.post("/orders", self.key()))
        self.pawl.stop()
        self.pawl.start()
        self.assertSameAnswer(first, self.post("/orders", self.key()))

    def test_an_answer_too_large_to_keep_is_relayed_whole_and_never_run_again(self):
        answer = wanted(status=200, body=b"ab", body_repeat=3 << 20)
        first = self.post("/orders", self.key(), headers=[answer])
        self.assertEqual((first.status, len(first.body)), (200, 3 << 20))
        repeat = self.post("/orders", self.key(), headers=[answer])
        self.assertProblem(repeat, 410, "result_expired", safe_new_key=False)
        self.assertEqual(len(self.plain.effects(key=self.key())), 1)


if __name__ == "__main__":
    unittest.main()
