# SPDX-License-Identifier: Apache-2.0
"""Where one measurement takes place: a folder on the disk to measure on, and servers that are stopped, whatever
happens."""

import datetime
import json
import os
import resource
import shutil
import signal
import sys
import tempfile

from peers import machine, work

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(HERE)
OUT = os.path.join(ROOT, "build/bench")
PAWL = os.environ.get("PAWL_BIN", os.path.join(ROOT, "build/release/pawl"))


class Stage:
    def __init__(self, out, disk=None):
        self.out = out
        os.makedirs(out, exist_ok=True)
        self.folder = tempfile.mkdtemp(prefix="run-", dir=disk or out)
        self.body_path = os.path.join(self.folder, "body.json")
        with open(self.body_path, "wb") as file:
            file.write(work.BODY)
        self.servers = []
        self.report = {}

    def __enter__(self):
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers are stopped on this way out too
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.report["machine"] = machine.describe(self.folder)
        return self

    def __exit__(self, *_):
        for server in reversed(self.servers):
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def keep(self, server):
        self.servers.append(server)
        return server

    def room(self, name):
        """A folder of its own."""
        path = os.path.join(self.folder, name)
        os.makedirs(path, exist_ok=True)
        return path

    def write(self, name):
        """The report as JSON; says where."""
        stamp = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        path = os.path.join(self.out, f"{name}-{stamp}.json")
        with open(path, "w", encoding="ascii") as file:
            json.dump(self.report, file, indent=2)
            file.write("\n")
        print(f"\nwritten to {os.path.relpath(path)}")


def carry_out(measure, options, out, disk=None):
    """Runs measure(stage, options) on a stage. The exit code: its own; 1 when nothing could be measured."""
    if not os.access(options.pawl, os.X_OK):
        print(f"bench: there is no program at {options.pawl}; `make release` builds it", file=sys.stderr)
        return 1
    for program in ("nginx", "wrk"):
        if shutil.which(program) is None:
            print(f"bench: {program} is missing; `tools/setup bench` installs it", file=sys.stderr)
            return 1
    try:
        with Stage(out, disk) as stage:
            return measure(stage, options)
    except (RuntimeError, OSError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 1


def say(text):
    """What is under way, for those who watch."""
    if sys.stderr.isatty():
        print(f"\r{text:<70}", end="\r", file=sys.stderr, flush=True)
