# SPDX-License-Identifier: Apache-2.0
"""Tenants: whose a request is, by a header, a token or the host; never a space of keys that tenants share (R-SCOPE)."""

import base64
import hashlib
import hmac
import json
import tempfile
import time
import unittest

from harness import ServiceTest, receive

SECRET = "t" * 32
SECRET_FILE = tempfile.NamedTemporaryFile("w", prefix="pawl-test-secret-", encoding="ascii")
SECRET_FILE.write(SECRET)
SECRET_FILE.flush()


def url64(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def token(**claims):
    said = url64(b'{"alg":"HS256"}') + "." + url64(json.dumps({"exp": int(time.time()) + 600, **claims}).encode())
    return "Bearer " + said + "." + url64(hmac.new(SECRET.encode(), said.encode(), hashlib.sha256).digest())


class Tenants(ServiceTest):
    config = """
callers:
  main: { jwt: { algorithm: HS256, key: { file: SECRET_FILE } } }
tenant: { header: X-Tenant }
limits: { unresolved_per_tenant_max: 1 }
routes:
  - match: POST /orders/*
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: { header: X-User }
    uncertain: { effect_horizon: 1h }
  - match: POST /signed/*
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: { jwt: main }
    tenant: { jwt: main, claim: org }
    uncertain: { effect_horizon: 1h }
  - match: POST /hosts/*
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: { header: X-User }
    tenant: { host: true }
    uncertain: { effect_horizon: 1h }
""".replace("SECRET_FILE", SECRET_FILE.name)

    def send(self, path, key, *headers):
        return self.post(path + key, key, headers=headers)

    def test_one_key_of_two_tenants_is_two_operations(self):
        key, anna = self.key(), ("X-User", "anna")
        first = self.send("/orders/", key, anna, ("X-Tenant", "acme"))
        self.assertEqual((first.status, first.replayed), (201, False))
        other = self.send("/orders/", key, anna, ("X-Tenant", "zeta"))
        self.assertEqual((other.status, other.replayed), (201, False))
        self.assertSameAnswer(first, self.send("/orders/", key, anna, ("X-Tenant", "acme")))
        self.assertEqual(len(self.plain.effects("/orders/" + key)), 2)

    def test_without_a_tenant_nothing_is_done(self):
        key, anna = self.key(), ("X-User", "anna")
        self.assertProblem(self.send("/orders/", key, anna), 401, "caller_unknown")
        twice = self.send("/orders/", key, anna, ("X-Tenant", "acme"), ("X-Tenant", "zeta"))
        self.assertProblem(twice, 401, "caller_unknown")
        self.assertProblem(self.send("/signed/", key, ("Authorization", token(sub="anna"))), 401, "caller_unknown")
        self.assertEqual(self.plain.effects("/orders/" + key) + self.plain.effects("/signed/" + key), [])

    def test_no_second_spelling_reaches_the_service(self):
        key = self.key()
        self.send("/orders/", key, ("X-User", "anna"), ("X-Tenant", "acme"), ("X_Tenant", "zeta"))
        seen = self.plain.seen("/orders/" + key)[-1]["headers"]
        self.assertEqual((seen.all("X-Tenant"), seen.all("X_Tenant")), (["acme"], []))

    def test_a_tokens_member_names_the_tenant(self):
        key = self.key()
        first = self.send("/signed/", key, ("Authorization", token(sub="anna", org="acme")), ("X-Tenant", "zeta"))
        self.assertEqual(first.status, 201)
        again = self.send("/signed/", key, ("Authorization", token(sub="anna", org="acme")))
        self.assertSameAnswer(first, again)
        self.assertFalse(self.send("/signed/", key, ("Authorization", token(sub="anna", org="zeta"))).replayed)

    def test_the_host_names_the_tenant(self):
        key = self.key()
        answers = [self.for_host(host, "/hosts/" + key, key)
                   for host in ("acme.example", "ACME.example:8443", "zeta.example")]
        self.assertEqual([(answer.status, answer.replayed) for answer in answers],
                         [(201, False), (201, True), (201, False)])

    def test_a_host_that_is_none_names_nobody(self):
        key = self.key()
        for host in ("acme.example:80:80", "acme.example:1:2", "::", ":80", "acme.example:x"):
            with self.subTest(host):
                self.assertProblem(self.for_host(host, "/hosts/" + key, key), 400, "request_invalid")
        self.assertEqual(self.plain.seen("/hosts/" + key), [])

    def for_host(self, host, path, key):
        connection = self.pawl.connect()
        self.addCleanup(connection.close)
        connection.putrequest("POST", path, skip_host=True, skip_accept_encoding=True)
        for name, value in (("Host", host), ("X-User", "anna"), ("Idempotency-Key", key), ("Content-Length", "2")):
            connection.putheader(name, value)
        connection.endheaders(b"{}")
        return receive(connection)

    def test_each_tenant_has_limits_of_its_own(self):
        def lost(name, tenant):
            fault = ("X-Fault", "drop-after")
            return self.send("/orders/", self.key(name), ("X-User", "anna"), ("X-Tenant", tenant), fault)
        for tenant in ("limit-a", "limit-b"):
            self.assertEqual(lost(tenant, tenant).status, 502)
        self.assertProblem(lost("more", "limit-a"), 429, "limited")
        other = self.send("/orders/", self.key("else"), ("X-User", "anna"), ("X-Tenant", "limit-c"))
        self.assertEqual(other.status, 201)


if __name__ == "__main__":
    unittest.main()
