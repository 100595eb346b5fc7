# SPDX-License-Identifier: Apache-2.0
"""An upstream that answers with garbage, too little, too much, without end, late, or breaks off at any byte: the
first caller is told that the outcome is not known, or gets an answer that is whole; every repeat is answered from the
record; and the upstream is asked once (E1, R3; field cases 3, 25)."""

import concurrent.futures
import json
import time
import unittest

from harness import Script, ServiceTest, ask, free_port, wait_for

CONFIG = """
routes:
  - match: POST /odd
    upstream: {odd}
    key: { header: Idempotency-Key, required: true }
    caller: public
    wait: 2500ms
    lease: 3s
    hold_max: 3s
    uncertain: { effect_horizon: 1h }
"""

WHOLE = "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
CHUNKED = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"

# A bare socket: writes X-Say (a JSON string), then does X-Then: keep, end, reset, hang, endless (goes on for ever).
# Each request is counted by its key before anything is said. X-Late: milliseconds before that.
ODD = r"""
import net from "node:net";
const counts = {};
const wait = (ms) => new Promise((resume) => setTimeout(resume, ms));
net.createServer((socket) => {
    let head = "";
    socket.on("error", () => {});
    socket.on("data", async (bytes) => {
        head += bytes.toString("latin1");
        if (!head.endsWith("\r\n\r\n{}") && !head.startsWith("GET ")) return;
        const line = (name) => new RegExp(`^${name}: (.*)\r$`, "mi").exec(head)?.[1];
        const [key, then] = [line("Idempotency-Key"), line("X-Then")];
        if (head.startsWith("GET ")) {
            const body = JSON.stringify(counts);
            head = "";
            return socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
        }
        counts[key] = (counts[key] ?? 0) + 1;
        const say = Buffer.from(JSON.parse(line("X-Say")), "latin1");
        await wait(Number(line("X-Late") ?? 0));
        head = "";
        socket.write(say, () => {
            if (then === "end") socket.end();
            if (then === "reset") setTimeout(() => socket.resetAndDestroy(), 20);
        });
        if (then === "endless") {
            const more = Buffer.alloc(1 << 16, "x");
            const timer = setInterval(() => socket.destroyed ? clearInterval(timer) : socket.write(more), 1);
            socket.on("close", () => clearInterval(timer));
        }
    });
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("odd"));
"""

