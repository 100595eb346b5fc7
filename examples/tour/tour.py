#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Three races against a running demonstration (`make run`), and one against a Pawl of its own.

  python3 examples/tour/tour.py book    ten callers at once for one slot
  python3 examples/tour/tour.py pack    one box, two terminals
  python3 examples/tour/tour.py late    an order expires in two seconds and is paid then; starts a Pawl of its own

Options: --url http://127.0.0.1:8080, or TOUR_URL in the environment: where the demonstration listens; for `late`
--pawl build/release/pawl.
"""

import argparse
import concurrent.futures
import hashlib
import hmac
import http.server
import json
import os
import re
import secrets
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))


def ask(url, method="GET", fields=None, **headers):
    """(status, document) of one request."""
    body = None if fields is None else json.dumps(fields).encode()
    request = urllib.request.Request(url, body, {name.replace("_", "-"): value for name, value in headers.items()},
                                     method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        status, text = refused.code, refused.read()
    except urllib.error.URLError as away:
        raise SystemExit(f"{url}: {away.reason}. Is `make run` up in another terminal? The address that it prints at "
                         "`requests` goes behind --url.") from None
    return status, json.loads(text) if text else {}


def post(url, key, fields=None):
    return ask(url, "POST", fields or {}, Idempotency_Key=key, Content_Type="application/json")


def create(url, key, fields):
    status, document = post(url, key, fields)
    if status != 201:
        raise SystemExit(f"{url}: {status} {document.get('detail', document)}")
    return document


def together(calls):
    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return [done.result() for done in [pool.submit(call) for call in calls]]


def book(flows):
    mark = secrets.token_hex(3)
    bookings = []
    for number in range(10):
        fields = {"user": f"user-{number}", "resource": f"room-{mark}", "start": "2030-05-01T10:00:00Z",
                  "end": "2030-05-01T11:00:00Z", "token": f"{mark}-{number}", "order": f"{mark}-{number}",
                  "operation": "book", "amount": "30.00", "currency": "EUR"}
        bookings.append(create(f"{flows}/booking", f"{mark}-create-{number}", fields)["id"])
    answers = together([lambda one=one: post(f"{flows}/booking/{one}/events/reserve", f"{mark}-{one}")
                        for one in bookings])
    for number, (status, document) in enumerate(answers):
        print(f"user-{number}  {status}  {document.get('code') or document['state']}")


def pack(flows):
    mark = secrets.token_hex(3)
    box = create(f"{flows}/packing", f"{mark}-create", {"box": mark})["id"]
    post(f"{flows}/packing/{box}/events/arrive", f"{mark}-arrive")

    def scan(nonce):
        values = [mark, int(time.time() * 1000), nonce]
        parts = [str(value).encode() for value in ("pawl.scan.2", "packing", "pack", *values)]
        token = hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).hexdigest()
        return {"token": token, "ts_ms": values[1], "nonce": nonce}
    scans = {"terminal-1": scan("1"), "terminal-2": scan("2")}
    path = f"{flows}/packing/{box}/events/pack"
    answers = together([lambda name=name: post(path, f"{mark}-{name}", scans[name]) for name in scans])
    for name, (status, document) in zip(scans, answers):
        print(f"{name}  {status}  {document.get('code') or document['state']}")
    won = list(scans)[0 if answers[0][0] == 200 else 1]
    status, document = post(path, f"{mark}-again", scans[won])
    print(f"{won}  {status}  {document['state']}, the first answer again")


class Services(http.server.BaseHTTPRequestHandler):
    """What the flow calls: nobody has paid, and refunds are made once per key."""

    refunds = []

    def say(self, document):
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.say({"paid": False})

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers["Idempotency-Key"] not in self.refunds:
            self.refunds.append(self.headers["Idempotency-Key"])
        self.say({"done": True})

    def log_message(self, *_):
        pass


def serve_late(folder, pawl):
    """A Pawl whose orders expire after two seconds; (process, url, secret)."""
    with open(os.path.join(HERE, "..", "..", "flows", "order.yaml"), encoding="utf-8") as stream:
        flow = re.sub(r"(  created: +\{ deadline: \{ after: )15m", r"\g<1>2s", stream.read())
    services = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Services)
    threading.Thread(target=services.serve_forever, daemon=True).start()
    secret = secrets.token_hex(16)
    files = {"order.yaml": flow, "secret": secret, "pawl.yaml": f"""
listen: 127.0.0.1:0
admin: 127.0.0.1:0
store: {{ kind: sqlite, path: {folder}/pawl.db }}
flows: {{ use: [./order.yaml], caller: public }}
services: {{ pay: "http://127.0.0.1:{services.server_address[1]}" }}
callbacks:
  - provider: hmac
    name: shop
    flow: order
    events: {{ paid: pay }}
    secrets: [{{ file: {folder}/secret }}]
    signature: {{ header: X-Signature, prefix: "sha256=" }}
    event_id: $.id
    body: {{ type: $.type, kinds: {{ paid: paid }}, order: $.order, transaction: $.transaction,
            amount: $.amount, minor_units: false, currency: $.currency }}
"""}
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as stream:
            stream.write(text)
    server = subprocess.Popen([pawl, "serve", "--config", os.path.join(folder, "pawl.yaml")], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    for line in server.stdout:
        found = re.search(r"requests +(http://\S+)", line)
        if found:
            return server, found[1], secret
    raise SystemExit("pawl did not start")


def late(pawl):
    with tempfile.TemporaryDirectory() as folder:
        server, url, secret = serve_late(folder, pawl)
        try:
            flows = f"{url}/v1/flows"
            fields = {"business_key": "B1", "amount": "12.50", "currency": "EUR",
                      "items": [{"sku": "lamp", "quantity": 1}]}
            order = create(f"{flows}/order", "create", fields)
            print(order['state'] + ", expires in 2 s")
            while ask(f"{flows}/order/{order['id']}")[1]["state"] == "created":
                time.sleep(0.1)
            print("expired:", ask(f"{flows}/order/{order['id']}")[1]["state"])
            fact = json.dumps({"id": "n-1", "type": "paid", "order": "B1", "transaction": "T1", "amount": "12.50",
                               "currency": "EUR"})
            mac = hmac.new(secret.encode(), fact.encode(), hashlib.sha256).hexdigest()
            for _ in range(3):
                status, _ = ask(f"{url}/v1/callbacks/hmac/shop", "POST", json.loads(fact), X_Signature=f"sha256={mac}")
                print("the provider reports the payment:", status)
            end = time.monotonic() + 20
            while not Services.refunds and time.monotonic() < end:
                time.sleep(0.1)
            time.sleep(1)
            print("refunds:", len(Services.refunds))
            print("the order:", ask(f"{flows}/order/{order['id']}")[1]["state"])
            for step in ask(f"{flows}/order/{order['id']}/timeline")[1]["steps"]:
                print(f"  {step['version']}  {step['event']:<8} {step['from']:>9} -> {step['to']:<9} {step['sender']}"
                      f"{', ' + step['course'] if step['course'] != 'applied' else ''}")
        finally:
            server.terminate()
            server.wait()


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("what", choices=("book", "pack", "late"))
    words.add_argument("--url", default=os.environ.get("TOUR_URL", "http://127.0.0.1:8080"))
    words.add_argument("--pawl", default=os.path.join(HERE, "..", "..", "build", "release", "pawl"))
    given = words.parse_args()
    if given.what == "late":
        late(given.pawl)
    else:
        {"book": book, "pack": pack}[given.what](f"{given.url.rstrip('/')}/v1/flows")


if __name__ == "__main__":
    main()
