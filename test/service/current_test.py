# SPDX-License-Identifier: Apache-2.0
"""A repeat gets what the operation made, as it is now (`on_repeat: { current: ... }`, rulings 3). Everything that is
not a repeat of a success is as on any other route, and nothing runs twice, whatever the service shows."""

import json
import threading
import unittest

from harness import ServiceTest, wait_for, wanted

CONFIG = """
default_upstream: {plain}
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 2s
    on_repeat: { current: "GET {location}" }
    uncertain: { effect_horizon: 1h }
  - match: PUT /settings/{name}
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    on_repeat: { current: "GET /shown/{name}?by={key}" }
"""


class Current(ServiceTest):
    config = CONFIG

    def setUp(self):
        super().setUp()
        self.addCleanup(self.plain.control, "PUT", "/listening", True)

    def effects(self):
        return len(self.plain.effects(key=self.key()))

    def test_a_repeat_gets_the_present_state(self):
        first = self.post("/orders", self.key())
        order = first.json()
        self.assertEqual((first.status, order["status"], first.replayed), (201, "created", False))
        self.pawl.ask("PUT", f"/orders/{order['order_id']}/status", body=json.dumps({"status": "paid"}).encode())
        for _ in range(2):
            repeat = self.post("/orders", self.key())
            self.assertEqual((repeat.status, repeat.json()), (200, {**order, "status": "paid"}))
            self.assertTrue(repeat.replayed)
            self.assertEqual(repeat.header("Pawl-Result-Source"), "current")
            self.assertEqual(repeat.header("Idempotency-Key"), self.key())
        self.assertEqual(self.effects(), 1)
        self.pawl.kill()
        self.pawl.start()
        self.assertEqual(self.post("/orders", self.key()).json()["status"], "paid")

    def test_the_service_is_asked_with_the_repeats_own_lines(self):
        path = self.post("/orders", self.key()).header("Location")
        lines = [("Authorization", "Bearer mine"), ("Cookie", "s=2"), ("Pawl-Fence", "7"), ("If-None-Match", "*")]
        self.post("/orders", self.key(), headers=lines)
        seen = self.plain.seen(path)[-1]
        self.assertEqual((seen["method"], seen["length"]), ("GET", 0))
        headers = seen["headers"]
        self.assertEqual((headers.header("Authorization"), headers.header("Cookie")), ("Bearer mine", "s=2"))
        for name in ("Pawl-Fence", "If-None-Match", "Idempotency-Key", "Content-Type", "Content-Length"):
            self.assertIsNone(headers.header(name), name)

    def test_path_and_key_name_it_too(self):
        lines = [("Idempotency-Key", self.key())]
        first = self.pawl.ask("PUT", "/settings/colour%2Fdark", lines, b"{}")
        self.assertEqual(first.status, 201)
        repeat = self.pawl.ask("PUT", "/settings/colour%2Fdark", lines, b"{}")
        self.assertEqual((repeat.status, repeat.json()["path"]), (200, f"/shown/colour%2Fdark?by={self.key()}"))

    def test_who_waited_for_the_first_one_reads_too(self):
        answers = [None, None]

        def ask(number):
            answers[number] = self.post("/orders", self.key(), headers=[("X-Fault", "hold")])

        threads = [threading.Thread(target=ask, args=(number,)) for number in (0, 1)]
        for thread in threads:
            thread.start()
        wait_for(self.plain.held, 10, "the first request is held")
        self.plain.release()
        for thread in threads:
            thread.join(10)
        self.assertEqual(sorted(answer.status for answer in answers), [200, 201])
        self.assertEqual(self.effects(), 1)

    def test_a_service_that_cannot_be_read_is_503_and_never_a_second_run(self):
        first = self.post("/orders", self.key())
        self.plain.control("PUT", "/listening", False)
        gone = self.post("/orders", self.key())
        self.assertProblem(gone, 503, "unavailable", retryable=True, safe_new_key=False)
        self.assertTrue(gone.header("Retry-After"))
        self.plain.control("PUT", "/listening", True)
        self.assertEqual(self.post("/orders", self.key()).json(), first.json())
        self.assertEqual(self.effects(), 1)

    def test_what_is_not_shown_any_more_is_410(self):
        shape = [wanted(status=201, headers=[["Location", "/orders/o-none"]])]
        self.post("/orders", self.key(), headers=shape)
        self.assertProblem(self.post("/orders", self.key(), headers=shape), 410, "result_expired", safe_new_key=False)

    def test_a_result_without_a_place_or_with_a_strange_one_is_replayed(self):
        for number, headers in enumerate([[], [["Location", "http://elsewhere.example/orders/1"]]]):
            key, shape = self.key(str(number)), [wanted(status=201, headers=headers, body=b"made")]
            first = self.post("/orders", key, headers=shape)
            self.assertSameAnswer(first, self.post("/orders", key, headers=shape))

    def test_a_refusal_is_repeated(self):
        shape = [wanted(status=402, headers=[["Location", "/orders/o-1"]], body=b"no money")]
        first = self.post("/orders", self.key(), headers=shape)
        self.assertSameAnswer(first, self.post("/orders", self.key(), headers=shape))

    def test_everything_else_is_as_on_other_routes(self):
        self.post("/orders", self.key())
        self.assertProblem(self.post("/orders", self.key(), {"other": 1}), 422, "key_reused")
        doubt = self.key("doubt")
        self.assertEqual(self.post("/orders", doubt, headers=[("X-Fault", "drop-after")]).status, 502)
        self.assertProblem(self.post("/orders", doubt, headers=[("X-Fault", "drop-after")]), 409, "uncertain")


if __name__ == "__main__":
    unittest.main()
