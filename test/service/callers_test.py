# SPDX-License-Identifier: Apache-2.0
"""Who calls: JSON Web Tokens (HS256, RS256, ES256), API keys and client certificates, each before the key is looked
at and before any replay (R-SCOPE, field case 13). Keys are made here with openssl."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

from harness import Pawl, ServiceTest, Upstream, wait_for

SECRET = "s" * 32
ROUTE = """
  - match: POST /{name}
    upstream: {plain}
    key: {{ header: Idempotency-Key, required: true }}
    caller: {caller}
    uncertain: {{ effect_horizon: 1h }}
"""


def openssl(*words, stdin=None):
    return subprocess.run(["openssl", *words], input=stdin, capture_output=True, check=True, timeout=60).stdout


def url64(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def half(der, at):
    """One INTEGER of a DER ECDSA signature as 32 bytes, and where the next begins."""
    size = der[at + 1]
    return der[at + 2:at + 2 + size].lstrip(b"\0").rjust(32, b"\0"), at + 2 + size


def token(algorithm, key, **claims):
    said = url64(json.dumps({"alg": algorithm, "typ": "JWT"}).encode()) + "." + url64(json.dumps(claims).encode())
    if algorithm == "HS256":
        return said + "." + url64(hmac.new(key.encode(), said.encode(), hashlib.sha256).digest())
    signature = openssl("dgst", "-sha256", "-sign", key, stdin=said.encode())
    if algorithm == "ES256":
        r, behind = half(signature, 2)
        signature = r + half(signature, behind)[0]
    return said + "." + url64(signature)


class Callers(ServiceTest):
    @classmethod
    def place(cls, name):
        return os.path.join(cls.folder, name)

    upstreams = {"plain": {}}
    config = "routes:" + ROUTE.replace("{name}", "first").replace("{{", "{").replace("}}", "}").replace(
        "{caller}", "{ header: X-User }")

    def setUp(self):
        if not hasattr(type(self), "hash"):
            self.prepare()

    def prepare(self):
        """The keys, then a reload with the routes that know callers by them."""
        cls = type(self)
        openssl("genrsa", "-out", cls.place("rsa.key"), "2048")
        openssl("rsa", "-in", cls.place("rsa.key"), "-pubout", "-out", cls.place("rsa.pem"))
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", cls.place("ec.key"))
        openssl("ec", "-in", cls.place("ec.key"), "-pubout", "-out", cls.place("ec.pem"))
        for name, text in (("hs", SECRET + "\n"), ("pepper", "sixteen bytes ok\n")):
            with open(cls.place(name), "w", encoding="ascii") as stream:
                stream.write(text)
        cls.hash = hmac.new(b"sixteen bytes ok", b"key-of-acme", hashlib.sha256).hexdigest()
        self.configure(f"{{ caller: acme, hash: {cls.hash} }}")

    def configure(self, keys):
        cls = type(self)
        routes = "".join(ROUTE.format(name=name, plain=cls.plain.url, caller=caller) for name, caller in (
            ("hs", "{ jwt: hs }"), ("rsa", "{ jwt: rsa }"), ("ec", "{ jwt: ec }"),
            ("partner", "{ api_key: partners }")))
        self.pawl.configure(f"""
callers:
  hs: {{ jwt: {{ algorithm: HS256, key: {{ file: {cls.place("hs")} }}, issuer: test, audience: shop }} }}
  rsa: {{ jwt: {{ algorithm: RS256, key: {{ file: {cls.place("rsa.pem")} }}, claim: account }} }}
  ec: {{ jwt: {{ algorithm: ES256, key: {{ file: {cls.place("ec.pem")} }} }} }}
  partners:
    api_key:
      secret: {{ file: {cls.place("pepper")} }}
      keys: [{keys}]
