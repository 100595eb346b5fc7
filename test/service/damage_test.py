# SPDX-License-Identifier: Apache-2.0
"""What is on the disk is damaged after a kill: nothing that was acknowledged runs a second time, and the process says
what is wrong and what to do (decision 11)."""

import contextlib
import json
import os
import sqlite3
import subprocess
import unittest

from harness import START_SECONDS, ServiceTest, plain_environment, program, wait_for, wanted

EXIT_STORE_UNUSABLE = 5
LOG_HEAD = 32
PAGE = 4096
FRAME = 24 + PAGE

CONFIG = """
default_upstream: {plain}
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 60s }
"""


def flip(path, at):
    with open(path, "r+b") as stream:
        stream.seek(at)
        byte = stream.read(1)[0]
        stream.seek(at)
        stream.write(bytes([byte ^ 1]))


class Damage(ServiceTest):
    config = CONFIG

    def refused_start(self):
        done = subprocess.run([program(), "serve", "--config", self.pawl.config_path], cwd=self.pawl.folder, timeout=30,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              env=plain_environment())
        self.assertEqual(done.returncode, EXIT_STORE_UNUSABLE, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def root_of(self, table):
        """Where the first page of a table begins."""
        with contextlib.closing(sqlite3.connect(f"file:{self.pawl.database}?mode=ro", uri=True)) as store:
            page = store.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0]
        return (page - 1) * PAGE

    def test_nothing_is_sold_whose_result_could_not_be_written(self):
        self.assertEqual(self.post("/orders", self.key("before")).status, 201)
        self.assertEqual(self.pawl.stop(), 0)
        for table in ("answer", "record", "mark"):
            at = self.root_of(table) + 200
            flip(self.pawl.database, at)
            told = self.refused_start()
            self.assertIn("damaged", told)
            self.assertIn("Put back a copy", told)
            flip(self.pawl.database, at)
        self.pawl.start()
        again = self.post("/orders", self.key("before"))
        self.assertEqual((again.status, again.replayed), (201, True))

    def test_a_damaged_answer_costs_its_replay_the_answer_and_nothing_else(self):
        keys = [self.key(str(number)) for number in range(6)]
        long_answer = wanted(status=201, body=b"x" * 3000)  # each lies on a page of its own
        for key in keys:
            self.assertEqual(self.post("/orders", key, headers=[long_answer]).status, 201)
        self.assertEqual(self.pawl.stop(), 0)
        with contextlib.closing(sqlite3.connect(f"file:{self.pawl.database}?mode=ro", uri=True)) as store:
            page = store.execute("SELECT pageno FROM dbstat WHERE name = 'answer' AND pagetype = 'leaf' "
                                 "ORDER BY path LIMIT 1 OFFSET 1").fetchone()[0]
        flip(self.pawl.database, (page - 1) * PAGE + 200)
        self.pawl.start()
        told = [self.post("/orders", key, headers=[long_answer]).status for key in keys]
        self.assertIn(410, told)
        self.assertEqual(set(told), {201, 410})
        self.assertEqual(self.post("/orders", self.key("new")).status, 201)
        self.assertTrue(self.pawl.running())
        flip(self.pawl.database, (page - 1) * PAGE + 200)

    def test_removal_that_meets_damage_is_told_and_costs_nobody_a_request(self):
        self.assertEqual(self.post("/orders", self.key("before")).status, 201)
        reference = self.pawl.cli_json("explain", self.key("before"))["records"][0]["operation_ref"]
        code, _, err = self.pawl.cli("forget", reference, "--reason", "a test")
        self.assertEqual(code, 0, err)
        self.assertEqual(self.pawl.metric("store_upkeep_failures_total"), 0)
        self.assertEqual(self.pawl.stop(), 0)
        at = self.root_of("forgotten") + 200
        flip(self.pawl.database, at)
        self.pawl.start()
        wait_for(lambda: self.pawl.metric("store_upkeep_failures_total") >= 3, 10, "three sweeps have failed")
        ready = self.pawl.admin("GET", "/readyz")
        self.assertEqual(ready.status, 200)
        told = "the store does not remove what is over, and grows"
        self.assertIn(told, " ".join(json.loads(ready.body)["notes"]))
        self.assertIn("Put back a copy", ready.body.decode())
        self.assertEqual(self.pawl.log().count(told), 1)
        self.assertEqual(self.post("/orders", self.key("after")).status, 201)
        self.assertEqual(self.pawl.stop(), 0)
        flip(self.pawl.database, at)
        self.pawl.start()
        self.assertNotIn("notes", json.loads(self.pawl.admin("GET", "/readyz").body))

    def test_a_store_that_is_moved_away_ends_the_process_until_it_is_back(self):
        self.assertEqual(self.post("/orders", self.key("before")).status, 201)
        os.rename(self.pawl.database, self.pawl.database + ".old")
        with contextlib.suppress(OSError):
            self.assertNotEqual(self.post("/orders", self.key("after")).status, 201)
        self.assertEqual(self.pawl.child.wait(START_SECONDS), EXIT_STORE_UNUSABLE)
        self.assertEqual(self.plain.effects(key=self.key("after")), [])
        self.assertIn("Put back", self.refused_start())
        self.assertFalse(os.path.exists(self.pawl.database))
        os.rename(self.pawl.database + ".old", self.pawl.database)
        self.pawl.start()
        again = self.post("/orders", self.key("before"))
        self.assertEqual((again.status, again.replayed), (201, True))

    def test_a_flipped_bit_in_the_log_is_not_taken_for_its_torn_end(self):
        keys = [self.key(str(number)) for number in range(20)]
        for key in keys:
            self.assertEqual(self.post("/orders", key).status, 201)
        self.pawl.kill()
        log = self.pawl.database + "-wal"
        at = LOG_HEAD + 3 * FRAME + 1000
        self.assertGreater(os.path.getsize(log), at)
        flip(log, at)
        told = self.refused_start()
        for words in ("Frame 4", log, "Put back a copy"):
            self.assertIn(words, told)
        code, _, err = self.pawl.cli("explain", keys[0], "--store", self.pawl.database)
        self.assertEqual(code, EXIT_STORE_UNUSABLE, err)
        flip(log, at)
        self.pawl.start()
        for key in keys:
            again = self.post("/orders", key)
            self.assertEqual((again.status, again.replayed), (201, True))
            self.assertEqual(len(self.plain.effects(key=key)), 1)


if __name__ == "__main__":
    unittest.main()
