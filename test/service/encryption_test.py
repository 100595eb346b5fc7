# SPDX-License-Identifier: Apache-2.0
"""Stored answers are encrypted (decision 12): no secret lies in the store's files, keys change, and a store of which a
key is missing is not served (protocol rule 14)."""

import glob
import os
import subprocess
import tempfile
import unittest

from harness import Pawl, Upstream, plain_environment, program

SECRET = "a-secret-that-nobody-may-read"
OLD, NEW = "1f" * 32, "2e" * 32

ROUTE = """
routes:
  - match: POST /orders
    upstream: %s
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 60s }
"""


class Encryption(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="pawl-test-")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.upstream = Upstream(self.folder, "plain")
        self.addCleanup(self.upstream.kill)
        self.upstream.start()
        self.pawl = Pawl(self.folder, ROUTE % self.upstream.url, {"PAWL_OLD": OLD, "PAWL_NEW": NEW})
        self.addCleanup(self.pawl.kill)

    def encrypt(self, setting):
        self.pawl.configure(ROUTE % self.upstream.url)
        with open(self.pawl.config_path, encoding="utf-8") as stream:
            text = stream.read()
        if setting:
            text = text.replace("path: " + self.pawl.database, f"path: {self.pawl.database}, encryption: {setting}")
        with open(self.pawl.config_path, "w", encoding="utf-8") as stream:
            stream.write(text)

    def order(self, key):
        return self.pawl.ask("POST", "/orders", [("Idempotency-Key", key), ("Content-Type", "application/json")],
                             b'{"key":"%s","sku":"%s","qty":1}' % (key.encode(), SECRET.encode()))

    def explained(self, *words):
        done = subprocess.run([program(), "explain", "k1", *words, "--config", self.pawl.config_path], cwd=self.folder,
                              capture_output=True, text=True, check=False, timeout=30,
                              env={**plain_environment(), **self.pawl.env})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def found_in_files(self):
        files = glob.glob(self.pawl.database + "*")
        self.assertIn(self.pawl.database, files)
        self.assertIn(self.pawl.database + "-wal", files)
        found = []
        for path in files:
            with open(path, "rb") as stream:
                if SECRET.encode() in stream.read():
                    found.append(os.path.basename(path))
        return found

    def refused(self, *words):
        done = subprocess.run([program(), "serve", "--config", self.pawl.config_path], cwd=self.folder, timeout=30,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              env={**plain_environment(), **self.pawl.env})
        told = done.stdout + done.stderr
        self.assertEqual(done.returncode, 2, told)
        for word in words:
            self.assertIn(word, told)
        for secret in (OLD, NEW):
            self.assertNotIn(secret, told)

    def test_no_secret_lies_in_the_files_and_keys_change(self):
        self.encrypt("{ key: { env: PAWL_OLD } }")
        self.pawl.start()
        first = self.order("k1")
        self.assertEqual(first.status, 201)
        self.assertIn(SECRET.encode(), first.body, "else the test shows nothing")
        self.pawl.kill()
        self.assertEqual(self.found_in_files(), [])

        self.encrypt(None)
        self.refused("store.encryption", "previous")
        self.encrypt("{ key: { env: PAWL_NEW } }")
        self.refused("store.encryption", "previous")
        self.encrypt("{ key: { env: PAWL_NEW }, previous: [{ env: PAWL_OLD }] }")
        self.pawl.start()
        again = self.order("k1")
        self.assertEqual((again.status, again.replayed, again.body), (201, True, first.body))
        self.assertEqual(self.order("k2").status, 201)
        self.assertIn("201", self.explained())
        self.assertEqual(self.found_in_files(), [])
        self.pawl.kill()
        out = self.explained("--store", self.pawl.database)
        self.assertIn("completed", out)
        self.assertNotIn(SECRET, out)
        self.assertEqual(len(self.upstream.effects(key="k1")), 1)

    def test_without_encryption_the_secret_is_found(self):
        self.pawl.start()
        self.assertEqual(self.order("k1").status, 201)
        self.assertNotEqual(self.found_in_files(), [])

    def test_check_shows_the_setting_and_not_the_key(self):
        self.encrypt("{ key: { env: PAWL_OLD } }")
        done = subprocess.run([program(), "check", self.pawl.config_path], cwd=self.folder, capture_output=True,
                              text=True, check=False, env={**plain_environment(), **self.pawl.env})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("key: { env: PAWL_OLD }", done.stdout)
        self.assertNotIn(OLD, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
