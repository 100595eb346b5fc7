# SPDX-License-Identifier: Apache-2.0
"""What an order engine costs that has grown: one Pawl with many orders beside another one with few, in turn, and how
long a caller waits on the grown one at a share of what it can do. The small one is made anew for each round, because
new orders make it grow; events are of orders from all over the store."""

import json
import os
import random
import statistics

from peers import machine, work
from peers.pawl_flows import CREATE, ORDER, SKUS, PawlFlows, stock_up
from peers.process import ask
from peers.stage import say
from peers.work import Work

NOTE = f"{CREATE}/ID-00000000/events/note"
RATIO_MIN = 0.70  # of the small store's rate
LATENCY_LOAD = 0.30  # of the measured rate
P99_MS_MAX = {"new order": 10, "event": 10}
FILL_SECONDS = 20
TURN_SECONDS_MAX = 2  # of the comparison: a longer one makes a small store of ten thousand a large one
PAGES, PAGE = 200, 100  # of orders that get events


class Orders:
    """One Pawl and its orders."""

    def __init__(self, stage, options, name, caller):
        self.stage, self.options, self.name, self.caller = stage, options, name, caller
        self.pawl = stage.keep(PawlFlows(options.pawl, stage.room(name), options.loops))
        stock_up(self.pawl.port, caller)
        self.count, self.runs, self.rate = 0, 0, 0
        self.ids_path = os.path.join(stage.folder, f"{name}.ids")
        self.body = {"new order": os.path.join(stage.folder, "order.json"),
                     "event": os.path.join(stage.folder, "event.json")}
        for path, content in zip(self.body.values(), (ORDER, b"{}")):
            with open(path, "wb") as file:
                file.write(content)

    def stop(self):
        self.pawl.stop()
        self.stage.servers.remove(self.pawl)

    def run(self, kind, seconds, rate=None):
        """One turn. `rate`: so many a second instead of as many as can be."""
        self.runs += 1
        load_options = {} if rate is None else {"pace": self.options.connections / rate * 1000}
        load_options |= {"skus": SKUS} if kind == "new order" else {"ids": self.ids_path}
        one = Work(f"{self.name} {kind}", self.pawl, CREATE if kind == "new order" else NOTE, "fresh", self.caller,
                   load_options)
        result = work.run(one, f"{self.name}-{self.runs}", self.body[kind], self.options.connections, 1, seconds)
        if kind == "new order":
            self.count += result["requests"]
        return result

    def page(self, behind=None, limit=1):
        after = "" if behind is None else f"&after={behind}"
        status, _, body = ask(self.pawl.port, path=f"{CREATE}?limit={limit}{after}", headers=self.caller, timeout=30)
        if status != 200:
            raise RuntimeError(f"{self.name}: a page of orders: {status} {body[:300]}")
        return [int(entity["id"]) for entity in json.loads(body)["entities"]]

    def fill(self, size):
        self.rate = self.run("new order", 1)["per_second"]
        oldest = self.page(limit=500)[-1]
        while self.count < size:
            say(f"  {self.name}: {self.count:,} of {size:,} orders")
            seconds = min(FILL_SECONDS, int((size - self.count) / self.rate) + 1)
            self.rate = self.run("new order", seconds)["per_second"]
        newest = self.page()[0]
        draw = random.Random(7)
        ids = {one for _ in range(PAGES) for one in self.page(draw.randint(oldest, newest), PAGE)}
        with open(self.ids_path, "w") as file:
            file.writelines(f"{one}\n" for one in draw.sample(sorted(ids), len(ids)))

    def store_mib(self):
        return sum(os.path.getsize(path) for path in (self.pawl.store_path, self.pawl.store_path + "-wal")
                   if os.path.exists(path)) / (1 << 20)


