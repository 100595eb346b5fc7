# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI document of the flows is true: whatever it says may be sent is taken, whatever it excludes is refused,
and every answer is one that it names. A checker of its own (schemathesis) makes the requests of the document alone."""

import os
import subprocess

from flow_harness import FlowTest, flow_file, unittest
from harness import ROOT, plain_environment

# Whatever the document calls well formed is understood: it is done, or refused for what the order, the stock or an
# earlier request is. 400 would say that it could not be read.
UNDERSTOOD = """
[checks]
positive_data_acceptance.expected-statuses = [200, 201, 202, 304, 401, 403, 404, 409, 410, 412, 422]

# A slot that ends before it begins is none, and an amount has as many digits as payments have: no schema says so of
# times and numbers.
[[operations]]
include-name = ["POST /flows/order", "POST /flows/payment", "POST /flows/booking"]
checks.positive_data_acceptance.expected-statuses = [201, 400, 409, 422]
"""
CHECKER = os.path.join(ROOT, "build", "checkers", "bin", "st")
EXAMPLES = 15


class Description(FlowTest):
    # One of them with check codes, so that both ways of writing an id are described.
    files = {"packing.yaml": flow_file("packing") + "check_code: [box]\n"}
    flows = "flows: { use: [order, payment, booking, ./packing.yaml] }\n"

    def setUp(self):
        if not os.access(CHECKER, os.X_OK):
            raise RuntimeError(f"{CHECKER} is missing: tools/setup test")

    def check(self, *options):
        """Runs the checker over the served document."""
        url = f"http://127.0.0.1:{self.pawl.port}/openapi.json"
        with open(f"{self.folder}/schemathesis.toml", "w", encoding="utf-8") as stream:
            stream.write(UNDERSTOOD)
        done = subprocess.run(
            [CHECKER, "run", url, "--no-color", "--seed", "7", "--max-examples", str(EXAMPLES), "--no-shrink",
             "--generation-database", "none", "--request-timeout", "30", "--suppress-health-check", "all", *options],
            capture_output=True, text=True, cwd=self.folder, env=plain_environment(), timeout=280, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-8000:] + done.stderr[-2000:])

    def test_every_answer_is_one_that_the_document_names(self):
        self.check("--phases", "examples,coverage,fuzzing", "--checks",
                   "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
                   "response_schema_conformance,missing_required_header,unsupported_method,allow_header_conformance,"
                   "negative_data_rejection,positive_data_acceptance")

    def test_the_document_changes_with_the_flows(self):
        paths = self.get("/openapi.json").json()["paths"]
        for path in ("/flows/order", "/flows/booking/{id}/events/reserve", "/flows/packing/{id}/events/pack",
                     "/stock/{sku}"):
            self.assertIn(path, paths)
        self.assertNotIn("/flows/order/{id}/events/pay", paths)


if __name__ == "__main__":
    unittest.main(verbosity=2)
