# SPDX-License-Identifier: Apache-2.0
"""What an attempt's end means: done, not done, or unknown; and never a second run because of a guess
(R-CLAIM, R-UNCERTAIN; field cases 1, 3, 4, 5, 25, X15)."""

import threading
import unittest

from harness import ServiceTest, wait_for, wanted

CONFIG = """
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 1h }
  - match: POST /hangs
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 300ms
    lease: 3s
    hold_max: 3s
    uncertain: { effect_horizon: 1h }
  - match: POST /closing
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    lease: 3s
    uncertain: { close: "POST /orders/close/{operation_key}", effect_horizon: 1h }
  - match: POST /long
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 300ms
    uncertain: { effect_horizon: 1h }
  - match: POST /again
    upstream: {honours}
    key: { header: Idempotency-Key, required: true }
    caller: public
    lease: 3s
    upstream_remembers: 400d
  - match: POST /rollback
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    transactional: true
"""


class Outcome(ServiceTest):
    config = CONFIG
    upstreams = {"plain": {}, "honours": {"HONOUR_OPERATION_KEY": "1"}}

    def setUp(self):
        self.addCleanup(self.plain.control, "DELETE", "/faults")

    def effects(self, name="k"):
        return len(self.plain.effects(key=self.key(name)))

    def plant(self, path, fault, times=1):
        self.plain.control("POST", "/faults", [{"path": path, "fault": fault, "times": times}])

    def finished(self, path, name="k"):
        answer = self.post(path, self.key(name))
        return answer if answer.status == 201 else None

    def test_a_killed_gateway_leaves_no_conflict_for_ever(self):
        """Case 1, first run: the operation may be run again, the upstream knows it by its operation key."""
        self.honours.control("POST", "/faults", [{"path": "/again", "fault": "hang-after"}])
        asker = threading.Thread(target=lambda: self.assertRaises(Exception, self.post, "/again", self.key()))
        asker.start()
        wait_for(lambda: self.honours.effects(key=self.key()), 5, "the effect")
        self.pawl.kill()
        asker.join(10)
        self.pawl.start()
        answer = wait_for(lambda: self.finished("/again"), 10, "a retry takes over and finishes")
        self.assertEqual(answer.json()["order_id"], self.honours.effects(key=self.key())[0]["order_id"])
        repeat = self.post("/again", self.key())
        self.assertTrue(repeat.replayed)
        self.assertEqual((repeat.body, len(self.honours.effects(key=self.key()))), (answer.body, 1))

    def test_what_goes_to_an_upstream_that_honours_the_operation_key(self):
        self.post("/again", self.key())
        seen = next(seen for seen in self.honours.seen("/again") if seen["headers"].header("Pawl-Operation-Key"))
        self.assertEqual(seen["headers"].header("Idempotency-Key").strip('"'),
                         seen["headers"].header("Pawl-Operation-Key"))

    def test_an_upstream_that_dies_before_the_effect_frees_the_key_by_its_word(self):
        """Case 1, second run."""
        self.plant("/closing", "drop-before")
        first = self.post("/closing", self.key())
        self.assertProblem(first, 502, "uncertain")
        answer = wait_for(lambda: self.finished("/closing"), 15, "the closing probe frees the key")
        self.assertFalse(answer.replayed)
        self.assertEqual(self.effects(), 1)

    def test_an_upstream_that_hangs_after_the_effect_is_not_called_again(self):
        """Case 3."""
        self.plant("/hangs", "hang-after")
        self.assertProblem(self.post("/hangs", self.key()), 409, "in_progress")
        wait_for(lambda: self.post("/hangs", self.key()).code == "uncertain", 10, "the attempt is given up")
        for _ in range(10):
            document = self.assertProblem(self.post("/hangs", self.key()), 409, "uncertain", safe_new_key=False)
        self.assertIn(f"pawl resolve {document['operation_ref']}", str(document))
        self.assertEqual(self.effects(), 1)

    def test_a_retry_while_the_first_runs_learns_that_and_then_gets_its_answer(self):
        """Case 4."""
        left = self.pawl.connect()
        self.addCleanup(left.close)
        self.addCleanup(self.plain.release)
        left.request("POST", "/long", self.body(), {"Idempotency-Key": self.key(), "X-Fault": "hold",
                                                    "Content-Type": "application/json"})
        wait_for(self.plain.held, 10, "the upstream holds it")
        left.close()
        answers = []
        copies = [threading.Thread(target=lambda: answers.append(self.post("/long", self.key(), body=self.body())))
                  for _ in range(50)]
        for copy in copies:
            copy.start()
        for copy in copies:
            copy.join(20)
        self.assertEqual(len(answers), 50)
        for answer in answers:
            self.assertProblem(answer, 409, "in_progress", retryable=True)
            self.assertGreaterEqual(int(answer.header("Retry-After")), 1)
        other = self.post("/long", self.key(), body=b'{"key":"another body"}')
        self.assertProblem(other, 422, "key_reused", safe_new_key=False)
        self.plain.release()
        answer = wait_for(lambda: self.finished("/long"), 10, "the first is answered")
        self.assertTrue(answer.replayed)
        other = self.post("/long", self.key(), body=b'{"key":"another body"}')
        self.assertProblem(other, 422, "key_reused", safe_new_key=True)
        self.assertEqual(self.effects(), 1)

    def body(self):
        return b'{"key":"%s"}' % self.key().encode()

    def test_a_bounded_wait_ends_with_the_first_answer(self):
        slow = [("X-Fault", "slow:400")]
        answers = []
        copies = [threading.Thread(target=lambda: answers.append(self.post("/closing", self.key(), headers=slow)))
                  for _ in range(20)]
        for copy in copies:
            copy.start()
        for copy in copies:
            copy.join(20)
        self.assertEqual({answer.status for answer in answers}, {201})
        self.assertEqual(len({answer.body for answer in answers}), 1)
        self.assertEqual(sum(answer.replayed for answer in answers), 19)
        self.assertEqual(self.effects(), 1)

    def test_a_408_or_5xx_of_the_upstream_passes_unchanged_and_says_that_nobody_knows(self):
        """Cases 5 (first variant) and X15."""
        for status in (408, 500, 502, 503, 504):
            with self.subTest(status=status):
                key = self.key(str(status))
                shape = wanted(status=status, headers=[["Content-Type", "text/html"]], body=b"<b>its own page</b>")
                first = self.post("/orders", key, headers=[shape])
                self.assertEqual((first.status, first.body), (status, b"<b>its own page</b>"))
                self.assertEqual(first.header("Content-Type"), "text/html")
                self.assertEqual(first.all("Pawl-Outcome"), ["unknown"])
                for _ in range(3):
                    document = self.assertProblem(self.post("/orders", key), 409, "uncertain", safe_new_key=False)
                self.assertEqual(document["operation_ref"], first.header("Pawl-Operation"))
                self.assertEqual(len(self.plain.effects(key=key)), 1)

    def test_an_upstream_that_refuses_connections_has_executed_nothing(self):
        """Case 5, second variant."""
        self.plain.control("PUT", "/listening", False)
        self.addCleanup(self.plain.control, "PUT", "/listening", True)
        for _ in range(3):
            answer = self.post("/orders", self.key())
            self.assertProblem(answer, 503, "unavailable", retryable=True)
            self.assertGreaterEqual(int(answer.header("Retry-After")), 1)
        self.plain.control("PUT", "/listening", True)
        answer = self.post("/orders", self.key())
        self.assertEqual((answer.status, answer.replayed, self.effects()), (201, False, 1))

    def test_the_upstream_gone_does_not_hide_a_stored_answer(self):
        first = self.post("/orders", self.key())
        self.plain.control("PUT", "/listening", False)
        self.addCleanup(self.plain.control, "PUT", "/listening", True)
        self.assertSameAnswer(first, self.post("/orders", self.key()))

    def test_a_request_that_was_read_is_never_sent_again(self):
        """Case 25."""
        for fault in ("drop-after", "garbage-after", "half-after"):
            with self.subTest(fault=fault):
                self.plant("/orders", fault)
                first = self.post("/orders", self.key(fault))
                self.assertProblem(first, 502, "uncertain", safe_new_key=False)
                self.assertProblem(self.post("/orders", self.key(fault)), 409, "uncertain")
                self.assertEqual(self.effects(fault), 1)

    def test_a_connection_that_is_reset_before_a_byte_is_read_costs_nothing(self):
        """Case 25: at most one effect, and the operation ends."""
        self.addCleanup(self.plain.control, "PUT", "/resets", 0)  # one that met no new connection is left
        for number in range(5):
            self.plain.control("PUT", "/resets", 1)
            first = self.post("/closing", self.key(str(number)))
            if first.status != 201:
                self.assertIn(first.code, ("uncertain", "unavailable"), first)
            answer = wait_for(lambda n=number: self.finished("/closing", str(n)), 15, "the operation ends")
            self.assertEqual(self.effects(str(number)), 1, answer)

    def test_the_upstreams_word_decides(self):
        """R-UNCERTAIN: Pawl-Outcome."""
        self.plant("/orders", "500-not-applied")
        first = self.post("/orders", self.key())
        self.assertEqual(first.status, 500)
        self.assertEqual(self.post("/orders", self.key()).status, 201)
        applied = wanted(status=500, headers=[["Pawl-Outcome", "applied"]], body=b"odd, but done")
        first = self.post("/orders", self.key("applied"), headers=[applied])
        self.assertEqual(first.status, 500)
        self.assertSameAnswer(first, self.post("/orders", self.key("applied"), headers=[applied]))
        unknown = wanted(status=201, headers=[["Pawl-Outcome", "unknown"]], body=b"?")
        self.post("/orders", self.key("unknown"), headers=[unknown])
        self.assertProblem(self.post("/orders", self.key("unknown"), headers=[unknown]), 409, "uncertain")
        self.assertEqual([self.effects(name) for name in ("k", "applied", "unknown")], [1, 1, 1])

    def test_statuses_that_say_not_now_free_the_key(self):
        for status in (401, 407, 421, 425, 429):
            with self.subTest(status=status):
                key = self.key(str(status))
                refused = wanted(status=status, body=b"not now")
                self.assertEqual(self.post("/orders", key, headers=[refused]).status, status)
                self.assertEqual(self.post("/orders", key).status, 201)

    def test_a_transactional_upstream_frees_the_key_by_answering_5xx_and_only_by_that(self):
        self.plant("/rollback", "500-before")
        self.assertEqual(self.post("/rollback", self.key()).status, 500)
        self.assertEqual(self.post("/rollback", self.key()).status, 201)
        self.plant("/rollback", "drop-after")
        self.assertProblem(self.post("/rollback", self.key("lost")), 502, "uncertain")
        self.assertProblem(self.post("/rollback", self.key("lost")), 409, "uncertain")

    def test_a_client_that_leaves_neither_stops_nor_frees_the_operation(self):
        connection = self.pawl.connect(timeout=10)
        self.addCleanup(self.plain.release)
        connection.request("POST", "/long", self.body(), {"Idempotency-Key": self.key(), "X-Fault": "hold",
                                                          "Content-Type": "application/json"})
        wait_for(self.plain.held, 10, "the upstream holds it")
        connection.close()
        self.plain.release()
        answer = wait_for(lambda: self.finished("/long"), 10, "the operation ends")
        self.assertEqual((answer.replayed, self.effects()), (True, 1))

    def test_what_goes_upstream(self):
        lines = [("X-Trace", "mine"), ("Pawl-Fence", "1"), ("Pawl-Operation-Key", "forged"), ("pawl-hlc", "1")]
        self.post("/orders", self.key(), headers=lines)
        seen = next(seen["headers"] for seen in self.plain.seen("/orders")
                    if seen["headers"].header("Idempotency-Key") == self.key())
        self.assertEqual(seen.header("X-Trace"), "mine")
        self.assertRegex(seen.header("Pawl-Operation-Key"), r"^[0-9a-f]{64}$")
        self.assertEqual([len(seen.all(name)) for name in ("Pawl-Fence", "Pawl-Operation-Key", "Pawl-Operation-Ref",
                                                           "pawl-hlc")], [1, 1, 1, 0])
        self.assertRegex(seen.header("traceparent"), r"^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$")


if __name__ == "__main__":
    unittest.main()
