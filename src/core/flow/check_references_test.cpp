// SPDX-License-Identifier: Apache-2.0
// What is named is declared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

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

class ReferenceRows : public testing::TestWithParam<Row> {};

TEST_P(ReferenceRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(References, ReferenceRows, testing::ValuesIn(reference_rows()), kRowName);
INSTANTIATE_TEST_SUITE_P(HandedOut, ReferenceRows, testing::ValuesIn(handed_out_rows()), kRowName);

}  // namespace
}  // namespace pawl::flow
