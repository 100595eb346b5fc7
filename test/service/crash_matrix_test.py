# SPDX-License-Identifier: Apache-2.0
"""The crash matrix: one request through the real program, which is killed before its first write, flush or send,
then before its second, and so on, on every thread, until the request survives. After each kill it starts again on
the same store. So do a start and an end. CRASH_PLACES thins it out."""

import os
import signal
import unittest

from crash_judge import PLACES, PLACES_MAX, QUIET_SECONDS, SETTLE_SECONDS, CrashJudge, chosen
from harness import START_SECONDS, STOP_SECONDS, program, wait_for
from injection import WRITES, Injection, calls_in, command, dies_within, threads_of

LONG = b" " * 70_000  # behind the JSON: the body goes through a file
READY_MADE = 12 if PLACES else 80


class Crashes(CrashJudge):
    def kill_at(self, place, key):
        """True when it was killed there, and is up again."""
        thread, call, number = place
        traced = threads_of(self.pawl.pid)[thread]
        with Injection(self.folder, traced, call, f"signal=SIGKILL:when={number}"):
            answer = self.send(key)
            gone = dies_within(self.pawl, QUIET_SECONDS)
        if not gone:
            self.assertEqual(answer.status, 201)
            return False
        self.assertEqual(self.pawl.child.returncode, -signal.SIGKILL)
        self.pawl.start()
        return True

    def matrix(self, key_of, kills_min):
        """`key_of` gives the key of the next place, made ready for its request."""
        places = self.places_of(key_of())
        kills, survived = 0, set()
        for place in chosen(places):
            if place[:-1] in survived:
                continue
            with self.subTest(place=place):
                key = key_of()
                if self.kill_at(place, key):
                    kills += 1
                else:
                    survived.add(place[:-1])
                self.judge(key)
        self.settle()
        self.assertGreaterEqual(kills, 1 if PLACES else kills_min)
        if not PLACES:
            self.assertEqual(survived, {place[:-1] for place in places}, "a request that never survives")
        print(f"{self._testMethodName}: {kills} kills, {len(places)} places")

    def test_a_first_request(self):
        self.matrix(self.new_key, 10)

    def test_a_first_request_with_a_long_body(self):
        self.padding = LONG
        self.matrix(self.new_key, 12)

    def test_a_first_request_to_an_upstream_that_honours_the_operation_key(self):
        self.path = "/again"
        self.matrix(self.new_key, 10)

    def completed_key(self):
        key = self.new_key()
        self.assertEqual(self.send(key).status, 201)
        return key

    def test_a_replay(self):
        self.matrix(self.completed_key, 1)

    def test_a_repeat_that_completes_what_a_probe_has_freed(self):
        ready = [self.new_key() for _ in range(READY_MADE)]
        for key in ready:
            self.assertEqual(self.send(key, [("X-Fault", "drop-before")]).status, 502)
        wait_for(lambda: all(self.state_of(key) == "freed" for key in ready), SETTLE_SECONDS, "all are freed")
        self.matrix(ready.pop, 10)

    def start_under(self, calls, what=None):
        """True when it is ready all the same."""
        self.pawl.launch([*command(os.path.join(self.folder, "start.log"), calls, what), "-D", "-f", program(),
                          "serve", "--config", self.pawl.config_path])
        wait_for(lambda: self.pawl.ready() or not self.pawl.running(), START_SECONDS,
                 "it is ready or dead")
        return self.pawl.running()

    def calls_of_a_start(self):
        """And of its end: strace writes its lines when that is over."""
        def lines():
            with open(os.path.join(self.folder, "start.log"), encoding="utf-8", errors="replace") as stream:
                return stream.read().splitlines()

        self.assertTrue(self.start_under(WRITES))
        self.assertEqual(self.pawl.stop(), 0)
        wait_for(lambda: any(line.split()[:3] == [str(self.pawl.pid), "+++", "exited"] for line in lines()), 10,
                 "strace has ended")
        return sorted(calls_in(lines()))

    def starts(self, prepare, kills_min):
        """Kills a start at each number of each call until one survives; `prepare` makes the store it starts on, and
        the keys."""
        prepare("counted")
        kills, calls = 0, self.calls_of_a_start()
        for call in calls:
            for number in range(1, PLACES_MAX, 7 if PLACES else 1):
                with self.subTest(call=call, number=number):
                    keys = prepare(f"{call}.{number}")
                    survived = self.start_under(call, f"signal=SIGKILL:when={number}")
                    self.pawl.kill()
                    self.assertEqual(self.pawl.child.returncode, -signal.SIGKILL, self.pawl.log()[-2000:])
                    self.pawl.start()
                    for key in keys:
                        self.judge(key)
                if survived:
                    break
                kills += 1
            self.assertTrue(survived, "a start that never survives")
        self.assertGreaterEqual(kills, 2 if PLACES else kills_min)
        print(f"{self._testMethodName}: {kills} kills at {', '.join(calls)}")

    def test_the_first_start_of_a_store(self):
        path = self.pawl.database

        def new_store(name):
            self.pawl.kill()
            self.pawl.database = f"{path}.{name}"
            self.pawl.configure(self.placed_config())
            return [self.new_key()]

        self.starts(new_store, 20)

    def placed_config(self):
        return self.config.replace("{plain}", self.plain.url).replace("{honours}", self.honours.url)

    def test_a_start_after_a_kill(self):
        def completed_and_uncertain(_):
            if not self.pawl.running():
                self.pawl.start()
            keys = [self.completed_key(), self.new_key()]
            self.leave_in_the_middle(keys[1])
            return keys

        self.starts(completed_and_uncertain, 10)
        self.settle()

    def end_under(self, thread, calls, what):
        """What it ended with, and which calls it made."""
        traced = threads_of(self.pawl.pid)[thread]
        with Injection(self.folder, traced, calls, what) as injection:
            self.pawl.child.terminate()
            code = self.pawl.child.wait(STOP_SECONDS)
        self.pawl.start()
        return code, sorted(calls_in(injection.lines()))

    def test_an_end(self):
        kills = 0
        for thread in range(len(threads_of(self.pawl.pid))):
            self.completed_key()
            for call in self.end_under(thread, WRITES, None)[1]:
                for number in range(1, PLACES_MAX, 7 if PLACES else 1):
                    key = self.completed_key()
                    code, _ = self.end_under(thread, call, f"signal=SIGKILL:when={number}")
                    self.judge(key)
                    if code == 0:
                        break
                    self.assertEqual(code, -signal.SIGKILL)
                    kills += 1
                self.assertEqual(code, 0, "an end that never survives")
        self.settle()
        self.assertGreaterEqual(kills, 2 if PLACES else 8)
        print(f"{self._testMethodName}: {kills} kills")


if __name__ == "__main__":
    unittest.main()
