# SPDX-License-Identifier: Apache-2.0
"""Requests whose body is too long for memory: they go through a file without a name, and are the same requests to
the upstream, to a repeat and to a comparison."""

import hashlib
import json
import os
import shutil
import socket
import unittest

from harness import Script, ServiceTest, ask, free_port, wait_for

KIBIBYTE, MEBIBYTE = 1 << 10, 1 << 20
IN_MEMORY = 64 * KIBIBYTE
UPLOADS = 200

CONFIG = """
body_folder: {folder}
limits: { body_disk_bytes_max: 2GiB }
routes:
  - match: POST /long
    upstream: {takes}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 60s
    uncertain: { effect_horizon: 1h }
  - match: POST /named
    upstream: {takes}
    key: { json: $.id, required: true }
    caller: public
    uncertain: { effect_horizon: 1h }
"""

# Answers with the length and digest of what came.
TAKES = r"""
import { createServer } from "node:http";
import { createHash } from "node:crypto";
let requests = 0;
createServer(async (request, response) => {
    if (request.url === "/requests") return response.end(String(requests));
    const digest = createHash("sha256");
    let length = 0;
    for await (const piece of request) { digest.update(piece); length += piece.length; }
    requests += 1;
    response.writeHead(201, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ length, said: request.headers["content-length"], digest: digest.digest("hex") }));
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("takes"));
"""


class LongRequest(ServiceTest):
    upstreams = {}

    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.bodies = os.path.join("/tmp", f"pawl-bodies-{os.getpid()}")
        os.mkdir(cls.bodies)
        cls.addClassCleanup(shutil.rmtree, cls.bodies, True)
        cls.config = CONFIG.replace("{takes}", f"http://127.0.0.1:{cls.port}").replace("{folder}", cls.bodies)
        super().setUpClass()
        upstream = Script(cls.folder, "takes", TAKES, cls.port)
        cls.addClassCleanup(upstream.kill)
        upstream.start()

    def requests(self):
        return int(ask(self.port, "GET", "/requests").body)

    def send(self, body, kind="application/octet-stream", key=None, path="/long"):
        return self.pawl.ask("POST", path, [("Idempotency-Key", key or self.key()), ("Content-Type", kind)], body)

    def body_files(self):
        """Files of bodies that the program holds open."""
        links = []
        for number in os.listdir(f"/proc/{self.pawl.pid}/fd"):
            try:
                links.append(os.readlink(f"/proc/{self.pawl.pid}/fd/{number}"))
            except OSError:
                pass
        return [link for link in links if link.startswith(self.bodies)]

    def test_a_body_arrives_byte_for_byte_at_the_bound_of_memory_and_beyond(self):
        for size in (IN_MEMORY - 1, IN_MEMORY, IN_MEMORY + 1, MEBIBYTE + 7, 8 * MEBIBYTE):
            with self.subTest(size=size):
                body = os.urandom(size)
                first = self.send(body, key=self.key(str(size)))
                self.assertEqual(first.json(), {"length": size, "said": str(size),
                                                "digest": hashlib.sha256(body).hexdigest()})
                before = self.requests()
                self.assertSameAnswer(first, self.send(body, key=self.key(str(size))))
                other = body[:-1] + bytes([body[-1] ^ 1])
                self.assertProblem(self.send(other, key=self.key(str(size))), 422, "key_reused")
                self.assertEqual(self.requests(), before)
        self.assertEqual((self.body_files(), os.listdir(self.bodies)), ([], []))

    def test_long_json_is_compared_by_its_meaning(self):
        items = [{"sku": f"s-{number}", "qty": number} for number in range(40_000)]
        body = json.dumps({"items": items, "note": "x"}).encode()
        self.assertGreater(len(body), MEBIBYTE)
        first = self.send(body, "application/json")
        turned = json.dumps({"note": "x", "items": [dict(reversed(item.items())) for item in items]}, indent=1).encode()
        self.assertSameAnswer(first, self.send(turned, "application/json"))
        items[39_999]["qty"] = 1
        self.assertProblem(self.send(json.dumps({"items": items, "note": "x"}).encode(), "application/json"),
                           422, "key_reused")

    def test_a_key_is_found_in_a_long_body(self):
        body = json.dumps({"filler": "x" * MEBIBYTE, "id": self.key()}).encode()
        first = self.pawl.ask("POST", "/named", [("Content-Type", "application/json")], body)
        self.assertEqual(first.status, 201)
        self.assertSameAnswer(first, self.pawl.ask("POST", "/named", [("Content-Type", "application/json")], body))

    def test_one_byte_more_than_the_route_takes_is_refused(self):
        before = self.requests()
        told = self.pawl.ask("POST", "/long", [("Idempotency-Key", self.key()),
                                               ("Content-Length", str(8 * MEBIBYTE + 1))])
        self.assertProblem(told, 413, "body_too_large")
        chunked = self.pawl.connect()
        self.addCleanup(chunked.close)
        chunked.request("POST", "/long", iter([bytes(MEBIBYTE)] * 8 + [b"x"]), {"Idempotency-Key": self.key()},
                        encode_chunked=True)
        self.assertEqual(chunked.getresponse().status, 413)
        self.assertEqual(self.requests(), before)
        wait_for(lambda: self.body_files() == [], 10, "the file is gone with its request")

    def test_without_room_on_the_disk_nothing_is_executed(self):
        """The folder is gone: a file can no more be made than on a full disk."""
        before = self.requests()
        os.rmdir(self.bodies)
        try:
            answer = self.send(bytes(MEBIBYTE))
            self.assertProblem(answer, 503, "unavailable", retryable=True)
            self.assertGreaterEqual(int(answer.header("Retry-After")), 1)
            self.assertEqual(self.send(b"short", key=self.key("short")).status, 201)
        finally:
            os.mkdir(self.bodies)
        self.assertEqual(self.requests(), before + 1)
        self.assertEqual(self.send(bytes(MEBIBYTE)).status, 201)

    def test_many_at_once_take_little_memory(self):
        self.send(bytes(8 * MEBIBYTE), key=self.key("warm"))
        before = self.pawl.memory_kib()
        body, sockets = bytes(8 * MEBIBYTE), []
        for number in range(UPLOADS):
            client = socket.create_connection(("127.0.0.1", self.pawl.port), timeout=120)
            self.addCleanup(client.close)
            client.sendall(f"POST /long HTTP/1.1\r\nHost: a\r\nIdempotency-Key: {self.key(str(number))}\r\n"
                           f"Content-Length: {len(body)}\r\n\r\n".encode())
            client.sendall(memoryview(body)[:-1])
            sockets.append(client)
        wait_for(lambda: len(self.body_files()) == UPLOADS, 60, "all are under way")
        highest = self.pawl.memory_kib()
        for client in sockets:
            client.sendall(b"\0")
        for number, client in enumerate(sockets):
            told = client.recv(4096)
            if told.startswith(b"HTTP/1.1 503 "):  # on a busy machine 200 connections are not made within a second
                self.assertEqual(self.send(body, key=self.key(str(number))).status, 201)
                continue
            self.assertTrue(told.startswith(b"HTTP/1.1 201 "), told)
            highest = max(highest, self.pawl.memory_kib())
        self.assertMemoryBelow(highest - before, 256 * KIBIBYTE, "KiB more than before; the bodies are 1.6 GiB")
        wait_for(lambda: self.body_files() == [], 10, "the files are gone with their requests")


if __name__ == "__main__":
    unittest.main()
