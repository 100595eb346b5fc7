# SPDX-License-Identifier: Apache-2.0
"""A thousand callers on one key, and the bounds on those who wait and on what is stored (R-LIMIT): one effect, each
answered or refused in words a program can tell, memory bounded."""

import http.client
import json
import resource
import socket
import threading
import unittest

from harness import Answer, ServiceTest, wait_for

CALLERS = 1000
MEMORY_PER_WAITER_KIB = 64
ROUTE = """
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 60s
    uncertain: { effect_horizon: 1h }
"""


def enough_descriptors():
    own, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, max(own, 4 * CALLERS)), most))


class Crowd(ServiceTest):
    """The crowd's sockets: all ask, then all listen."""

    config = ROUTE

    @classmethod
    def setUpClass(cls):
        enough_descriptors()
        super().setUpClass()

    def crowd(self, count, key):
        body = json.dumps({"key": key}).encode()
        request = (f"POST /orders HTTP/1.1\r\nHost: t\r\nIdempotency-Key: {key}\r\nX-Fault: hold\r\n"
                   f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body
        sockets = [socket.create_connection(("127.0.0.1", self.pawl.port), timeout=60) for _ in range(count)]
        for one in sockets:
            self.addCleanup(one.close)
            one.sendall(request)
        return sockets

    def answers(self, sockets):
        found = []
        for one in sockets:
            response = http.client.HTTPResponse(one, method="POST")
            response.begin()
            found.append(Answer(response.status, response.getheaders(), response.read()))
        return found

    def waiting(self):
        return self.pawl.metric("attempts_running")


class OneKey(Crowd):
    def test_a_thousand_callers_are_one_operation(self):
        before = self.pawl.memory_kib()
        sockets = self.crowd(CALLERS, self.key())
        wait_for(lambda: len(self.plain.held()) == 1, 30, "one attempt")
        self.assertEqual(self.post("/orders", self.key("other")).status, 201, "others are served meanwhile")
        grown = self.pawl.memory_kib() - before
        self.assertMemoryBelow(grown, CALLERS * MEMORY_PER_WAITER_KIB)
        self.plain.release()
        answers = self.answers(sockets)
        self.assertEqual({answer.status for answer in answers}, {201})
        self.assertEqual(len({answer.body for answer in answers}), 1)
        self.assertEqual(sum(not answer.replayed for answer in answers), 1, "one is the first")
        self.assertEqual(len(self.plain.effects(key=self.key())), 1)


class FewMayWait(Crowd):
    config = "loops: 1\nlimits: { waiters_per_key_max: 50, waiters_per_tenant_max: 80 }\n" + ROUTE

    def refused(self, answers):
        for answer in answers:
            self.assertProblem(answer, 429, "limited", retryable=True)
        return len(answers)

    def test_the_rest_is_refused_in_words(self):
        first = self.crowd(CALLERS // 2, self.key("a"))
        wait_for(lambda: len(self.plain.held()) == 1, 30, "the first attempt")
        found = []
        reader = threading.Thread(target=lambda: found.extend(self.answers(first)))
        reader.start()
        second = self.crowd(CALLERS // 2, self.key("b"))
        wait_for(lambda: len(self.plain.held()) == 2, 30, "the second attempt")
        wait_for(lambda: (self.pawl.metric("idempotent_requests_total", status="refused") or 0) >= CALLERS - 2 - 80, 30,
                 "the others are refused")
        self.plain.release()
        reader.join()
        answers = [found, self.answers(second)]
        for of_one in answers:
            self.assertEqual(len({answer.body for answer in of_one if answer.status == 201}), 1)
        told = [sum(answer.status == 201 for answer in of_one) for of_one in answers]
        self.assertEqual(told, [51, 31], "50 wait for one key, 80 for all")
        self.assertEqual(self.refused([answer for of_one in answers for answer in of_one if answer.status != 201]),
                         CALLERS - 82)
        for name in "ab":
            self.assertEqual(len(self.plain.effects(key=self.key(name))), 1)


class SoMuchIsStored(ServiceTest):
    config = "limits: { stored_bytes_per_tenant_max: 256KiB }\n" + ROUTE

    def test_new_keys_are_refused_and_repeats_are_answered(self):
        """Every answer holds what was ordered: some tens of KiB."""
        taken = []
        for number in range(100):
            answer = self.post("/orders", self.key(str(number)), {"text": "x" * 20_000})
            if answer.status != 201:
                break
            taken.append((number, answer))
        self.assertProblem(answer, 429, "limited", retryable=True)
        self.assertIn("stored_bytes_per_tenant_max", answer.json()["detail"])
        self.assertTrue(5 <= len(taken) <= 20, len(taken))
        self.assertGreaterEqual(self.pawl.metric("stored_bytes"), 256 << 10)
        for number, first in taken:
            self.assertSameAnswer(first, self.post("/orders", self.key(str(number)), {"text": "x" * 20_000}))
        self.pawl.stop()
        self.pawl.start()
        self.assertProblem(self.post("/orders", self.key("more")), 429, "limited")
        reference = self.pawl.cli_json("explain", self.key("0"))["records"][0]["operation_ref"]
        code, out, err = self.pawl.cli("forget", reference, "--reason", "room is needed")
        self.assertEqual(code, 0, out + err)
        self.assertEqual(self.post("/orders", self.key("more")).status, 201)


if __name__ == "__main__":
    unittest.main()
