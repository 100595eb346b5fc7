# SPDX-License-Identifier: Apache-2.0
"""Answers that are too long to be kept: completed when the bound is passed, handed on as they come, in constant
memory, whatever becomes of the one who reads them."""

import hashlib
import http.client
import json
import threading
import time
import unittest

from harness import Script, ServiceTest, ask, free_port, wait_for

MEBIBYTE = 1 << 20

LOST = {2 * MEBIBYTE: "4MiB", MEBIBYTE: "1MiB", MEBIBYTE + 1: "1MiB"}  # bytes of the probe's answer, bound of its route

CONFIG = """
routes:
  - match: POST /long
    upstream: {streams}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 1h }
""" + "".join("""
  - match: POST /lost/SIZE
    upstream: {streams}
    key: { header: Idempotency-Key, required: true }
    caller: public
    answer_bytes_max: BOUND
    uncertain: { close: "POST /close/SIZE/{operation_key}", effect_horizon: 1h }
""".replace("SIZE", str(size)).replace("BOUND", bound) for size, bound in LOST.items())

# Answers with X-Bytes bytes, block I of which repeats "block I\\n"; X-Framing: length or chunked; after X-Cut bytes the
# connection ends, after X-Pause it waits for POST /go. GET /state: what became of the answers. POST /lost/… breaks off
# before its answer, and /close/BYTES/… answers with so many.
STREAMS = r"""
import { createServer } from "node:http";
import { once } from "node:events";
const state = { requests: 0, finished: 0, closed_early: 0 };
let go = [];
const block = (i) => Buffer.alloc(1 << 16, `block ${i}\n`);
createServer(async (request, response) => {
    if (request.url === "/state") return response.end(JSON.stringify(state));
    if (request.url === "/go") { go.splice(0).forEach((resume) => resume()); return response.end(); }
    for await (const piece of request) piece.length;
    const [, closed] = /^\/close\/(\d+)\//.exec(request.url) ?? [];
    if (closed) return response.writeHead(201).end(Buffer.alloc(Number(closed), "x"));
    if (request.url.startsWith("/lost/")) return request.socket.resetAndDestroy();
    state.requests += 1;
    const bytes = Number(request.headers["x-bytes"]), cut = Number(request.headers["x-cut"] ?? Infinity);
    const pause = Number(request.headers["x-pause"] ?? Infinity);
    response.on("close", () => response.writableFinished ? (state.finished += 1) : (state.closed_early += 1));
    const length = request.headers["x-framing"] === "chunked" ? {} : { "Content-Length": bytes };
    response.writeHead(201, { "Content-Type": "application/octet-stream", Location: "/long/1", ...length });
    for (let sent = 0, i = 0; sent < bytes; sent += 1 << 16, i += 1) {
        if (sent >= cut) return response.socket.destroy();
        if (sent === pause) await new Promise((resume) => go.push(resume));
        if (!response.write(block(i).subarray(0, bytes - sent)) && !response.destroyed)
            await Promise.race([once(response, "drain"), once(response, "close")]);
        if (response.destroyed) return;
    }
    response.end();
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("streams"));
"""


