# SPDX-License-Identifier: Apache-2.0
"""Settings of flow files as they show over HTTP: what a repeat gets, who may renew a deadline, how long a fact waits,
what is counted, and what a change of a file may not take away (R-FLOW, R-METRICS; rulings 3)."""

import signal

from flow_harness import FlowTest, unittest

PARCEL = """flow: parcel
initial: new
states: { new: {}, weighed: {}, sent: {}, lost: { final: true } }
create: { on_repeat: current }
events:
  weigh: { from: new, to: weighed, on_repeat: refuse }
  send:  { from: weighed, to: sent, on_repeat: current }
  lose:  { from: [new, weighed, sent], to: lost }
"""


class Repeats(FlowTest):
    """A repeat gets what the flow says (`on_repeat`, rulings 3): nothing again, or what there is now."""

    flows = "flows: { use: [./parcel.yaml], caller: public }\n"
    called = ()
    files = {"parcel.yaml": PARCEL}

    def test_a_repeat_is_refused_or_shown_the_present_state(self):
        first = self.create("parcel", self.key("c"), {})
        parcel = first.json()["id"]
        path = f"/v1/flows/parcel/{parcel}"
        self.assertEqual(self.event("parcel", parcel, "weigh", "w-" + parcel).status, 200)
        again = self.event("parcel", parcel, "weigh", "w-" + parcel)
        problem = self.assertProblem(again, 409, "duplicate_request")
        self.assertEqual((again.header("Location"), again.replayed), (path, False))
        self.assertRegex(problem["first_seen_at"], "^20")
        self.assertRegex(problem["operation_ref"], "^op_")
        self.assertEqual(self.event("parcel", parcel, "send", "s-" + parcel).status, 200)
        self.assertEqual(self.event("parcel", parcel, "lose").status, 200)
        for again in (self.event("parcel", parcel, "send", "s-" + parcel),
                      self.post("/v1/flows/parcel", self.key("c"), {})):
            self.assertEqual((again.status, again.json()["state"], again.header("ETag")), (200, "lost", '"4"'))
            self.assertEqual((again.replayed, again.header("Pawl-Result-Source")), (True, "current"))
        self.assertEqual(len(self.get(f"{path}/timeline").json()["steps"]), 4)

    def test_a_refusal_made_nothing_and_is_told_as_it_was(self):
        parcel = self.create("parcel", self.key("r"), {}).json()["id"]
        refused = self.event("parcel", parcel, "send", "early-" + parcel)
        self.assertProblem(refused, 409, "transition_refused")
        self.assertEqual(self.event("parcel", parcel, "weigh").status, 200)
        again = self.event("parcel", parcel, "send", "early-" + parcel)
        self.assertProblem(again, 409, "transition_refused")
        self.assertTrue(again.replayed)
        self.assertIsNone(again.header("Pawl-Result-Source"))


CRATE = """flow: crate
initial: open
items: true
fields: { size: text }
states: { open: {}, full: {}, gone: { final: true } }
events:
  fill: { from: open, to: full, stock: reserve }
  drop: { from: [open, full], to: gone, stock: release }
"""


class HeldThings(FlowTest):
    """What an entity holds keeps its way back, and what it has its meaning, whatever the file becomes."""

    flows = "flows: { use: [./crate.yaml], caller: public }\n"
    called = ()
    files = {"crate.yaml": CRATE}

    def rewrite(self, text):
        with open(f"{self.folder}/crate.yaml", "w", encoding="utf-8") as stream:
            stream.write(text)
        self.pawl.child.send_signal(signal.SIGHUP)

    def test_stock_that_is_held_and_fields_that_are_had_cannot_be_taken_away(self):
        self.stock("A", 5)
        crate = self.create("crate", self.key(), {"size": "L", "items": [{"sku": "A", "quantity": 2}]}).json()["id"]
        self.assertEqual(self.event("crate", crate, "fill").json()["state"], "full")
        bare = CRATE.replace("items: true\n", "").replace(", stock: reserve", "").replace(", stock: release", "")
        self.rewrite(bare)
        self.eventually(lambda: f"crate {crate} holds 2 of `A` in `full`" in self.pawl.log(), "stock is held")
        self.rewrite(CRATE.replace("size: text", "size: integer"))
        self.eventually(lambda: f"crate {crate} has one and is in `full`" in self.pawl.log(), "the field is had")
        self.assertEqual(self.event("crate", crate, "drop").json()["state"], "gone")
        self.assertEqual(self.get("/v1/stock/A").json()["available"], 5)
        # Nothing holds it any more, and nothing goes on that has one.
        self.rewrite(bare.replace("size: text", "size: integer"))
        self.eventually(lambda: self.post("/v1/flows/crate", self.key("n"), {"size": "7"}).status == 201, "it is taken")


