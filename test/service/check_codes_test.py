# SPDX-License-Identifier: Apache-2.0
"""Ids with a check code (R-CHECKCODE): answers show them, every call of a flow takes them, and one that was mistyped
finds and moves nobody else's entity."""

import json

from flow_harness import FlowTest, unittest

TILL = """
flow: till
initial: open
fields: { shop: text, note: { type: text, required: false }, total: money }
check_code: [shop, note]
states:
  open: { deadline: { after: 1h, event: close } }
  paid: {}
  closed: { final: true }
events:
  settle: { from: open, to: paid, set: [total], emit: till.settled }
  close: { from: [open, paid], to: closed, allow: [anyone] }
"""

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class CheckCodes(FlowTest):
    files = {"till.yaml": TILL}
    flows = "flows: { use: [packing, ./till.yaml] }\n"
    called = ()

    def till(self, name, shop="north"):
        return self.create("till", self.key(name), {"shop": shop, "total": "3.00"})

    def test_a_new_entity_has_its_id_alone_and_its_id_with_the_code(self):
        made = self.till("a")
        entity = made.json()
        number, code = entity["checked_id"].split("-")
        self.assertEqual(number, entity["id"])
        self.assertEqual(len(code), 5)
        self.assertEqual(set(code) - set(LETTERS), set())
        self.assertEqual(made.header("Location"), f"/v1/flows/till/{entity['checked_id']}")
        self.assertSameAnswer(made, self.post("/v1/flows/till", self.key("a"), {"shop": "north", "total": "3.00"}))
        self.assertEqual(self.get(made.header("Location")).json()["id"], entity["id"])

    def test_a_flow_without_check_codes_is_as_it_was(self):
        made = self.create("packing", self.key("p"), {"box": self.key("box")})
        self.assertNotIn("checked_id", made.json())
        answer = self.get(f"/v1/flows/packing/{made.json()['id']}-7K3QZ")
        self.assertIn("no check code", self.assertProblem(answer, 400, "request_invalid")["detail"])

    def test_every_call_takes_the_id_with_its_code_or_alone_and_small_letters(self):
        entity = self.till("a").json()
        for written in (entity["checked_id"], entity["checked_id"].lower(), entity["id"]):
            with self.subTest(written):
                seen = self.get(f"/v1/flows/till/{written}")
                self.assertEqual((seen.status, seen.json()["checked_id"]), (200, entity["checked_id"]))
                self.assertEqual(self.get(f"/v1/flows/till/{written}", [("If-None-Match", seen.header("ETag"))]).status,
                                 304)
                self.assertEqual(self.steps("till", written)[0]["event"], "create")
                renewed = self.post(f"/v1/flows/till/{written}/deadlines/open")
                self.assertEqual(renewed.status, 200, renewed)
        moved = self.event("till", entity["checked_id"], "settle", fields={"total": "4.00"})
        self.assertEqual(moved.status, 200, moved)
        self.assertEqual(moved.json()["checked_id"], entity["checked_id"], "what an event sets is no part of it")
        self.assertEqual(moved.header("Content-Location"), f"/v1/flows/till/{entity['checked_id']}")

    def test_what_is_taken_for_a_digit_is_read_as_it(self):
        for number in range(40):
            entity = self.till(f"n{number}").json()
            digits, code = entity["checked_id"].split("-")
            if "0" in code or "1" in code:
                written = code.replace("0", "o").replace("1", "l" if number % 2 else "I")
                self.assertEqual(self.get(f"/v1/flows/till/{digits}-{written}").status, 200, written)
                return
        self.fail("no code of forty had a 0 or a 1")

    def test_a_slip_finds_and_moves_nothing(self):
        """Whatever digit or letter is wrong, also where the id that results is somebody else's."""
        mine, other = self.till("mine").json(), self.till("other").json()
        code = mine["checked_id"].split("-")[1]
        slips = [f"{other['id']}-{code}"]
        for at, letter in enumerate(code):
            wrong = LETTERS[(LETTERS.index(letter) + 7) % len(LETTERS)]
            slips.append(f"{mine['id']}-{code[:at]}{wrong}{code[at + 1:]}")
        for number, slip in enumerate(slips):
            with self.subTest(slip):
                for answer in (self.get(f"/v1/flows/till/{slip}"), self.get(f"/v1/flows/till/{slip}/timeline"),
                               self.post(f"/v1/flows/till/{slip}/deadlines/open"),
                               self.event("till", slip, "settle", self.key(f"slip{number}"), {"total": "4.00"})):
                    problem = self.assertProblem(answer, 404, "id_check_failed")
                    self.assertIn("mistyped", problem["detail"])
                    self.assertNotIn("north", json.dumps(problem))
        for entity in (mine, other):
            self.assertEqual(self.entity("till", entity["id"])["version"], 1)
        # The refusals became nobody's result: the same key with the right code takes effect.
        good = self.event("till", mine["checked_id"], "settle", self.key("slip0"), {"total": "4.00"})
        self.assertEqual(good.status, 200, good)

    def test_a_digit_wrong_and_nobody_there_is_not_found(self):
        entity = self.till("a").json()
        digits, code = entity["checked_id"].split("-")
        turned = digits[:-2] + digits[-1] + digits[-2] if digits[-1] != digits[-2] else digits[:-1] + "7"
        answer = self.get(f"/v1/flows/till/{turned}-{code}")
        self.assertEqual(answer.status, 404, answer)

    def test_what_is_no_code_is_refused(self):
        entity = self.till("a").json()
        for written in ("", "-", "-7K3Q", "-7K3QZZ", "-UUUUU", "-7K3Q%20", "--7K3QZ"):
            answer = self.get(f"/v1/flows/till/{entity['id']}{written}/timeline") if written else self.get(
                "/v1/flows/till/-7K3QZ")
            self.assertProblem(answer, 400, "request_invalid")

    def test_a_repeat_is_known_whichever_way_the_id_is_written(self):
        entity = self.till("a").json()
        first = self.event("till", entity["id"], "settle", self.key("s"), {"total": "4.00"})
        self.assertEqual(first.status, 200, first)
        for written in (entity["checked_id"], entity["checked_id"].lower(), entity["id"]):
            self.assertSameAnswer(first, self.event("till", written, "settle", self.key("s"), {"total": "4.00"}))

    def test_lists_show_it_and_go_on_behind_it(self):
        made = sorted((self.till(f"l{number}").json() for number in range(3)), key=lambda one: int(one["id"]))
        page = self.get("/v1/flows/till?limit=500").json()["entities"]
        shown = {one["id"]: one["checked_id"] for one in page}
        for entity in made:
            self.assertEqual(shown[entity["id"]], entity["checked_id"])
        behind = self.get(f"/v1/flows/till?after={made[2]['checked_id']}").json()["entities"]
        self.assertEqual(behind[0]["id"], made[1]["id"])

    def test_the_command_line_takes_it_and_shows_it(self):
        entity = self.till("a").json()
        self.assertIn(entity["checked_id"], self.pawl.cli("flow", "list", "till")[1])
        for written in (entity["checked_id"].lower(), entity["id"]):
            code, out, err = self.pawl.cli("flow", "timeline", "till", written)
            self.assertEqual(code, 0, err)
            self.assertIn(entity["checked_id"], out)
        other = self.till("b").json()
        code, _, err = self.pawl.cli("flow", "timeline", "till", f"{other['id']}-{entity['checked_id'].split('-')[1]}")
        self.assertEqual(code, 3, err)
        self.assertIn("mistyped", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
