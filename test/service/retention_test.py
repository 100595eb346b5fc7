# SPDX-License-Identifier: Apache-2.0
"""Two lifetimes: the result is dropped first, the key stands much longer, so that a very late retry is refused
instead of being run (field case X3; H2, R-REPLAY). Waits for the shortest lifetime that a route may have."""

import time
import unittest

from harness import ServiceTest, wait_for, wanted

CONFIG = """
routes:
  - match: POST /short
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    retention: { result: 1m, key: 400d }
  - match: POST /forgets
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    retention: { result: 1m, key: 1m }
  - match: POST /refusing
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    profile: ietf
    retention: { refused: 1m }
"""
RETENTION_SECONDS = 60


class Retention(ServiceTest):
    config = CONFIG

    def test_inside_replay_then_refused(self):
        started = time.monotonic()
        shape = [wanted(status=201, headers=[["Location", "/orders/77"]], body=b"x")]
        first = {path: self.post(path, self.key(), headers=shape) for path in ("/short", "/forgets")}
        made = self.post("/refusing", self.key("made"), headers=shape)
        poor = [wanted(status=402, body=b"no money")]
        refused = self.post("/refusing", self.key("refused"), headers=poor)
        self.assertSameAnswer(refused, self.post("/refusing", self.key("refused"), headers=poor))
        while time.monotonic() - started < RETENTION_SECONDS - 3:
            for path, answer in first.items():
                self.assertSameAnswer(answer, self.post(path, self.key(), headers=shape))
            time.sleep(5)
        gone = wait_for(lambda: self.other_than(201), 30, "the result is dropped")
        self.assertProblem(gone, 410, "result_expired", retryable=False, safe_new_key=False)
        self.assertEqual(len(self.plain.effects("/short")), 1)
        self.assertProblem(self.post("/short", self.key(), {"other": 1}), 422, "key_reused")
        self.pawl.kill()
        self.pawl.start()
        self.assertProblem(self.post("/short", self.key()), 410, "result_expired")
        self.assertEqual(len(self.plain.effects("/short")), 1)
        # Its key's time is over, too: the next request is a first one, and the one after that its repeat.
        for replayed in (False, True):
            last = self.post("/forgets", self.key(), headers=shape)
            self.assertEqual((last.status, last.replayed), (201, replayed), last)
        self.assertEqual(len(self.plain.effects("/forgets")), 2)
        # A refusal has a time of its own; its key is not new after it, and a result stays.
        gone = self.post("/refusing", self.key("refused"), headers=poor)
        self.assertProblem(gone, 410, "result_expired", retryable=False, safe_new_key=False)
        self.assertIn("402", gone.json()["detail"])
        self.assertSameAnswer(made, self.post("/refusing", self.key("made"), headers=shape))
        self.assertEqual(len(self.plain.effects("/refusing")), 2)

    def other_than(self, status):
        answer = self.post("/short", self.key())
        return answer if answer.status != status else None


if __name__ == "__main__":
    unittest.main()
