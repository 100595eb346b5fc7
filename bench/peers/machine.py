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


def flush_ms(folder, rounds=100):
    """Median of a 4 KiB append with fdatasync."""
    path = os.path.join(folder, "flush")
    taken = []
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        for _ in range(rounds):
            started = time.perf_counter()
            os.write(handle, b"\0" * 4096)
            os.fdatasync(handle)
            taken.append((time.perf_counter() - started) * 1000)
    finally:
        os.close(handle)
        os.unlink(path)
    return statistics.median(taken)


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
