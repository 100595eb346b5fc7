# SPDX-License-Identifier: Apache-2.0
"""Every store and socket call of one request fails once: EIO and ENOSPC for what is written, flushed and cut, the
errors of a network for what is connected, sent, received and accepted. The client is told something typed, the
process stays or ends with the exit code of a store in doubt, and nothing wrong is stored. CRASH_PLACES thins it out."""

import unittest

from crash_judge import QUIET_SECONDS, CrashJudge, chosen
from injection import Injection, dies_within, threads_of

STORE_CALLS = "pwrite64,fsync,fdatasync,ftruncate"
BODY_CALLS = "write"
SENDS = "sendto,sendmsg,sendmmsg,writev"
RECEIVES = "recvfrom,recvmsg,readv"
STORE_IN_DOUBT = (4, 5)  # exit codes
LONG = b" " * 200_000


class Failures(CrashJudge):
    def fail_at(self, place, key, error, paths):
        """True when the call was reached and failed; the program is up again."""
        thread, call, number = place
        traced = threads_of(self.pawl.pid)[thread]
        with Injection(self.folder, traced, call, f"error={error}:when={number}", paths) as injection:
            self.send(key)
            gone = dies_within(self.pawl, QUIET_SECONDS)
        fired = injection.fired()
        if gone:
            self.assertIn(self.pawl.child.returncode, STORE_IN_DOUBT, self.pawl.log()[-2000:])
            self.assertTrue(fired, self.pawl.log()[-2000:])
            self.pawl.start()
        return bool(fired)

    def each_fails(self, calls, errors, paths=(), prepare=lambda: None):
        for error in errors:
            prepare()
            places = self.places_of(self.new_key(), calls, paths)
            failed, spared = 0, set()
            for place in chosen(places):
                if place[:-1] in spared:
                    continue
                with self.subTest(error=error, place=place):
                    key = self.new_key()
                    prepare()
                    if self.fail_at(place, key, error, paths):
                        failed += 1
                    else:
                        spared.add(place[:-1])
                    self.judge(key)
            print(f"{self._testMethodName}: {error} {failed} times, {len(places)} places")
            self.assertGreaterEqual(failed, 1)
        self.settle()

    def files_of_the_store(self):
        return [self.pawl.database + end for end in ("", "-wal", "-shm")]

    def test_what_the_store_writes_and_flushes(self):
        self.each_fails(STORE_CALLS, ("EIO", "ENOSPC"), self.files_of_the_store())

    def test_what_is_kept_of_a_long_body(self):
        self.padding = LONG
        self.each_fails(BODY_CALLS, ("EIO", "ENOSPC"))

    def test_what_is_sent(self):
        self.each_fails(SENDS, ("ECONNRESET", "ETIMEDOUT"))

    def test_what_is_received(self):
        self.each_fails(RECEIVES, ("ECONNRESET", "ETIMEDOUT"))

    def test_a_connection_that_is_opened(self):
        def no_connection_is_left():
            self.pawl.stop()
            self.pawl.start()

        self.each_fails("socket,connect", ("EMFILE", "ENETUNREACH"), prepare=no_connection_is_left)

    def test_a_connection_that_is_accepted(self):
        self.each_fails("accept4,accept", ("EMFILE", "ECONNABORTED"))


if __name__ == "__main__":
    unittest.main()
