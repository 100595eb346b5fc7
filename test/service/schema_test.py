# SPDX-License-Identifier: Apache-2.0
"""docs/pawl.schema.json and the program judge alike: what the pages show is good to both, what is broken to neither."""

import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import jsonschema
import yaml

from harness import ROOT, plain_environment, program

ROUTE = "routes:\n  - match: POST /o\n    upstream: demo\n    key: { header: K }\n"
FLOWS = "flows: [packing]\n"
PAGES = [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "docs", "*.md"))),
         *sorted(glob.glob(os.path.join(ROOT, "examples", "*", "README.md")))]

BROKEN = {
    "a name of nobody's": "colour: red\n" + ROUTE,
    "a name of nobody's in a route": ROUTE + "    colour: red\n",
    "a name of nobody's in a key": "routes:\n  - { match: POST /o, upstream: demo, key: { headr: K } }\n",
    "no method": "routes:\n  - { match: /o, upstream: demo }\n",
    "a small method": "routes:\n  - { match: post /o, upstream: demo }\n",
    "no upstream": "routes:\n  - { match: POST /o }\n",
    "an upstream without a scheme": "default_upstream: 127.0.0.1:3000\n",
    "an upstream with a path": "default_upstream: http://127.0.0.1:3000/x\n",
    "a duration without a unit": ROUTE + "    wait: 10\n",
    "a size in other units": "limits: { cache_bytes_max: 8MB }\n" + ROUTE,
    "no connections": "limits: { connections_max: 0 }\n" + ROUTE,
    "too many loops": "loops: 257\n" + ROUTE,
    "a level of nobody's": "log: { level: verbose }\n" + ROUTE,
    "a store of a later version": "store: { kind: postgres }\n" + ROUTE,
    "a token in the file": "admin_token: hunter2\n" + ROUTE,
    "a certificate without its key": "tls: { certificate: c.pem }\n" + ROUTE,
    "a profile of nobody's": ROUTE + "    profile: strict\n",
    "another status": ROUTE + "    in_progress_status: 425\n",
    "two sources of a key": "routes:\n  - { match: POST /o, upstream: demo, key: { header: K, json: $.k } }\n",
    "two ways of knowing callers": ROUTE + "    caller: { header: A, jwt: b }\n",
    "a caller of nobody's": ROUTE + "    caller: private\n",
    "a fingerprint of nobody's": ROUTE + "    fingerprint: exact\n",
    "a probe that names no operation": ROUTE + "    uncertain: { probe: GET /o }\n",
    "a callback without a secret": ROUTE + "    uncertain: { callback: {} }\n",
    "a secret in the file": ROUTE + "    uncertain: { callback: { secret: hunter2 } }\n",
    "a secret of two sources": ROUTE + "    uncertain: { callback: { secret: { file: a, env: PAWL_A } } }\n",
    "a key forgotten never or always": ROUTE + "    retention: { key: always }\n",
    "a version of two places": ROUTE + "    upstream_remembers: 1d\n    version: { header: Pawl-Version, json: $.v }\n",
    "a version of nowhere": ROUTE + "    upstream_remembers: 1d\n    version: {}\n",
    "the present state without its reading": ROUTE + "    on_repeat: current\n",
    "a reading that writes": ROUTE + "    on_repeat: { current: POST /o }\n",
    "a refusal kept for ever": ROUTE + "    profile: ietf\n    retention: { refused: forever }\n",
    "a half protection": ROUTE + "    protect: half\n",
    "an algorithm of nobody's": "callers: { a: { jwt: { algorithm: none, key: { file: k } } } }\n" + ROUTE,
    "a short hash": "callers: { a: { api_key: { secret: { file: s }, keys: [{ caller: x, hash: 00 }] } } }\n" + ROUTE,
    "a caller set of two kinds": "callers: { a: { jwt: { algorithm: RS256, key: { file: k } }, api_key: "
                                 "{ secret: { file: s }, keys: [] } } }\n" + ROUTE,
    "an endpoint without a path's slash": ROUTE + "    authorize: { url: \"http://a?b\" }\n",
    "an endpoint of nobody's": ROUTE + "    authorize: { cache: 5s }\n",
    "pages of nowhere": "cors: { credentials: true }\n" + ROUTE,
    "a certificate without a key": "upstream_tls: { certificate: c.pem }\n" + ROUTE,
    "no trust at all": "upstream_tls: {}\n" + ROUTE,
    "a tenant of two sources": ROUTE + "    tenant: { header: X, host: true }\n",
    "a claim of no token": ROUTE + "    tenant: { header: X, claim: c }\n",
    "a route's tenant by name": ROUTE + "    tenant: shop\n",
    "flows that are none": "flows: { caller: public }\n",
    "a service with a path": "services: { pay: \"http://a/b\" }\n" + ROUTE,
    "a provider of nobody's": FLOWS + "callbacks: [{ provider: paypal, name: a, flow: packing }]\n",
    "an account without a name": FLOWS + "callbacks: [{ provider: stripe, flow: packing }]\n",
    "an account's secret in the file": FLOWS + "callbacks: [{ provider: stripe, name: a, flow: packing, "
                                       "secrets: [whsec_1] }]\n",
    "a kind of nobody's": FLOWS + "callbacks: [{ provider: standard_webhooks, name: a, flow: packing, "
                          "body: { type: $.t, kinds: { a: lost }, order: $.o, transaction: $.x } }]\n",
    "a list of routes as a map": "routes: { match: POST /o }\n",
}


