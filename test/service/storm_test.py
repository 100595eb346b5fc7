# SPDX-License-Identifier: Apache-2.0
"""The storm: a thousand operations, each sent twenty times by impatient clients, while Pawl is killed again and
again. The upstream's ledger is the judge (E1 to E4, R1 of the proof; R-CLAIM, R-UNCERTAIN, R-REPLAY).
STORM_KEYS, STORM_KILL_SECONDS and STORM_KILLS (how many there must have been) make it longer and harsher."""

import base64
import collections
import json
import os
import random
import socket
import threading
import time
import unittest

from harness import ServiceTest, ask, receive, send, wait_for

KEYS = int(os.environ.get("STORM_KEYS", 1000))
BARE_EVERY = 10  # every tenth operation is one whose upstream cannot be asked
SENDS = 20
CLIENTS = 64
SPREAD = 100  # operations whose requests mix
KILL_SECONDS = float(os.environ.get("STORM_KILL_SECONDS", 2))
KILLS_MIN = int(os.environ.get("STORM_KILLS", 8))
THINK_SECONDS = 0.1  # spreads the storm over a dozen kills
STORM_SECONDS_MAX = 75 * KEYS / 1000
ACKNOWLEDGED_MIN = KEYS * 9 // 10 if KILL_SECONDS >= 2 else 0  # nobody can be asked between hasty kills

CONFIG = """
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 2s
    uncertain: { close: "POST /orders/close/{operation_key}", effect_horizon: 1s }
  - match: POST /bare
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 2s
    uncertain: { effect_horizon: 1s }
"""


