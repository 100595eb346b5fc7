# SPDX-License-Identifier: Apache-2.0
"""The disk is full, for real: the store lies on a small file system of its own (tmpfs, in a mount namespace of the
program's). New operations are refused and not executed, repeats are answered, readiness is red, and everything goes on
when there is room again. Files of long bodies have a bound of their own."""

import os
import subprocess
import threading
import unittest

from harness import ServiceTest, plain_environment, program, wait_for

DISK_BYTES = 6 << 20
KIBIBYTE = 1 << 10

CONFIG = """
body_folder: /tmp
limits: { body_disk_bytes_max: 1MiB }
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 2s
    uncertain: { effect_horizon: 60s }
"""


def namespace():
    """How a program gets mounts of its own here."""
    for words in (["unshare", "-m", "--propagation", "private"],
                  ["unshare", "-r", "-m", "--propagation", "private"]):
        tried = subprocess.run([*words, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False)
        if tried.returncode == 0:
            return words
    raise RuntimeError("this test needs the right to make a mount namespace (unshare -m, or -r -m)")


class FullDisk(ServiceTest):
    config = CONFIG

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pawl.kill()
        cls.disk = os.path.join(cls.folder, "disk")
        os.mkdir(cls.disk)
        cls.pawl.database = os.path.join(cls.disk, "pawl.db")
        cls.pawl.configure(cls.config.replace("{plain}", cls.plain.url))
        mount = f"mount -t tmpfs -o size={DISK_BYTES} tmpfs {cls.disk} && exec \"$@\""
        cls.pawl.launch([*namespace(), "sh", "-c", mount, "sh", program(), "serve", "--config", cls.pawl.config_path])
        wait_for(lambda: cls.pawl.ready() or not cls.pawl.running(), 20, f"pawl is ready:\n{cls.pawl.log()[-2000:]}")

    def setUp(self):
        self.addCleanup(self.plain.release)
        self.addCleanup(self.make_room)

    @property
    def filler(self):
        """Seen from here: the program's own mounts."""
        return f"/proc/{self.pawl.pid}/root{self.disk}/filler"

    def fill_disk(self):
        with open(self.filler, "ab", buffering=0) as stream:
            for size in (64 * KIBIBYTE, 4 * KIBIBYTE, 1):
                try:
                    while stream.write(b"x" * size) == size:
                        pass
                except OSError:
                    pass

    def make_room(self):
        if self.pawl.running() and os.path.exists(self.filler):
            os.remove(self.filler)

    def order(self, name, headers=(), body=None):
        return self.post("/orders", self.key(name), headers=headers, body=body)

    def effects(self, name):
        return len(self.plain.effects(key=self.key(name)))

    def test_nothing_is_executed_that_could_not_be_recorded(self):
        first = self.order("before")
        self.assertEqual(first.status, 201)
        self.fill_disk()
        refused = []
        for number in range(60):
            answer = self.order(str(number))
            if answer.status == 503:
                refused.append(number)
                self.assertProblem(answer, 503, "unavailable", retryable=True)
                self.assertTrue(answer.header("Retry-After"))
                self.assertEqual(self.effects(str(number)), 0)
        self.assertGreater(len(refused), 20)
        again = self.order("before")
        self.assertEqual((again.status, again.replayed, again.body), (201, True, first.body))
        wait_for(lambda: not self.pawl.ready(), 10, "readiness is red")
        self.assertTrue(self.pawl.running(), "a full disk ends nothing")

        self.make_room()
        wait_for(self.pawl.ready, 10, "it is ready again")
        for number in range(60):
            wait_for(lambda name=str(number): self.order(name).status == 201, 10, f"{number} is answered")
            self.assertEqual(self.effects(str(number)), 1, number)

    # The effect runs while the disk fills up: its result is kept until there is room, and never runs again.
    def test_a_result_waits_for_room(self):
        waiting = []
        sender = threading.Thread(target=lambda: waiting.append(self.order("held", [("X-Fault", "hold")])))
        sender.start()
        wait_for(self.plain.held, 10, "the upstream holds the request")
        self.fill_disk()
        for number in range(40):
            self.order(f"fills-{number}")
        self.plain.release()
        sender.join()
        self.assertIn(waiting[0].status, (201, 409), waiting[0].body)
        self.assertEqual(self.effects("held"), 1)
        self.make_room()
        wait_for(lambda: self.order("held").status == 201, 10, "the result is kept")
        self.assertTrue(self.order("held").replayed)
        self.assertEqual(self.effects("held"), 1)

    def test_long_bodies_have_a_bound_together_and_alone(self):
        def body(name, kibibytes):
            return b'{"key":"%s","sku":"%s"}' % (self.key(name).encode(), b"x" * (kibibytes * KIBIBYTE))

        self.assertProblem(self.order("too-long", body=body("too-long", 1100)), 413, "body_too_large")
        waiting = []
        sender = threading.Thread(
            target=lambda: waiting.append(self.order("first", [("X-Fault", "hold")], body=body("first", 600))))
        sender.start()
        wait_for(self.plain.held, 10, "the upstream holds the first")
        refused = self.order("second", body=body("second", 600))
        self.assertProblem(refused, 503, "unavailable")
        self.assertEqual(self.effects("second"), 0)
        self.assertEqual(self.order("short").status, 201, "short bodies need no room")
        self.plain.release()
        sender.join()
        wait_for(lambda: self.order("second", body=body("second", 600)).status == 201, 10, "there is room again")
        self.assertEqual(self.effects("second"), 1)


class FileThatMayNotGrow(ServiceTest):
    """Every write beyond the limit is an error that SQLite cannot take for a full disk: the store is in doubt."""
    config = CONFIG

    def test_a_store_in_doubt_ends_the_process_and_loses_nothing(self):
        for number in range(5):
            self.assertEqual(self.post("/orders", self.key(str(number))).status, 201)
        size = os.path.getsize(self.pawl.database + "-wal")
        subprocess.run(["prlimit", f"--pid={self.pawl.pid}", f"--fsize={size}"], check=True, env=plain_environment())
        statuses = []
        try:
            for number in range(5, 40):
                statuses.append(self.post("/orders", self.key(str(number))).status)
        except OSError:
            pass
        wait_for(lambda: not self.pawl.running(), 10, "it has ended")
        self.assertIn(self.pawl.child.returncode, (4, 5), self.pawl.log()[-2000:])
        self.pawl.start()
        for number, status in enumerate([201] * 5 + statuses):
            again = self.post("/orders", self.key(str(number)))
            if status == 201:
                self.assertEqual((again.status, again.replayed), (201, True), number)
            self.assertLessEqual(len(self.plain.effects(key=self.key(str(number)))), 1, number)


if __name__ == "__main__":
    unittest.main()
