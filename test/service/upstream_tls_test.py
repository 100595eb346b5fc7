# SPDX-License-Identifier: Apache-2.0
"""Upstreams behind https: who proves itself is sent requests, whoever cannot is sent nothing and the answer is 503.
Certificates are made here, for this run."""

import http.server
import os
import ssl
import subprocess
import tempfile
import threading
import unittest

from harness import ServiceTest, free_port, wait_for

FOLDER = tempfile.TemporaryDirectory(prefix="pawl-test-certificates-")


def place(name):
    return os.path.join(FOLDER.name, name)


def openssl(*words):
    subprocess.run(["openssl", *words], capture_output=True, check=True, timeout=60)


def authority(name):
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", f"/CN={name}", "-keyout", place(name + ".key"), "-out", place(name + ".pem"))


def certificate(name, issuer, host, days=2):
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={host}",
            "-keyout", place(name + ".key"), "-out", place(name + ".csr"))
    with open(place(name + ".ext"), "w", encoding="ascii") as stream:
        stream.write(f"subjectAltName=DNS:{host}\nbasicConstraints=CA:FALSE\n")
    openssl("x509", "-req", "-in", place(name + ".csr"), "-CA", place(issuer + ".pem"), "-CAkey",
            place(issuer + ".key"), "-CAcreateserial", "-days", str(days), "-extfile", place(name + ".ext"),
            "-out", place(name + ".pem"))


class Quiet(http.server.ThreadingHTTPServer):
    """Handshakes that fail are what is tested."""

    daemon_threads = True

    def handle_error(self, *_):
        pass


class Secure:
    """An https service that counts what it executes; its authority may ask for a certificate of Pawl's."""

    def __init__(self, name, asks=False):
        self.executed, self.port = [], free_port()
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                subject = self.connection.getpeercert() or {}
                service.executed.append((self.path, dict(pair[0] for pair in subject.get("subject", ()))))
                self.send_response(201 if self.command == "POST" else 200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(place(name + ".pem"), place(name + ".key"))
        if asks:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(place("ours.pem"))
        self.server = Quiet(("127.0.0.1", self.port), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


authority("ours")
authority("theirs")
certificate("good", "ours", "localhost")
certificate("named", "ours", "orders.internal")
certificate("strange", "theirs", "localhost")
certificate("late", "ours", "localhost", days=-1)
certificate("pawl", "ours", "pawl-7")
SERVICES = {name: Secure(name) for name in ("good", "named", "strange", "late")}
SERVICES["asks"] = Secure("good", asks=True)


def route(path, name, more=""):
    return f"""
  - match: POST /{path}
    upstream: https://localhost:{SERVICES[name].port}
    key: {{ header: Idempotency-Key, required: true }}
    uncertain: {{ effect_horizon: 1h }}{more}"""


ROUTES = "".join([
    route("good", "good"), route("named", "named"), route("strange", "strange"), route("late", "late"),
    route("renamed", "named", f'\n    upstream_tls: {{ ca: {place("ours.pem")}, server_name: orders.internal }}'),
    route("shown", "asks", f'\n    upstream_tls: {{ ca: {place("ours.pem")}, certificate: {place("pawl.pem")}, '
                           f'key: {place("pawl.key")} }}'),
    route("permitted", "good", f"\n    authorize: {{ url: \"https://localhost:{SERVICES['good'].port}/check\" }}"),
    route("unpermitted", "good", f"\n    authorize: {{ url: \"https://localhost:{SERVICES['late'].port}/check\" }}"),
    f"\n  - {{ match: GET /relayed, upstream: https://localhost:{SERVICES['good'].port}, protect: false }}",
    f"\n  - {{ match: GET /strange, upstream: https://localhost:{SERVICES['strange'].port}, protect: false }}\n"])


class UpstreamTls(ServiceTest):
    config = f"upstream_tls: {{ ca: {place('ours.pem')} }}\nroutes:{ROUTES}"

    def executed(self, name, path):
        return [entry for entry in SERVICES[name].executed if entry[0] == path]

    def test_who_proves_itself_is_called_and_the_repeat_is_a_replay(self):
        first = self.post("/good", self.key())
        self.assertEqual((first.status, first.body), (201, b"ok"))
        self.assertSameAnswer(first, self.post("/good", self.key()))
        self.assertEqual(self.pawl.ask("GET", "/relayed").status, 200)

    def test_whoever_cannot_is_sent_nothing_and_the_key_stays_free(self):
        for path, name in (("named", "named"), ("strange", "strange"), ("late", "late")):
            with self.subTest(path):
                before = len(SERVICES[name].executed)
                for _ in range(2):
                    answer = self.post("/" + path, self.key(path))
                    document = self.assertProblem(answer, 503, "unavailable")
                    self.assertTrue(document["retryable"])
                self.assertEqual(len(SERVICES[name].executed), before)
        self.assertProblem(self.pawl.ask("GET", "/strange"), 503, "unavailable")

    def test_a_route_says_which_name_is_verified(self):
        self.assertEqual(self.post("/renamed", self.key()).status, 201)

    def test_an_upstream_that_asks_for_a_certificate_sees_ours(self):
        self.assertEqual(self.post("/shown", self.key()).status, 201)
        self.assertEqual(self.executed("asks", "/shown")[-1][1], {"commonName": "pawl-7"})

    def test_who_permits_is_proven_too(self):
        self.assertEqual(self.post("/permitted", self.key()).status, 201)
        self.assertEqual(len(self.executed("good", "/check")), 1)
        self.assertProblem(self.post("/unpermitted", self.key()), 503, "unavailable")

    def test_another_authority_takes_effect_with_a_reload_and_a_broken_file_does_not(self):
        def reload(ca, said):
            self.pawl.configure(f"upstream_tls: {{ ca: {ca} }}\nroutes:{ROUTES}")
            count = self.pawl.log().count(said)
            os.kill(self.pawl.pid, 1)
            wait_for(lambda: self.pawl.log().count(said) > count, 10, said)
        with open(place("broken.pem"), "w", encoding="ascii") as stream:
            stream.write("no certificate\n")
        reload(place("broken.pem"), "`upstream_tls`: The certificates to trust could not be loaded.")
        self.assertEqual(self.post("/good", self.key("kept")).status, 201)
        reload(place("theirs.pem"), "routes loaded")
        try:
            self.assertProblem(self.post("/good", self.key("other")), 503, "unavailable")
            self.assertEqual(self.post("/strange", self.key("other")).status, 201)
        finally:
            reload(place("ours.pem"), "routes loaded")
        self.assertEqual(self.post("/good", self.key("other")).status, 201)


if __name__ == "__main__":
    unittest.main()
