# SPDX-License-Identifier: Apache-2.0
"""Notifications of payment providers over real sockets, signed by the providers' own libraries or by the ones that
merchants verify with: five times, too early, with wrong signatures, old ones, for another account, of another amount
(R-PAYMENT). What an HMAC of one's own does is in flow_refusals_test.py."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from flow_harness import FlowTest
from harness import ROOT, node, plain_environment

CLIENTS = os.path.join(ROOT, "build", "clients")
SCRIPT = os.path.join(ROOT, "test", "service", "clients", "notification_signer.mjs")
NEW, OLD = "whsec_0123456789abcdef", "whsec_fedcba9876543210"
BYTES_MAX = 256 << 10
API_KEY = "0123456789abcdef0123456789abcdef"


def library(**wanted):
    done = subprocess.run([node(), SCRIPT], input=json.dumps(wanted).encode(), capture_output=True, timeout=60,
                          check=False, env={**plain_environment(), "PAWL_CLIENTS": CLIENTS})
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())
    return json.loads(done.stdout)


def key_pair():
    """(private, public), as PEM."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "private.pem")
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", path],
                       check=True, capture_output=True)
        public = subprocess.run(["openssl", "pkey", "-in", path, "-pubout"], check=True, capture_output=True)
        with open(path, encoding="ascii") as stream:
            return stream.read(), public.stdout.decode()