class Notes:
    """What the clients were told, under one lock."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = {}
        self.changed = []
        self.statuses = collections.Counter()

    def take(self, name, answer):
        with self.lock:
            self.statuses[f"{answer.status} {answer.code or ''}".strip()] += 1
            if answer.status != 201:
                return
            told = (answer.status, answer.body)
            if self.acknowledged.setdefault(name, told) != told:
                self.changed.append((name, self.acknowledged[name], told))


class Client(threading.Thread):
    """Takes jobs until none is left; leaves one in ten before the answer; meets a dead server with patience."""

    def __init__(self, test, jobs, notes, seed):
        super().__init__(daemon=True)
        self.test, self.jobs, self.notes = test, jobs, notes
        self.random = random.Random(seed)
        self.connection = None

    def run(self):
        while True:
            try:
                name = self.jobs.pop()
            except IndexError:
                return self.leave()
            while not self.once(name):
                time.sleep(0.03)
            time.sleep(self.random.random() * THINK_SECONDS)

    def once(self, name):
        """True when the request left; whether an answer came is another matter."""
        body = json.dumps({"key": name}).encode()
        headers = [("Idempotency-Key", name), ("Content-Type", "application/json")]
        if self.random.random() < 0.3:
            headers.append(("X-Fault", f"slow:{self.random.randrange(200)}"))
        try:
            if self.connection is None:
                self.connection = self.test.pawl.connect(timeout=10)
                self.connection.connect()
        except OSError:
            self.leave()
            return False
        try:
            send(self.connection, "POST", path_of(name), headers, body)
            if self.random.random() < 0.1:
                time.sleep(self.random.random() * 0.01)
                self.leave()
            else:
                self.notes.take(name, receive(self.connection))
        except (OSError, socket.timeout, ValueError, EOFError) as error:
            self.leave()
            return not isinstance(error, ConnectionRefusedError)
        except Exception:  # http.client's own words for a connection that died
            self.leave()
        return True

    def leave(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


def jobs_of(names):
    """Last first: every name twenty times within a stretch of the storm, so that each kill meets new operations."""
    chance = random.Random(1)
    places = [(number + chance.random() * SPREAD, name) for number, name in enumerate(names) for _ in range(SENDS)]
    return [name for _, name in sorted(places, reverse=True)]


def path_of(name):
    return "/bare" if name.startswith("bare") else "/orders"


class Storm(ServiceTest):
    config = CONFIG

    def test_one_effect_per_operation_and_no_answer_that_changes(self):
        names = [("bare-" if number % BARE_EVERY == 0 else "order-") + str(number) for number in range(KEYS)]
        notes = Notes()
        kills = self.rage(names, notes)
        self.assertGreaterEqual(kills, KILLS_MIN, "the storm was over before it began")
        self.assertEqual(notes.changed, [], "an acknowledged answer changed")
        self.assert_one_effect_each(names, notes)
        self.assertGreaterEqual(len(notes.acknowledged), ACKNOWLEDGED_MIN, notes.statuses)
        self.assert_the_rest_is_listed(names, notes)
        self.settle(names, notes)
        self.assertEqual(notes.changed, [], "settling changed an acknowledged answer")
        self.assert_one_effect_each(names, notes)
        self.assertEqual(len(notes.acknowledged), KEYS)
        print(f"storm: {kills} kills, {sum(notes.statuses.values())} answers, {dict(notes.statuses)}")

    def rage(self, names, notes):
        jobs = jobs_of(names)
        clients = [Client(self, jobs, notes, seed) for seed in range(CLIENTS)]
        for client in clients:
            client.start()
        kills, end = 0, time.monotonic() + STORM_SECONDS_MAX
        while any(client.is_alive() for client in clients):
            time.sleep(KILL_SECONDS)
            self.assertLess(time.monotonic(), end, f"{len(jobs)} requests left: {notes.statuses}")
            self.pawl.kill()
            self.pawl.start()
            kills += 1
        return kills

    def assert_one_effect_each(self, names, notes):
        effects = self.plain.effects()
        by_operation = collections.Counter(effect["operation_key"] for effect in effects)
        twice = {key: count for key, count in by_operation.items() if count > 1}
        self.assertEqual(twice, {}, "an operation took effect twice")
        by_name = {}
        for effect in effects:
            self.assertNotIn(effect["order"]["key"], by_name, "two operations for one key")
            by_name[effect["order"]["key"]] = effect
        self.assertLessEqual(set(by_name), set(names), "an effect without a request")
        for name, (_, body) in notes.acknowledged.items():
            self.assertEqual(by_name[name]["order_id"], json.loads(body)["order_id"], "an acknowledged success is lost")

    def listed(self):
        return {entry["key"]: entry for entry in self.pawl.cli_json("uncertain", "list", "--limit", "10000")["records"]}

    def assert_the_rest_is_listed(self, names, notes):
        """A key without an answer either stands in the list, or its next repeat is answered."""
        listed = self.listed()
        for name in names:
            if name in notes.acknowledged or name in listed:
                continue
            notes.take(name, self.post(path_of(name), name, body=json.dumps({"key": name}).encode()))
            self.assertIn(name, notes.acknowledged, "neither answered nor listed")

    def settle(self, names, notes):
        wait_for(lambda: not [name for name in self.listed() if not name.startswith("bare")], 30 + KEYS / 50,
                 "the closing probe settles every order")
        effects = {effect["order"]["key"]: effect for effect in self.plain.effects()}
        body_path = os.path.join(self.folder, "body.json")
        for name, record in self.listed().items():
            words = ["resolve", record["operation_ref"], "--reason", "counted in the ledger"]
            if name in effects:
                answer = self.plain.control("GET", "/ledger")
                answer = next(line["answer"] for line in answer if line.get("order", {}).get("key") == name)
                with open(body_path, "wb") as stream:
                    stream.write(base64.b64decode(answer["body"]))
                words += ["--applied", "--status", "201", "--body", body_path]
            else:
                words += ["--not-applied"]
            code, out, err = self.pawl.cli(*words)
            self.assertEqual(code, 0, f"{words}: {out}{err}")
        for name in names:
            if name not in notes.acknowledged:
                notes.take(name, ask(self.pawl.port, "POST", path_of(name),
                                     [("Idempotency-Key", name), ("Content-Type", "application/json")],
                                     json.dumps({"key": name}).encode()))


if __name__ == "__main__":
    unittest.main()
