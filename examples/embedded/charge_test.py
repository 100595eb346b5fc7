# SPDX-License-Identifier: Apache-2.0
"""R-LIB: the example does what its head says, through a crash too."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHARGE = sys.argv.pop(1)


class Charge(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.store = pathlib.Path(self.folder.name, "pawl.db")
        self.ledger = pathlib.Path(self.folder.name, "card.txt")

    def charge(self, order, amount, *more):
        return subprocess.run([CHARGE, self.store, self.ledger, order, amount, *more],
                              capture_output=True, text=True, timeout=60, check=False)

    def charges(self):
        return self.ledger.read_text().splitlines() if self.ledger.exists() else []

    def test_a_second_call_is_told_what_the_first_did(self):
        self.assertEqual(self.charge("order-1", "10").stdout, "first: charged 10 for order-1\n")
        self.assertEqual(self.charge("order-1", "10").stdout, "replayed: charged 10 for order-1\n")
        self.assertEqual(self.charge("order-1", "10.0").stdout[:9], "replayed:")
        self.assertEqual(len(self.charges()), 1)

    def test_another_amount_under_the_key_is_refused(self):
        self.charge("order-1", "10")
        self.assertTrue(self.charge("order-1", "11").stdout.startswith("mismatch: "))
        self.assertEqual(len(self.charges()), 1)

    def test_a_crash_after_the_effect_is_uncertain_and_never_charges_again(self):
        self.assertEqual(self.charge("order-1", "10", "--crash-after-effect").returncode, 137)
        for _ in range(3):
            self.assertTrue(self.charge("order-1", "10").stdout.startswith("uncertain: "))
        self.assertEqual(len(self.charges()), 1)

    def test_a_store_that_cannot_be_opened_is_a_sentence_and_no_charge(self):
        missing = subprocess.run([CHARGE, "/nonexistent-folder/pawl.db", self.ledger, "o", "1"],
                                 capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(missing.returncode, 5)
        self.assertGreater(len(missing.stderr), 30)
        self.assertEqual(self.charges(), [])


if __name__ == "__main__":
    unittest.main()
