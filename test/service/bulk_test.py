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
"""


class Bulk(ServiceTest):
    config = CONFIG

    def lose(self, numbers):
        connection = http.client.HTTPConnection("127.0.0.1", self.pawl.port, timeout=60)
        for number in numbers:
            body = json.dumps({"key": f"b{number}"}).encode()
            send(connection, "POST", "/orders", [("Content-Type", "application/json"),
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


if __name__ == "__main__":
    unittest.main()
