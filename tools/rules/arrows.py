# SPDX-License-Identifier: Apache-2.0
"""Arrows: a folder includes only from folders that come before it, and the parts that are simulated are
given their clock, entropy, threads and sockets instead of taking them."""

import re

from rules.tree import Finding

# In the order in which a request meets them. Folders on one line are peers: none includes another.
ORDER = [
    ["include/pawl"],
    ["src/runtime/result"],
    ["src/runtime/plant"],
    ["src/runtime/clock"],
    ["src/runtime/entropy"],
    ["src/runtime/codec"],
    ["src/runtime/file"],
    ["src/runtime/task"],
    ["src/runtime/meter"],
    ["src/core/key"],
    ["src/core/caller"],
    ["src/core/callback"],
    ["src/core/record"],
    ["src/core/policy"],
    ["src/core/stock"],
    ["src/core/timer"],
    ["src/core/flow"],
    ["src/core/saga"],
    ["src/core/event"],
    ["src/core/lease"],
    ["src/core/id"],
    ["src/net/http"],
    ["src/net/redis", "src/net/kafka", "src/net/sql"],
    ["src/store/port"],
    ["src/store/conformance"],
    ["src/store/memory", "src/store/sqlite", "src/store/postgres", "src/store/mysql", "src/store/redis"],
    ["src/store/hybrid", "src/store/shard", "src/store/sealed"],
    ["src/effect"],
    ["src/gateway"],
    ["src/library"],
    ["src/engine"],
    ["src/stream"],
    ["src/guard"],
    ["src/library"],
    ["src/surface/yaml"],
    ["src/surface/flow_file"],
    ["src/surface/config"],
    ["src/surface/demo"],
    ["src/surface/api"],
    ["src/surface/flow_api"],
    ["src/surface/console"],
    ["src/surface/cli"],
    ["app"],
]
RANK = {folder: rank for rank, row in enumerate(ORDER) for folder in row}
BACKENDS = {folder for row in ORDER for folder in row if re.fullmatch(
    r"src/store/(memory|sqlite|postgres|mysql|redis|hybrid|shard)|src/net/(redis|kafka|sql)", folder)}
COMPOSED = {"app", "src/library"}  # where services are built and backends named
FREE = ("test/", "bench/", "sim/", "examples/", "cmake/")  # may include anything

CORE_RUNTIME = {"src/runtime/result", "src/runtime/plant", "src/runtime/codec"}
CORE_HEADERS = re.compile(
    r"boost/(asio|beast)(/|\.)|(thread|stop_token|mutex|shared_mutex|condition_variable|future|semaphore|latch"
    r"|barrier|atomic|random|iostream|fstream|ostream|istream|filesystem|ctime|cstdio|time\.h|stdio\.h"
    r"|unistd\.h|netdb\.h|poll\.h|sqlite3\.h)$|(sys|netinet|arpa|openssl|spdlog|prometheus)/")
INJECTED = re.compile(
    r"\b(?:system_clock|steady_clock|high_resolution_clock|random_device|mt19937(?:_64)?|SystemClock|SystemEntropy"
    r"|clock_gettime|gettimeofday|getrandom|this_thread|usleep|nanosleep)\b"
    r"|\bstd\s*::\s*(?:thread|jthread|async)\b"
    r"|(?<![\w.>:])(?:::\s*)?(?:time|rand|srand|socket|fork)\s*\((?=\s*(?:\)|nullptr|0|NULL|AF_))")
SIMULATED = ("src/core/", "src/gateway/", "src/engine/", "src/stream/", "src/guard/")


def folder_of(path):
    """The row of ORDER that a path lies in, or None."""
    parts = path.split("/")[:-1]
    for length in range(len(parts), 0, -1):
        folder = "/".join(parts[:length])
        if folder in RANK:
            return folder
    return None


def target_of(tree, name):
    """The path in the tree that an include's name stands for, or None for a foreign header."""
    for root in ("src/", "include/", ""):
        if tree.get(root + name):
            return root + name
    return None


def check_order(tree):
    for file in tree.cpp():
        if file.path.startswith(FREE):
            continue
        here = folder_of(file.path)
        if here is None:
            yield Finding(file.path, 0, "arrows",
                          "its folder has no place in the order: add it to ORDER in tools/rules/arrows.py")
            continue
        for line, name, quoted in file.includes:
            target = target_of(tree, name)
            if target is None:
                if quoted:
                    yield Finding(file.path, line, "arrows",
                                  f'"{name}" is not a file of src/ or include/; foreign headers use <>')
                continue
            there = folder_of(target)
            if there is None or there == here:
                continue
            if RANK[there] >= RANK[here]:
                yield Finding(file.path, line, "arrows", f"{here} includes {target}, which does not come before it")
            elif there in BACKENDS and here not in BACKENDS and here not in COMPOSED and not file.is_test:
                yield Finding(file.path, line, "arrows", f"{here} names the backend {there}; only app and library may")


def check_purity(tree):
    for file in tree.cpp():
        if file.path.startswith("src/core/"):
            for line, name, _ in file.includes:
                target = target_of(tree, name)
                there = folder_of(target) if target else None
                if there and there.startswith("src/runtime/") and there not in CORE_RUNTIME:
                    yield Finding(file.path, line, "purity", f"core has no loop, clock or entropy: {name}")
                if target is None and CORE_HEADERS.match(name):
                    yield Finding(file.path, line, "purity",
                                  f"core does no I/O and knows no thread, clock or chance: <{name}>")
        if file.path.startswith(SIMULATED):
            for match in INJECTED.finditer(file.code):
                yield Finding(file.path, file.line_of(match.start()), "purity",
                              f"{match.group().strip('( ')} is injected here, not taken")


def check(tree):
    yield from check_order(tree)
    yield from check_purity(tree)
