# SPDX-License-Identifier: Apache-2.0
"""Servers as child processes: started on a port of their own, known to answer before they are used, stopped
by their own id."""

import http.client
import os
import random
import signal
import socket
import subprocess
import time

READY_SECONDS_MAX = 20
STOP_SECONDS_MAX = 20


def free_port():
    """Below the ports that the kernel gives to outgoing connections, or one of those may take it meanwhile."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def ask(port, method="GET", path="/", body=None, headers=None, timeout=5):
    """One request on a connection of its own: (status, headers by lower-case name, body)."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def connects(port):
    """Raises OSError until something listens on the port."""
    socket.create_connection(("127.0.0.1", port), timeout=5).close()


def answers(port):
    """Raises until HTTP is answered there."""
    ask(port)


class Server:
    """One child process. `ready_seconds` is the time from its start until `ready(port)` raised nothing."""

    def __init__(self, name, command, port, folder, ready=answers, environment=None, cwd=None, stop_signal="SIGTERM"):
        self.name = name
        self.stop_signal = getattr(signal, stop_signal)
        self.port = port
        self.beside = ()  # servers that it cannot do without: their cost is its cost
        self.log_path = os.path.join(folder, name + ".log")
        self.ready_seconds = None
        self._log = open(self.log_path, "wb")
        started = time.monotonic()
        self.process = subprocess.Popen(command, cwd=cwd or folder, stdin=subprocess.DEVNULL, stdout=self._log,
                                        stderr=subprocess.STDOUT, env=environment)
        try:
            self._await_ready(started, ready)
        except BaseException:
            self.stop()
            raise

    def _await_ready(self, started, ready):
        while time.monotonic() - started < READY_SECONDS_MAX:
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended with {self.process.returncode}:\n{self.last_words()}")
            try:
                ready(self.port)
            except (OSError, http.client.HTTPException):
                time.sleep(0.002)
                continue
            self.ready_seconds = time.monotonic() - started
            return
        raise RuntimeError(f"{self.name} did not answer within {READY_SECONDS_MAX} s:\n{self.last_words()}")

    def last_words(self):
        with open(self.log_path, "rb") as log:
            return log.read()[-2000:].decode(errors="replace")

    def resident_mib(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return None

    def _pids(self):
        """The process and the children it has (nginx's worker does the work, PostgreSQL's backends do theirs)."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as children:
            return [self.process.pid] + [int(pid) for pid in children.read().split()]

    def cpu_seconds(self):
        """User and system time, of the servers beside it too."""
        ticks = 0
        for pid in self._pids():
            with open(f"/proc/{pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK") + sum(one.cpu_seconds() for one in self.beside)

    def memory_mib(self):
        """Proportional: memory that processes share is counted once. The servers beside it too."""
        kib = 0
        for pid in self._pids():
            with open(f"/proc/{pid}/smaps_rollup") as parts:
                kib += next(int(line.split()[1]) for line in parts if line.startswith("Pss:"))
        return kib / 1024 + sum(one.memory_mib() for one in self.beside)

    def stop(self):
        """The return code; None when it had to be killed."""
        if self.process.poll() is None:
            self.process.send_signal(self.stop_signal)
            try:
                self.process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                self._log.close()
                return None
        self._log.close()
        return self.process.returncode
