# SPDX-License-Identifier: Apache-2.0
"""A route in shadow changes nothing and tells what protecting it would change (R-COVERAGE)."""

import hashlib
import os
import threading
import unittest

from harness import ServiceTest, wait_for

CONFIG = """
routes:
  - match: POST /orders
    upstream: {plain}
    protect: shadow
    key: { header: Idempotency-Key, required: true }
    caller: public
    body_bytes_max: 1MiB
  - match: POST /clicks
    upstream: {plain}
    protect: shadow
    caller: public
  - match: POST /kept
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
"""


class Shadow(ServiceTest):
    config = CONFIG

    def report(self, route):
        found = self.pawl.cli_json("shadow", "--route", route)
        self.assertEqual([one["route"] for one in found["routes"]], [route])
        return found["routes"][0]

    def counted(self, route, do):
        """What `do` adds to the counts. It yields how many requests it has made so far: a request is judged behind its
        answer, and the next one is made when that is done."""
        before = self.report(route)["counts"]
        found = {}

        def added():
            counts = self.report(route)["counts"]
            found.update({kind: count - before[kind] for kind, count in counts.items() if count != before[kind]})
            return sum(found.values()) >= requests

        for requests in do():
            wait_for(added, 5, "the requests are counted")
        return found

    def test_every_request_passes_unchanged_and_is_judged(self):
        def storm():
            answers = []
            for words in [(self.key(),)] * 3 + [(self.key(), {"other": 1}), (), ("",)]:
                answers.append(self.post("/orders", *words))
                yield len(answers)
            self.assertEqual([answer.status for answer in answers], [201] * 6)
            self.assertFalse(any(answer.replayed for answer in answers))
            self.assertEqual(len({answer.body for answer in answers}), 6, "each one ran")

        self.assertEqual(self.counted("POST /orders", storm),
                         {"first": 1, "replay": 2, "mismatch": 1, "key_missing": 1, "key_invalid": 1})
        report = self.report("POST /orders")
        self.assertIn("protecting it would have", report["says"])
        self.assertEqual(len(report["examples"]["replay"][0]), 16)
        self.assertNotIn(self.key(), str(report))
        code, out, err = self.pawl.cli("shadow")
        self.assertEqual(code, 0, err)
        self.assertIn("repeats after the answer", out)
        self.assertIsNone(self.pawl.metric("idempotent_requests_total", route="POST /orders", status="replay") or None)
        self.assertEqual(self.pawl.cli("explain", self.key())[0], 3, "nothing is recorded")

    def test_copies_that_run_at_the_same_time(self):
        def both():
            threads = [threading.Thread(target=self.post, args=("/orders", self.key()),
                                        kwargs={"headers": [("X-Fault", "hold")]}) for _ in range(2)]
            for thread in threads:
                thread.start()
            wait_for(lambda: len(self.plain.held()) == 2, 10, "neither waits for the other")
            self.plain.release()
            for thread in threads:
                thread.join()
            yield 2

        self.assertEqual(self.counted("POST /orders", both), {"first": 1, "in_flight": 1})

    def test_a_lost_answer_makes_the_next_one_uncertain(self):
        def lose():
            lost = self.post("/orders", self.key(), headers=[("X-Fault", "drop-after")])
            self.assertEqual(lost.status, 502)
            yield 1
            self.assertEqual(self.post("/orders", self.key()).status, 201)
            yield 2

        self.assertEqual(self.counted("POST /orders", lose), {"first": 1, "uncertain": 1})

    def test_equal_clicks_without_a_key(self):
        def click():
            for number, sku in enumerate(("A", "A", "B"), 1):
                self.assertEqual(self.post("/clicks", fields={"sku": sku}).status, 201)
                yield number

        self.assertEqual(self.counted("POST /clicks", click), {"first": 2, "natural": 1})

    def test_long_bodies_stream_and_are_judged_up_to_the_bound(self):
        def long():
            for number, size in enumerate((1 << 20, 1 << 20, (1 << 20) + 1), 1):
                body = os.urandom(1) * size if size > 1 << 20 else b"x" * size
                answer = self.post("/orders", self.key(str(size)), body=body)
                self.assertEqual(answer.status, 201)
                seen = self.plain.seen("/orders")[-1]
                self.assertEqual((seen["length"], seen["sha256"]), (size, hashlib.sha256(body).hexdigest()))
                yield number

        self.assertEqual(self.counted("POST /orders", long), {"first": 1, "replay": 1, "not_judged": 1})

    def test_what_is_no_shadow_has_no_report(self):
        code, _, err = self.pawl.cli("shadow", "--route", "POST /kept")
        self.assertEqual(code, 3, err)
        self.assertIn("no shadow", err)
        code, _, err = self.pawl.cli("shadow", "--route", "POST /keept")
        self.assertIn("did you mean `POST /kept`", err)


if __name__ == "__main__":
    unittest.main()
