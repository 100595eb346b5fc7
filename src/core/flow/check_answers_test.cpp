// SPDX-License-Identifier: Apache-2.0
// One answer for every state and event, and a way in and out of every state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

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

class AnswerRows : public testing::TestWithParam<Row> {};

TEST_P(AnswerRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Shape, AnswerRows, testing::ValuesIn(shape_rows()), kRowName);

}  // namespace
}  // namespace pawl::flow
