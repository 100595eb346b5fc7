# SPDX-License-Identifier: Apache-2.0
"""What a person sees and may do: explain, the list of what is uncertain, resolve, figures, health (R-EXPLAIN, R-CLI,
R-METRICS, R-UNCERTAIN)."""

import json
import os
import subprocess
import unittest

from harness import ServiceTest, program, wait_for, wanted

CONFIG = """
default_upstream: {plain}
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 1s }
  - match: POST /impatient
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 200ms
    uncertain: { effect_horizon: 1s }
  - match: POST /slow-to-know
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 1h }
"""


class Operator(ServiceTest):
    config = CONFIG

    def lose(self, path="/orders", name="k"):
        """An operation that took effect and lost its answer; its reference."""
        answer = self.post(path, self.key(name), headers=[("X-Fault", "drop-after")])
        return self.assertProblem(answer, 502, "uncertain")["operation_ref"]

    def effects(self, name="k"):
        return len(self.plain.effects(key=self.key(name)))

    def listed(self):
        return {record["key"]: record for record in self.pawl.cli_json("uncertain", "list")["records"]}

    def test_explain_shows_every_step_of_one_key(self):
        self.post("/orders", self.key())
        self.post("/orders", self.key())
        code, out, err = self.pawl.cli("explain", self.key())
        self.assertEqual(code, 0, err)
        for word in ("completed", "POST /orders", self.key()):
            self.assertIn(word, out)
        found = self.pawl.cli_json("explain", self.key())
        self.assertIn("completed", json.dumps(found))
        self.assertNotIn("\x1b[", out, "colour without a terminal")

    def test_explain_of_what_never_was(self):
        code, out, err = self.pawl.cli("explain", "never-was")
        self.assertEqual(code, 3, out + err)

    def test_explain_shows_no_body(self):
        self.post("/orders", self.key(), {"card": "4111-secret"})
        self.assertNotIn("4111-secret", "".join(map(str, self.pawl.cli("explain", self.key(), "--json"))))

    def test_an_uncertain_operation_is_listed_until_it_is_resolved_as_applied(self):
        reference = self.lose()
        record = self.listed()[self.key()]
        self.assertEqual(record["operation_ref"], reference)
        body = os.path.join(self.folder, "body.json")
        with open(body, "w", encoding="utf-8") as stream:
            stream.write('{"order_id":"by hand"}')
        code, out, err = self.pawl.cli("resolve", reference, "--applied", "--status", "201", "--body", body,
                                       "--reason", "seen in the ledger")
        self.assertEqual(code, 0, out + err)
        answer = self.post("/orders", self.key())
        self.assertEqual((answer.status, answer.body), (201, b'{"order_id":"by hand"}'))
        self.assertEqual((answer.replayed, answer.header("Pawl-Result-Source")), (True, "person"))
        self.assertNotIn(self.key(), self.listed())
        self.assertEqual(self.effects(), 1)
        self.assertIn("seen in the ledger", "".join(map(str, self.pawl.cli("explain", self.key()))))

    def test_a_refusal_is_explained_as_one(self):
        self.assertEqual(self.post("/orders", self.key(), headers=[wanted(status=400)]).status, 400)
        meaning = self.pawl.cli_json("explain", self.key())["records"][0]["meaning"]
        self.assertRegex(meaning, "^refused by the service .* ago, answered 400; repeats are answered the same$")
        odd = wanted(status=409, headers=[["Pawl-Outcome", "applied"]])
        self.assertEqual(self.post("/orders", self.key("odd"), headers=[odd]).status, 409)
        wait_for(lambda: self.pawl.cli_json("explain", self.key("odd"))["records"][0]["meaning"].startswith(
            "took effect"), 10, "the service's own word is in the timeline")

    def test_what_becomes_uncertain_is_logged_and_counted_at_the_next_start(self):
        reference = self.lose("/slow-to-know")
        wait_for(lambda: reference in self.pawl.log() or "more it is not known either" in self.pawl.log(), 10,
                 "the log tells of it")
        self.assertRegex(self.pawl.log(), "it is not known whether op_[^ ]+ of POST /[a-z-]+ took effect: ")
        self.pawl.stop()
        self.pawl.start()
        self.assertRegex(self.pawl.log(), "uncertain  [0-9]+ operations? of earlier")

    def timeline(self, name="k"):
        lines = self.pawl.cli_json("explain", self.key(name))["records"][0]["timeline"]
        return [(line["at"], line["step"], line["outcome"]) for line in lines if line["step"] != "state"]

    def test_a_timeline_only_grows(self):
        """What was said of an attempt is said of it after it was settled, and after the next one began."""
        reference = self.lose("/slow-to-know")
        wait_for(lambda: "suspect" in str(self.timeline()), 10, "the doubt is in the timeline")
        before = self.timeline()
        self.assertEqual(before[0][1:], ("claim", "acquired"))
        self.assertNotIn("owner", [step for _, step, _ in before], "Pawl is still running")
        self.pawl.cli("resolve", reference, "--not-applied", "--force", "--reason", "not there")
        after = self.timeline()
        self.assertEqual(after[:len(before)], before)
        self.assertEqual(after[len(before):][0][1:], ("settle", "freed"))
        self.assertEqual(self.post("/slow-to-know", self.key()).status, 201)
        wait_for(lambda: [step for _, step, _ in self.timeline()].count("claim") == 2, 10, "the second claim is there")
        self.assertEqual(self.timeline()[:len(after)], after)

    def test_not_applied_is_held_to_evidence(self):
        """Protocol rule 2: the owner is alive and the effect horizon has not passed."""
        reference = self.lose("/slow-to-know")
        code, out, err = self.pawl.cli("resolve", reference, "--not-applied", "--reason", "I think so")
        self.assertEqual(code, 3, out + err)
        self.assertRegex(out + err, "owner_alive|too_early")
        self.assertProblem(self.post("/slow-to-know", self.key()), 409, "uncertain")
        code, out, err = self.pawl.cli("resolve", reference, "--not-applied", "--force", "--reason", "I know it")
        self.assertEqual(code, 0, out + err)
        self.assertEqual(self.post("/slow-to-know", self.key()).status, 201)
        self.assertIn("I know it", "".join(map(str, self.pawl.cli("explain", self.key()))))

    def test_not_applied_counts_once_the_owner_is_gone_and_the_horizon_has_passed(self):
        self.plain.control("POST", "/faults", [{"path": "/orders", "fault": "drop-before"}])
        answer = self.post("/orders", self.key())
        reference = self.assertProblem(answer, 502, "uncertain")["operation_ref"]
        self.pawl.kill()
        self.pawl.start()
        code = wait_for(lambda: self.pawl.cli("resolve", reference, "--not-applied", "--reason", "looked")[0] == 0, 15,
                        "the horizon passes")
        self.assertTrue(code)
        answer = self.post("/orders", self.key())
        self.assertEqual((answer.status, answer.replayed, self.effects()), (201, False, 1))

    def test_a_result_given_by_hand_is_held_to_what_an_upstream_may_say(self):
        reference = self.lose()
        body = os.path.join(self.folder, "large.bin")
        with open(body, "wb") as stream:
            stream.write(b"x" * ((1 << 20) + 1))
        pipe = os.path.join(self.folder, "pipe")
        if not os.path.exists(pipe):
            os.mkfifo(pipe)
        for words, told in {
            ("--header", "Set-Cookie: a=1"): "Set-Cookie",
            ("--header", "X-Own: a"): "replay_headers",
            ("--body", body): "answer_bytes_max",
            ("--body", self.folder): "--body -",
            ("--body", pipe): "--body -",
            ("--body", "/nowhere/at/all"): "there is no file",
        }.items():
            with self.subTest(words):
                code, out, err = self.pawl.cli("resolve", reference, "--applied", "--status", "201", *words,
                                               "--reason", "seen")
                self.assertEqual(code, 2, out + err)
                self.assertIn(told, out + err)
        self.assertIn(self.key(), self.listed())

    def test_forgetting_leaves_who_and_why(self):
        self.post("/orders", self.key())
        reference = self.pawl.cli_json("explain", self.key())["records"][0]["operation_ref"]
        code, out, err = self.pawl.cli("forget", reference, "--reason", "it was a test")
        self.assertEqual(code, 0, out + err)
        self.pawl.kill()
        self.pawl.start()
        for name in (reference, self.key()):
            code, out, err = self.pawl.cli("explain", name)
            self.assertEqual(code, 0, out + err)
            self.assertRegex(out, r"forget +removed.*forgotten by .* from 127.0.0.1: it was a test")
        self.assertEqual(self.post("/orders", self.key()).replayed, False)
        self.assertIn("it was a test", self.pawl.cli("explain", self.key())[1])
        self.assertEqual(self.effects(), 2)

    def test_resolving_what_is_settled_or_unknown_changes_nothing(self):
        first = self.post("/orders", self.key())
        self.lose(name="other")
        reference = self.pawl.cli_json("explain", self.key())
        text = json.dumps(reference)
        self.assertIn("operation_ref", text)
        code, out, err = self.pawl.cli("resolve", "no-such-reference", "--applied", "--reason", "x")
        self.assertNotEqual(code, 0, out + err)
        self.assertSameAnswer(first, self.post("/orders", self.key()))

    def test_another_server_is_not_believed(self):
        reference = self.lose()
        ledger = len(self.plain.effects())
        for words in (("explain", self.key()), ("uncertain", "list"), ("forget", reference, "--reason", "r"),
                      ("resolve", reference, "--applied", "--reason", "r"),
                      ("resolve", "--older", "0s", "--applied", "--reason", "r")):
            for port in (self.plain.port, self.pawl.port):
                with self.subTest(words=words, port=port):
                    code, out, err = self.pawl.cli(*words, "--admin", f"127.0.0.1:{port}")
                    self.assertEqual((code, out), (2, ""), err)
                    self.assertIn(f"what answers at 127.0.0.1:{port} is not Pawl's admin port", err)
        self.assertEqual(len(self.plain.effects()), ledger, "a stranger took a word for a request")
        self.assertIn(self.key(), self.listed())

    def test_a_filter_that_nothing_fits_does_not_say_that_all_is_settled(self):
        self.lose()
        code, out, err = self.pawl.cli("uncertain", "list", "--older", "1h")
        self.assertEqual(code, 0, out + err)
        self.assertRegex(out, r"None matches this filter \(\d+ uncertain in all\)")
        for words in (("uncertain", "list", "--route", "POST /order"),
                      ("resolve", "--route", "POST /order", "--applied", "--reason", "r")):
            code, out, err = self.pawl.cli(*words)
            self.assertEqual(code, 3, out + err)
            self.assertIn("No route is called `POST /order`; did you mean `POST /orders`?", out + err)

    def test_a_dry_run_says_nothing_of_anything(self):
        reference = self.lose()
        code, out, err = self.pawl.cli("resolve", "--route", "POST /orders", "--dry-run")
        self.assertEqual(code, 0, out + err)
        self.assertIn(reference, out)
        self.assertRegex(out, r"\d+ uncertain operations? match(es)?; nothing was said")
        self.assertIn(self.key(), self.listed())

    def test_the_first_caller_that_stops_waiting_is_told_of_its_own_request(self):
        self.addCleanup(self.plain.release)
        answer = self.post("/impatient", self.key(), headers=[("X-Fault", "hold")])
        document = self.assertProblem(answer, 409, "in_progress")
        self.assertTrue(document["detail"].startswith("Your request is still running."), document)

    def test_a_result_that_a_person_gave_without_an_answer(self):
        reference = self.lose()
        self.assertEqual(self.pawl.cli("resolve", reference, "--applied", "--reason", "seen")[0], 0)
        document = self.assertProblem(self.post("/orders", self.key()), 410, "result_expired")
        self.assertIn("a person said so and gave no answer to repeat", document["detail"])
        self.assertNotIn("no longer", json.dumps(document))

    def test_health(self):
        self.assertEqual(self.pawl.admin("GET", "/healthz").status, 200)
        self.assertEqual(self.pawl.admin("GET", "/readyz").status, 200)
        self.assertEqual(self.pawl.admin("GET", "/nowhere").status, 404)
        self.assertNotEqual(self.pawl.ask("GET", "/metrics").header("Content-Type"),
                            self.pawl.admin("GET", "/metrics").header("Content-Type"), "figures on the data port")

    def test_figures(self):
        def count(status):
            return self.pawl.metric("idempotent_requests_total", status=status) or 0

        names = ("first", "replay", "mismatch", "uncertain")
        before = {name: count(name) for name in names}
        self.post("/orders", self.key())
        for _ in range(3):
            self.post("/orders", self.key())
        self.post("/orders", self.key(), {"other": 1})
        self.lose(name="lost")
        after = {name: count(name) - before[name] for name in names}
        self.assertEqual(after, {"first": 1, "replay": 3, "mismatch": 1, "uncertain": 1})
        self.assertGreaterEqual(self.pawl.metric("uncertain_records"), 1)
        for name in ("idempotent_latency_seconds_count", "store_commit_seconds_count", "store_batch_size",
                     "uncertain_oldest_seconds"):
            self.assertIsNotNone(self.pawl.metric(name), name)
        metrics = self.pawl.admin("GET", "/metrics").body.decode()
        self.assertNotIn(self.key(), metrics, "a key in the figures")

    def test_unprotected_writes_are_counted(self):
        """R-COVERAGE."""
        before = self.pawl.metric("unprotected_writes_total") or 0
        self.post("/never-asked")
        self.assertEqual((self.pawl.metric("unprotected_writes_total") or 0) - before, 1)

    def test_check_prints_what_counts_and_warns(self):
        code, out, err = self.pawl.cli("check")
        self.assertEqual(code, 0, out + err)
        self.assertIn("POST /orders", out)
        self.assertIn("probe", out + err, "a money route that nobody can ask has no warning")

    def test_help_and_wrong_words(self):
        for words, code in ((["--help"], 0), (["serve", "--help"], 0)):
            self.assertEqual(self.pawl_without_config(*words)[0], code, words)
        self.assertNotEqual(self.pawl_without_config("no-such-command")[0], 0)
        self.assertIn("explain", self.pawl_without_config("--help")[1])

    def pawl_without_config(self, *words):
        done = subprocess.run([program(), *words], capture_output=True, text=True, timeout=30, check=False)
        return done.returncode, done.stdout + done.stderr


class DevLines(ServiceTest):
    """Under `dev` every request is a line, whoever took it."""
    config = """
dev: true
routes:
  - { match: GET /orders, upstream: {plain}, protect: false }
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
"""

    def test_what_takes_no_record_is_a_line_too(self):
        status = self.pawl.ask("GET", "/orders?x=1").status
        wait_for(lambda: f"GET /orders passed on {status}\n" in self.pawl.log(), 10, "passed on by its route")
        self.assertEqual(self.pawl.ask("GET", "/nope").status, 404)
        wait_for(lambda: "GET /nope no route 404\n" in self.pawl.log(), 10, "no route")
        self.pawl.stop()
        self.pawl.configure(self.config.replace("{plain}", self.plain.url)
                            + f"default_upstream: {self.plain.url}\n")
        self.pawl.start()
        status = self.pawl.ask("GET", "/nope").status
        wait_for(lambda: f"GET /nope passed on {status}\n" in self.pawl.log(), 10, "passed on by default_upstream")


if __name__ == "__main__":
    unittest.main()
