# SPDX-License-Identifier: Apache-2.0
"""What the figures depend on besides the programs: processors, kernel, versions, and how long the disk takes
to make a small write durable."""

import os
import platform
import statistics
import subprocess
import time


def _first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return (done.stdout + done.stderr).strip().splitlines()[0]
    except (OSError, IndexError):
        return None


def _processor():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def _memory_mib():
    with open("/proc/meminfo") as file:
        return int(file.readline().split()[1]) // 1024


def _file_system(folder):
    best = ("", "")
    with open("/proc/mounts") as mounts:
        for line in mounts:
            _, place, kind = line.split()[:3]
            inside = os.path.commonpath([place, folder]) == place
            if inside and len(place) >= len(best[0]):
                best = (place, kind)
    return best[1]


def _flushes(folder, goes_on):
    """Milliseconds of one 4 KiB append with fdatasync after the other, while `goes_on(how many)`."""
    path = os.path.join(folder, "flush")
    taken = []
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        while goes_on(len(taken)):
            started = time.perf_counter()
            os.write(handle, b"\0" * 4096)
            os.fdatasync(handle)
            taken.append((time.perf_counter() - started) * 1000)
    finally:
        os.close(handle)
        os.unlink(path)
    return taken


def flush_ms(folder, rounds=100):
    """The median."""
    return statistics.median(_flushes(folder, lambda count: count < rounds))


def flush_p99_ms(folder, seconds=4):
    """In how long a flush ends that is under way at any moment, in 99 of 100 moments: what the best of programs could
    not better. A disk that stands still for 100 ms every few seconds has a good median all the same."""
    end = time.monotonic() + seconds
    taken = sorted(_flushes(folder, lambda _: time.monotonic() < end), reverse=True)
    rest = sum(taken) / 100
    for one in taken:
        rest -= one
        if rest <= 0:
            return one
    return 0


def describe(folder):
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_mib": _memory_mib(),
        "kernel": platform.release(),
        "file_system": _file_system(folder),
        "flush_ms": round(flush_ms(folder), 3),
        "load_before": round(os.getloadavg()[0], 2),
        "nginx": _first_line(["nginx", "-v"]),
        "wrk": _first_line(["wrk", "-v"]),
    }
