# SPDX-License-Identifier: Apache-2.0
"""An upstream that reports outcomes by itself settles them (R-UNCERTAIN): the page's shell lines and the program's own
words, through real sockets."""

import hashlib
import hmac
import json
import os
import re
import subprocess
import time
import unittest

from harness import ROOT, ServiceTest, wait_for

SECRET = "the secret of this upstream"
CONFIG = """
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { callback: { secret: { file: callback.secret } }, effect_horizon: 1h }
  - match: POST /deaf
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 1h }
"""


class Callbacks(ServiceTest):
    config = CONFIG
    files = {"callback.secret": SECRET + "\n"}

    def lose(self, fault="drop-after", path="/orders", name="k"):
        """An operation in doubt: (its reference, its fence)."""
        answer = self.post(path, self.key(name), headers=[("X-Fault", fault)])
        reference = self.assertProblem(answer, 502, "uncertain")["operation_ref"]
        seen = [entry["headers"] for entry in self.plain.seen(path)
                if entry["headers"].header("Pawl-Operation-Ref") == reference]
        return reference, seen[-1].header("Pawl-Fence")

    def report(self, reference, document, secret=SECRET, age=0):
        body = json.dumps(document).encode()
        at = int(time.time()) - age
        mac = hmac.new(secret.encode(), f"{at}.{reference}.".encode() + body, hashlib.sha256).hexdigest()
        return self.pawl.ask("POST", f"/_pawl/v1/operations/{reference}/outcome",
                             [("Pawl-Signature", f"t={at},v1={mac}")], body)

    def applied(self, fence, **more):
        return {"fence": fence, "outcome": "applied", "status": 201, "body": '{"order_id":"reported"}', **more}

    def test_applied_is_what_repeats_get(self):
        reference, fence = self.lose()
        first = self.report(reference, self.applied(fence))
        self.assertEqual((first.status, first.json()["outcome"]), (200, "applied"), first)
        answer = self.post("/orders", self.key())
        self.assertEqual((answer.status, answer.body), (201, b'{"order_id":"reported"}'))
        self.assertEqual((answer.replayed, answer.header("Pawl-Result-Source")), (True, "callback"))
        again = self.report(reference, self.applied(fence))
        self.assertEqual((again.status, again.body), (first.status, first.body))
        self.assertProblem(self.report(reference, {"fence": fence, "outcome": "not-applied", "closed": True}), 409,
                           "conflict", state="completed")
        self.assertEqual(len(self.plain.effects(key=self.key())), 1)
        self.assertGreaterEqual(self.pawl.metric("callback_reports_total", heard="repeated"), 1)
        wait_for(lambda: "the upstream reported applied" in self.pawl.cli("explain", reference)[1], 5,
                 "the line is written behind the commit")

    def test_not_applied_and_closed_frees_the_key(self):
        reference, fence = self.lose("drop-before")
        hint = self.report(reference, {"fence": fence, "outcome": "not-applied"})
        self.assertEqual(hint.status, 202, hint)
        self.assertProblem(self.post("/orders", self.key()), 409, "uncertain")
        closed = self.report(reference, {"fence": fence, "outcome": "not-applied", "closed": True})
        self.assertEqual((closed.status, closed.json()["outcome"]), (200, "not-applied"), closed)
        self.assertEqual(self.post("/orders", self.key()).status, 201)
        self.assertEqual(len(self.plain.effects(key=self.key())), 1)

    def test_a_report_about_an_earlier_attempt_settles_nothing(self):
        reference, first = self.lose("drop-before")
        self.report(reference, {"fence": first, "outcome": "not-applied", "closed": True})
        again, second = self.lose("drop-after")
        self.assertEqual(again, reference)
        self.assertNotEqual(first, second)
        late = self.report(reference, {"fence": first, "outcome": "not-applied", "closed": True})
        self.assertProblem(late, 409, "conflict", fence=second)
        self.assertProblem(self.post("/orders", self.key()), 409, "uncertain")
        self.assertEqual(self.report(reference, self.applied(second)).status, 200)
        self.assertEqual(len(self.plain.effects(key=self.key())), 1)

    def test_only_the_holder_of_the_secret_is_believed(self):
        reference, fence = self.lose()
        self.assertProblem(self.report(reference, self.applied(fence), secret="somebody else's secret"), 401,
                           "caller_unknown")
        self.assertProblem(self.report(reference, self.applied(fence), age=301), 401, "caller_unknown")
        unsigned = self.pawl.ask("POST", f"/_pawl/v1/operations/{reference}/outcome", [], b"{}")
        self.assertProblem(unsigned, 401, "caller_unknown")
        self.assertProblem(self.post("/orders", self.key()), 409, "uncertain")

    def test_a_route_without_the_setting_takes_none(self):
        reference, fence = self.lose(path="/deaf")
        self.assertProblem(self.report(reference, self.applied(fence)), 403, "forbidden")
        unknown = "op_" + "A" * 43
        self.assertProblem(self.report(unknown, self.applied(fence)), 404, "not_found")

    def test_the_lines_of_the_page_work(self):
        with open(os.path.join(ROOT, "docs", "make_your_upstream_answer.md"), encoding="utf-8") as page:
            lines = re.search(r"```sh name=report\n(.*?)```", page.read(), re.S).group(1)
        reference, fence = self.lose()
        done = subprocess.run(["bash", "-euc", lines], capture_output=True, text=True, timeout=60, check=False,
                              env={**os.environ, "PAWL": f"http://127.0.0.1:{self.pawl.port}", "SECRET": SECRET,
                                   "OPERATION_REF": reference, "FENCE": fence})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["outcome"], "applied", done.stdout)
        self.assertEqual(self.post("/orders", self.key()).header("Pawl-Result-Source"), "callback")


if __name__ == "__main__":
    unittest.main()