def growth(stage, options, caller, grown):
    """The grown store's rate beside the small one's, by kind; the median of the ratios within one round."""
    pairs = {kind: [] for kind in P99_MS_MAX}
    for number in range(options.rounds):
        small = Orders(stage, options, f"small{number + 1}", caller)
        small.fill(options.small)
        for kind in ("event", "new order"):  # the small store grows by the last one only
            say(f"  round {number + 1} of {options.rounds}: {kind}")
            seconds = min(options.seconds, TURN_SECONDS_MAX)
            pairs[kind].append([one.run(kind, seconds) for one in (small, grown)])
        small.stop()
    out = {}
    for kind, turns in pairs.items():
        ratio = statistics.median(b["per_second"] / a["per_second"] for a, b in turns)
        out[kind] = {"small": work.summary([a for a, _ in turns]), "grown": work.summary([b for _, b in turns]),
                     "ratio": ratio, "bar": RATIO_MIN, "met": ratio >= RATIO_MIN,
                     "by_cpu": statistics.median(a["cpu_us_per_request"] / b["cpu_us_per_request"] for a, b in turns)}
    return out


def latency(grown, rates, options):
    """Medians of the rounds; before each turn, how the disk alone does."""
    turns = {kind: [] for kind in P99_MS_MAX}
    disk = []
    for number in range(options.rounds):
        for kind, rounds in turns.items():
            say(f"  latency, round {number + 1} of {options.rounds}: {kind}")
            disk.append(machine.flush_p99_ms(grown.stage.folder))
            rounds.append(grown.run(kind, options.seconds * 2, rates[kind] * LATENCY_LOAD))
    out = {"disk_p99_ms": disk}
    for kind, rounds in turns.items():
        one = {name: statistics.median(result[name] for result in rounds)
               for name in ("per_second", "p50_ms", "p99_ms", "max_ms")}
        out[kind] = one | {"p99_ms_of_rounds": [result["p99_ms"] for result in rounds], "load": LATENCY_LOAD,
                           "p99_ms_max": P99_MS_MAX[kind], "met": one["p99_ms"] < P99_MS_MAX[kind]}
    return out


def measure(stage, options, caller):
    grown = Orders(stage, options, "grown", caller)
    grown.fill(options.entities)
    report = {"small": options.small, "grown": grown.count, "growth": growth(stage, options, caller, grown)}
    rates = {kind: line["grown"]["per_second"] for kind, line in report["growth"].items()}
    report["latency"] = latency(grown, rates, options)
    report |= {"store_mib": grown.store_mib(), "memory_mib": grown.pawl.memory_mib(),
               "grown_in_the_end": grown.count}
    say("")
    return report


def show(report):
    print(f"{report['grown']:,} orders beside {report['small']:,}; store {report['store_mib']:,.0f} MiB, memory "
          f"{report['memory_mib']:.0f} MiB")
    for kind, line in report["growth"].items():
        print(f"    {kind:<12}{line['grown']['per_second']:>9,.0f}/s  {line['ratio']:>6.0%} of the small store's "
              f"{line['small']['per_second']:>9,.0f}/s (by processor time {line['by_cpu']:.0%})   "
              f"bar {line['bar']:.0%} {'met' if line['met'] else 'MISSED'}")
    for kind in P99_MS_MAX:
        line = report["latency"][kind]
        print(f"    {kind:<12}{line['per_second']:>9,.0f}/s, {line['load']:.0%} of that: p50 {line['p50_ms']:.2f}, p99 "
              f"{line['p99_ms']:.2f}, at most {line['max_ms']:.0f} ms   bar {line['p99_ms_max']} ms "
              f"{'met' if line['met'] else 'MISSED'}")
    disk = report["latency"]["disk_p99_ms"]
    print(f"    a flush of the disk alone, before each of these turns: p99 {statistics.median(disk):.2f} ms, from "
          f"{min(disk):.2f} to {max(disk):.2f}")


def all_met(report):
    return all(report[part][kind]["met"] for part in ("growth", "latency") for kind in P99_MS_MAX)
