# SPDX-License-Identifier: Apache-2.0
"""Pawl as an order engine on the embedded store: one flow, whose creation holds stock, begins a deadline and sends an
event."""

import json
import os

from peers.process import Server, ask, free_port

FLOW = """\
flow: {name}
initial: reserved
fields: {{ amount: money, currency: text }}
items: true
create: {{ stock: reserve, emit: order.created }}
states:
  reserved:  {{ deadline: {{ after: {deadline}, event: expire }} }}
  paid:      {{ final: true }}
  cancelled: {{ final: true }}
events:
  pay:    {{ from: reserved, to: paid, stock: confirm, emit: order.paid }}
  note:   {{ from: reserved, to: same, emit: order.noted }}
  expire: {{ from: reserved, to: cancelled, stock: release, emit: order.expired }}
"""
CONFIGURATION = """\
listen: 127.0.0.1:{port}
admin: 127.0.0.1:{admin}
loops: {loops}
store: {{ kind: sqlite, path: {folder}/pawl.db }}
flows:
  use: [{files}]
  caller: {{ header: X-User }}
"""
SKUS = 1_000
PLENTY = 1_000_000_000
CREATE = "/v1/flows/bench"
ORDER = json.dumps({"amount": "39.80", "currency": "EUR", "items": [{"sku": "SKU-00000000", "quantity": 2}]}).encode()


def stock_up(port, headers):
    for number in range(SKUS):
        sku = f"SKU-{number:08}"
        status, _, body = ask(port, "POST", f"/v1/stock/{sku}", json.dumps({"set": PLENTY}),
                              headers | {"Idempotency-Key": f"stock-{sku}", "Content-Type": "application/json"})
        if status != 200:
            raise RuntimeError(f"stock of {sku}: {status} {body[:200]}")


class PawlFlows(Server):
    def __init__(self, binary, folder, loops, flows=None):
        """`flows`: name and deadline of each; as it comes one, `bench`, whose deadline is far."""
        port, self.admin = free_port(), free_port()
        self.store_path = os.path.join(folder, "pawl.db")
        path = os.path.join(folder, "pawl.yaml")
        files = []
        for name, deadline in (flows or {"bench": "1h"}).items():
            files.append(os.path.join(folder, f"{name}.yaml"))
            with open(files[-1], "w") as file:
                file.write(FLOW.format(name=name, deadline=deadline))
        with open(path, "w") as file:
            file.write(CONFIGURATION.format(port=port, admin=self.admin, folder=folder, loops=loops,
                                            files=", ".join(files)))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PAWL_")}
        super().__init__("pawl-flows", [os.path.abspath(binary), "serve", "--config", path], port, folder,
                         environment=environment)
