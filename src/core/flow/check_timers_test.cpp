// SPDX-License-Identifier: Apache-2.0
// What a deadline sends: an event that asks for nothing, and that something sends wherever it is the only way out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check_rows.hpp"

namespace pawl::flow {
namespace {

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

class TimerRows : public testing::TestWithParam<Row> {};

TEST_P(TimerRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Timers, TimerRows, testing::ValuesIn(timer_rows()), kRowName);

}  // namespace
}  // namespace pawl::flow
