# SPDX-License-Identifier: Apache-2.0
"""A packing line whose stations sign their scans (R-PACKING): a box is packed by the first scan of a station that is
known, a scan that is sent again is the same scan, and what nobody signed, or signed for another box, packs nothing."""

import hashlib
import hmac
import json
import secrets
import time

from flow_harness import FlowTest, unittest

NORTH, SOUTH = "the secret of the station north", "the secret of the station south"


def length_prefixed(*values):
    parts = [str(value).encode() for value in values]
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def scan(box, station, secret, age_ms=0, made_for=("pawl.scan.2", "packing", "pack"), **changed):
    """The body of a scan, as docs/flows/packing.md says it is made."""
    ts_ms, nonce = int(time.time() * 1000) - age_ms, secrets.token_hex(8)
    seen = hashlib.sha256(length_prefixed(*made_for, box, ts_ms, nonce)).digest()
    token = hmac.new(secret.encode(), seen, hashlib.sha256).hexdigest() if secret else seen.hex()
    body = {"token": token, "ts_ms": ts_ms, "nonce": nonce, "station": station}
    return {name: value for name, value in {**body, **changed}.items() if value is not None}


class Stations(FlowTest):
    flows = "flows: { use: [packing] }\n"
    files = {"north.secret": NORTH, "south.secret": SOUTH}
    called = ()
    config = ("stations: { north: { secrets: [{ file: north.secret }] },"
              " south: { secrets: [{ file: south.secret }] } }\n")

    def box(self, name="box"):
        box = self.key(name)
        entity = self.create("packing", self.key(f"create-{name}"), {"box": box}).json()["id"]
        self.assertEqual(self.event("packing", entity, "arrive").status, 200)
        return box, entity

    def pack(self, entity, body, key):
        return self.event("packing", entity, "pack", self.key(key), body)

    def test_a_signed_scan_packs_and_is_the_same_scan_however_often_it_is_sent(self):
        box, entity = self.box()
        first = scan(box, "north", NORTH)
        packed = self.pack(entity, first, "1")
        self.assertEqual((packed.status, packed.json()["state"]), (200, "packed"), packed)
        self.assertSameAnswer(packed, self.pack(entity, first, "1"))
        again = self.pack(entity, first, "2")
        self.assertEqual((again.status, again.body, again.replayed), (200, packed.body, True), again)
        bounced = self.pack(entity, scan(box, "north", NORTH), "3")
        self.assertProblem(bounced, 409, "transition_refused")
        other = self.pack(entity, scan(box, "south", SOUTH), "4")
        self.assertEqual(self.assertProblem(other, 409, "transition_refused")["winner"]["version"], 3)
        self.assertEqual(self.entity("packing", entity)["version"], 3)

    def test_what_no_station_signed_for_this_box_packs_nothing(self):
        box, entity = self.box()
        good = scan(box, "north", NORTH)
        table = [
            ("nobody signed it", scan(box, "north", ""), "did not sign it"),
            ("another station signed it", scan(box, "north", SOUTH), "did not sign it"),
            ("said to be of another station", {**good, "station": "south"}, "did not sign it"),
            ("of no station", {name: value for name, value in good.items() if name != "station"}, "which station"),
            ("of a station that nobody knows", {**good, "station": "west"}, "no station"),
            ("of another box", scan(box + "7", "north", NORTH), "does not fit"),
            ("at another time", {**good, "ts_ms": good["ts_ms"] + 1}, "does not fit"),
            ("another scan's", {**good, "nonce": "n"}, "does not fit"),
            ("of another event", scan(box, "north", NORTH, 0, ("pawl.scan.2", "packing", "arrive")), "does not fit"),
            ("of another flow", scan(box, "north", NORTH, 0, ("pawl.scan.2", "order", "pack")), "does not fit"),
            ("of no flow at all", scan(box, "north", NORTH, 0, ("pawl.scan",)), "does not fit"),
            ("no hexadecimal", {**good, "token": "zz"}, "does not fit"),
            ("of a time to come", scan(box, "north", NORTH, -60_000), "set the clock"),
        ]
        for number, (what, body, says) in enumerate(table):
            with self.subTest(what):
                problem = self.assertProblem(self.pack(entity, body, f"t{number}"), 401, "token_invalid")
                self.assertIn(says, problem["detail"])
        old = self.pack(entity, scan(box, "north", NORTH, 31_000), "old")
        self.assertProblem(old, 410, "token_expired")
        self.assertState("packing", entity, "pending")
        # None of them became a result: the same key packs with a scan that is good.
        self.assertEqual(self.pack(entity, good, "t0").status, 200)

    def test_two_terminals_at_once(self):
        box, entity = self.box()
        scans = [("north", NORTH), ("south", SOUTH)] * 4
        answers = self.at_once([lambda number=number, one=one: self.pack(entity, scan(box, *one), f"at{number}")
                                for number, one in enumerate(scans)])
        self.assertEqual(sorted(answer.status for answer in answers), [200] + [409] * 7)
        self.assertEqual(self.entity("packing", entity)["version"], 3)

    def test_the_command_line_makes_a_scan_for_a_try(self):
        box, entity = self.box()
        code, out, err = self.pawl.cli("flow", "scan", "packing", "pack", f"box={box}", "--station", "north")
        self.assertEqual(code, 0, err)
        packed = self.pack(entity, json.loads(out), "1")
        self.assertEqual(packed.status, 200, packed)
        self.assertIn("station north", self.pawl.cli("flow", "timeline", "packing", entity)[1])
        code, _, err = self.pawl.cli("flow", "scan", "packing", "pack", f"box={box}")
        self.assertEqual(code, 2)
        self.assertIn("--station", err)

    def test_no_secret_is_shown(self):
        box, entity = self.box()
        self.pack(entity, scan(box, "north", NORTH), "1")
        for shown in (self.get(f"/v1/flows/packing/{entity}/timeline").body.decode(),
                      self.get("/v1/flows/packing/states").body.decode(), self.pawl.log(),
                      *self.pawl.cli("check", self.pawl.config_path)[1:]):
            self.assertNotIn("the secret of", shown)


if __name__ == "__main__":
    unittest.main(verbosity=2)