def configurations(page):
    """What a page shows as a whole file: fenced blocks and here-documents with routes."""
    with open(page, encoding="utf-8") as stream:
        text = stream.read()
    for block in re.findall(r"^```[^\n]*\n(.*?)^```$", text, re.S | re.M):
        here = re.search(r"<<'END'\n(.*?)^END$", block, re.S | re.M)
        body = here.group(1) if here else block
        if re.search(r"^(routes|default_upstream|flows):", body, re.M) and "$ " not in body:
            yield body


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(ROOT, "docs", "pawl.schema.json"), encoding="utf-8") as stream:
            cls.schema = json.load(stream)
        cls.judge = jsonschema.Draft202012Validator(cls.schema)

    def mistakes(self, text):
        return [error.message for error in self.judge.iter_errors(yaml.safe_load(text))]

    def check(self, text):
        with tempfile.TemporaryDirectory(prefix="pawl-schema-") as folder:
            shutil.copytree(os.path.join(ROOT, "examples", "flows"), folder, dirs_exist_ok=True)
            path = os.path.join(folder, "pawl.yaml")
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
            done = subprocess.run([program(), "check", path], capture_output=True, text=True, timeout=30, check=False,
                                  env=plain_environment())
        return done

    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_the_program_prints_it(self):
        done = subprocess.run([program(), "check", "--schema"], capture_output=True, text=True, timeout=30, check=True)
        self.assertEqual(json.loads(done.stdout), self.schema)

    def test_what_the_pages_show_is_good_to_both(self):
        shown = [(page, text) for page in PAGES for text in configurations(page)]
        self.assertGreaterEqual(len(shown), 4)
        for page, text in shown:
            with self.subTest(page=os.path.relpath(page, ROOT), text=text):
                self.assertEqual(self.mistakes(text), [])
                done = self.check(text)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_the_program_prints_is_good_to_the_schema(self):
        printed = self.check(ROUTE).stdout
        self.assertIn("routes:", printed)
        self.assertEqual(self.mistakes(printed), [])

    def test_what_is_broken_is_good_to_neither(self):
        self.assertEqual((self.mistakes(ROUTE), self.check(ROUTE).returncode), ([], 0))
        for name, text in BROKEN.items():
            with self.subTest(name):
                self.assertEqual(self.check(text).returncode, 2, "the program takes it")
                self.assertTrue(self.mistakes(text), "the schema takes it")


if __name__ == "__main__":
    unittest.main()
