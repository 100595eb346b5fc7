# SPDX-License-Identifier: Apache-2.0
"""System calls that kill or fail: strace on one thread of a running program, or on a program from its first
instruction. Its counters are per thread and call, so a place is a thread, a call and a number. Where a process may
not be traced the tests fail and say so: nothing is left out quietly."""

import collections
import os
import re
import shutil
import signal
import subprocess
import time

from harness import STOP_SECONDS, die_with_parent, wait_for

# What leaves a trace outside of the process.
WRITES = "write,pwrite64,writev,pwritev,fsync,fdatasync,ftruncate,sendto,sendmsg,sendmmsg"
ATTACH_SECONDS = 10

# Leaks cannot be looked for in a process that is traced: looking is tracing.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"


def strace():
    path = shutil.which("strace")
    if not path:
        raise RuntimeError("strace is missing: tools/setup test")
    return path


def command(output, calls, what=None, paths=()):
    """`what` happens at a call of `calls`, at those that concern `paths` where some are given."""
    words = [strace(), "-o", output, "-y", "-s", "16", "-e", f"trace={calls}", "-e", "signal=none"]
    for path in paths:
        words += ["-P", path]
    return words + (["-e", f"inject={calls}:{what}"] if what else [])


def threads_of(pid):
    """Oldest first: the one that began, then the store's."""
    return sorted(int(name) for name in os.listdir(f"/proc/{pid}/task"))


class Injection:
    """strace on one thread, from here to detach() or the end of `with`."""

    def __init__(self, folder, thread, calls, what=None, paths=()):
        self.output = os.path.join(folder, f"strace-{thread}.log")
        self.said = self.output + ".err"
        with open(self.said, "w", encoding="utf-8") as said:
            self.child = subprocess.Popen([*command(self.output, calls, what, paths), "-p", str(thread)],
                                          stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                          preexec_fn=die_with_parent)
        wait_for(lambda: "attached" in self.words() or self.child.poll() is not None, ATTACH_SECONDS,
                 "strace attaches")
        if "attached" not in self.words():
            raise RuntimeError(f"strace cannot trace a process here: {self.words().strip()}; where this is a "
                               "container it needs --cap-add SYS_PTRACE")

    def words(self):
        with open(self.said, encoding="utf-8") as said:
            return said.read()

    def lines(self):
        with open(self.output, encoding="utf-8", errors="replace") as stream:
            return [line for line in stream.read().splitlines() if not line.startswith(("---", "+++", "<..."))]

    def fired(self):
        return [line for line in self.lines() if "(INJECTED)" in line]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.detach()

    def detach(self):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGINT)
        self.child.wait(STOP_SECONDS)
        return self


def calls_in(lines):
    """How often each call stands there: {name: count}."""
    names = (re.match(r"(?:\d+ +)?(\w+)\(", line) for line in lines)
    return collections.Counter(name.group(1) for name in names if name)


def dies_within(process, seconds):
    end = time.monotonic() + seconds
    while process.running():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True
