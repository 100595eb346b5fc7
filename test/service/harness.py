# SPDX-License-Identifier: Apache-2.0
"""What every black-box test stands on: the real program, a real upstream, real sockets. Each test class gets a
folder, a database and ports of its own, and ends only the processes it started. Whatever is missing is said
loudly; nothing is left out quietly."""

import base64
import ctypes
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from dataclasses import dataclass, field

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
UPSTREAM = os.path.join(ROOT, "examples", "upstream-node", "server.mjs")
SANITIZED = bool(os.environ.get("PAWL_SANITIZED"))
START_SECONDS = 80 if SANITIZED else 20
STOP_SECONDS = 60 if SANITIZED else 15
SANITIZER_KIB = 512 << 10  # its shadow, and freed memory that it holds back, are no memory of the program's


def program():
    path = os.environ.get("PAWL_BIN") or os.environ.get("PAWL_BIN_BUILT") or os.path.join(ROOT, "build/release/pawl")
    if not os.access(path, os.X_OK):
        raise RuntimeError(f"no program at {path}: build it (make release) or name it in PAWL_BIN")
    return os.path.abspath(path)


def node():
    path = shutil.which("node")
    if not path:
        raise RuntimeError("node is missing: tools/setup test")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    if int(re.match(r"v(\d+)", version).group(1)) < 18:
        raise RuntimeError(f"node 18 or later is needed, this is {version.strip()}: tools/setup test")
    return path


def free_port():
    """Below the range that the kernel gives to outgoing connections, so that it stays free over a restart."""
    while True:
        port = random.randrange(15000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def die_with_parent():
    """A test that is killed takes its processes along. Bound to the thread that starts them: the main one."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def plain_environment():
    """Variables that begin with PAWL_ configure the program; those of the tests are not meant for it."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PAWL_")}


