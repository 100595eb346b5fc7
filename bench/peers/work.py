# SPDX-License-Identifier: Apache-2.0
"""The works that are compared, one run of wrk over one of them, and what follows from all runs."""

import json
import os
import statistics
import subprocess
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BODY = json.dumps({"items": [{"sku": "SKU-48000000", "quantity": 2, "price": "19.90"}], "total": "39.80",
                   "buyer": "cus_7b1c2f5e", "sent_at": "2026-11-29T14:47:32.123Z"}).encode()


@dataclass
class Work:
    """Shape: `keys` is `same` (one key, one prepared request), `fresh` (a key per request), `known` or `mixed`, with
    their `options`, as in load.lua."""
    name: str
    server: object
    path: str
    keys: str
    headers: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Bar:
    """`work` must reach `least` times `peer`'s requests per second, in the same round. Without `least` the ratio is
    only told."""
    work: str
    peer: str
    least: float | None


BARS = {
    "nginx": (
        Bar("pawl replay, raw", "nginx static", 0.70),
        Bar("pawl replay, canonical", "nginx static", 0.50),
        Bar("pawl new key", "nginx proxy_pass, fresh", 0.25),
        Bar("pawl unprotected", "nginx proxy_pass", 0.80),
    ),
    "orders": (
        Bar("pawl new order", "go usual new order", 3),
        Bar("pawl new order", "go orders new order", 5),
        Bar("pawl order again", "go orders order again", None),
    ),
    "rivals": (
        Bar("pawl replay", "go usual replay, equal threads", 2.5),
        Bar("pawl replay", "go usual replay", None),
        Bar("pawl replay", "go rows replay", None),
        Bar("pawl replay", "restate replay", 5),
        Bar("pawl new key", "go usual new key", None),
        Bar("pawl new key", "go rows new key", None),
        Bar("pawl new key", "restate new key", 10),
    ),
}
IDLE_MIB_MAX = 30
READY_SECONDS_MAX = 0.5


def command(work, key, body_path, connections, threads, seconds):
    """Of one run of wrk."""
    url = f"http://127.0.0.1:{work.server.port}{work.path}"
    words = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "--latency",
               "-s", os.path.join(HERE, "load.lua"), url, "--", work.keys, key, body_path]
    words += [f"{name}={value}" for name, value in work.headers.items()]
    return words + [f"@{name}={value}" for name, value in work.options.items()]


def begin(words):
    """A run whose result nobody asks for."""
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(work, key, body_path, connections, threads, seconds):
    """One run of wrk. Errors: RuntimeError when anything but success was answered."""
    words = command(work, key, body_path, connections, threads, seconds)
    before = work.server.cpu_seconds()
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds + 60, check=False)
    cpu = work.server.cpu_seconds() - before
    lines = done.stdout.strip().splitlines()
    if done.returncode != 0 or not lines or not lines[-1].startswith("{"):
        raise RuntimeError(f"wrk failed on {work.name}:\n{done.stdout}{done.stderr}")
    result = json.loads(lines[-1])
    wrong = {name: count for name, count in result.items() if name.endswith(("_errors", "timeouts")) and count}
    if wrong or result["requests"] == 0:
        raise RuntimeError(f"{work.name}: {result['requests']} requests, {wrong}\n{work.server.last_words()}")
    result["per_second"] = result["requests"] / result["seconds"]
    result["cpu_us_per_request"] = cpu / result["requests"] * 1e6
    result["memory_mib"] = work.server.memory_mib()
    return result


def summary(rounds):
    """The median of each figure over the rounds, and the spread of the rate."""
    figures = {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}
    rates = [one["per_second"] for one in rounds]
    return figures | {"per_second_least": min(rates), "per_second_most": max(rates)}


def ratios(group, rounds_by_work):
    """Each bar of the group with the median over the rounds of the ratio within one round: neighbours in time are
    compared. `by_cpu` is the same of the processor time per request, which a busy machine disturbs less."""
    out = []
    for bar in BARS[group]:
        if bar.work not in rounds_by_work or bar.peer not in rounds_by_work:
            continue
        pairs = list(zip(rounds_by_work[bar.work], rounds_by_work[bar.peer]))
        each = [mine["per_second"] / theirs["per_second"] for mine, theirs in pairs]
        by_cpu = [theirs["cpu_us_per_request"] / mine["cpu_us_per_request"] for mine, theirs in pairs]
        reached = statistics.median(each)
        out.append({"work": bar.work, "peer": bar.peer, "bar": bar.least, "reached": reached,
                    "least": min(each), "most": max(each), "by_cpu": statistics.median(by_cpu),
                    "met": bar.least is None or reached >= bar.least})
    return out
