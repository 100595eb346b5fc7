# SPDX-License-Identifier: Apache-2.0
"""Versions of one operation (R-VERSION): the table of rulings 1, row by row and column by column, against the real
program. What took effect is asked of the upstream's ledger."""

import threading
import time
import unittest

from harness import ServiceTest, wait_for

CONFIG = """
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    version: { header: Pawl-Version }
    caller: public
    wait: 5s
    upstream_remembers: 400d
    uncertain: { effect_horizon: 1s }
  - match: POST /revised
    upstream: {plain}
    key: { json: $.key }
    version: { json: $.revision }
    caller: public
    upstream_remembers: 400d
  - match: POST /short
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    version: { header: Pawl-Version }
    caller: public
    profile: ietf
    upstream_remembers: 400d
    retention: { result: 1m, key: 1m }
"""
TWO_53 = 1 << 53
KEY_SECONDS = 60


class Versions(ServiceTest):
    config = CONFIG
    upstreams = {"plain": {"HONOUR_OPERATION_KEY": "1"}}

    def send(self, version, fields=None, fault=None, path="/orders", name="k"):
        lines = [] if version is None else [("Pawl-Version", str(version))]
        if fault:
            lines.append(("X-Fault", fault))
        return self.post(path, self.key(name), fields, lines)

    def effects(self, name="k"):
        return self.plain.effects(key=self.key(name))

    def assertDone(self, answer, decision, replayed=False):
        self.assertEqual((answer.status, answer.header("Pawl-Version-Decision"), answer.replayed),
                         (201, str(decision), replayed), answer)
        return answer

    def assertStale(self, answer):
        self.assertProblem(answer, 409, "stale_version", retryable=False)
        self.assertEqual(answer.header("Pawl-Version-Decision"), "0")

    def assertUndecided(self, answer, status, code):
        document = self.assertProblem(answer, status, code)
        self.assertIsNone(answer.header("Pawl-Version-Decision"))
        return document

    def explained(self, name=None):
        return self.pawl.cli_json("explain", name or self.key())["records"][0]

    def at_once(self, *arguments, **named):
        """A request of its own thread; its answer in a list, once there is one."""
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self.send(*arguments, **named)))
        thread.start()
        self.addCleanup(thread.join, 20)
        return answers, thread

    # the column "none / absent record"

    def test_the_first_version_runs(self):
        self.assertDone(self.send(7), 1)
        self.assertEqual(len(self.effects()), 1)

    def test_a_key_that_was_freed_takes_any_version_that_is_not_older(self):
        for version in (2, 2, 3):
            refused = self.send(version, fault="500-not-applied")
            self.assertEqual((refused.status, refused.header("Pawl-Version-Decision")), (500, None))
        self.assertStale(self.send(2))
        self.assertDone(self.send(3), 1)
        self.assertEqual(len(self.effects()), 1)

    # the column "completed"

    def test_a_newer_version_replaces_the_result(self):
        first = self.assertDone(self.send(1, {"qty": 1}), 1)
        second = self.assertDone(self.send(2, {"qty": 2}), 2)
        self.assertNotEqual(first.json()["order_id"], second.json()["order_id"])
        self.assertSameAnswer(second, self.assertDone(self.send(2, {"qty": 2}), 0, replayed=True))
        self.assertEqual([entry["order"]["qty"] for entry in self.effects()], [1, 2])
        self.assertDone(self.send(10, {"qty": 2}), 2)  # the same body again is a correction all the same

    def test_the_same_version_is_replayed_and_another_body_under_it_refused(self):
        first = self.assertDone(self.send(5, {"qty": 1}), 1)
        self.assertSameAnswer(first, self.assertDone(self.send("005", {"qty": 1}), 0, replayed=True))
        self.assertUndecided(self.send(5, {"qty": 2}), 422, "key_reused")
        self.assertEqual(len(self.effects()), 1)

    def test_an_older_version_is_stale_whatever_its_body(self):
        self.assertDone(self.send(5, {"qty": 1}), 1)
        for fields in ({"qty": 1}, {"qty": 2}):
            self.assertStale(self.send(4, fields))
        self.assertEqual(len(self.effects()), 1)

    def test_with_and_without_a_version_never_mix(self):
        self.assertDone(self.send(1), 1)
        self.assertUndecided(self.send(None), 400, "version_invalid")
        self.assertUndecided(self.send("2026-11-30T00:00:00Z"), 400, "version_invalid")
        plain = self.send(None, name="plain")
        self.assertEqual((plain.status, plain.header("Pawl-Version-Decision")), (201, None))
        self.assertTrue(self.send(None, name="plain").replayed)
        self.assertUndecided(self.send(1, name="plain"), 400, "version_invalid")
        self.assertEqual((len(self.effects()), len(self.effects("plain"))), (1, 1))

    # the column "in_progress"

    def test_while_one_runs_a_newer_one_is_told_so_at_once(self):
        running, thread = self.at_once(2, {"qty": 1}, fault="hold")
        wait_for(self.plain.held, 10, "the first request is held")
        newer = self.send(3, {"qty": 3})
        self.assertIn("Another version", self.assertUndecided(newer, 409, "in_progress")["detail"])
        self.assertStale(self.send(1))
        self.assertUndecided(self.send(2, {"qty": 9}), 422, "key_reused")
        self.assertUndecided(self.send(None), 400, "version_invalid")
        waiting, waiter = self.at_once(2, {"qty": 1})
        self.plain.release()
        thread.join(10), waiter.join(10)
        self.assertDone(running[0], 1)
        self.assertDone(waiting[0], 0, replayed=True)
        self.assertDone(self.send(3, {"qty": 3}), 2)
        self.assertEqual([entry["order"]["qty"] for entry in self.effects()], [1, 3])

    # the column "uncertain"; a claim that is lost is open here, because the upstream honours the operation key

    def test_a_lost_version_is_run_again_by_its_own_repeat_only(self):
        self.assertDone(self.send(1, {"qty": 1}), 1)
        lost = self.send(2, {"qty": 2}, fault="drop-after")
        self.assertEqual(lost.status, 502)
        self.assertUndecided(self.send(3, {"qty": 3}), 409, "in_progress")
        self.assertStale(self.send(1, {"qty": 1}))
        self.assertUndecided(self.send(2, {"qty": 9}), 422, "key_reused")
        again = self.assertDone(self.send(2, {"qty": 2}), 2)
        self.assertEqual(again.header("Order-Repeated"), "true")  # the upstream knew it
        self.assertEqual([entry["order"]["qty"] for entry in self.effects()], [1, 2])
        self.assertDone(self.send(3, {"qty": 3}), 2)

    def test_a_version_that_was_not_applied_gives_the_result_back(self):
        first = self.assertDone(self.send(1, {"qty": 1}), 1)
        self.assertEqual(self.send(2, {"qty": 2}, fault="503-before").status, 503)
        self.assertStale(self.send(1, {"qty": 1}))
        shown = self.explained()
        self.assertEqual((shown["state"], shown["version"], shown["replaced_result"]["version"]), ("open", "2", "1"))
        resolve = ("resolve", shown["operation_ref"], "--not-applied", "--reason", "looked")
        wait_for(lambda: self.pawl.cli(*resolve)[0] == 0, 15, "the horizon passes and a person's word is taken")
        shown = self.explained()
        self.assertEqual((shown["state"], shown["result"]["version"]), ("completed", "1"))
        # The line is written behind the answer.
        wait_for(lambda: ("settle", "restored") in
                 [(step["step"], step["outcome"]) for step in self.explained()["timeline"]], 10, "the line is there")
        self.assertSameAnswer(first, self.assertDone(self.send(1, {"qty": 1}), 0, replayed=True))
        self.assertDone(self.send(2, {"qty": 2}), 2)
        self.assertStale(self.send(1, {"qty": 1}))

    def test_a_refusal_for_now_leaves_the_older_result(self):
        first = self.assertDone(self.send(1), 1)
        self.assertEqual(self.send(2, fault="500-not-applied").status, 500)
        self.assertSameAnswer(first, self.assertDone(self.send(1), 0, replayed=True))

    # values

    def test_integers_are_compared_by_every_digit(self):
        self.assertDone(self.send(TWO_53), 1)
        self.assertDone(self.send(TWO_53 + 1), 2)
        self.assertStale(self.send(TWO_53))
        self.assertDone(self.send("9" * 199 + "8"), 2)
        self.assertDone(self.send("9" * 200), 2)
        self.assertStale(self.send("9" * 199 + "8"))
        for wrong in ("9" * 201, "-1", "1.5", "1e3", "two", ""):
            self.assertUndecided(self.send(wrong), 400, "version_invalid")
        self.assertEqual(len(self.effects()), 4)

    def test_times_are_compared_with_zone_and_fraction(self):
        self.assertDone(self.send("2026-11-30T10:00:00Z"), 1)
        self.assertDone(self.send("2026-11-30T11:00:00+01:00"), 0, replayed=True)
        self.assertDone(self.send("2026-11-30T11:00:00.0001+01:00"), 2)
        self.assertDone(self.send("2026-11-30T10:00:00.00010Z"), 0, replayed=True)
        self.assertStale(self.send("2026-11-30T11:59:59+02:00"))
        self.assertEqual(len(self.effects()), 2)

    def test_the_version_may_stand_in_the_body(self):
        def revised(text):
            body = f'{{"key":"{self.key()}","revision":{text}}}'.encode()
            return self.pawl.ask("POST", "/revised", [("Content-Type", "application/json")], body)

        self.assertDone(revised(TWO_53), 1)
        self.assertDone(revised(TWO_53 + 1), 2)
        self.assertDone(revised(TWO_53 + 1), 0, replayed=True)
        self.assertStale(revised(f'"{TWO_53}"'))
        self.assertUndecided(revised("1.5"), 400, "version_invalid")
        self.assertUndecided(revised("null"), 400, "version_invalid")

    # what goes upstream, and what is remembered

    def test_the_upstream_is_told_the_version_by_pawl_alone(self):
        self.assertDone(self.send("0012"), 1)
        self.assertDone(self.send(13), 2)
        seen = [entry["headers"] for entry in self.plain.seen("/orders")
                if entry["headers"].header("Pawl-Version") in ("12", "13")]
        self.assertEqual([headers.all("Pawl-Version") for headers in seen], [["12"], ["13"]])
        keys = [headers.header("Idempotency-Key") for headers in seen]
        self.assertNotEqual(*keys)
        self.assertEqual(keys, [headers.header("Pawl-Operation-Key") for headers in seen])

    def test_a_restart_changes_nothing(self):
        self.assertDone(self.send(1), 1)
        second = self.assertDone(self.send(2), 2)
        self.pawl.kill()
        self.pawl.start()
        self.assertSameAnswer(second, self.assertDone(self.send(2), 0, replayed=True))
        self.assertStale(self.send(1))
        self.assertEqual(len(self.effects()), 2)

    def test_an_old_version_stays_stale_after_the_keys_time(self):
        self.assertDone(self.send(5, path="/short"), 1)
        time.sleep(KEY_SECONDS + 1)
        stale = self.send(4, path="/short")
        self.assertStale(stale)
        shown = self.explained(stale.json()["operation_ref"])  # the key itself is not kept
        self.assertEqual((shown["state"], shown["version"], shown.get("result")), ("freed", "5", None))
        self.assertUndecided(self.send(None, path="/short"), 400, "version_invalid")
        self.assertDone(self.send(6, path="/short"), 1)  # nothing is left that it could replace


if __name__ == "__main__":
    unittest.main()
