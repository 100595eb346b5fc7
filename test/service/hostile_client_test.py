# SPDX-License-Identifier: Apache-2.0
"""Requests that two readers could take apart differently, on a protected route, each with a second request hidden
behind it: one typed refusal, the connection ends, and nothing of either has an effect (R-COVERAGE). What only looks
odd and means one thing is served once."""

import socket
import unittest

from harness import ServiceTest

CONFIG = """
routes:
  - match: POST /orders
    upstream: {plain}
    key: { header: Idempotency-Key, required: true }
    caller: public
    uncertain: { effect_horizon: 1h }
default_upstream: {plain}
"""

LINE = "POST /orders HTTP/1.1\r\n"
HOST = "Host: a\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
EMPTY = "0\r\n\r\n"
NUL = "\0"

# name: what comes behind the request line and before the hidden request, {key} in it; the status. The body's bytes are
# what either reading would leave for the hidden request.
REFUSED = {
    "length and coding": (f"{HOST}{{key}}Content-Length: 5\r\n{CHUNKED}\r\n{EMPTY}", 400),
    "coding and length": (f"{HOST}{{key}}{CHUNKED}Content-Length: 5\r\n\r\n{EMPTY}", 400),
    "lengths that differ": (f"{HOST}{{key}}Content-Length: 0\r\nContent-Length: 5\r\n\r\n12345", 400),
    "lengths that agree": (f"{HOST}{{key}}Content-Length: 5\r\nContent-Length: 5\r\n\r\n12345", 400),
    "a list of lengths": (f"{HOST}{{key}}Content-Length: 5, 5\r\n\r\n12345", 400),
    "a signed length": (f"{HOST}{{key}}Content-Length: +5\r\n\r\n12345", 400),
    "a hexadecimal length": (f"{HOST}{{key}}Content-Length: 0x5\r\n\r\n12345", 400),
    "a length with a blank in it": (f"{HOST}{{key}}Content-Length: 0 5\r\n\r\n12345", 400),
    "a length beyond 64 bits": (f"{HOST}{{key}}Content-Length: 18446744073709551621\r\n\r\n12345", 400),
    "a negative length": (f"{HOST}{{key}}Content-Length: -5\r\n\r\n12345", 400),
    "coding identity": (f"{HOST}{{key}}Transfer-Encoding: identity\r\n\r\n", 501),
    "coding identity and length": (f"{HOST}{{key}}Transfer-Encoding: identity\r\nContent-Length: 5\r\n\r\n12345", 400),
    "coding xchunked": (f"{HOST}{{key}}Transfer-Encoding: xchunked\r\n\r\n{EMPTY}", 501),
    "coding chunked in quotes": (f"{HOST}{{key}}Transfer-Encoding: \"chunked\"\r\n\r\n{EMPTY}", 501),
    "chunked and more": (f"{HOST}{{key}}Transfer-Encoding: chunked, identity\r\n\r\n{EMPTY}", 501),
    "chunked twice": (f"{HOST}{{key}}{CHUNKED}{CHUNKED}\r\n{EMPTY}", 400),
    "a vertical tab before chunked": (f"{HOST}{{key}}Transfer-Encoding: \vchunked\r\n\r\n{EMPTY}", 400),
    "a blank before the colon": (f"{HOST}{{key}}Transfer-Encoding : chunked\r\n\r\n{EMPTY}", 400),
    "a tab before the colon": (f"{HOST}{{key}}Content-Length\t: 5\r\n\r\n12345", 400),
    "a folded coding": (f"{HOST}{{key}}Transfer-Encoding:\r\n chunked\r\n\r\n{EMPTY}", 400),
    "a folded value": (f"{HOST}{{key}}X: a\r\n\tContent-Length: 5\r\n\r\n12345", 400),
    "lone line feeds": (f"Host: a\n{{key}}Content-Length: 5\n\n12345", 400),
    "a lone line feed in a value": (f"{HOST}{{key}}X: a\nContent-Length: 5\r\n\r\n12345", 400),
    "a lone carriage return in a value": (f"{HOST}{{key}}X: a\rContent-Length: 5\r\n\r\n12345", 400),
    "a zero byte in a value": (f"{HOST}{{key}}X: a{NUL}b\r\n\r\n", 400),
    "a zero byte in a name": (f"{HOST}{{key}}X{NUL}: a\r\n\r\n", 400),
    "a zero byte in the length": (f"{HOST}{{key}}Content-Length: 5{NUL}\r\n\r\n12345", 400),
    "a line without a colon": (f"{HOST}{{key}}Content-Length 5\r\n\r\n12345", 400),
    "no Host": (f"{{key}}Content-Length: 0\r\n\r\n", 400),
    "two Hosts": (f"{HOST}Host: b\r\n{{key}}Content-Length: 0\r\n\r\n", 400),
    "a chunk's size of 17 digits": (f"{HOST}{{key}}{CHUNKED}\r\n10000000000000005\r\n12345\r\n{EMPTY}", 400),
    "a chunk's size that is signed": (f"{HOST}{{key}}{CHUNKED}\r\n+5\r\n12345\r\n{EMPTY}", 400),
    "a chunk's size with 0x": (f"{HOST}{{key}}{CHUNKED}\r\n0x5\r\n12345\r\n{EMPTY}", 400),
    "a chunk longer than it says": (f"{HOST}{{key}}{CHUNKED}\r\n5\r\n123456\r\n{EMPTY}", 400),
    "a chunk shorter than it says": (f"{HOST}{{key}}{CHUNKED}\r\n5\r\n1234\r\n{EMPTY}", 400),
    "a chunk's line that ends in a line feed": (f"{HOST}{{key}}{CHUNKED}\r\n5\n12345\r\n{EMPTY}", 400),
    "a line feed in a chunk's extension": (f"{HOST}{{key}}{CHUNKED}\r\n5;a\n12345\r\n{EMPTY}", 400),
    "a zero byte in a chunk's size": (f"{HOST}{{key}}{CHUNKED}\r\n5{NUL}\r\n12345\r\n{EMPTY}", 400),
    "an extension without a name": (f"{HOST}{{key}}{CHUNKED}\r\n5;\r\n12345\r\n{EMPTY}", 400),
    "a trailer that frames": (f"{HOST}{{key}}{CHUNKED}\r\n5\r\n12345\r\n0\r\nContent-Length: 9\r\n\r\n", 400),
}
SERVED = {
    "an extension of a chunk": f"{HOST}{{key}}{CHUNKED}\r\n5;a=\"b\"\r\n12345\r\n{EMPTY}",
    "a chunk's size with zeros before it": f"{HOST}{{key}}{CHUNKED}\r\n0005\r\n12345\r\n{EMPTY}",
    "a length with zeros before it": f"{HOST}{{key}}Content-Length: 0005\r\n\r\n12345",
    "a trailer": f"{HOST}{{key}}{CHUNKED}\r\n5\r\n12345\r\n0\r\nX-Sum: 7\r\n\r\n",
    "an empty line before it": f"{HOST}{{key}}Content-Length: 5\r\n\r\n12345",
}
TARGETS = {  # request lines
    "a fragment": ("POST /orders#a HTTP/1.1\r\n", 400),
    "a zero byte in the target": (f"POST /orders{NUL} HTTP/1.1\r\n", 400),
    "a blank in the target": ("POST /orders a HTTP/1.1\r\n", 400),
    "two blanks": ("POST  /orders HTTP/1.1\r\n", 400),
    "no version": ("POST /orders\r\n", 400),
    "another version": ("POST /orders HTTP/1.2\r\n", 505),
    "a foreign scheme": ("POST ftp://a/orders HTTP/1.1\r\n", 400),
    "a tunnel": ("CONNECT a:443 HTTP/1.1\r\n", 501),
}