routes:{routes}""")
        loads = self.pawl.log().count("loaded")
        os.kill(self.pawl.pid, 1)
        wait_for(lambda: self.pawl.log().count("loaded") > loads, 10, "the routes are reloaded")

    def send(self, path, key, authorization=None, **headers):
        lines = [("Idempotency-Key", key), ("Content-Type", "application/json")]
        if authorization:
            lines.append(("Authorization", authorization))
        lines += [(name.replace("_", "-"), value) for name, value in headers.items()]
        return self.pawl.ask("POST", path, lines, json.dumps({"key": key}).encode())

    def good(self, **more):
        return {"sub": "ada", "exp": int(time.time()) + 60, **more}

    def test_each_algorithm_names_its_caller(self):
        """The same key of two callers is two operations; of one caller, one."""
        for path, algorithm, key, fields in (("/hs", "HS256", SECRET, {"iss": "test", "aud": ["shop"]}),
                                             ("/rsa", "RS256", self.place("rsa.key"), {"account": "7"}),
                                             ("/ec", "ES256", self.place("ec.key"), {})):
            with self.subTest(algorithm):
                name = self.key(algorithm)
                ada = token(algorithm, key, **self.good(**fields))
                bob = token(algorithm, key, **self.good(**{**fields, "sub": "bob", "account": "8"}))
                first = self.send(path, name, f"Bearer {ada}")
                self.assertEqual(first.status, 201, first)
                other = self.send(path, name, f"Bearer {bob}")
                self.assertEqual((other.status, other.replayed), (201, False), "another caller's key is another one")
                again = token(algorithm, key, **self.good(**fields, jti="a token of its own"))
                self.assertSameAnswer(first, self.send(path, name, f"Bearer {again}"))
                self.assertEqual(len(self.plain.effects(key=name)), 2)

    def test_every_other_token_is_401_and_touches_nothing(self):
        expired = self.good(iss="test", aud="shop") | {"exp": int(time.time()) - 31}
        unsigned = url64(b'{"alg":"none"}') + "." + url64(json.dumps(self.good(iss="test", aud="shop")).encode()) + "."
        with open(self.place("rsa.pem"), encoding="ascii") as stream:
            confused = token("HS256", stream.read(), **self.good(account="1"))  # the public key as a secret
        for name, path, authorization in (
                ("none", "/hs", None), ("empty", "/hs", "Bearer "), ("basic", "/hs", "Basic YTpi"),
                ("unsigned", "/hs", f"Bearer {unsigned}"),
                ("expired", "/hs", "Bearer " + token("HS256", SECRET, **expired)),
                ("audience", "/hs", "Bearer " + token("HS256", SECRET, **self.good(iss="test", aud="other"))),
                ("issuer", "/hs", "Bearer " + token("HS256", SECRET, **self.good(aud="shop"))),
                ("secret", "/hs", "Bearer " + token("HS256", "x" * 32, **self.good(iss="test", aud="shop"))),
                ("confused", "/rsa", f"Bearer {confused}"),
                ("other key", "/ec", "Bearer " + token("RS256", self.place("rsa.key"), **self.good()))):
            with self.subTest(name):
                key = self.key(name.replace(" ", "-"))
                answer = self.send(path, key, authorization)
                document = self.assertProblem(answer, 401, "caller_unknown", retryable=False)
                self.assertEqual(answer.header("WWW-Authenticate"), "Bearer")
                if authorization and len(authorization) > 30:
                    self.assertNotIn(authorization[7:40], str(document))
                self.assertEqual(self.plain.effects(key=key), [])

    def test_a_replay_needs_its_caller_too(self):
        name = self.key()
        first = self.send("/ec", name, "Bearer " + token("ES256", self.place("ec.key"), **self.good()))
        self.assertEqual(first.status, 201)
        past = self.good() | {"exp": int(time.time()) - 31}
        late = self.send("/ec", name, "Bearer " + token("ES256", self.place("ec.key"), **past))
        self.assertProblem(late, 401, "caller_unknown")

    def test_api_keys(self):
        name = self.key()
        first = self.send("/partner", name, X_Api_Key="key-of-acme")
        self.assertEqual(first.status, 201)
        self.assertSameAnswer(first, self.send("/partner", name, X_Api_Key="key-of-acme"))
        for wrong in ("key-of-acmE", "", type(self).hash):
            answer = self.send("/partner", name, X_Api_Key=wrong)
            self.assertProblem(answer, 401, "caller_unknown")
            self.assertIsNone(answer.header("WWW-Authenticate"))

    def test_an_upload_that_outlives_its_api_key_is_refused(self):
        """Who calls was known by rules that are gone when the body is whole."""
        body = json.dumps({"key": self.key()}).encode()
        head = (f"POST /partner HTTP/1.1\r\nHost: a\r\nIdempotency-Key: {self.key()}\r\nX-Api-Key: key-of-acme\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n")
        with socket.create_connection(("127.0.0.1", self.pawl.port), timeout=20) as upload:
            upload.sendall(head.encode())
            self.assertTrue(upload.recv(4096).startswith(b"HTTP/1.1 100 "), "the key is good so far")
            self.addCleanup(self.configure, f"{{ caller: acme, hash: {type(self).hash} }}")
            self.configure(f"{{ caller: globex, hash: {'0' * 64} }}")
            upload.sendall(body)
            answer = upload.recv(4096)
        self.assertTrue(answer.startswith(b"HTTP/1.1 401 "), answer)
        self.assertIn(b'"caller_unknown"', answer)
        self.assertEqual(self.plain.effects(key=self.key()), [])

    def test_a_made_api_key_works_after_the_reload(self):
        made = self.pawl.cli_json("api-key", "partners", "--caller", "globex")
        self.assertProblem(self.send("/partner", self.key(), X_Api_Key=made["key"]), 401, "caller_unknown")
        self.configure(f"{{ caller: acme, hash: {type(self).hash} }}, {{ caller: globex, hash: {made['hash']} }}")
        self.assertEqual(self.send("/partner", self.key(), X_Api_Key=made["key"]).status, 201)
        code, out, err = self.pawl.cli("api-key", "partner", "--caller", "globex")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("partner", err)


class Certificates(unittest.TestCase):
    """TLS on `listen`, and callers known by their certificates."""

    def certificate(self, name, authority=None):
        place = lambda suffix: os.path.join(self.folder, name + suffix)  # noqa: E731
        subject = ["-subj", f"/O=test/CN={name}", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                   "-keyout", place(".key")]
        if authority is None:
            openssl("req", "-x509", *subject, "-days", "2", "-out", place(".pem"))
            return
        openssl("req", "-new", *subject, "-out", place(".csr"))
        with open(place(".ext"), "w", encoding="ascii") as stream:
            stream.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        openssl("x509", "-req", "-in", place(".csr"), "-CA", os.path.join(self.folder, authority + ".pem"), "-CAkey",
                os.path.join(self.folder, authority + ".key"), "-CAcreateserial", "-days", "2", "-extfile",
                place(".ext"), "-out", place(".pem"))

    def test_a_certificate_names_its_caller(self):
        holder = tempfile.TemporaryDirectory(prefix="pawl-test-")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.certificate("ca")
        for name in ("server", "ada", "bob"):
            self.certificate(name, "ca")
        self.certificate("stranger")
        upstream = Upstream(self.folder, "plain")
        self.addCleanup(upstream.kill)
        upstream.start()
        route = ROUTE.format(name="pay", plain=upstream.url, caller="{ mtls: subject }")
        pem = lambda name: os.path.join(self.folder, name)  # noqa: E731
        pawl = Pawl(self.folder, f"tls: {{ certificate: {pem('server.pem')}, key: {pem('server.key')}, client_ca: "
                                 f"{pem('ca.pem')} }}\nroutes:{route}")
        self.addCleanup(pawl.kill)
        pawl.start()

        def ask(name):
            context = ssl.create_default_context(cafile=pem("ca.pem"))
            if name:
                context.load_cert_chain(pem(f"{name}.pem"), pem(f"{name}.key"))
            connection = http.client.HTTPSConnection("127.0.0.1", pawl.port, timeout=20, context=context)
            try:
                connection.request("POST", "/pay", b"{}", {"Idempotency-Key": "k"})
                answer = connection.getresponse()
                return answer.status, answer.headers.get("Idempotent-Replayed"), answer.read()
            finally:
                connection.close()

        first = ask("ada")
        self.assertEqual((first[0], first[1]), (201, None))
        self.assertEqual(ask("ada"), (201, "true", first[2]))
        self.assertEqual(ask("bob")[:2], (201, None))
        self.assertEqual(len(upstream.effects()), 2)
        context = ssl.create_default_context(cafile=pem("ca.pem"))
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(pem("ada.pem"), pem("ada.key"))
        session, statuses = None, []
        for _ in range(4):  # a client that resumes its session is as good as one that does not
            with socket.create_connection(("127.0.0.1", pawl.port), timeout=20) as plain:
                with context.wrap_socket(plain, server_hostname="localhost", session=session) as secured:
                    session = secured.session
                    secured.sendall(f"POST /pay HTTP/1.1\r\nHost: 127.0.0.1:{pawl.port}\r\nIdempotency-Key: k\r\n"
                                    "Content-Length: 2\r\nConnection: close\r\n\r\n{}".encode())
                    statuses.append(secured.recv(4096)[:12])
        self.assertEqual(statuses, [b"HTTP/1.1 201"] * 4)
        for other in (None, "stranger"):
            with self.assertRaises((OSError, http.client.HTTPException)):
                ask(other)
        self.assertEqual(len(upstream.effects()), 2)


if __name__ == "__main__":
    unittest.main()
