# SPDX-License-Identifier: Apache-2.0
"""The servers that the usual peers stand on: Redis without persistence, as a cache is usually run, and
PostgreSQL with every commit durable, as it comes."""

import os
import shutil
import subprocess

from peers.process import Server, connects, free_port


def redis(folder):
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
               "--daemonize", "no", "--dir", folder]
    return Server("redis", command, port, folder, ready=connects)


def _postgres_bin():
    found = shutil.which("postgres")
    if found:
        return os.path.dirname(os.path.realpath(found))
    return "/usr/lib/postgresql/15/bin"


def _as_postgres(command):
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return command
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + command


def _serves(home, port):
    """It listens before it serves."""
    done = subprocess.run([os.path.join(home, "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)], check=False)
    if done.returncode != 0:
        raise OSError("not yet")


def postgres(folder):
    port, home, data = free_port(), _postgres_bin(), os.path.join(folder, "postgres")
    os.mkdir(data)
    if os.geteuid() == 0:
        shutil.chown(data, "postgres", "postgres")
    subprocess.run(_as_postgres([os.path.join(home, "initdb"), "-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8"]),
                   cwd="/", check=True, capture_output=True)
    command = [os.path.join(home, "postgres"), "-D", data, "-p", str(port), "-k", "",
               "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200", "-c", "shared_buffers=256MB"]
    # Interrupted as PostgreSQL's fast stop is: clients that are still connected do not hold it up.
    server = Server("postgres", _as_postgres(command), port, folder, ready=lambda port: _serves(home, port),
                    stop_signal="SIGINT")
    server.url = f"postgres://bench@127.0.0.1:{port}/postgres?sslmode=disable"
    return server