def wait_for(condition, seconds, what):
    """The first true value of condition()."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.02)


@dataclass
class Answer:
    status: int
    headers: list = field(default_factory=list)
    body: bytes = b""

    def all(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name):
        values = self.all(name)
        return values[0] if values else None

    def json(self):
        return json.loads(self.body)

    @property
    def replayed(self):
        return self.header("Idempotent-Replayed") == "true"

    @property
    def code(self):
        """Of a problem document; None for anything else."""
        return self.json().get("code") if self.header("Content-Type") == "application/problem+json" else None


def send(connection, method, path, headers=(), body=None):
    """One request over an http.client connection; header lines go out as given, in order."""
    connection.putrequest(method, path, skip_accept_encoding=True)
    names = {name.lower() for name, _ in headers}
    if body is not None and not names & {"content-length", "transfer-encoding"}:
        connection.putheader("Content-Length", str(len(body)))
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders(body)


def receive(connection):
    response = connection.getresponse()
    body = response.read()
    return Answer(response.status, response.getheaders(), body)


def ask(port, method, path, headers=(), body=None, timeout=30):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        send(connection, method, path, headers, body)
        return receive(connection)
    finally:
        connection.close()


def wanted(**answer):
    """The header that tells the upstream what to answer."""
    answer["body"] = base64.b64encode(answer.get("body", b"")).decode()
    return ("X-Answer", base64.b64encode(json.dumps(answer).encode()).decode())


class Process:
    """One program and its log."""

    def __init__(self, folder, name):
        self.folder = folder
        self.name = name
        self.log_path = os.path.join(folder, f"{name}.log")
        self.child = None

    def launch(self, command, env=None):
        with open(self.log_path, "ab") as log:
            self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                                          env={**plain_environment(), **(env or {})}, preexec_fn=die_with_parent)

    @property
    def pid(self):
        return self.child.pid

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as stream:
            return stream.read()

    def running(self):
        return self.child is not None and self.child.poll() is None

    def kill(self):
        """As the kernel does it when memory is short: no farewell."""
        if self.running():
            self.child.kill()
            self.child.wait()

    def stop(self):
        """Asks it to end; returns its exit code."""
        if not self.running():
            return self.child.returncode if self.child else None
        self.child.send_signal(signal.SIGCONT)
        self.child.terminate()
        try:
            return self.child.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"{self.name} did not end within {STOP_SECONDS} s:\n{self.log()[-2000:]}") from None


class Upstream(Process):
    def __init__(self, folder, name, env=None):
        super().__init__(folder, name)
        self.port, self.control_port = free_port(), free_port()
        self.env = {"PORT": str(self.port), "CONTROL_PORT": str(self.control_port),
                    "LEDGER": os.path.join(folder, f"{name}.jsonl"), "LEDGER_FSYNC": "0", **(env or {})}

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        self.launch([node(), UPSTREAM], self.env)
        wait_for(lambda: "upstream on" in self.log() or not self.running(), START_SECONDS, "the upstream starts")
        if not self.running():
            raise RuntimeError(f"the upstream did not start:\n{self.log()}")
        return self

    def control(self, method, path, fields=None):
        body = None if fields is None else json.dumps(fields).encode()
        return ask(self.control_port, method, path, body=body).json()

    def effects(self, path=None, key=None):
        """Ledger lines of effects, of one path or one client key."""
        return [entry for entry in self.control("GET", "/ledger") if entry["kind"] == "effect"
                and (path is None or entry["path"] == path) and (key is None or key == entry["order"].get("key"))]

    def seen(self, path=None):
        """Every request that arrived, as (method, path, headers as an Answer, length, sha256)."""
        found = []
        for entry in self.control("GET", "/seen"):
            raw = entry["headers"]
            entry["headers"] = Answer(0, list(zip(raw[::2], raw[1::2])))
            if path is None or entry["path"] == path:
                found.append(entry)
        return found

    def held(self):
        return self.control("GET", "/held")

    def release(self):
        return self.control("POST", "/release")


class Script(Process):
    """An upstream of a test's own: a Node program, as text, that listens on PORT and then prints its name."""

    def __init__(self, folder, name, text, port):
        super().__init__(folder, name)
        self.path, self.port = os.path.join(folder, f"{name}.mjs"), port
        with open(self.path, "w", encoding="utf-8") as stream:
            stream.write(text)

    def start(self):
        self.launch([node(), self.path], {"PORT": str(self.port)})
        wait_for(lambda: self.name in self.log(), START_SECONDS, f"the upstream {self.name} starts")
        return self