# name: what is said, what is done then
NO_ANSWER = {
    "nothing": ("", "end"),
    "nothing, and a reset": ("", "reset"),
    "garbage": ("\0\1\2garbage\r\n\r\n", "keep"),
    "garbage for ever": ("x", "endless"),
    "a head for ever": ("HTTP/1.1 201 Created\r\nX: ", "endless"),
    "another version": ("HTTP/3.0 201 Created\r\nContent-Length: 0\r\n\r\n", "keep"),
    "no status": ("HTTP/1.1 xyz Created\r\nContent-Length: 0\r\n\r\n", "keep"),
    "status zero": ("HTTP/1.1 000 Created\r\nContent-Length: 0\r\n\r\n", "keep"),
    "two lengths": ("HTTP/1.1 201 Created\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", "keep"),
    "length and coding": ("HTTP/1.1 201 Created\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "5\r\nhello\r\n0\r\n\r\n", "keep"),
    "a length that is none": ("HTTP/1.1 201 Created\r\nContent-Length: five\r\n\r\nhello", "keep"),
    "a coding that is none": ("HTTP/1.1 201 Created\r\nTransfer-Encoding: gzip\r\n\r\nhello", "end"),
    "less than promised": ("HTTP/1.1 201 Created\r\nContent-Length: 6\r\n\r\nhello", "end"),
    "less than promised, then nothing": ("HTTP/1.1 201 Created\r\nContent-Length: 6\r\n\r\nhello", "hang"),
    "a chunk that is none": (CHUNKED.replace("5\r\n", "zz\r\n"), "keep"),
    "a chunk without its end": (CHUNKED.replace("hello\r\n", "hello!!"), "keep"),
    "chunks that stop": ("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "end"),
    "lone line feeds": ("HTTP/1.1 201 Created\nContent-Length: 5\n\nhello", "keep"),
    "a switch of protocols": ("HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "hang"),
    "hints and nothing else": ("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "end"),
    "an event stream": ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\r\n\r\n", "hang"),
}
ANSWERED = {
    "hints before": ("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + WHOLE, "keep"),
    "more than promised": (WHOLE + " and more", "keep"),
    "a second answer": (WHOLE + WHOLE.replace("hello", "other"), "keep"),
    "ended by the connection": ("HTTP/1.1 201 Created\r\n\r\nhello", "end"),
    "folded lines": (WHOLE.replace("text/plain", "text/plain\r\n ; charset=x"), "keep"),
    "chunks": (CHUNKED, "keep"),
}


class HostileUpstream(ServiceTest):
    config = CONFIG
    upstreams = {}

    @classmethod
    def setUpClass(cls):
        cls.odd_port = free_port()
        cls.config = CONFIG.replace("{odd}", f"http://127.0.0.1:{cls.odd_port}")
        super().setUpClass()
        upstream = Script(cls.folder, "odd", ODD, cls.odd_port)
        cls.addClassCleanup(upstream.kill)
        upstream.start()

    def send(self, name, say, then, late=0):
        return self.post("/odd", self.key(name.replace(" ", "-").replace(",", "")), body=b"{}",
                         headers=[("X-Say", json.dumps(say)), ("X-Then", then), ("X-Late", str(late))])

    def asked(self, name):
        counts = json.loads(ask(self.odd_port, "GET", "/").body)
        return counts.get(self.key(name.replace(" ", "-").replace(",", "")), 0)

    def assertUncertain(self, name, say, then):
        first = self.send(name, say, then)
        if first.code == "in_progress":  # its patience is shorter than the hold
            first = wait_for(lambda: (a := self.send(name, say, then)).code != "in_progress" and a, 10, "its end")
        self.assertIn((first.status, first.code), ((502, "uncertain"), (409, "uncertain")), (name, first))
        self.assertIs(first.json()["safe_new_key"], False)
        repeat = self.send(name, say, then)
        self.assertProblem(repeat, 409, "uncertain", safe_new_key=False)
        self.assertEqual(self.asked(name), 1, name)

    def test_what_is_no_answer_leaves_the_outcome_open_and_is_asked_for_once(self):
        for name, (say, then) in NO_ANSWER.items():
            with self.subTest(name):
                self.assertUncertain(name, say, then)
        self.assertMemoryBelow(self.pawl.memory_kib(), 200 << 10)

    def test_what_is_odd_and_whole_is_the_answer_also_to_repeats(self):
        for name, (say, then) in ANSWERED.items():
            with self.subTest(name):
                first = self.send(name, say, then)
                self.assertEqual((first.status, first.body), (201, b"hello"), first)
                self.assertSameAnswer(first, self.send(name, say, then))
                self.assertEqual(self.asked(name), 1)

    def test_an_answer_that_breaks_off_at_any_byte_is_none(self):
        """By an end and by a reset; the last byte makes it whole."""
        cuts = [(what, cut, then) for what, whole in (("length", WHOLE), ("chunked", CHUNKED))
                for cut in range(len(whole)) for then in ("end", "reset")]

        def try_cut(place):
            what, cut, then = place
            whole = WHOLE if what == "length" else CHUNKED
            self.assertUncertain(f"{what} {then} {cut}", whole[:cut], then)

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            for done in [pool.submit(try_cut, place) for place in cuts]:
                done.result()
        for what, whole in (("length", WHOLE), ("chunked", CHUNKED)):
            self.assertEqual(self.send(f"{what} whole", whole, "end").status, 201)

    def test_an_answer_after_the_maximum_hold_still_counts_and_is_asked_for_once(self):
        self.assertProblem(self.send("late", WHOLE, "keep", late=4000), 409, "in_progress")
        wait_for(lambda: self.send("late", WHOLE, "keep").code == "uncertain", 10, "it is given up")
        answer = wait_for(lambda: (a := self.send("late", WHOLE, "keep")).status == 201 and a, 15, "it is heard")
        self.assertEqual((answer.body, answer.replayed, self.asked("late")), (b"hello", True, 1))

    def test_an_answer_without_end_is_handed_on_while_somebody_reads_and_costs_no_memory(self):
        say = "HTTP/1.1 201 Created\r\nContent-Type: text/plain\r\n\r\n"
        before = self.pawl.memory_kib()
        connection = self.pawl.connect()
        connection.request("POST", "/odd", b"{}", {"Idempotency-Key": self.key("endless"), "X-Then": "endless",
                                                   "Content-Type": "application/json", "X-Say": json.dumps(say)})
        response = connection.getresponse()
        self.assertEqual(response.status, 201)
        self.assertEqual(len(response.read(8 << 20)), 8 << 20)
        connection.close()
        time.sleep(0.2)
        self.assertMemoryBelow(self.pawl.memory_kib() - before, 32 << 10)
        self.assertProblem(self.send("endless", say, "endless"), 410, "result_expired", original_status=201)
        self.assertEqual(self.asked("endless"), 1)


if __name__ == "__main__":
    unittest.main()
