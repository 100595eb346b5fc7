# SPDX-License-Identifier: Apache-2.0
"""A request that is on its way cannot be called back. Whatever Pawl believes meanwhile, it must not run the
operation a second time (protocol rules 1, 2, 5; field cases 51, 55; R-FENCE, R-UNCERTAIN)."""

import signal
import threading
import time
import unittest

from harness import ServiceTest, wait_for

CONFIG = """
routes:
  - match: POST /asked
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 500ms
    lease: 3s
    uncertain: { probe: "GET /orders/by-operation/{operation_key}", effect_horizon: 1h }
  - match: POST /closed
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 500ms
    lease: 3s
    uncertain: { close: "POST /orders/close/{operation_key}", effect_horizon: 1h }
  - match: POST /alone
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 500ms
    lease: 3s
    uncertain: { effect_horizon: 1h }
"""
HOLD = [("X-Fault", "hold")]


class HeldRequest(ServiceTest):
    config = CONFIG

    def setUp(self):
        self.addCleanup(self.plain.release)

    def effects(self):
        return self.plain.effects(key=self.key())

    def hold(self, path):
        """Sends a request that the upstream keeps in its hand."""
        before = len(self.plain.held())
        answer = self.post(path, self.key(), headers=HOLD)
        self.assertProblem(answer, 409, "in_progress")
        wait_for(lambda: len(self.plain.held()) > before, 5, "the upstream holds the request")

    def restart(self):
        self.pawl.kill()
        self.pawl.start()

    def probes(self, kind):
        return [seen for seen in self.plain.seen() if seen["path"].startswith(f"/orders/{kind}/")]

    def test_a_probe_that_says_not_found_never_frees_it(self):
        self.hold("/asked")
        before = len(self.probes("by-operation"))
        self.restart()
        wait_for(lambda: len(self.probes("by-operation")) >= before + 2, 20, "the upstream is asked twice")
        for _ in range(5):
            self.assertProblem(self.post("/asked", self.key()), 409, "uncertain", safe_new_key=False)
        self.assertEqual(self.effects(), [])
        self.plain.release()
        wait_for(self.effects, 5, "the late effect")
        answer = wait_for(lambda: self.settled("/asked"), 30, "the probe finds the effect")
        self.assertEqual(answer.json()["order_id"], self.effects()[0]["order_id"])
        self.assertEqual(answer.header("Pawl-Result-Source"), "probe")
        self.assertEqual(len(self.effects()), 1)

    def settled(self, path):
        answer = self.post(path, self.key())
        return answer if answer.status == 201 else None

    def test_a_closed_attempt_is_refused_when_it_arrives_late(self):
        self.hold("/closed")
        self.restart()
        answer = wait_for(lambda: self.settled("/closed"), 20, "the closing probe frees the key, the retry runs")
        self.plain.release()
        time.sleep(0.3)
        self.assertEqual([effect["order_id"] for effect in self.effects()], [answer.json()["order_id"]])
        fences = [int(seen["headers"].header("Pawl-Fence")) for seen in self.plain.seen("/closed")
                  if seen["headers"].header("Idempotency-Key") == self.key()]
        self.assertEqual(len(fences), 2)
        self.assertLess(fences[0], fences[1])

    def test_the_lease_may_pass_while_the_answer_is_awaited(self):
        """Case 3: the lease is not the handler's time-out."""
        self.hold("/alone")
        time.sleep(4)
        self.assertIn(self.post("/alone", self.key()).code, ("in_progress", "uncertain"))
        self.plain.release()
        answer = wait_for(lambda: self.settled("/alone"), 10, "the late answer is recorded")
        self.assertTrue(answer.replayed)
        self.assertEqual(len(self.effects()), 1)

    def test_a_process_frozen_past_its_lease_causes_no_second_effect(self):
        """Case 51."""
        self.hold("/alone")
        self.pawl.child.send_signal(signal.SIGSTOP)
        late = []
        askers = [threading.Thread(target=lambda: late.append(self.post("/alone", self.key()))) for _ in range(8)]
        for asker in askers:
            asker.start()
        time.sleep(4.5)
        self.pawl.child.send_signal(signal.SIGCONT)
        self.plain.release()
        for asker in askers:
            asker.join(20)
        answer = wait_for(lambda: self.settled("/alone"), 10, "the answer is recorded")
        self.assertEqual([effect["order_id"] for effect in self.effects()], [answer.json()["order_id"]])
        for other in late:
            self.assertIn(other.status, (201, 409), other)
            if other.status == 201:
                self.assertEqual(other.body, answer.body)

    def test_frozen_and_the_answer_lost(self):
        """As before, but the upstream drops the connection: nothing may be guessed from age."""
        self.plain.control("POST", "/faults", [{"path": "/alone", "fault": "hang-after"}])
        self.assertProblem(self.post("/alone", self.key()), 409, "in_progress")
        self.pawl.child.send_signal(signal.SIGSTOP)
        time.sleep(4.5)
        self.pawl.child.send_signal(signal.SIGCONT)
        self.restart()
        for _ in range(3):
            self.assertProblem(self.post("/alone", self.key()), 409, "uncertain", safe_new_key=False)
            time.sleep(0.3)
        self.assertEqual(len(self.effects()), 1)


if __name__ == "__main__":
    unittest.main()