class Pawl(Process):
    def __init__(self, folder, config, env=None):
        super().__init__(folder, "pawl")
        self.port, self.admin_port = free_port(), free_port()
        self.config_path = os.path.join(folder, "pawl.yaml")
        self.database = os.path.join(folder, "pawl.db")
        self.env = env
        self.configure(config)

    def configure(self, config):
        with open(self.config_path, "w", encoding="utf-8") as stream:
            stream.write(f"listen: 127.0.0.1:{self.port}\nadmin: 127.0.0.1:{self.admin_port}\n"
                         f"store: {{ kind: sqlite, path: {self.database} }}\n{config}")

    def start(self, *options):
        self.launch([program(), "serve", "--config", self.config_path, *options], self.env)
        wait_for(lambda: self.ready() or not self.running(), START_SECONDS, f"pawl is ready:\n{self.log()[-3000:]}")
        if not self.running():
            raise RuntimeError(f"pawl did not start (exit code {self.child.returncode}):\n{self.log()[-3000:]}")
        return self

    def ready(self):
        try:
            return self.admin("GET", "/readyz").status == 200
        except OSError:
            return False

    def admin(self, method, path, headers=(), body=None):
        return ask(self.admin_port, method, path, headers, body)

    def ask(self, method, path, headers=(), body=None, timeout=30):
        return ask(self.port, method, path, headers, body, timeout)

    def connect(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def metric(self, name, **labels):
        """Sum of the samples of this name that have these labels."""
        total, found = 0.0, False
        for line in self.admin("GET", "/metrics").body.decode().splitlines():
            match = re.match(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)", line)
            if not match or match.group(1) != name:
                continue
            own = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', match.group(2) or ""))
            if labels.items() <= own.items():
                total, found = total + float(match.group(3)), True
        return total if found else None

    def cli(self, *words, stdin=None, timeout=60):
        """Runs a command of the program beside the server; (exit code, stdout, stderr)."""
        done = subprocess.run([program(), *words, "--config", self.config_path], input=stdin, cwd=self.folder,
                              env=plain_environment(), capture_output=True, text=True, timeout=timeout, check=False)
        return done.returncode, done.stdout, done.stderr

    def cli_json(self, *words):
        code, out, err = self.cli(*words, "--json")
        if code != 0:
            raise AssertionError(f"pawl {' '.join(words)} ended with {code}:\n{out}{err}")
        return json.loads(out)

    def memory_kib(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as stream:
            return int(re.search(r"VmRSS:\s+(\d+)", stream.read()).group(1))


class ServiceTest(unittest.TestCase):
    """One Pawl before its upstreams, shared by the tests of a class. `config` is the file without addresses and
    store; {NAME} in it is the address of the upstream of that name."""

    config = ""
    upstreams = {"plain": {}}
    options = ()
    files = {}  # beside the configuration: name -> text
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        program(), node()
        holder = tempfile.TemporaryDirectory(prefix="pawl-test-")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = holder.name
        cls.plain = None
        urls = {}
        for name, env in cls.upstreams.items():
            upstream = Upstream(cls.folder, name, env)
            cls.addClassCleanup(upstream.kill)
            setattr(cls, name, upstream.start())
            urls[name] = upstream.url
        text = cls.config
        for name, url in urls.items():
            text = text.replace("{" + name + "}", url)
        for name, content in cls.files.items():
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8") as stream:
                stream.write(content)
        cls.pawl = Pawl(cls.folder, text)
        cls.addClassCleanup(cls.pawl.kill)
        cls.pawl.start(*cls.options)

    def run(self, result=None):
        before = len(result.failures) + len(result.errors) if result else 0
        result = super().run(result)
        if result and len(result.failures) + len(result.errors) > before and hasattr(self, "pawl"):
            print(f"--- {self.id()}: end of pawl's log\n{self.pawl.log()[-2500:]}\n---", flush=True)
        return result

    def key(self, name="k"):
        """A key of this test's own."""
        return f"{self._testMethodName[5:60]}-{name}"

    def post(self, path, key=None, fields=None, headers=(), body=None, timeout=30):
        """A write; the key also goes into the body, so that the ledger can be asked by it."""
        if body is None:
            body = json.dumps({"key": key, **(fields or {})}).encode()
        lines = [("Content-Type", "application/json"), *headers]
        if key is not None:
            lines.insert(0, ("Idempotency-Key", key))
        return self.pawl.ask("POST", path, lines, body, timeout)

    def assertProblem(self, answer, status, code, **members):
        """Field case "errors a program can tell apart": the document says what happened and what to do next."""
        self.assertEqual((answer.status, answer.header("Content-Type")), (status, "application/problem+json"), answer)
        document = answer.json()
        self.assertEqual(document["code"], code, document)
        self.assertEqual(document["status"], status, document)
        self.assertRegex(document["type"], r"^[a-z][a-z0-9+.-]*:\S+$")
        self.assertTrue(document["title"] and document["detail"], document)
        self.assertIsInstance(document["retryable"], bool, document)
        for name, value in members.items():
            self.assertEqual(document.get(name), value, (name, document))
        return document

    def assertMemoryBelow(self, kib, bound, words=None):
        self.assertLess(kib, bound + (SANITIZER_KIB if SANITIZED else 0), words)

    def assertSameAnswer(self, first, repeat):
        self.assertEqual((repeat.status, repeat.body), (first.status, first.body))
        self.assertTrue(repeat.replayed, repeat)
        self.assertFalse(first.replayed, first)
