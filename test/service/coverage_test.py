# SPDX-License-Identifier: Apache-2.0
"""What is not protected is counted and suggested, ready to paste (R-COVERAGE)."""

import os
import subprocess
import unittest

from harness import ServiceTest, plain_environment, program

CONFIG = """
default_upstream: {plain}
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 1h }
  - { match: "* /files/*", upstream: {plain}, protect: false }
"""

LOG = """\
10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "POST /orders HTTP/1.1" 201 26 "-" "curl/8"
10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "PUT /stock/17 HTTP/1.1" 200 26 "-" "curl/8"
10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "PUT /stock/18 HTTP/1.1" 200 26 "-" "curl/8"
10.0.0.1 - - [30/Nov/2026:10:00:00 +0000] "GET /stock/18 HTTP/1.1" 200 26 "-" "curl/8"
"""


class Coverage(ServiceTest):
    config = CONFIG

    def paste(self, routes):
        """The configuration with what was suggested; what `pawl check` says of it."""
        with open(self.pawl.config_path, encoding="utf-8") as stream:
            whole = stream.read() + routes
        path = os.path.join(self.folder, "pasted.yaml")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(whole)
        return subprocess.run([program(), "check", path], capture_output=True, text=True, timeout=30, check=False,
                              env=plain_environment())

    def test_what_passes_unprotected_is_suggested(self):
        for number in range(10, 15):
            self.assertEqual(self.post(f"/carts/{number}/pay", self.key(str(number))).status, 201)
        self.post("/carts/15/pay")
        self.assertEqual(self.pawl.ask("PUT", "/files/a", [], b"x").status, 201)
        self.post("/orders", self.key())
        share = self.pawl.metric("protected_writes_share")
        self.assertGreater(share, 0)
        self.assertLess(share, 1)
        self.assertEqual(self.pawl.metric("unprotected_writes_total", route="* /files/*"), 1)
        code, out, err = self.pawl.cli("check", self.pawl.config_path, "--suggest")
        self.assertEqual(code, 0, err)
        self.assertIn("  # 6 requests, 5 with Idempotency-Key\n  - match: \"POST /carts/{id}/pay\"", out)
        self.assertIn("key: { header: Idempotency-Key, required: false }", out)
        self.assertIn("writes are protected (", out)
        checked = self.paste(out)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn("protect: shadow", checked.stdout)
        found = self.pawl.cli_json("check", self.pawl.config_path, "--suggest")
        self.assertAlmostEqual(found["protected_share"], share)

    def test_an_access_log_is_enough(self):
        path = os.path.join(self.folder, "access.log")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(LOG)
        code, out, err = self.pawl.cli("check", self.pawl.config_path, "--suggest", "--log", path)
        self.assertEqual(code, 0, err)
        self.assertIn("# 1 of 3 writes are protected (33.3 %)", out)
        self.assertIn("- match: \"PUT /stock/{id}\"", out)
        self.assertEqual(self.paste(out).returncode, 0)

    def test_wrong_words_are_told(self):
        for words, told in ((["check", "--log", "x"], "--log goes with --suggest"),
                            (["check", "--suggest", "--log", "/nowhere"], "/nowhere cannot be read"),
                            (["check", "--suggest", "--log", "/"], "/ is a folder"),
                            (["check", "--suggest", "--admin", "127.0.0.1:1"], "give an access log with --log")):
            code, out, err = self.pawl.cli(*words)
            self.assertNotEqual(code, 0, words)
            self.assertIn(told, out + err)


if __name__ == "__main__":
    unittest.main()
