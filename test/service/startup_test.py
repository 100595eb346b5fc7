# SPDX-License-Identifier: Apache-2.0
"""Protection that does not work is not started: configurations and databases that are refused, each with a
sentence that says what to change; and how the process ends (R-CLI)."""

import os
import resource
import sqlite3
import subprocess
import tempfile
import time
import unittest

from harness import Pawl, Upstream, plain_environment, program

ROUTE = """
routes:
  - match: POST /orders
    upstream: %s
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 60s }
"""


class StartUp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="pawl-test-")
        cls.addClassCleanup(holder.cleanup)
        cls.upstream = Upstream(holder.name, "plain")
        cls.addClassCleanup(cls.upstream.kill)
        cls.upstream.start()

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="pawl-test-")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def pawl(self, config=None):
        made = Pawl(self.folder, ROUTE % self.upstream.url if config is None else config)
        self.addCleanup(made.kill)
        return made

    def refused(self, pawl, *words):
        """It ends by itself, non-zero, and says all of the words."""
        done = subprocess.run([program(), "serve", "--config", pawl.config_path], cwd=self.folder, timeout=20,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              env=plain_environment())
        told = done.stdout + done.stderr
        self.assertGreater(done.returncode, 0, told)
        self.assertLess(done.returncode, 126, told)
        for word in words:
            self.assertIn(word, told)
        self.assertNotIn("terminate called", told)
        return told

    def test_it_takes_every_descriptor_that_the_system_allows_it(self):
        own, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        pawl = self.pawl()
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
        try:
            pawl.start()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (own, most))
        self.assertEqual(resource.prlimit(pawl.pid, resource.RLIMIT_NOFILE), (most, most))

    def test_what_is_stored_is_its_owners_alone_whatever_the_umask(self):
        for mask in (0, 0o022, 0o277):
            with self.subTest(umask=oct(mask)):
                pawl = self.pawl()
                pawl.database = os.path.join(self.folder, f"store-{mask}.db")
                pawl.configure(ROUTE % self.upstream.url)
                pawl.log_path = os.path.join(self.folder, f"pawl-{mask}.log")
                with open(pawl.log_path, "ab"):
                    own = os.umask(mask)
                try:
                    pawl.start()
                finally:
                    os.umask(own)
                self.assertEqual(pawl.ask("POST", "/orders", [("Idempotency-Key", "k")], b"{}").status, 201)
                names = [name for name in os.listdir(self.folder) if name.startswith(f"store-{mask}.db")]
                self.assertIn(f"store-{mask}.db-wal", names)
                modes = {name: oct(os.stat(os.path.join(self.folder, name)).st_mode & 0o777) for name in names}
                self.assertEqual(set(modes.values()), {"0o600"}, modes)
                pawl.kill()

    def test_a_bad_file_is_refused_with_line_and_remedy(self):
        for name, (config, words) in {
            "no such member": ("routes:\n  - match: POST /orders\n    upstreem: http://127.0.0.1:1\n",
                               ["pawl.yaml:6", "upstreem", "upstream"]),
            "no yaml": ("routes: [\n", ["pawl.yaml:"]),
            "no such profile": (ROUTE % "http://127.0.0.1:1" + "    profile: loose\n", ["loose", "strict-money"]),
            "no duration": (ROUTE % "http://127.0.0.1:1" + "    wait: soon\n", ["wait", "soon"]),
            "no upstream": ("routes:\n  - match: POST /orders\n    caller: public\n", ["upstream"]),
            "a key made of a counter": ("routes:\n  - match: POST /orders\n    upstream: http://127.0.0.1:1\n"
                                        "    caller: public\n    key: { derive: [caller, \"header:X-Attempt\"] }\n",
                                        ["X-Attempt"]),
            "twice the same": (ROUTE % "http://127.0.0.1:1" + "    caller: public\n", ["caller"]),
        }.items():
            with self.subTest(name):
                pawl = self.pawl(config)
                self.refused(pawl, *words)
                code, out, err = pawl.cli("check")
                self.assertNotEqual(code, 0)
                self.assertIn(words[-1], out + err)

    def test_no_file(self):
        pawl = self.pawl()
        os.unlink(pawl.config_path)
        self.refused(pawl, "pawl.yaml")

    def test_a_pipe_in_place_of_a_file_that_is_named_is_refused_and_not_waited_for(self):
        pipe = os.path.join(self.folder, "pipe")
        os.mkfifo(pipe)
        token = "callers: { main: { jwt: { algorithm: ES256, key: { file: PIPE } } } }\n"
        for setting, before, after in (
            ("admin_token", "routes:", "admin_token: { file: PIPE }\nroutes:"),
            ("callers.main.jwt.key", "routes:", token + "routes:"),
            ("store.encryption.key", "pawl.db", "pawl.db, encryption: { key: { file: PIPE } }"),
            ("tls.certificate", "routes:", "tls: { certificate: PIPE, key: PIPE }\nroutes:"),
            ("upstream_tls.ca", self.upstream.url, "https://localhost\n    upstream_tls: { ca: PIPE }"),
            ("store", os.path.join(self.folder, "pawl.db"), "PIPE"),
        ):
            with self.subTest(setting):
                pawl = self.pawl()
                with open(pawl.config_path, encoding="utf-8") as stream:
                    text = stream.read()
                self.assertIn(before, text)
                with open(pawl.config_path, "w", encoding="utf-8") as stream:
                    stream.write(text.replace(before, after.replace("PIPE", pipe)))
                self.refused(pawl, setting, pipe, "name a regular file")

    def test_an_admin_port_open_to_others_needs_a_token(self):
        pawl = self.pawl()
        with open(pawl.config_path, encoding="utf-8") as stream:
            text = stream.read().replace("admin: 127.0.0.1", "admin: 0.0.0.0")
        with open(pawl.config_path, "w", encoding="utf-8") as stream:
            stream.write(text)
        self.refused(pawl, "token")

    def test_a_port_that_is_taken(self):
        pawl = self.pawl()
        pawl.start()
        other = Pawl(self.folder + "/", ROUTE % self.upstream.url)
        other.port, other.database = pawl.port, os.path.join(self.folder, "other.db")
        other.configure(ROUTE % self.upstream.url)
        self.refused(other, str(pawl.port))

    def test_a_database_that_another_process_uses(self):
        first = self.pawl().start()
        second = Pawl(self.folder, ROUTE % self.upstream.url)
        self.refused(second, first.database)
        self.assertTrue(first.ready())

    def test_a_database_that_is_no_database(self):
        pawl = self.pawl()
        with open(pawl.database, "wb") as stream:
            stream.write(b"no database at all\n" * 400)
        self.refused(pawl, pawl.database)
        with open(pawl.database, "rb") as stream:
            self.assertTrue(stream.read().startswith(b"no database"), "it was overwritten")

    def test_a_database_whose_pages_are_damaged(self):
        pawl = self.pawl().start()
        for number in range(50):
            pawl.ask("POST", "/orders", [("Idempotency-Key", f"k{number}")], b"x" * 2000)
        pawl.stop()
        size = os.path.getsize(pawl.database)
        with open(pawl.database, "r+b") as stream:
            stream.seek(4096)
            stream.write(os.urandom(min(size - 4096, 40960)))
        self.refused(pawl, pawl.database)

    def test_a_database_with_one_bit_of_a_records_number_changed(self):
        """Every record behind it would be looked for in the wrong place, and its key be taken for a new one."""
        pawl = self.pawl().start()
        for number in range(30):
            self.assertEqual(pawl.ask("POST", "/orders", [("Idempotency-Key", f"bit{number}")], b"{}").status, 201)
        pawl.stop()
        with open(pawl.database, "rb") as file:
            pages = file.read()
        wanted = b"\x90\x80\x80\x80"  # the number of a record of the first generation, but for its last byte
        places = [at for at in range(len(pages)) if pages[at:at + 4] == wanted and pages[at + 4] == 5]
        self.assertTrue(places)
        changed = bytearray(pages)
        for at in places:
            changed[at + 3] ^= 0x02
        with open(pawl.database, "wb") as file:
            file.write(changed)
        self.refused(pawl)

    def test_a_database_whose_lists_do_not_fit_its_records(self):
        """The number of a generation, and the highest fence: with either wrong, keys would be new or fences old."""
        for name, change in (("generation", "UPDATE generation SET number = number + 2"),
                             ("fence", "UPDATE mark SET fence = fence - 5")):
            with self.subTest(name):
                pawl = self.pawl().start()
                for number in range(10):
                    key = f"{name}{number}"
                    self.assertEqual(pawl.ask("POST", "/orders", [("Idempotency-Key", key)], b"{}").status, 201)
                pawl.stop()
                database = sqlite3.connect(pawl.database)
                with database:
                    self.assertGreater(database.execute(change).rowcount, 0)
                database.close()
                self.refused(pawl)
                for end in ("", "-wal", "-shm"):
                    if os.path.exists(pawl.database + end):
                        os.remove(pawl.database + end)

    def test_a_database_of_a_newer_program(self):
        pawl = self.pawl().start()
        pawl.stop()
        with sqlite3.connect(pawl.database) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            self.assertGreater(version, 0, "the schema has no version")
            database.execute(f"PRAGMA user_version = {version + 1000}")
        self.refused(pawl, pawl.database, "newer")

    def test_a_folder_that_cannot_be_written(self):
        pawl = self.pawl()
        with open(pawl.config_path, encoding="utf-8") as stream:
            text = stream.read()
        with open(pawl.config_path, "w", encoding="utf-8") as stream:
            stream.write(text.replace(pawl.database, "/proc/pawl.db"))
        self.refused(pawl, "/proc/pawl.db")

    def test_a_read_only_database(self):
        """As another user: root is refused nothing."""
        pawl = self.pawl().start()
        pawl.stop()
        os.chmod(self.folder, 0o755)
        for name in os.listdir(self.folder):
            os.chmod(os.path.join(self.folder, name), 0o444)
        command = [program(), "serve", "--config", pawl.config_path]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", *command]
        done = subprocess.run(command, cwd=self.folder, timeout=20, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False, env=plain_environment())
        self.assertGreater(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(pawl.database, done.stdout + done.stderr)

    def test_a_term_signal_ends_it_cleanly_and_running_operations_finish(self):
        pawl = self.pawl().start()
        connection = pawl.connect()
        connection.request("POST", "/orders", b'{"key":"last"}', {"Idempotency-Key": "last", "X-Fault": "slow:600"})
        time.sleep(0.2)
        pawl.child.terminate()
        self.assertEqual(connection.getresponse().status, 201)
        self.assertEqual(pawl.child.wait(15), 0)
        pawl.start()
        repeat = pawl.ask("POST", "/orders", [("Idempotency-Key", "last")], b'{"key":"last"}')
        self.assertTrue(repeat.replayed)
        self.assertEqual(len(self.upstream.effects(key="last")), 1)

    def test_a_full_database_file_from_a_crash_is_taken_up(self):
        pawl = self.pawl().start()
        for number in range(100):
            pawl.ask("POST", "/orders", [("Idempotency-Key", f"crash{number}")], b'{"key":"%d"}' % number)
        pawl.kill()
        self.assertTrue(os.path.exists(pawl.database))
        pawl.start()
        for number in range(100):
            answer = pawl.ask("POST", "/orders", [("Idempotency-Key", f"crash{number}")], b'{"key":"%d"}' % number)
            self.assertTrue(answer.replayed, answer)


if __name__ == "__main__":
    unittest.main()
