// SPDX-License-Identifier: Apache-2.0
// Deadlines: possible where they fire, and able to fire.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

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

class DeadlineRows : public testing::TestWithParam<Row> {};

TEST_P(DeadlineRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Deadlines, DeadlineRows, testing::ValuesIn(deadline_rows()), kRowName);

TEST(CheckDeadlines, ADeadlineThatAsksFirstBoundsNothing) {
    Definition flow = whole_order();
    named(flow.states, "created").deadline->cap = 20min;  // `expire` asks the probe
    EXPECT_THAT(said(flow), testing::IsEmpty());
}

TEST(CheckDeadlines, ARenewedDeadlineBoundsNothingWithoutACap) {
    Definition flow = whole_order();
    first(flow, "expire").before.clear();
    EXPECT_THAT(said(flow), testing::IsEmpty()) << "`unpaid` bounds the renewing of `created`";
}

}  // namespace
}  // namespace pawl::flow
