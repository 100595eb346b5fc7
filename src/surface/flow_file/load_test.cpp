// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_file/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/flow_fixture.hpp"

namespace pawl::flow_file {
namespace {

using testing::Contains;
using testing::HasSubstr;

// The order of the documentation.
constexpr std::string_view kOrder = R"(flow: order
initial: created
fields: { amount: money, currency: text }
items: true
correlate: { callback: out_trade_no, field: business_key }
deadlines:
  unpaid: { from: create, after: 30m, until: [paying, reserved, paid, cancelled], event: expire }
states:
  created:   { deadline: { after: 15m, event: expire } }
  paying:    { deadline: { after: 45m, event: expire } }
  reserved:  { deadline: { after: 60m, event: expire } }
  paid:      { deadline: { after: 72h, event: escalate }, late: { pay: refund } }
  shipped:   { deadline: { after: 15d, event: close }, late: { pay: refund } }
  delivered: { final: true, late: { pay: refund, deliver: ignore } }
  cancelled: { final: true, late: { pay: refund, deliver: ignore } }
events:
  begin_payment: { from: created, to: paying }
  reserve:       { from: paying, to: reserved, stock: reserve }
  pay:           { external: true, from: [created, paying, reserved], to: paid,
                   unique: { fields: [provider, transaction_id] },
                   require: { amount: same, currency: same }, stock: confirm,
                   short: { to: cancelled, saga: refund }, emit: order.paid }
  cancel:        { from: [created, paying, reserved], to: cancelled, before: probe_payment,
                   stock: release, emit: order.cancelled }
  expire:        { from: [created, paying, reserved], to: cancelled, before: probe_payment,
                   stock: release, emit: order.expired }
  escalate:      { from: paid, to: same, emit: order.escalated }
  ship:          { from: paid, to: shipped, emit: order.shipped }
  deliver:       { external: true, from: shipped, to: delivered, early: park, emit: order.delivered }
  close:         { from: shipped, to: delivered, emit: order.unsigned }
probes:
  probe_payment: { call: "GET http://pay/orders/{business_key}", paid: "$.paid == true", give_up: 24h,
                   facts: { provider: $.provider, transaction_id: $.transaction_id } }
sagas:
  refund:        { call: POST http://pay/refunds, key: [provider, transaction_id] }
)";

// As of the file: it compares the currency too.
flow::Definition order_flow() {
    flow::Definition flow = flow::order_flow();
    flow::named(flow.events, "pay")
        .transitions[0]
        .require.push_back({"currency", flow::Guard::Kind::same, {}});
    return flow;
}

std::vector<std::string> said(std::string_view text) {
    const auto loaded = load_flow(text);
    std::vector<std::string> lines;
    for (const auto& one : loaded ? loaded->warnings : loaded.error())
        lines.push_back(std::to_string(one.line) + " " + one.what + "; " + one.remedy);
    return lines;
}

std::string changed(std::string_view from, std::string_view to) {
    std::string text(kOrder);
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(FlowFile, ReadsTheOrderOfTheDocumentation) {
    EXPECT_THAT(said(kOrder), testing::IsEmpty());
    EXPECT_EQ(load_flow(kOrder)->definition, order_flow());
}

// Whatever it found would be nobody's: each look an entry for a person.
TEST(FlowFile, AProbeSaysWhichPaymentItFound) {
    EXPECT_THAT(
        said(changed(",\n                   facts: { provider: $.provider, transaction_id: "
                     "$.transaction_id }",
                     "")),
        testing::UnorderedElementsAre(HasSubstr("write `provider: $.provider`"),
                                      HasSubstr("write `transaction_id: $.transaction_id`")));
}

TEST(FlowFile, TheLongFormsAreTheSameAsTheShortOnes) {
    EXPECT_EQ(load_flow(changed("amount: money", "amount: { type: money }"))->definition,
              order_flow());
    EXPECT_EQ(load_flow(changed("{ pay: refund } }", "{ pay: { saga: refund } } }"))->definition,
              order_flow());
    EXPECT_EQ(
        load_flow(changed("{ from: paid, to: shipped, emit: order.shipped }",
                          "{ transitions: [{ from: [paid], to: shipped, emit: order.shipped }] }"))
            ->definition,
        order_flow());
    EXPECT_EQ(load_flow(changed("unique: { fields: [provider, transaction_id] }",
                                "unique: [{ fields: [provider, transaction_id] }]"))
                  ->definition,
              order_flow());
}

TEST(FlowFile, ReadsWhatTheOrderDoesNotHave) {
    const auto loaded = load_flow(R"(flow: seat
initial: held
fields: { room: text, start: time, end: time, user: text, note: { type: text, required: false } }
items: true
check_code: [room, user]
create: { unique: [{ fields: [user, room], while: [held] }], stock: reserve, emit: seat.held, allow: [role desk],
          require: { room: { one_of: [A, B] } }, on_repeat: current,
          exclusive: { resource: room, from: start, to: end, while: [held, taken] } }
states:
  held: { deadline: { after: 15m, cap: 1h, event: drop, allow: [role desk] } }
  taken: { late: {} }
  gone: { final: true }
events:
  take: { from: held, to: taken, set: [note], noop: ok, fields: { at_ms: integer, token: text },
          token: { field: token, over: [room, at_ms], time: at_ms, valid: 30s, skew: 5s },
          require: { user: owner, note: present }, stock: confirm, short: { to: gone } }
  drop: { allow: [role desk], transitions: [{ from: held, to: gone, stock: release },
                        { from: taken, to: gone, stock: return, saga: tell }] }
sagas:
  tell: { key: [id], steps: [{ name: bill, call: POST http://bill/x, compensate: POST http://bill/y }] }
)");
    ASSERT_TRUE(loaded) << testing::PrintToString(loaded.error().front().what);
    const flow::Definition& seat = loaded->definition;
    EXPECT_FALSE(seat.fields[4].required);
    EXPECT_EQ(seat.create.unique[0].while_in, flow::Names{"held"});
    EXPECT_EQ(seat.create.transitions[0].exclusive->while_in, (flow::Names{"held", "taken"}));
    EXPECT_EQ(seat.create.transitions[0].to, "held");
    EXPECT_EQ(seat.create.on_repeat, flow::OnRepeat::current);
    EXPECT_EQ(seat.states[0].deadline->cap, std::chrono::hours(1));
    EXPECT_EQ(seat.states[0].renewed_by, flow::Names{"role desk"});
    EXPECT_EQ(seat.events[0].token->over, (flow::Names{"room", "at_ms"}));
    EXPECT_EQ(seat.events[0].noop, flow::Noop::ok);
    EXPECT_EQ(seat.events[1].transitions[1].stock, stock::Action::return_sold);
    EXPECT_EQ(seat.sagas[0].steps[0].compensate, "POST http://bill/y");
}

TEST(FlowFile, ReadsARangeInWhicheverOrderItsEndsStand) {
    for (const auto* range : {"{ at_least: 1, at_most: 500 }", "{ at_most: 500, at_least: 1 }"}) {
        const auto loaded = load_flow(changed("amount: same", std::string("amount: ") + range));
        ASSERT_TRUE(loaded) << range;
        EXPECT_EQ(flow::named(loaded->definition.events, "pay").transitions[0].require[0],
                  (flow::Guard{"amount", flow::Guard::Kind::between, {"1", "500"}}));
    }
}

// What core/flow finds stands on the line of what it speaks about; what the file does not give, on the line of
// the nearest thing around it.
TEST(FlowFile, FindingsStandWhereTheMistakeIs) {
    EXPECT_THAT(
        said(changed("to: shipped", "to: shiped")),
        Contains(HasSubstr("28 `shiped` is not a state of this flow; write one of created")));
    EXPECT_THAT(
        said(changed(
            "paid:      { deadline: { after: 72h, event: escalate }, late: { pay: refund } }",
            "paid:      { deadline: { after: 72h, event: escalate } }")),
        Contains(HasSubstr("12 `pay` reports a fact, and `paid` has no answer to it")));
    EXPECT_THAT(said(changed("unique: { fields: [provider, transaction_id] }",
                             "unique: { fields: [provider] }")),
                Contains(HasSubstr("20 two payments of `pay` can have the same `provider`")));
    EXPECT_THAT(said(changed("short: { to: cancelled,", "short: { to: paid,")),
                Contains(HasSubstr("22 `pay` leads to `paid` with its stock and without")));
    EXPECT_THAT(
        said(changed("\"GET http://pay/orders/{business_key}\"", "POST http://pay/orders")),
        testing::IsSupersetOf({HasSubstr("32 `probe_payment` asks with POST"),
                               HasSubstr("32 `probe_payment` asks the same of every order")}));
    EXPECT_THAT(said(changed("initial: created\n", "")),
                Contains(HasSubstr("1 a state is missing")));
    EXPECT_THAT(said(changed("ship:          { from: paid, to: shipped, emit: order.shipped }",
                             "ship: { transitions: [{ from: paid, to: shipped },\n   { from: paid, "
                             "to: delivered }] }")),
                Contains(HasSubstr("29 `ship` leads from `paid` to `shipped` and to `delivered`")));
}

TEST(FlowFile, WhatCannotBeReadSaysWhatToWrite) {
    EXPECT_THAT(said(changed("stock: confirm", "stock: confrm")),
                Contains(HasSubstr("`stock`: `confrm` is not known; did you mean `confirm`?")));
    EXPECT_THAT(said(changed("amount: money", "amount: monney")),
                Contains(HasSubstr("3 `type`: `monney` is not known; did you mean `money`?")));
    EXPECT_THAT(said(changed("emit: order.paid", "emits: order.paid")),
                Contains(HasSubstr("`emits` is not known in `events.pay`; did you mean `emit`?")));
    EXPECT_THAT(said(changed("amount: same", "amount: equal")),
                Contains(HasSubstr("`equal` is no condition; write `same`, `present`")));
    for (const auto* two : {"{ equals: 1, at_most: 1 }", "{ at_least: [1, 2], at_most: 3 }"})
        EXPECT_THAT(said(changed("amount: same", std::string("amount: ") + two)),
                    Contains(HasSubstr("`amount` has 2 conditions; keep one of them; `at_least` "
                                       "and `at_most`, one value each, may stand together")));
    EXPECT_THAT(said(changed("amount: same", "amount: { at_least: 500, at_most: 1 }")),
                Contains(HasSubstr("21 nothing is `500` at least and `1` at most")));
    EXPECT_THAT(said(changed("after: 15m", "after: 15")), Contains(HasSubstr("9 `after`: ")));
    EXPECT_THAT(said("- flow: x"), Contains(HasSubstr("1 the file is not a map; begin with")));
    EXPECT_THAT(said("flow: x\nstates: [a]\n"),
                Contains(HasSubstr("2 `states` is a list; write `states: {")));
    EXPECT_THAT(said("flow: x\nstates: { a: 1 }\n"),
                Contains(HasSubstr("2 `a` is a single value")));
    EXPECT_THAT(said("flow: x\nprobes: { a: { facts: } }\n"),
                Contains(HasSubstr("2 `facts` has no value")));
    EXPECT_THAT(said("flow: x\nstates: { a: { deadline: } }\n"),
                Contains(HasSubstr("2 `deadline` has no value")));
}

TEST(FlowFile, TransitionsStandInOnePlaceOnly) {
    EXPECT_THAT(said(changed("ship:          { from: paid, to: shipped,",
                             "ship: { transitions: [{ from: paid, to: shipped }], to: paid,")),
                Contains(HasSubstr("`to` is not known in `events.ship`")));
}

TEST(FlowFile, AFileThatIsNotThereIsAFinding) {
    const auto loaded = load_flow_file("/nowhere/order.yaml");
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().front().what, "the file cannot be read");
}

}  // namespace
}  // namespace pawl::flow_file
