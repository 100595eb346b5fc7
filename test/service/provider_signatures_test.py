# SPDX-License-Identifier: Apache-2.0
"""Notifications signed by the providers' own libraries, or by the ones that merchants verify with, pass here; and what
those libraries refuse is refused here (R-PAYMENT)."""

import json
import os
import subprocess
import tempfile
import unittest

from harness import ROOT, node, plain_environment

CLIENTS = os.path.join(ROOT, "build", "clients")
VERIFIER = os.environ.get("PAWL_CALLBACK_VERIFIER", os.path.join(ROOT, "build", "dev", "test", "callback",
                                                                "callback_verifier"))
NOW = 1764000000
INTENT = {"id": "evt_1", "type": "payment_intent.succeeded", "livemode": False, "data": {"object": {
    "id": "pi_1", "amount_received": 1250, "currency": "usd", "metadata": {"out_trade_no": "order-ü"}}}}
PAID = {"type": "payment.paid",
        "data": {"order": "o", "payment": "p", "amount": 5, "currency": "EUR", "shop": "shop-7"}}
STANDARD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
TRADE = {"notify_type": "trade_status_sync", "notify_id": "n1", "app_id": "2015", "charset": "utf-8", "trade_no": "t",
         "out_trade_no": "o", "trade_status": "TRADE_SUCCESS", "total_amount": "88.88", "subject": "订单 + 1% & more=",
         "body": "", "buyer_logon_id": "159****5620"}


def run(command, given):
    done = subprocess.run(command, input=given, capture_output=True, timeout=60, check=False,
                          env={**plain_environment(), "PAWL_CLIENTS": CLIENTS})
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stderr.decode()}")
    return done.stdout.decode()


def library(**wanted):
    script = os.path.join(ROOT, "test", "service", "clients", "notification_signer.mjs")
    return json.loads(run([node(), script], json.dumps(wanted).encode()))


def told(notification, *words, body=None):
    head = "".join(f"{name}: {value}\n" for name, value in notification["headers"])
    text = notification["body"] if body is None else body
    return run([VERIFIER, *words], f"{head}\n{text}".encode()).strip()


class ProviderSignatures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.private, cls.public = (os.path.join(cls.folder.name, name) for name in ("private.pem", "public.pem"))
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out",
                        cls.private], check=True, capture_output=True)
        subprocess.run(["openssl", "pkey", "-in", cls.private, "-pubout", "-out", cls.public], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def read(self, path):
        with open(path, encoding="ascii") as file:
            return file.read()

    def assertStands(self, notification, words, said):
        """It passes as it is, and not with another body, at another time or under another key."""
        self.assertEqual(told(notification, *words), said)
        body = notification["body"]
        self.assertEqual(told(notification, *words, body=body.replace("o", "p", 1)), "refused not_authentic")
        self.assertEqual(told(notification, *words, body=body + " "), "refused not_authentic")

    def test_stripes_library_signs(self):
        for body in (json.dumps(INTENT), json.dumps(INTENT, ensure_ascii=False, indent=2) + "\n"):
            signed = library(provider="stripe", secret="whsec_0123456789abcdef", at_s=NOW, body=body)
            words = ["stripe", str(NOW), "whsec_0123456789abcdef"]
            self.assertStands(signed, words, "evt_1 paid order=order-ü tx=pi_1 12.50 USD")
            self.assertEqual(told(signed, "stripe", str(NOW + 301), words[2]), "refused out_of_time")
            self.assertEqual(told(signed, "stripe", str(NOW), "whsec_another_123456"), "refused not_authentic")

    def test_standard_webhooks_library_signs(self):
        signed = library(provider="standard", secret=STANDARD_SECRET, at_s=NOW, id="msg_1", body=json.dumps(PAID))
        self.assertStands(signed, ["standard", str(NOW), STANDARD_SECRET],
                          "msg_1 paid order=o tx=p 0.05 EUR m=shop-7")
        self.assertEqual(told(signed, "standard", str(NOW - 301), STANDARD_SECRET), "refused out_of_time")

    def test_wechat_pays_library_signs_and_seals(self):
        api_key = "0123456789abcdef0123456789abcdef"
        news = {"mchid": "190", "appid": "wx1", "out_trade_no": "o", "transaction_id": "t", "trade_state": "SUCCESS",
                "attach": "附加数据", "amount": {"total": 100, "currency": "CNY"}}
        signed = library(provider="wechat", private_key=self.read(self.private), serial="S1", api_key=api_key,
                         at_s=NOW, envelope={"id": "EV-1", "event_type": "TRANSACTION.SUCCESS"}, news=news)
        words = ["wechat", str(NOW), "190", self.public, "S1", api_key]
        self.assertStands(signed, words, "EV-1 paid order=o tx=t 1.00 CNY m=190 a=wx1")
        self.assertEqual(told(signed, *words[:5], api_key[::-1]), "refused sealed")
        self.assertEqual(told(signed, *words[:4], "S2", api_key), "refused key_unknown")

    def test_alipays_library_verifies_the_same(self):
        signed = library(provider="alipay", private_key=self.read(self.private), parameters=TRADE)
        words = ["alipay", str(NOW), "2015", self.public]
        self.assertStands(signed, words, "n1 paid order=o tx=t 88.88 CNY a=2015")
        body = signed["body"]
        for changed, good in ((body, True), ("&".join(reversed(body.split("&"))), True), (body + "&more=1", False),
                              (body.replace("88.88", "88.89"), False), (body.replace("body=&", ""), False)):
            verdict = library(provider="alipay", app_id="2015", public_key=self.read(self.public), verify=changed)
            self.assertEqual(verdict["good"], good, changed)
            self.assertEqual(told(signed, *words, body=changed).startswith("n1 paid"), good, changed)


if __name__ == "__main__":
    unittest.main()
