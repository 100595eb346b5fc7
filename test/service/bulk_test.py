# SPDX-License-Identifier: Apache-2.0
"""A person's word about thousands of operations at once, and about one among them (R-UNCERTAIN, R-EXPLAIN).
BULK_RECORDS says how many."""

import http.client
import json
import os
import threading
import time
import unittest

from harness import ServiceTest, send

RECORDS = int(os.environ.get("BULK_RECORDS", "300"))
THREADS = 16
CONFIG = """
limits: { unresolved_per_tenant_max: 1000000 }
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 1h }
  - match: POST /bookings
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 1h }
  - match: POST /refunds
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 100ms }
"""


class Bulk(ServiceTest):
    config = CONFIG

    def lose(self, numbers, path="/orders"):
        connection = http.client.HTTPConnection("127.0.0.1", self.pawl.port, timeout=60)
        for number in numbers:
            body = json.dumps({"key": f"b{number}"}).encode()
            send(connection, "POST", path, [("Content-Type", "application/json"),
                  ("Idempotency-Key", f"b{number}"), ("X-Fault", "500-after")], body)
            response = connection.getresponse()
            response.read()
            if response.status != 500:
                self.wrong.append((number, response.status))
        connection.close()

    def test_one_word_settles_all_and_one_is_forgotten_among_them(self):
        self.wrong = []
        threads = [threading.Thread(target=self.lose, args=(range(part, RECORDS, THREADS),)) for part in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.wrong, [])
        self.assertEqual(self.pawl.cli_json("uncertain", "list", "--limit", "1")["in_all"], RECORDS)
        time.sleep(1)
        self.assertEqual(self.pawl.cli("resolve", "--route", "POST /orders", "--older", "10m", "--applied", "--reason",
                                       "none is so old")[0], 0)
        self.assertEqual(self.pawl.cli_json("uncertain", "list", "--limit", "1")["in_all"], RECORDS)
        began = time.monotonic()
        code, out, err = self.pawl.cli("resolve", "--route", "POST /orders", "--older", "1s", "--applied", "--status",
                                       "201", "--reason", "all of them were seen", timeout=1500)
        spent = time.monotonic() - began
        self.assertEqual(code, 0, (out + err)[-2000:])
        print(f"{RECORDS} settled in {spent:.1f} s", flush=True)
        self.assertEqual(self.pawl.cli_json("uncertain", "list", "--limit", "1")["in_all"], 0)
        middle = f"b{RECORDS // 2}"
        self.assertTrue(self.post("/orders", middle).replayed)
        reference = self.pawl.cli_json("explain", middle)["records"][0]["operation_ref"]
        code, out, err = self.pawl.cli("forget", reference, "--reason", "a test")
        self.assertEqual(code, 0, out + err)
        self.assertFalse(self.post("/orders", middle).replayed)
        self.assertTrue(self.post("/orders", f"b{RECORDS // 2 + 1}").replayed)
        self.assertEqual(len(self.plain.effects("/orders")), RECORDS + 1)

    def test_each_word_of_many_has_its_own_outcome_and_its_own_line(self):
        self.wrong = []
        self.lose(range(1000, 1200), "/bookings")
        self.lose(range(1000, 1200), "/refunds")
        self.assertEqual(self.wrong, [])
        listed = self.pawl.cli_json("uncertain", "list", "--limit", "10000")["records"]
        references = [one["operation_ref"] for one in listed]
        self.assertEqual(len(references), 400)
        time.sleep(1.2)
        words = ("resolve", "--older", "1s", "--not-applied", "--reason", "nothing was booked")
        code, out, err = self.pawl.cli(*words, "--json")
        results = json.loads(out)["results"]
        self.assertEqual(err, "")
        self.assertEqual([one["record"]["operation_ref"] if "outcome" in one else one["operation_ref"]
                          for one in results], references, "answered in another order")
        outcomes = {reference: one.get("outcome", one.get("code")) for reference, one in zip(references, results)}
        for one in listed:
            expected = "not_applied" if one["operation"] == "POST /refunds" else "too_early"
            self.assertEqual(outcomes[one["operation_ref"]], expected, one)
        single = self.pawl.cli("resolve", next(ref for ref in references if outcomes[ref] == "too_early"),
                               "--not-applied", "--reason", "once more")
        self.assertEqual(code, single[0])
        self.assertNotEqual(code, 0)
        for reference in references[::20]:
            lines = [line for line in self.pawl.cli_json("explain", reference)["records"][0]["timeline"]
                     if line["step"] == "settle" and "nothing was booked" in line["detail"]]
            self.assertEqual(len(lines), 1, reference)
        code, out, err = self.pawl.cli(*words)
        self.assertRegex(out, "0 resolved, 200 refused")
        self.assertEqual(err.count("too_early"), 200, err[-500:])
        self.assertEqual(self.pawl.cli("resolve", "--route", "POST /bookings", "--applied", "--reason", "seen")[0], 0)
        self.assertEqual(self.pawl.cli_json("uncertain", "list", "--limit", "1")["in_all"], 0)


if __name__ == "__main__":
    unittest.main()