class Providers(FlowTest):
    flows = "flows: { use: [order], caller: public }\n"
    called = ("pay",)
    config = """
callbacks:
  - { provider: stripe, name: eu, flow: order, live: false, secrets: [{ file: new }, { file: old }] }
  - { provider: stripe, name: us, flow: order, live: false, secrets: [{ file: us }] }
  - provider: wechat
    name: main
    flow: order
    mchid: "190"
    keys: [{ serial: S1, file: provider.pem }]
    api_keys: [{ file: api }]
  - { provider: alipay, name: main, flow: order, app_id: "2015", currency: CNY, keys: [{ file: provider.pem }] }
"""

    @classmethod
    def setUpClass(cls):
        cls.private, public = key_pair()
        cls.files = {"new": NEW, "old": OLD, "us": "whsec_of_the_other_one", "api": API_KEY, "provider.pem": public}
        super().setUpClass()

    def setUp(self):
        self.stock("Paid", 100)

    def intent(self, order="o", payment="pi", event="evt", amount=1250, currency="eur"):
        return json.dumps({
            "id": self.key(event), "type": "payment_intent.succeeded", "livemode": False, "data": {"object": {
                "id": self.key(payment), "amount_received": amount, "currency": currency,
                "metadata": {"out_trade_no": self.key(order)}}}})

    def send(self, path, signed, body=None):
        text = signed["body"] if body is None else body
        return self.pawl.ask("POST", f"/v1/callbacks/{path}", [tuple(line) for line in signed["headers"]],
                             text.encode())

    def stripe(self, body, secret=NEW, age=0, name="eu", sent=None):
        signed = library(provider="stripe", secret=secret, at_s=int(time.time()) - age, body=body)
        return self.send(f"stripe/{name}", signed, sent)

    def assertTold(self, entity, state, version):
        seen = self.entity("order", entity)
        self.assertEqual((seen["state"], str(seen["version"])), (state, str(version)), seen)

    def counted(self, outcome, provider="stripe", account="eu"):
        return self.pawl.metric("callback_notifications_total", provider=provider, account=account,
                                outcome=outcome) or 0

    def test_five_times_is_once(self):
        order = self.order(sku="Paid")
        applied, seen = self.counted("applied"), self.counted("seen")
        for secret in (NEW, OLD, NEW, OLD, NEW):
            answer = self.stripe(self.intent(), secret)
            self.assertEqual((answer.status, answer.json()), (200, {"received": True}), answer)
        self.assertTold(order, "paid", 2)
        self.assertEqual((self.counted("applied") - applied, self.counted("seen") - seen), (1, 4))

    def test_one_payment_under_many_ids_is_one(self):
        order = self.order(sku="Paid")
        bodies = [self.intent(event=f"evt{i % 4}") for i in range(12)]
        answers = self.at_once([lambda body=body: self.stripe(body).status for body in bodies])
        self.assertEqual(answers, [200] * 12)
        self.assertTold(order, "paid", 2)
        self.assertEqual(self.stripe(self.intent(payment="pi2", event="second")).status, 200)
        self.assertTold(order, "paid", 3)  # refunded, not applied

    def test_before_its_order_it_waits(self):
        """Case 29."""
        for _ in range(2):
            self.assertEqual(self.stripe(self.intent()).status, 200)
        order = self.order(sku="Paid")
        self.eventually(lambda: self.state("order", order) == "paid", "the fact meets its order")
        self.assertTold(order, "paid", 2)

    def test_nobodys_word_changes_nothing(self):
        order = self.order(sku="Paid")
        body = self.intent()
        for answer in (self.stripe(body, "whsec_another_secret"), self.stripe(body, age=330),
                       self.stripe(body, age=-330), self.stripe(body, sent=body.replace("1250", "1251")),
                       self.stripe(body, name="us")):
            self.assertEqual((answer.status, answer.json()), (401, {"received": False}), answer)
        self.assertEqual(self.stripe(body, name="asia").status, 404)
        self.assertTold(order, "created", 1)
        self.assertEqual(self.stripe(body, age=290).status, 200, "and the right one does")
        self.assertTold(order, "paid", 2)

    def test_a_secret_is_changed_without_a_gap(self):
        order = self.order(sku="Paid")
        body = self.intent()
        self.assertEqual(self.stripe(body, "whsec_of_the_next_one", name="us").status, 401)
        refused = self.counted("not_authentic", account="us")
        self.assertGreaterEqual(refused, 1)
        with open(os.path.join(self.folder, "us"), "w", encoding="ascii") as stream:
            stream.write("whsec_of_the_next_one\n")
        os.kill(self.pawl.pid, signal.SIGHUP)
        self.eventually(lambda: self.stripe(body, "whsec_of_the_next_one", name="us").status == 200, "it is read")
        self.assertTold(order, "paid", 2)
        self.assertGreaterEqual(self.counted("not_authentic", account="us"), refused, "and the counting goes on")

    def test_what_differs_is_for_people(self):
        order = self.order(sku="Paid")
        for i, other in enumerate(({"amount": 1249}, {"currency": "usd"}, {"amount": 125000})):
            answer = self.stripe(self.intent(payment=f"pi{i}", event=f"evt{i}", **other))
            self.assertEqual(answer.status, 200, answer)
        self.assertTold(order, "created", 1)
        self.assertGreaterEqual(self.pawl.metric("callback_alarms_total", provider="stripe", account="eu"), 3)
        self.assertEqual(self.stripe(self.intent(payment="right", event="right")).status, 200)
        self.assertTold(order, "paid", 2)

    def test_what_says_nothing_about_money_is_acknowledged(self):
        body = json.dumps({"id": self.key("evt"), "type": "customer.updated", "livemode": False,
                           "data": {"object": {"id": "cus_1"}}})
        self.assertEqual(self.stripe(body).status, 200)

    def test_a_kill_between_loses_none_and_applies_none_twice(self):
        """Case X16: what was not written is not seen, and what was is seen."""
        names = [f"o{i}" for i in range(20)]
        orders = [self.order(name, sku="Paid") for name in names]
        bodies = [self.intent(order=name, payment=f"pi-{name}", event=f"evt-{name}") for name in names]
        signed = [library(provider="stripe", secret=NEW, at_s=int(time.time()), body=body) for body in bodies]

        def told(one):
            try:
                return self.send("stripe/eu", one).status
            except OSError:
                return None

        with ThreadPoolExecutor(8) as pool:
            first = [pool.submit(told, one) for one in signed]
            while not any(one.done() for one in first):
                time.sleep(0.0005)
            self.pawl.kill()
            answers = [one.result() for one in first]
        self.assertIn(200, answers)
        self.pawl.start()
        for one, answer, order in zip(signed, answers, orders):
            if answer == 200:
                self.assertTold(order, "paid", 2)
            self.assertEqual(told(one), 200)
            self.assertTold(order, "paid", 2)

    def test_a_body_has_its_bound(self):
        start = json.dumps({"id": self.key("evt"), "type": "customer.updated", "livemode": False, "data": {}})
        self.assertEqual(self.stripe(start.ljust(BYTES_MAX)).status, 200)
        self.assertEqual(self.stripe(start.ljust(BYTES_MAX + 1)).status, 413)

    def test_wechat_pay_is_answered_by_the_status_alone(self):
        order = self.order(sku="Paid", currency="CNY")
        news = {"mchid": "190", "appid": "wx1", "out_trade_no": self.key("o"), "transaction_id": self.key("t"),
                "trade_state": "SUCCESS", "amount": {"total": 1250, "currency": "CNY"}}
        wanted = {"provider": "wechat", "private_key": self.private, "serial": "S1", "api_key": API_KEY,
                  "envelope": {"id": self.key("EV"), "event_type": "TRANSACTION.SUCCESS"}, "news": news}
        for _ in range(5):  # sealed and signed anew each time
            signed = library(at_s=int(time.time()), **wanted)
            answer = self.send("wechat/main", signed)
            self.assertEqual((answer.status, answer.body), (204, b""), answer)
        self.assertTold(order, "paid", 2)
        forged = self.send("wechat/main", signed, signed["body"] + " ")
        self.assertEqual((forged.status, forged.json()["code"]), (401, "FAIL"))
        other = library(at_s=int(time.time()), **{**wanted, "api_key": API_KEY[::-1]})
        self.assertEqual(self.send("wechat/main", other).status, 500, "our key is wrong: it comes again")
        another = {**wanted, "envelope": {**wanted["envelope"], "id": self.key("EV2")},
                   "news": {**news, "mchid": "191"}}
        self.assertEqual(self.send("wechat/main", library(at_s=int(time.time()), **another)).status, 204)
        self.assertTold(order, "paid", 2)

    def test_alipay_is_answered_by_the_body_alone(self):
        order = self.order(sku="Paid", currency="CNY")
        trade = {"notify_type": "trade_status_sync", "notify_id": self.key("n"), "app_id": "2015", "charset": "utf-8",
                 "trade_no": self.key("t"), "out_trade_no": self.key("o"), "trade_status": "TRADE_SUCCESS",
                 "total_amount": "12.50", "subject": "订单 + 1% & more="}
        for state in ("TRADE_SUCCESS", "TRADE_SUCCESS", "TRADE_FINISHED"):
            number = self.key(f"n-{state}")
            signed = library(provider="alipay", private_key=self.private,
                             parameters={**trade, "trade_status": state, "notify_id": number})
            answer = self.send("alipay/main", signed)
            self.assertEqual((answer.status, answer.body), (200, b"success"), answer)
        self.assertTold(order, "paid", 2)
        forged = self.send("alipay/main", signed, signed["body"].replace("12.50", "12.51"))
        self.assertEqual((forged.status, forged.body), (401, b"fail"))


if __name__ == "__main__":
    unittest.main()
