# SPDX-License-Identifier: Apache-2.0
"""Pawl on the embedded store, one event loop, three routes: protected with the body taken raw, protected
with the body in canonical form, and unprotected."""

import os

from peers.process import Server, ask, free_port

CONFIGURATION = """\
listen: 127.0.0.1:{port}
admin: 127.0.0.1:{admin}
loops: {loops}
store: {{ kind: sqlite, path: {folder}/pawl.db }}
{limits}routes:
  - match: POST /raw
    upstream: http://127.0.0.1:{upstream}
    key: {{ header: Idempotency-Key, required: true }}
    caller: {{ header: X-User }}
    fingerprint: raw
    uncertain: {{ effect_horizon: 60s }}
  - match: POST /canonical
    upstream: http://127.0.0.1:{upstream}
    key: {{ header: Idempotency-Key, required: true }}
    caller: {{ header: X-User }}
    fingerprint: {{ json: canonical, exclude: [$.sent_at] }}
    uncertain: {{ effect_horizon: 60s }}
  - match: POST /open
    upstream: http://127.0.0.1:{upstream}
    protect: false
"""


class Pawl(Server):
    def __init__(self, binary, folder, upstream_port, loops, cache_bytes_max=None):
        """`cache_bytes_max`: of the answers in memory; not said: as Pawl comes."""
        port, self.admin = free_port(), free_port()
        self.store_path = os.path.join(folder, "pawl.db")
        path = os.path.join(folder, "pawl.yaml")
        with open(path, "w") as file:
            limits = "" if cache_bytes_max is None else f"limits: {{ cache_bytes_max: {cache_bytes_max} }}\n"
            file.write(CONFIGURATION.format(port=port, admin=self.admin, folder=folder, upstream=upstream_port,
                                            loops=loops, limits=limits))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PAWL_")}
        command = [os.path.abspath(binary), "serve", "--config", path]
        super().__init__("pawl", command, port, folder, environment=environment)

    def figure(self, name):
        """Of its metrics, by name; all label sets of it together."""
        _, _, text = ask(self.admin, path="/metrics")
        values = [line.split()[-1] for line in text.decode().splitlines() if line.split("{")[0].split(" ")[0] == name]
        if not values:
            raise RuntimeError(f"pawl has no figure {name}")
        return sum(float(value) for value in values)

    def store_mib(self, *suffixes):
        """Of the store's files; of those with one of the suffixes alone."""
        paths = [self.store_path + suffix for suffix in suffixes or ("", "-wal")]
        return sum(os.path.getsize(path) for path in paths if os.path.exists(path)) / 2**20

    def prove(self, path, key, body, headers):
        """That the route does what the load will be taken for: runs once and replays, or protects nothing."""
        headers = headers | {"Idempotency-Key": key, "Content-Type": "application/json"}
        answers = [ask(self.port, "POST", path, body, headers) for _ in range(2)]
        if any(status != 201 for status, _, _ in answers):
            raise RuntimeError(f"pawl {path}: answered {[(status, body) for status, _, body in answers]}")
        replays = [fields.get("idempotent-replayed") == "true" for _, fields, _ in answers]
        expected = [False, path != "/open"]
        if replays != expected or answers[0][2] != answers[1][2]:
            raise RuntimeError(f"pawl {path}: replayed {replays} instead of {expected}: {answers}")
