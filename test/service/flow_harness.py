# SPDX-License-Identifier: Apache-2.0
"""What the tests of flows share: a Pawl that serves flows and nothing else, callers' words over HTTP, and a payment
provider whose notifications are signed with an HMAC."""

import concurrent.futures
import hashlib
import hmac
import json
import os
import re
import tempfile
import unittest

from harness import ROOT, Pawl, Script, ServiceTest, ask, free_port, program, wait_for

SECRET = "callback-secret-0123456789"

# A provider called `hmac` with an account `shop` of its own for each flow that it reports to.
ACCOUNT = """
  - provider: hmac
    name: {name}
    flow: {flow}
    events: {{ {events} }}
    secrets: [{{ file: callback.secret }}]
    signature: {{ header: X-Signature, prefix: "sha256=" }}
    event_id: $.id
    body:
      type: $.type
      kinds: {{ paid: paid, refunded: refunded, closed: closed }}
      order: $.order
      transaction: $.transaction
      refund: $.refund
      amount: $.amount
      minor_units: false
      currency: $.currency
      merchant: $.merchant
      merchant_expected: m-7
"""


# The services that the flows call. It answers every question about an order "not paid", and does what it is asked to
# once per key; GET / says what was done.
SERVICES = """
import http from "node:http";
const done = [];
http.createServer((request, response) => {
  const say = (status, value) => { response.writeHead(status, {"Content-Type": "application/json"});
                                   response.end(JSON.stringify(value)); };
  if (request.url === "/") return say(200, done);
  if (request.method === "GET") return say(200, {paid: false});
  let body = "";
  request.on("data", part => body += part).on("end", () => {
    const key = request.headers["idempotency-key"];
    const before = done.find(one => one.key === key && one.path === request.url);
    if (before) before.asked += 1; else done.push({path: request.url, key, body, asked: 1});
    say(200, {done: true});
  });
}).listen(process.env.PORT, "127.0.0.1", () => console.log("services"));
"""


def account(name, flow, events):
    return ACCOUNT.format(name=name, flow=flow, events=events)


CALLBACKS = "callbacks:" + account("shop", "order", "paid: pay") + account("seats", "booking", "paid: pay") + account(
    "bank", "payment", "paid: paid, refunded: refunded, closed: closed")


def signed(body, secret=SECRET):
    return ("X-Signature", "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest())


class FlowTest(ServiceTest):
    """A Pawl that serves flows and nothing else, so that /v1 is theirs. `config` is the rest of its file."""

    upstreams = {}
    flows = "flows: { use: [order, payment, booking, packing] }\n"
    services_text = SERVICES
    called = ("pay", "stock", "courier", "billing", "coupons")  # the services of these flows

    @classmethod
    def setUpClass(cls):
        program()
        holder = tempfile.TemporaryDirectory(prefix="pawl-test-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = holder.name
        for name, content in {"callback.secret": SECRET, **cls.files}.items():
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as stream:
                stream.write(content)
        cls.services = Script(cls.folder, "services", cls.services_text, free_port()).start()
        cls.addClassCleanup(cls.services.kill)
        url = f"http://127.0.0.1:{cls.services.port}"
        services = "services: { " + ", ".join(f"{name}: {url}" for name in cls.called) + " }\n" if cls.called else ""
        cls.pawl = Pawl(cls.folder, cls.flows + services + cls.config)
        cls.addClassCleanup(cls.pawl.kill)
        cls.pawl.start(*cls.options)

    def post(self, path, key=None, fields=None, headers=(), body=None, timeout=30):
        if body is None and fields is not None:
            body = json.dumps(fields).encode()
        lines = [("Content-Type", "application/json"), *headers]
        if key is not None:
            lines.insert(0, ("Idempotency-Key", key))
        return self.pawl.ask("POST", path, lines, body if body is not None else b"", timeout)

    def get(self, path, headers=()):
        return self.pawl.ask("GET", path, headers)

    def stock(self, sku, total):
        answer = self.post(f"/v1/stock/{sku}", self.key(f"stock-{sku}"), {"set": total})
        self.assertEqual(answer.status, 200, answer)

    def level(self, sku):
        level = self.get(f"/v1/stock/{sku}").json()
        return level["available"], level["reserved"], level["sold"]

    def create(self, flow, key, fields, status=201):
        answer = self.post(f"/v1/flows/{flow}", key, fields)
        self.assertEqual(answer.status, status, answer)
        return answer

    def order(self, name="o", sku="A", quantity=1, **fields):
        """A new order under its own business key; its id."""
        wanted = {"business_key": self.key(name), "amount": "12.50", "currency": "EUR",
                  "items": [{"sku": sku, "quantity": quantity}], **fields}
        return self.create("order", self.key(f"create-{name}"), wanted).json()["id"]

    def event(self, flow, entity, event, key=None, fields=None, headers=()):
        return self.post(f"/v1/flows/{flow}/{entity}/events/{event}", key or self.key(f"{event}-{entity}"),
                         fields, headers)

    def entity(self, flow, entity):
        return self.get(f"/v1/flows/{flow}/{entity}").json()

    def state(self, flow, entity):
        return self.entity(flow, entity)["state"]

    def assertState(self, flow, entity, state):
        self.assertEqual(self.state(flow, entity), state)

    def notify(self, account_name, fields, secret=SECRET, **changed):
        body = json.dumps({**fields, **changed}).encode()
        return self.pawl.ask("POST", f"/v1/callbacks/hmac/{account_name}",
                             [("Content-Type", "application/json"), signed(body, secret)], body)

    def paid(self, business_key, transaction="T1", number="n-1", account_name="shop", amount="12.50", currency="EUR"):
        return self.notify(account_name, {
            "id": f"{business_key}-{number}", "type": "paid", "order": business_key,
            "transaction": f"{business_key}-{transaction}", "amount": amount, "currency": currency, "merchant": "m-7"})

    def deeds(self):
        return ask(self.services.port, "GET", "/").json()

    def done(self, path):
        """What was done at a path of the services for this test's orders."""
        return [one for one in self.deeds() if one["path"] == path and self.key("") in one["body"]]

    def steps(self, flow, entity):
        return self.get(f"/v1/flows/{flow}/{entity}/timeline").json()["steps"]

    def eventually(self, condition, what, seconds=20):
        wait_for(condition, seconds, what)

    def at_once(self, calls):
        """The answers of calls that begin together, in their order."""
        with concurrent.futures.ThreadPoolExecutor(max_workers=len(calls)) as pool:
            return [done.result() for done in [pool.submit(call) for call in calls]]


def flow_file(name):
    with open(os.path.join(ROOT, "flows", f"{name}.yaml"), encoding="utf-8") as stream:
        return stream.read()


def with_deadlines(text, **spans):
    """A flow file with other times for the deadlines of some states: created="1s"."""
    for state, span in spans.items():
        text, count = re.subn(rf"^(  {state}:\s*{{ deadline: {{ after: )\w+", rf"\g<1>{span}", text, flags=re.M)
        if count != 1:
            raise AssertionError(f"no deadline of `{state}` in the file")
    return text


__all__ = ["CALLBACKS", "FlowTest", "SECRET", "account", "flow_file", "signed", "unittest", "with_deadlines"]
