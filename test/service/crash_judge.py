# SPDX-License-Identifier: Apache-2.0
"""Judges what is left behind by a program that died or failed in the middle: by the upstream's ledger, by what
clients were told, and by whether the record explains both (E1 to E4, R1 of the proof)."""

import http.client
import os
import threading

from harness import ServiceTest, wait_for
from injection import WRITES, Injection, calls_in, dies_within, threads_of

PLACES = int(os.environ.get("CRASH_PLACES", 0))  # so many of each matrix, evenly spread; 0: all
PLACES_MAX = 300
QUIET_SECONDS = 0.4  # so long after an answer nothing more is written for it
SETTLE_SECONDS = 90

CONFIG = """
loops: 1
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 5s
    uncertain: { close: "POST /orders/close/{operation_key}", effect_horizon: 1s }
  - match: POST /again
    upstream: {honours}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 5s
    upstream_remembers: 400d
"""


class CrashJudge(ServiceTest):
    upstreams = {"plain": {}, "honours": {"HONOUR_OPERATION_KEY": "1"}}
    config = CONFIG

    def setUp(self):
        self.answers, self.keys, self.path, self.padding = {}, [], "/orders", b""
        if not self.pawl.running():
            self.pawl.start()

    @property
    def upstream(self):
        return self.honours if self.path == "/again" else self.plain

    def new_key(self):
        self.keys.append(self.key(str(len(self.keys))))
        return self.keys[-1]

    def send(self, key, headers=()):
        """None: the connection broke. Whatever else comes has a type, and an answer that was seen never changes."""
        try:
            answer = self.post(self.path, key, headers=headers, body=b'{"key":"%s"}' % key.encode() + self.padding)
        except (ConnectionError, http.client.HTTPException):
            return None
        if answer.status == 201:
            self.assertEqual(answer.body, self.answers.setdefault(key, answer.body), f"the answer of {key} changed")
        else:
            self.assertIsNotNone(answer.code, answer)
        return answer

    def leave_in_the_middle(self, key):
        """The effect is there; the program is killed before it hears of it."""
        asker = threading.Thread(target=self.send, args=(key, [("X-Fault", "hang-after")]))
        asker.start()
        wait_for(lambda: self.upstream.effects(key=key), 10, "the effect")
        self.pawl.kill()
        asker.join(10)

    def state_of(self, key):
        found = self.pawl.admin("GET", f"/admin/v1/explain?key={key}")
        return found.json()["records"][0]["state"] if found.status == 200 else "absent"

    def dispatched(self, key):
        return [seen for seen in self.upstream.seen(self.path) if seen["headers"].header("Idempotency-Key") == key]

    def judge(self, key):
        """The record explains what the upstream has seen, and one more repeat adds nothing to it."""
        effects, state = self.upstream.effects(key=key), self.state_of(key)
        self.assertLessEqual(len(effects), 1, f"{key}: a second effect")
        self.assertIn(state, ("absent", "uncertain", "open", "freed", "completed"), key)
        if state == "absent":
            self.assertEqual(self.dispatched(key), [], f"{key} was sent without a record")
        if key in self.answers:
            self.assertEqual(state, "completed", f"the answer of {key} was seen")
        if state == "completed":
            self.assertEqual(len(effects), 1, f"{key} is called completed")
        repeat = self.send(key)
        self.assertIsNotNone(repeat, key)
        if repeat.status != 201:
            self.assertEqual((repeat.status, repeat.code, state), (409, "uncertain", "uncertain"), (key, repeat))
            self.assertIs(repeat.json()["safe_new_key"], False)
        self.assertLessEqual(len(self.upstream.effects(key=key)), 1, f"{key}: the repeat took effect again")

    def finished(self, key):
        answer = self.send(key)
        return answer if answer is not None and answer.status == 201 else None

    def settle(self):
        """Every key is repeated until it is answered; then there is one effect of each, and one answer."""
        for key in self.keys:
            answer = wait_for(lambda k=key: self.finished(k), SETTLE_SECONDS, f"{key} is answered")
            effects = self.upstream.effects(key=key)
            self.assertEqual([effect["order_id"] for effect in effects], [answer.json()["order_id"]], key)
            self.assertTrue(self.send(key).replayed, key)

    def places_of(self, key, calls=WRITES, paths=()):
        """Where one request makes such calls: [(thread, call, number), ...]."""
        counting = [Injection(self.folder, thread, calls, None, paths) for thread in threads_of(self.pawl.pid)]
        self.assertEqual(self.send(key).status, 201)
        dies_within(self.pawl, QUIET_SECONDS)
        counts = [calls_in(injection.detach().lines()) for injection in counting]
        self.assertGreater(sum(count.total() for count in counts), 0)
        return [(thread, call, number) for thread, count in enumerate(counts) for call in sorted(count)
                for number in range(1, count[call] + 1)]


def chosen(places):
    """A few of them; or all, and on each thread as many more of each call as it takes to find one not reached."""
    if PLACES:
        return places[::max(1, -(-len(places) // PLACES))]
    kinds = list(dict.fromkeys(place[:-1] for place in places))
    return [(*kind, number) for kind in kinds for number in range(1, PLACES_MAX)]
