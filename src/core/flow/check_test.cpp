// SPDX-License-Identifier: Apache-2.0
// Each row: one change to a flow that has no finding, and what is then said, where, and what to do instead.
#include "core/flow/check.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/flow_fixture.hpp"

namespace pawl::flow {
namespace {

using policy::Severity;

std::vector<std::string> said(const std::vector<Finding>& findings) {
    std::vector<std::string> lines;
    for (const Finding& one : findings)
        lines.push_back((one.severity == Severity::error ? "error " : "warning ") + one.path +
                        ": " + one.what + "; " + one.remedy);
    return lines;
}

// The order of the documentation, which compares the currency too.
Definition order_flow() {
    Definition flow = flow::order_flow();
    named(flow.events, "pay").transitions[0].require.push_back({"currency", Guard::Kind::same, {}});
    return flow;
}

TEST(CheckFlow, TheOrderOfTheDocumentationHasNoFinding) {
    EXPECT_THAT(said(check(order_flow())), testing::IsEmpty());
}

struct Row {
    std::string name;
    std::function<void(Definition&)> change;
    std::string said;  // part of one finding
};

Transition& first(Definition& flow, std::string_view name) {
    return named(flow.events, name).transitions[0];
}

Definition slotted() {
    Definition flow = order_flow();
    flow.fields.push_back({"room", FieldType::text});
    flow.fields.push_back({"start", FieldType::time});
    flow.fields.push_back({"end", FieldType::time});
    first(flow, "reserve").exclusive = ExclusiveRule{"room", "start", "end", {"reserved", "paid"}};
    return flow;
}

std::vector<Row> shape_rows() {
    return {
        {"two_targets",
         [](Definition& f) {
             named(f.events, "cancel").transitions.push_back({.from = {"paying"}, .to = "paid"});
         },
         "error events.cancel.transitions[1].from: `cancel` leads from `paying` to `cancelled` and "
         "to "
         "`paid`; take `paying` out of one of them"},
        {"unreachable",
         [](Definition& f) {
             f.states.push_back({"lost", true, {}, {compensated("pay"), ignored("deliver")}});
         },
         "error states.lost: no event leads to `lost`; add an event that leads there"},
        {"dead_end", [](Definition& f) { named(f.states, "delivered").final = false; },
         "error states.delivered: no event leaves `delivered`; write `final: true`"},
        {"final_is_left", [](Definition& f) { first(f, "ship").from.push_back("cancelled"); },
         "error events.ship.from: `ship` leaves `cancelled`, which is final"},
        {"to_itself", [](Definition& f) { first(f, "escalate").to = "paid"; },
         "error events.escalate.to: `escalate` leads from `paid` to itself; write `to: same`"},
        {"fact_unanswered", [](Definition& f) { named(f.states, "paid").late.clear(); },
         "error states.paid: `pay` reports a fact, and `paid` has no answer to it; write `late: { "
         "pay: SAGA }` at `paid`, or `early: park` at `events.pay`"},
        {"fact_never_possible_again",
         [](Definition& f) { std::erase(named(f.states, "cancelled").late, ignored("deliver")); },
         "error states.cancelled: `deliver` reports a fact, and `cancelled` has no answer to it"},
        {"late_request",
         [](Definition& f) { named(f.states, "paid").late.push_back(ignored("cancel")); },
         "error states.paid.late.cancel: `cancel` is a request"},
        {"late_is_possible",
         [](Definition& f) { named(f.states, "created").late.push_back(ignored("pay")); },
         "error states.created.late.pay: `pay` is not late in `created`"},
        {"late_neither", [](Definition& f) { named(f.states, "paid").late[0].saga.clear(); },
         "error states.paid.late.pay: a late fact is either ignored or compensated"},
        {"early_request", [](Definition& f) { named(f.events, "ship").early = Early::park; },
         "error events.ship.early: `ship` is a request"},
        {"noop_of_a_fact", [](Definition& f) { named(f.events, "pay").noop = Noop::ok; },
         "error events.pay.noop: `pay` reports a fact"},
        {"no_correlation", [](Definition& f) { f.correlate.reset(); },
         "warning correlate: no provider's notification finds its entity; write `correlate:"},
    };
}

std::vector<Row> deadline_rows() {
    return {
        {"event_not_allowed",
         [](Definition& f) { named(f.states, "paid").deadline->event = "expire"; },
         "error states.paid.deadline.event: `expire` is not allowed in `paid`, where this deadline "
         "can "
         "fire; add `paid` to the event's `from`"},
        {"flow_event_not_allowed", [](Definition& f) { std::erase(f.deadlines[0].until, "paid"); },
         "error deadlines.unpaid.event: `expire` is not allowed in `paid`, where this deadline can "
         "fire; add `paid` to the event's `from`, or to `until`"},
        {"no_time", [](Definition& f) { f.deadlines[0].rule.after = 0ms; },
         "error deadlines.unpaid.after: a deadline ends after a time"},
        {"too_long", [](Definition& f) { f.deadlines[0].rule.after = 24h * 36500 + 1ms; },
         "error deadlines.unpaid.after: a deadline ends after a time; write from `after: 1ms`"},
        {"of_a_fact", [](Definition& f) { named(f.states, "created").deadline->event = "pay"; },
         "error states.created.deadline.event: `pay` reports a fact, and a time that has passed is "
         "none"},
        {"named_as_a_state", [](Definition& f) { f.deadlines[0].rule.name = "paid"; },
         "error deadlines.paid: the deadline of the state `paid` is named `paid`"},
        {"in_final_state",
         [](Definition& f) {
             named(f.states, "delivered").deadline = timer::Rule{"delivered", "close", {}, 1h, {}};
         },
         "warning states.delivered.deadline: the deadline `delivered` can never fire; remove it"},
        {"ended_at_once", [](Definition& f) { f.deadlines[0].until.push_back("created"); },
         "warning deadlines.unpaid: the deadline `unpaid` can never fire"},
        {"overtaken_by_a_cap",
         [](Definition& f) {
             first(f, "expire").before.clear();
             named(f.states, "created").deadline->cap = 20min;
         },
         "warning deadlines.unpaid: the deadline `unpaid` can never fire"},
        {"overtaken_from_creation",
         [](Definition& f) {
             first(f, "expire").before.clear();
             f.deadlines[0].rule.after = 10min;
         },
         "warning states.created.deadline: the deadline `created` can never fire"},
        {"cap_before_after", [](Definition& f) { named(f.states, "paid").deadline->cap = 71h; },
         "warning states.paid.deadline.cap: the cap ends it before `after: 3d` has passed once"},
    };
}

// Of codes and tokens that people and stations hold.
std::vector<Row> handed_out_rows() {
    return {
        {"check_code_of_what_changes",
         [](Definition& f) {
             f.check_code = {"amount"};
             named(f.events, "cancel").set = {"amount"};
         },
         "error check_code: `amount` is set by `cancel`"},
        {"token_station",
         [](Definition& f) {
             named(f.events, "ship").token =
                 TokenRule{.field = "amount", .over = {"amount"}, .time = "amount", .station = "s"};
         },
         "error events.ship.token.station: `s` is not a field of `ship`"},
    };
}

std::vector<Row> timer_rows() {
    return {
        {"asks_for_a_field",
         [](Definition& f) { named(f.events, "close").fields = {{"why", FieldType::text}}; },
         "error states.shipped.deadline.event: `close` asks for `why`, which a deadline does not "
         "say; give the deadline an event of its own"},
        {"asks_for_the_same",
         [](Definition& f) { first(f, "close").require = {{"amount", Guard::Kind::same, {}}}; },
         "error states.shipped.deadline.event: `close` asks for `amount`"},
        {"asks_for_the_owner",
         [](Definition& f) { first(f, "close").require = {{"currency", Guard::Kind::owner, {}}}; },
         "error states.shipped.deadline.event: `close` asks for `currency`"},
        {"asks_for_a_scan",
         [](Definition& f) {
             named(f.events, "close").fields = {{"scan", FieldType::text, false},
                                                {"at", FieldType::integer, false}};
             named(f.events, "close").token = TokenRule{"scan", {"at"}, "at"};
         },
         "error states.shipped.deadline.event: `close` asks for `scan`"},
        {"only_way_out_does_not_run",
         [](Definition& f) {
             std::erase_if(f.events, [](const EventRule& one) { return one.name == "ship"; });
             named(f.events, "close").transitions[0].from = {"paid", "shipped"};
             first(f, "escalate").to = "shipped";
             first(f, "escalate").from = {"created"};
             named(f.states, "paid").deadline.reset();
             named(f.states, "created").deadline->event = "escalate";
         },
         "error states.paid: only `close` leaves `paid`; deadlines send it, and none runs there; "
         "write `paid: { deadline: { after: 1h, event: close } }`, or `allow: [anyone]` at "
         "`events.close`"},
    };
}

std::vector<Row> reference_rows() {
    return {
        {"initial", [](Definition& f) { f.initial = "crated"; },
         "error initial: `crated` is not a state of this flow; write one of created, paying"},
        {"initial_missing", [](Definition& f) { f.initial = ""; },
         "error initial: a state is missing"},
        {"to", [](Definition& f) { first(f, "ship").to = "send"; },
         "error events.ship.to: `send` is not a state of this flow"},
        {"from", [](Definition& f) { first(f, "ship").from = {"pay"}; },
         "error events.ship.from: `pay` is not a state of this flow"},
        {"from_twice", [](Definition& f) { first(f, "ship").from = {"paid", "paid"}; },
         "error events.ship.from: `paid` stands twice"},
        {"from_missing", [](Definition& f) { first(f, "ship").from.clear(); },
         "error events.ship: `ship` says not where it comes from; write `from: STATE`"},
        {"until", [](Definition& f) { f.deadlines[0].until.push_back("payed"); },
         "error deadlines.unpaid.until: `payed` is not a state"},
        {"deadline_event", [](Definition& f) { f.deadlines[0].rule.event = "expires"; },
         "error deadlines.unpaid.event: `expires` is not an event of this flow"},
        {"state_deadline_event",
         [](Definition& f) { named(f.states, "paid").deadline->event = "x"; },
         "error states.paid.deadline.event: `x` is not an event"},
        {"late_event",
         [](Definition& f) { named(f.states, "paid").late.push_back(ignored("payed")); },
         "error states.paid.late: `payed` is not an event"},
        {"late_saga", [](Definition& f) { named(f.states, "paid").late[0].saga = "refunds"; },
         "error states.paid.late.pay: `refunds` is not a saga"},
        {"probe", [](Definition& f) { first(f, "cancel").before = "probe"; },
         "error events.cancel.before: `probe` is not a probe"},
        {"probe_event", [](Definition& f) { f.probes[0].event = "payed"; },
         "error probes.probe_payment.event: `payed` is not an event"},
        {"probe_of_a_request", [](Definition& f) { f.probes[0].event = "ship"; },
         "error probes.probe_payment.event: `ship` reports no fact that a probe could find"},
        {"probe_fact", [](Definition& f) { f.probes[0].facts.emplace_back("tx", "$.tx"); },
         "error probes.probe_payment.facts: `tx` is not a field of `pay`"},
        {"saga", [](Definition& f) { first(f, "ship").saga = "courier"; },
         "error events.ship.saga: `courier` is not a saga"},
        {"saga_key", [](Definition& f) { f.sagas[0].key.push_back("tx"); },
         "error sagas.refund.key: `tx` is not a field of any event"},
        {"short_to", [](Definition& f) { first(f, "pay").short_of->to = "gone"; },
         "error events.pay.short.to: `gone` is not a state"},
        {"short_saga", [](Definition& f) { first(f, "pay").short_of->saga = "gone"; },
         "error events.pay.short.saga: `gone` is not a saga"},
        {"unique_field",
         [](Definition& f) { named(f.events, "pay").unique[0].fields.push_back("tx"); },
         "error events.pay.unique: `tx` is not a field of `pay`; declare it under `fields`"},
        {"unique_nothing", [](Definition& f) { named(f.events, "pay").unique[0].fields.clear(); },
         "error events.pay.unique: `unique` names no fields"},
        {"unique_while",
         [](Definition& f) { named(f.events, "pay").unique[0].while_in = {"open"}; },
         "error events.pay.unique.while: `open` is not a state"},
        {"set", [](Definition& f) { named(f.events, "ship").set = {"carrier"}; },
         "error events.ship.set: `carrier` is not a field of this flow"},
        {"fact_of_a_request",
         [](Definition& f) { named(f.events, "ship").unique = {{{"provider"}, {}}}; },
         "error events.ship.unique: `provider` is not a field of `ship`"},
        {"check_code", [](Definition& f) { f.check_code = {"colour"}; },
         "error check_code: `colour` is not a field"},
        {"correlate", [](Definition& f) { f.correlate->field = "number"; },
         "error correlate.field: `number` is not a field"},
        {"token",
         [](Definition& f) { named(f.events, "ship").token = TokenRule{"token", {"box"}, "ts"}; },
         "error events.ship.token: `token` is not a field of `ship`"},
        {"token_age",
         [](Definition& f) {
             named(f.events, "ship").token = TokenRule{"amount", {"amount"}, "ts"};
         },
         "error events.ship.token: the token's age is not part of it; write `time: FIELD`"},
    };
}

std::vector<Row> stock_rows() {
    return {
        {"no_items", [](Definition& f) { f.items = false; },
         "error events.reserve.stock: the flow has no lines whose stock could move; write `items: "
         "true`"},
        {"fact_without_short", [](Definition& f) { first(f, "pay").short_of.reset(); },
         "error events.pay: `pay` reports a fact, and says not what to do when the stock is short"},
        {"short_without_stock",
         [](Definition& f) { first(f, "ship").short_of = Branch{"paid", ""}; },
         "error events.ship.short: `short` stands beside `stock: reserve`"},
        {"taken_without_slot", [](Definition& f) { first(f, "ship").taken = Branch{"paid", ""}; },
         "error events.ship.taken: `taken` stands beside `exclusive` only"},
        {"short_creation",
         [](Definition& f) {
             f.create.transitions[0].stock = stock::Action::reserve;
             f.create.transitions[0].short_of = Branch{"cancelled", ""};
         },
         "error create.short: a creation without stock is refused and leaves no entity"},
        {"taken_creation",
         [](Definition& f) { f.create.transitions[0].taken = Branch{"cancelled", ""}; },
         "error create.taken: a creation without its slot is refused"},
        {"reserved_for_ever", [](Definition& f) { first(f, "cancel").stock.reset(); },
         "warning events.cancel: `cancel` ends the entity, and what is still reserved goes back; "
         "write "
         "`stock: "
         "release`"},
        {"slot_of_a_fact",
         [](Definition& f) {
             f = slotted();
             first(f, "pay").exclusive = first(f, "reserve").exclusive;
         },
         "error events.pay: `pay` reports a fact, and says not what to do when the slot is taken"},
        {"slot_without_states",
         [](Definition& f) {
             f = slotted();
             first(f, "reserve").exclusive->while_in.clear();
         },
         "error events.reserve.exclusive: `exclusive` says not in which states"},
        {"slot_not_a_time",
         [](Definition& f) {
             f = slotted();
             first(f, "reserve").exclusive->to = "room";
         },
         "error events.reserve.exclusive.to: `room` is not a time; write `fields: { room: time }`"},
        {"slot_undeclared",
         [](Definition& f) {
             f = slotted();
             first(f, "reserve").exclusive->resource = "table";
         },
         "error events.reserve.exclusive.resource: `table` is not a field"},
    };
}

std::vector<Row> guard_rows() {
    const auto guard = [](Guard one) {
        return [one](Definition& f) { first(f, "pay").require = {one}; };
    };
    using enum Guard::Kind;
    return {
        {"undeclared", guard({"tip", present, {}}),
         "error events.pay.require.tip: `tip` is not a field"},
        {"same_of_nothing", guard({"provider", same, {}}),
         "error events.pay.require.provider: entities have no `provider`"},
        {"same_with_value", guard({"amount", same, {"1"}}),
         "error events.pay.require.amount: `same` with 1 values; write `amount: same`"},
        {"equals_nothing", guard({"amount", equals, {}}),
         "error events.pay.require.amount: `equals` with 0 values; write `amount: { equals: VALUE "
         "}`"},
        {"one_of_nothing", guard({"amount", one_of, {}}),
         "error events.pay.require.amount: `one_of` with 0 values"},
        {"no_order", guard({"currency", at_most, {"EUR"}}),
         "error events.pay.require.currency: `currency` is of type text, which has no order"},
        {"wrong_value", guard({"amount", at_most, {"much"}}),
         "error events.pay.require.amount: `much`: not an amount"},
        {"owner_is_text", guard({"amount", owner, {}}),
         "error events.pay.require.amount: `amount` is of type money, a caller's name is text"},
        {"same_at_creation",
         [](Definition& f) { f.create.transitions[0].require = {{"amount", same, {}}}; },
         "error create.require.amount: at creation there is nothing to be the same as"},
    };
}

std::vector<Row> word_rows() {
    return {
        {"flow_name", [](Definition& f) { f.name = "my order"; },
         "error flow: `my order` is not a name"},
        {"long_name", [](Definition& f) { f.name = std::string(kNameBytesMax + 1, 'n'); },
         "error flow: `nnn"},
        {"same_state", [](Definition& f) { named(f.states, "paid").name = "same"; },
         "error states.same: `same` means the state that an event comes from"},
        {"state_twice", [](Definition& f) { f.states.push_back(f.states.back()); },
         "error states.cancelled: `cancelled` stands twice"},
        {"create_event",
         [](Definition& f) { f.events.push_back(event("create", {"paid"}, "same")); },
         "error events.create: `create` is how every entity begins"},
        {"own_field", [](Definition& f) { f.fields.push_back({"state", FieldType::text}); },
         "error fields.state: every entity has a `state` of its own"},
        {"no_states", [](Definition& f) { f.states.clear(); },
         "error states: the flow has no states"},
        {"no_transition", [](Definition& f) { named(f.events, "ship").transitions.clear(); },
         "error events.ship: `ship` has 0 transitions"},
        {"allow", [](Definition& f) { named(f.events, "ship").allow = {"warehouse"}; },
         "error events.ship.allow: `warehouse` is nobody; write `callback`, `anyone` or `role "
         "NAME`"},
        {"renewed_by_nobody",
         [](Definition& f) { named(f.states, "created").renewed_by = {"callback"}; },
         "error states.created.deadline.allow: `callback` renews nothing; write `anyone` or `role "
         "NAME`"},
        {"probe_call", [](Definition& f) { f.probes[0].call = "http://pay"; },
         "error probes.probe_payment.call: `http://pay` is not a method and an address"},
        {"probe_name", [](Definition& f) { f.probes[0].call = "GET http://pay/{order_no}"; },
         "error probes.probe_payment.call: nothing tells what `{order_no}` is"},
        {"saga_name", [](Definition& f) { f.sagas[0].call += "/{amount}/{transaction_id}/{no}"; },
         "error sagas.refund.call: nothing tells what `{no}` is"},
        {"probe_paid", [](Definition& f) { f.probes[0].paid = "paid"; },
         "error probes.probe_payment.paid: `paid` says not what a paid order looks like"},
        {"probe_fact_that_is_not_named", [](Definition& f) { f.probes[0].facts.pop_back(); },
         "error probes.probe_payment.facts: `pay` is known by its `transaction_id`, and "
         "`probe_payment` does not say where the answer has it; write `transaction_id: "
         "$.transaction_id`, where the answer names it"},
        {"probe_gives_up", [](Definition& f) { f.probes[0].give_up = 0ms; },
         "error probes.probe_payment.give_up: the probe gives up before it asks"},
        {"saga_call", [](Definition& f) { f.sagas[0].call = "FETCH http://pay/refunds"; },
         "error sagas.refund.call: `FETCH http://pay/refunds` is not a method and an address"},
        {"saga_nothing", [](Definition& f) { f.sagas[0].call.clear(); },
         "error sagas.refund: a saga is one call or several steps"},
        {"saga_both",
         [](Definition& f) { f.sagas[0].steps = {{"bill", "POST http://bill/new", ""}}; },
         "error sagas.refund: a saga is one call or several steps"},
        {"saga_without_key", [](Definition& f) { f.sagas[0].key.clear(); },
         "error sagas.refund.key: nothing tells one run of this saga from another"},
        {"saga_step",
         [](Definition& f) { f.sagas.push_back({"ready", "", {"id"}, {{"bill", "bill", ""}}}); },
         "error sagas.ready.steps: `bill` is not a method and an address"},
    };
}

class Rows : public testing::TestWithParam<Row> {};

TEST_P(Rows, SaysWhereAndWhatToWriteInstead) {
    Definition flow = order_flow();
    GetParam().change(flow);
    const auto lines = said(check(flow));
    EXPECT_THAT(lines, testing::Contains(testing::HasSubstr(GetParam().said)))
        << testing::PrintToString(lines);
    for (const std::string& line : lines) EXPECT_FALSE(line.ends_with("; ")) << line;
}

const auto kName = [](const auto& row) { return row.param.name; };
INSTANTIATE_TEST_SUITE_P(Shape, Rows, testing::ValuesIn(shape_rows()), kName);
INSTANTIATE_TEST_SUITE_P(Deadlines, Rows, testing::ValuesIn(deadline_rows()), kName);
INSTANTIATE_TEST_SUITE_P(Timers, Rows, testing::ValuesIn(timer_rows()), kName);
INSTANTIATE_TEST_SUITE_P(References, Rows, testing::ValuesIn(reference_rows()), kName);
INSTANTIATE_TEST_SUITE_P(HandedOut, Rows, testing::ValuesIn(handed_out_rows()), kName);
INSTANTIATE_TEST_SUITE_P(Stock, Rows, testing::ValuesIn(stock_rows()), kName);
INSTANTIATE_TEST_SUITE_P(Guards, Rows, testing::ValuesIn(guard_rows()), kName);
INSTANTIATE_TEST_SUITE_P(Words, Rows, testing::ValuesIn(word_rows()), kName);

TEST(CheckFlow, ADeadlineThatAsksFirstBoundsNothing) {
    Definition flow = order_flow();
    named(flow.states, "created").deadline->cap = 20min;  // `expire` asks the probe
    EXPECT_THAT(said(check(flow)), testing::IsEmpty());
}

TEST(CheckFlow, ARenewedDeadlineBoundsNothingWithoutACap) {
    Definition flow = order_flow();
    first(flow, "expire").before.clear();
    EXPECT_THAT(said(check(flow)), testing::IsEmpty())
        << "`unpaid` bounds the renewing of `created`";
}

TEST(CheckFlow, LimitsHoldAtTheLimitAndNotBeyond) {
    Definition flow = order_flow();
    while (flow.fields.size() < kFieldsMax)
        flow.fields.push_back({"f" + std::to_string(flow.fields.size()), FieldType::text});
    EXPECT_THAT(said(check(flow)), testing::IsEmpty());
    flow.fields.push_back({"f", FieldType::text});
    EXPECT_THAT(said(check(flow)),
                testing::Contains(testing::HasSubstr("101 of fields, at most 100")));
}

TEST(CheckFlow, TheSmallestFlowHasNoFinding) {
    Definition flow;
    flow.name = "job";
    flow.initial = "open";
    flow.states = {{"open", false, {}, {}}, {"done", true, {}, {}}};
    flow.events = {event("finish", {"open"}, "done")};
    flow.create.transitions[0].to = "open";
    EXPECT_THAT(said(check(flow)), testing::IsEmpty());
}

}  // namespace
}  // namespace pawl::flow
