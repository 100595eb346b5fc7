# SPDX-License-Identifier: Apache-2.0
"""The SQL of docs/make_your_upstream_answer.md does what the page says: run by sqlite3 as it is printed there."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs", "make_your_upstream_answer.md")
BEYOND_DOUBLE = 2**53 + 1


def statements():
    with open(PAGE, encoding="utf-8") as stream:
        return dict(re.findall(r"```sql name=(\w+)\n(.*?)```", stream.read(), re.S))


class Database:
    """One file; each call is a process of its own, as two servers would be."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "upstream.db")
        self.sql = statements()
        self.run(self.sql["table"])
        self.run("CREATE TABLE orders (id INTEGER PRIMARY KEY, operation_key TEXT, sku TEXT, qty INTEGER);")

    def run(self, sql, **values):
        lines = [f".parameter set :{name} {value!r}" for name, value in values.items()]
        done = subprocess.run(["sqlite3", "-batch", "-bail", "-cmd", ".timeout 5000", self.path],
                              input="\n".join(lines + [sql]), capture_output=True, text=True, check=False)
        if done.returncode or done.stderr:
            raise AssertionError(done.stderr)
        return done.stdout.split()

    def effect(self, operation_key, fence):
        order, _, closed = self.run(self.sql["effect"], operation_key=operation_key, fence=fence,
                                    sku="A", qty=1)[-1].partition("|")
        return order, int(closed)

    def close(self, operation_key, fence):
        out = self.run(self.sql["close"], operation_key=operation_key, fence=fence)
        return out[-1] if out else ""

    def orders(self):
        return int(self.run("SELECT count(*) FROM orders;")[0])


class AnswersForItself(unittest.TestCase):
    def setUp(self):
        self.assertTrue(shutil.which("sqlite3"), "sqlite3 is missing: tools/setup test")
        folder = tempfile.TemporaryDirectory(prefix="pawl-sql-")
        self.addCleanup(folder.cleanup)
        self.database = Database(folder.name)

    def test_an_operation_takes_effect_once_however_often_it_comes(self):
        first, _ = self.database.effect("k1", 1)
        self.assertTrue(first)
        self.assertEqual(self.database.effect("k1", 1), (first, 0))
        self.assertEqual(self.database.effect("k1", 2), (first, 0))
        self.assertEqual(self.database.orders(), 1)

    def test_operations_do_not_meet(self):
        self.assertNotEqual(self.database.effect("k1", 1), self.database.effect("k2", 2))
        self.assertEqual(self.database.orders(), 2)

    def test_closing_finds_an_effect_and_promises_nothing(self):
        order, _ = self.database.effect("k1", 7)
        self.assertEqual(self.database.close("k1", 7), order)
        self.assertEqual(self.database.effect("k1", 8), (order, 0))

    def test_a_closed_fence_is_refused_when_its_request_comes_late(self):
        self.assertEqual(self.database.close("k1", BEYOND_DOUBLE), "")
        self.assertEqual(self.database.effect("k1", BEYOND_DOUBLE), ("", BEYOND_DOUBLE))
        self.assertEqual(self.database.effect("k1", BEYOND_DOUBLE - 1)[0], "")
        self.assertEqual(self.database.orders(), 0)

    def test_a_fence_above_the_closed_one_runs(self):
        self.database.close("k1", BEYOND_DOUBLE)
        self.assertTrue(self.database.effect("k1", BEYOND_DOUBLE + 1)[0])
        self.assertEqual(self.database.orders(), 1)

    def test_closing_an_older_fence_does_not_open_a_newer_one(self):
        self.database.close("k1", 9)
        self.database.close("k1", 3)
        self.assertEqual(self.database.effect("k1", 9)[0], "")

    def test_closing_and_the_effect_at_once_agree(self):
        """Whoever is first decides: never an order after a "not applied", never a "not applied" after an order."""
        script = os.path.join(os.path.dirname(self.database.path), "race.sql")
        for number in range(20):
            key = f"race-{number}"
            with open(script, "w", encoding="utf-8") as stream:
                stream.write(f".parameter set :operation_key {key!r}\n.parameter set :fence 1\n"
                             f".parameter set :sku 'A'\n.parameter set :qty 1\n{self.database.sql['effect']}")
            before = self.database.orders()
            with open(script, encoding="utf-8") as stream:
                racing = subprocess.Popen(["sqlite3", "-batch", "-cmd", ".timeout 5000", self.database.path],
                                          stdin=stream, stdout=subprocess.DEVNULL)
            found = self.database.close(key, 1)
            self.assertEqual(racing.wait(), 0)
            self.assertEqual(self.database.orders() - before, 1 if found else 0)


if __name__ == "__main__":
    unittest.main()
