# SPDX-License-Identifier: Apache-2.0
"""What people use instead of Pawl, started for one comparison. Each gets the same request; each is asked twice
first, so that what is measured is known to run a key once and to repeat its answer."""

import os

from peers import databases, go_peers, restate
from peers.process import ask
from peers.work import BODY, Work

ORDER = ("pawl replay", "go usual replay", "go usual replay, equal threads", "go rows replay", "restate replay",
         "pawl new key", "go usual new key", "go rows new key", "restate new key")


def _prove(name, server, path, headers):
    headers = headers | {"Idempotency-Key": "bench-same", "Content-Type": "application/json"}
    first, again = (ask(server.port, "POST", path, BODY, headers) for _ in range(2))
    if first[0] not in (200, 201) or first[0] != again[0] or first[2] != again[2]:
        raise RuntimeError(f"{name}: answered {first[0]} {first[2][:200]}, then {again[0]} {again[2][:200]}")


def start(stage, upstream, pawl, headers, loops):
    """The works of a round. `loops`: of Pawl."""
    programs, installed = go_peers.build(stage.out), restate.install(stage.out)
    os.chmod(stage.folder, 0o711)  # PostgreSQL may run as somebody else
    redis = stage.keep(databases.redis(stage.folder))
    postgres = stage.keep(databases.postgres(stage.folder))
    usual = stage.keep(go_peers.usual(programs, stage.folder, redis, postgres))
    rows = stage.keep(go_peers.rows(programs, stage.folder, postgres, upstream))
    rest = stage.keep(restate.Restate(installed, stage.folder))
    works = []
    for name, server, path in (("pawl", pawl, "/canonical"), ("go usual", usual, "/orders"),
                               ("go rows", rows, "/orders"), ("restate", rest, "/orders/create")):
        _prove(name, server, path, headers)
        works += [Work(f"{name} replay", server, path, "same", headers),
                  Work(f"{name} new key", server, path, "fresh", headers)]
    equal = stage.keep(go_peers.usual(programs, stage.folder, redis, postgres, threads=loops))
    _prove("go usual, equal threads", equal, "/orders", headers)
    works.append(Work("go usual replay, equal threads", equal, "/orders", "same", headers))
    return sorted(works, key=lambda one: ORDER.index(one.name))