def digest_of(size):
    digest = hashlib.sha256()
    for number in range(0, (size + 65535) // 65536):
        line = b"block %d\n" % number
        digest.update((line * (65536 // len(line) + 1))[:min(65536, size - number * 65536)])
    return digest.hexdigest()


class LongAnswer(ServiceTest):
    config = CONFIG
    upstreams = {}

    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.config = CONFIG.replace("{streams}", f"http://127.0.0.1:{cls.port}")
        super().setUpClass()
        upstream = Script(cls.folder, "streams", STREAMS, cls.port)
        cls.addClassCleanup(upstream.kill)
        upstream.start()

    def setUp(self):
        self.before, self.name = self.state(), "k"

    def state(self):
        return json.loads(ask(self.port, "GET", "/state").body)

    def counted(self, name):
        return self.state()[name] - self.before[name]

    def go(self):
        ask(self.port, "POST", "/go", body=b"")

    def open(self, size, **lines):
        connection = self.pawl.connect(timeout=60)
        self.addCleanup(connection.close)
        headers = {"Idempotency-Key": self.key(self.name), "X-Bytes": str(size)}
        connection.request("POST", "/long", b"{}", headers | {f"X-{name}": str(value) for name, value in lines.items()})
        return connection

    def assertCompletedWithoutBody(self):
        document = self.assertProblem(self.repeat(), 410, "result_expired", original_status=201, safe_new_key=False)
        explained = self.pawl.cli_json("explain", document["operation_ref"])
        self.assertIn("completed", json.dumps(explained))
        self.assertEqual(self.counted("requests"), 1)

    def repeat(self):
        return self.pawl.ask("POST", "/long", [("Idempotency-Key", self.key(self.name))], b"{}")

    def test_a_gibibyte_takes_no_more_memory_than_a_little(self):
        self.memory_after(64 * MEBIBYTE, "warm")
        before = self.pawl.memory_kib()
        self.before = self.state()
        highest = self.memory_after(1024 * MEBIBYTE, None)
        self.assertMemoryBelow(highest - before, 32 * 1024, f"{before} KiB before, {highest} KiB at most")
        self.assertCompletedWithoutBody()

    def memory_after(self, size, name):
        """Reads a whole answer of this size; the most memory the program was seen to have meanwhile."""
        connection = self.pawl.connect(timeout=60)
        connection.request("POST", "/long", b"{}", {"Idempotency-Key": self.key(name or "k"), "X-Bytes": str(size)})
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.getheader("Content-Length")), (201, str(size)))
        digest, buffer, left, highest, looked = hashlib.sha256(), bytearray(MEBIBYTE), size, 0, 0.0
        while left > 0:
            taken = answer.readinto(buffer)
            self.assertGreater(taken, 0)
            digest.update(memoryview(buffer)[:taken])
            left -= taken
            if time.monotonic() > looked + 0.02:
                highest, looked = max(highest, self.pawl.memory_kib()), time.monotonic()
        connection.close()
        self.assertEqual(digest.hexdigest(), digest_of(size))
        return highest

    def test_an_answer_of_unknown_length_is_whole_too(self):
        connection = self.open(5 * MEBIBYTE + 17, Framing="chunked")
        answer = connection.getresponse()
        self.assertEqual(answer.getheader("Transfer-Encoding"), "chunked")
        self.assertEqual(hashlib.sha256(answer.read()).hexdigest(), digest_of(5 * MEBIBYTE + 17))
        self.assertCompletedWithoutBody()

    def test_an_answer_that_breaks_off_after_the_bound_stays_completed(self):
        for framing in ("length", "chunked"):
            with self.subTest(framing=framing):
                self.before, self.name = self.state(), framing
                connection = self.open(8 * MEBIBYTE, Cut=4 * MEBIBYTE, Framing=framing)
                answer = connection.getresponse()
                self.assertEqual(answer.status, 201)
                with self.assertRaises((http.client.IncompleteRead, ConnectionResetError)):
                    answer.read()
                self.assertCompletedWithoutBody()

    def test_an_answer_that_breaks_off_before_the_bound_is_unknown(self):
        answer = self.open(8 * MEBIBYTE, Cut=MEBIBYTE // 2).getresponse()
        self.assertEqual((answer.status, json.loads(answer.read())["code"]), (502, "uncertain"))
        self.assertProblem(self.repeat(), 409, "uncertain")

    def test_a_client_that_leaves_disturbs_neither_record_nor_upstream(self):
        connection = self.open(64 * MEBIBYTE, Pause=32 * MEBIBYTE)
        answer = connection.getresponse()
        answer.read(2 * MEBIBYTE)
        connection.sock.close()
        answer.close()
        self.assertCompletedWithoutBody()
        self.go()
        wait_for(lambda: self.counted("finished") == 1 or self.go(), 20, "the upstream gets rid of its answer")
        self.assertEqual(self.counted("closed_early"), 0)

    def test_who_waited_learns_that_the_body_is_not_kept(self):
        first = self.open(8 * MEBIBYTE, Pause=MEBIBYTE // 2)
        wait_for(lambda: self.counted("requests") == 1, 10, "the first one runs")
        answers = []
        copy = threading.Thread(target=lambda: answers.append(self.repeat()))
        copy.start()
        self.assertEqual(answers, [])
        self.go()
        copy.join(20)
        self.assertProblem(answers[0], 410, "result_expired", original_status=201)
        self.assertEqual(answers[0].header("Location"), "/long/1")
        self.assertEqual(len(first.getresponse().read()), 8 * MEBIBYTE)
        self.assertEqual(self.counted("requests"), 1)

    def test_a_long_answer_of_a_probe_settles_and_is_kept_up_to_the_bound(self):
        def ask_again(size):
            answer = self.post(f"/lost/{size}", self.key(str(size)), body=b"{}")
            return answer if answer.code != "uncertain" else None

        for size, bound in LOST.items():
            self.assertProblem(self.post(f"/lost/{size}", self.key(str(size)), body=b"{}"), 502, "uncertain")
        for size, bound in LOST.items():
            with self.subTest(size=size, bound=bound):
                answer = wait_for(lambda n=size: ask_again(n), 20, "the probe settles it")
                if size == MEBIBYTE + 1:
                    self.assertProblem(answer, 410, "result_expired", original_status=201, safe_new_key=False)
                    continue
                self.assertEqual((answer.status, len(answer.body), answer.replayed), (201, size, True))


if __name__ == "__main__":
    unittest.main()
