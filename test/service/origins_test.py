# SPDX-License-Identifier: Apache-2.0
"""Pages of other origins: preflights are answered here, and every answer may be read by the pages that are named, a
replay by another page than the first one too (field case X9). The requests are those that Chromium sends."""

import unittest

from harness import ServiceTest, wanted

SHOP, TILL, EVIL = "https://shop.example", "https://till.example", "https://evil.example"


class Origins(ServiceTest):
    config = f"""
cors: {{ origins: [{SHOP}, {TILL}], credentials: true, headers: [X-Answer] }}
default_upstream: {{plain}}
routes:
  - match: POST /orders/*
    upstream: {{plain}}
    key: {{ header: Idempotency-Key, required: true }}
    caller: {{ header: X-User }}
    body_bytes_max: 1KiB
    uncertain: {{ effect_horizon: 1h }}
  - match: POST /open/*
    upstream: {{plain}}
    key: {{ header: Idempotency-Key, required: true }}
    cors: {{ origins: "*", max_age: 5s }}
    uncertain: {{ effect_horizon: 1h }}
"""

    def preflight(self, path, origin, method="POST"):
        return self.pawl.ask("OPTIONS", path, [
            ("Accept", "*/*"), ("Access-Control-Request-Method", method),
            ("Access-Control-Request-Headers", "content-type,idempotency-key"), ("Origin", origin),
            ("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Dest", "empty")])

    def order(self, key, origin, *headers, path="/orders/", user="anna", body=None):
        lines = [("Origin", origin), ("X-User", user), *headers] if origin else [("X-User", user), *headers]
        return self.post(path + (key or "none"), key, headers=lines, body=body)

    def assertReadable(self, answer, origin, names="Idempotent-Replayed, Location"):
        self.assertEqual(answer.all("Access-Control-Allow-Origin"), [origin], answer)
        self.assertEqual(answer.all("Access-Control-Allow-Credentials"), ["true"])
        self.assertLessEqual(set(names.split(", ")), set(answer.header("Access-Control-Expose-Headers").split(", ")))
        self.assertIn("Origin", ",".join(answer.all("Vary")))

    def assertNotReadable(self, answer):
        self.assertFalse([name for name, _ in answer.headers if name.lower().startswith("access-control-")], answer)
        self.assertIn("Origin", ",".join(answer.all("Vary")))

    def test_a_preflight_lists_the_key_and_reaches_nobody(self):
        path = "/orders/" + self.key()
        answer = self.preflight(path, SHOP)
        self.assertEqual((answer.status, answer.body), (204, b""))
        self.assertEqual(answer.all("Access-Control-Allow-Origin"), [SHOP])
        self.assertEqual(answer.header("Access-Control-Allow-Methods"), "POST")
        allowed = answer.header("Access-Control-Allow-Headers").split(", ")
        self.assertLessEqual({"Content-Type", "Idempotency-Key", "Pawl-Repeat", "X-Answer"}, set(allowed))
        self.assertEqual(answer.header("Access-Control-Max-Age"), "600")
        self.assertEqual(self.plain.seen(path), [])

    def test_a_page_that_is_not_named_is_refused_before_it_sends_anything(self):
        answer = self.preflight("/orders/" + self.key(), EVIL)
        self.assertProblem(answer, 403, "forbidden")
        self.assertNotReadable(answer)

    def test_what_the_preflight_allowed_is_sent_once_and_replayed_to_each_page(self):
        key = self.key()
        self.assertEqual(self.preflight("/orders/" + key, SHOP).status, 204)
        first = self.order(key, SHOP)
        self.assertEqual(first.status, 201)
        self.assertReadable(first, SHOP)
        again = self.order(key, TILL)
        self.assertSameAnswer(first, again)
        self.assertReadable(again, TILL)
        other = self.order(key, EVIL)
        self.assertTrue(other.replayed)
        self.assertNotReadable(other)
        self.assertNotReadable(self.order(key, None))
        self.assertEqual(len(self.plain.effects("/orders/" + key)), 1)

    def test_refusals_can_be_read_too(self):
        self.assertReadable(self.order(None, SHOP), SHOP)  # 400 key_missing
        key = self.key()
        unknown = self.post("/orders/" + key, key, headers=[("Origin", SHOP)])
        self.assertProblem(unknown, 401, "caller_unknown")
        self.assertReadable(unknown, SHOP)
        large = self.order(key, SHOP, body=b"x" * 2000)
        self.assertProblem(large, 413, "body_too_large")
        self.assertReadable(large, SHOP)
        self.order(key, SHOP)
        reused = self.order(key, SHOP, body=b"another")
        self.assertProblem(reused, 422, "key_reused")
        self.assertReadable(reused, SHOP)

    def test_what_the_upstream_says_of_it_is_dropped(self):
        key = self.key()
        lines = [["Access-Control-Allow-Origin", "*"], ["Vary", "Accept"], ["X-Own", "1"]]
        answer = self.order(key, SHOP, wanted(status=201, headers=lines))
        self.assertReadable(answer, SHOP)
        relayed = self.pawl.ask("POST", "/anything", [("Origin", TILL), wanted(status=200, headers=lines)], b"{}")
        self.assertEqual(relayed.header("X-Own"), "1")
        self.assertReadable(relayed, TILL, "Location")
        self.assertNotReadable(self.pawl.ask("POST", "/anything", [wanted(status=200, headers=lines)], b"{}"))

    def test_a_route_has_its_own_rule_in_place_of_the_files(self):
        answer = self.preflight("/open/x", EVIL)
        self.assertEqual((answer.status, answer.header("Access-Control-Allow-Origin")), (204, "*"))
        self.assertIsNone(answer.header("Access-Control-Allow-Credentials"))
        self.assertEqual(answer.header("Access-Control-Max-Age"), "5")
        first = self.order(self.key(), EVIL, path="/open/")
        self.assertEqual(first.all("Access-Control-Allow-Origin"), ["*"])

    def test_an_options_request_that_is_no_preflight_goes_on(self):
        path = "/plain-options"
        self.pawl.ask("OPTIONS", path, [("Origin", SHOP)])
        self.assertEqual([seen["method"] for seen in self.plain.seen(path)], ["OPTIONS"])


if __name__ == "__main__":
    unittest.main()