class HostileClient(ServiceTest):
    config = CONFIG

    def said_to(self, bytes_sent):
        """Everything that comes until the connection ends."""
        with socket.create_connection(("127.0.0.1", self.pawl.port), timeout=20) as talk:
            talk.sendall(bytes_sent.encode("latin-1"))
            talk.shutdown(socket.SHUT_WR)
            said = b""
            while piece := talk.recv(65536):
                said += piece
        return said.decode("latin-1")

    def hidden(self):
        """A request that is whole, should anybody begin to read there."""
        return f"{LINE}{HOST}Idempotency-Key: {self.key('hidden')}\r\nContent-Length: 2\r\n\r\n{{}}"

    def assertRefused(self, said, status):
        self.assertEqual(said.count("HTTP/1.1 "), 1, said)
        self.assertTrue(said.startswith(f"HTTP/1.1 {status} "), said)
        self.assertIn("Content-Type: application/problem+json\r\n", said)
        self.assertIn("Connection: close\r\n", said)
        self.assertIn('"code":"request_invalid"', said)

    def test_what_two_readers_could_frame_differently_is_refused_with_all_behind_it(self):
        for name, (rest, status) in REFUSED.items():
            with self.subTest(name):
                key = f"Idempotency-Key: {self.key()}\r\n"
                self.assertRefused(self.said_to(LINE + rest.replace("{key}", key) + self.hidden()), status)
        self.assertEqual((self.effects_of(self.key()), self.effects_of(self.key("hidden"))), ([], []))

    def test_targets_that_are_none_are_refused(self):
        for name, (line, status) in TARGETS.items():
            with self.subTest(name):
                rest = f"{HOST}Idempotency-Key: {self.key()}\r\nContent-Length: 0\r\n\r\n"
                self.assertRefused(self.said_to(line + rest + self.hidden()), status)
        self.assertEqual((self.effects_of(self.key()), self.effects_of(self.key("hidden"))), ([], []))

    def test_what_is_only_odd_is_served_once_and_the_next_request_too(self):
        for name, rest in SERVED.items():
            with self.subTest(name):
                own = self.key(name.replace(" ", "-").replace("'", ""))
                first = "\r\n" if name.startswith("an empty line") else ""
                key = f"Idempotency-Key: {own}\r\n"
                said = self.said_to(first + LINE + rest.replace("{key}", key) + LINE + rest.replace("{key}", key))
                self.assertEqual(said.count("HTTP/1.1 201 "), 2, said)
                self.assertEqual(said.count("Idempotent-Replayed: true"), 1, said)
                self.assertEqual(len(self.effects_of(own)), 1)

    def effects_of(self, key):
        return [effect for effect in self.plain.effects() if effect["idempotency_key"] == key]

    def test_bytes_behind_a_whole_request_are_a_request_or_the_end(self):
        own = f"{LINE}{HOST}Idempotency-Key: {self.key()}\r\nContent-Length: 5\r\n\r\n12345"
        for garbage in ("GARBAGE\r\n\r\n", "\0\0\0\0", "67890", "\x16\x03\x01"):
            with self.subTest(garbage):
                said = self.said_to(own + garbage)
                self.assertTrue(said.startswith("HTTP/1.1 201 "), said)
                self.assertEqual(said.count("HTTP/1.1 201 "), 1)
                self.assertEqual(said.count("HTTP/1.1 400 "), 0 if garbage == "67890" else 1, said)
        self.assertEqual(len(self.effects_of(self.key())), 1)

    def test_an_absolute_target_names_the_host_whatever_host_says(self):
        line = "POST http://shop.example/orders HTTP/1.1\r\nHost: evil.example\r\n"
        said = self.said_to(f"{line}Idempotency-Key: {self.key()}\r\nContent-Length: 2\r\n\r\n{{}}")
        self.assertTrue(said.startswith("HTTP/1.1 201 "), said)
        seen = [seen for seen in self.plain.seen("/orders") if seen["headers"].header("Idempotency-Key") == self.key()]
        self.assertEqual([entry["headers"].all("Host") for entry in seen], [["shop.example"]])

    def test_a_head_that_is_too_long_is_refused(self):
        said = self.said_to(f"{LINE}{HOST}Idempotency-Key: {self.key()}\r\nX: {'x' * (64 << 10)}\r\n\r\n")
        self.assertRefused(said, 431)
        self.assertEqual(self.effects_of(self.key()), [])


if __name__ == "__main__":
    unittest.main()