PERMIT = """flow: permit
initial: asked
correlate: { callback: out_trade_no, field: business_key }
states:
  asked: { deadline: { after: 1h, event: lapse, allow: [role desk] } }
  granted: {}
  gone: { final: true, late: { seen: ignore } }
events:
  grant: { from: asked, to: granted }
  lapse: { from: asked, to: gone }
  seen: { external: true, allow: [anyone], from: granted, to: gone, early: park }
"""


class Permits(FlowTest):
    flows = "flows: { use: [./permit.yaml], caller: { header: X-User }, roles: { desk: [dora] } }\n"
    called = ()
    files = {"permit.yaml": PERMIT}

    def permit(self, name="p"):
        made = self.post("/v1/flows/permit", self.key(name), {"business_key": self.key(name)},
                         headers=[("X-User", "ann")])
        self.assertEqual(made.status, 201, made)
        return made.json()["id"]

    def test_a_deadline_is_renewed_by_those_whom_it_allows(self):
        path = f"/v1/flows/permit/{self.permit()}/deadlines/asked"
        self.assertProblem(self.post(path, headers=[("X-User", "ann")]), 403, "forbidden")
        self.assertEqual(self.post(path, headers=[("X-User", "dora")]).status, 200)

    def test_what_waits_says_until_when_and_is_listed(self):
        permit = self.permit()
        reported = self.event("permit", permit, "seen", self.key("seen"), headers=[("X-User", "ann")])
        self.assertEqual((reported.status, reported.json()["acknowledged"]), (202, "parked"), reported)
        until = reported.json()["waits_until"]
        listed = self.pawl.admin("GET", "/admin/v1/flows/waiting?flow=permit").json()["facts"]
        mine = [one for one in listed if one.get("business_key") == self.key("p")]
        self.assertEqual([(one["event"], one["until"]) for one in mine], [("seen", until)])
        self.assertGreater(until, mine[0]["since"])
        code, out, err = self.pawl.cli("flow", "list", "permit", "--waiting")
        self.assertEqual((code, err), (0, ""))
        self.assertIn(until.replace("T", " ")[:23], out)
        explained = self.pawl.cli_json("explain", self.key("seen"))["records"][0]["meaning"]
        self.assertRegex(explained, "^acknowledged .* answered 202; it waits")
        self.assertEqual(self.event("permit", permit, "grant", headers=[("X-User", "ann")]).status, 200)
        self.eventually(lambda: self.get(f"/v1/flows/permit/{permit}", [("X-User", "ann")]).json()["state"] == "gone",
                        "what waited is applied")
        listed = self.pawl.admin("GET", "/admin/v1/flows/waiting?flow=permit").json()["facts"]
        self.assertNotIn(self.key("p"), [one.get("business_key") for one in listed])

    def test_transitions_are_counted_by_flow_event_states_and_result(self):
        def count(**labels):
            return self.pawl.metric("flow_transitions_total", flow="permit", **labels) or 0

        granted = count(event="grant", **{"from": "asked"}, to="granted", result="applied")
        refused = count(event="grant", result="refused")
        permit = self.permit()
        for name in ("g1", "g2"):
            self.event("permit", permit, "grant", self.key(name), headers=[("X-User", "ann")])
        self.assertEqual(count(event="grant", **{"from": "asked"}, to="granted", result="applied"), granted + 1)
        self.assertEqual(count(event="grant", result="refused"), refused + 1)
        self.assertGreaterEqual(count(event="create", to="asked", result="applied"), 1)
        self.assertIsNotNone(self.pawl.metric("flow_contended_total"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
