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

// It goes wrong when it fires, and nobody is there.
std::vector<Row> firing_rows() {
    return {
        {"unique_by_what_it_does_not_say",
         [](Definition& f) {
             named(f.events, "close").fields = {{"scan", FieldType::text, false}};
             named(f.events, "close").unique = {{{"scan"}, {}}};
         },
         "error states.shipped.deadline.event: `close` is unique by `scan`, which a deadline does "
         "not say; give the deadline an event of its own, without `unique`"},
        {"unique_by_what_others_have",
         [](Definition& f) { named(f.events, "close").unique = {{{"currency"}, {"delivered"}}}; },
         "error states.shipped.deadline.event: `close` is unique by `currency`: where another "
         "order has the same, this deadline does nothing; give the deadline an event of its own"},
        {"reserves_what_may_be_gone",
         [](Definition& f) { first(f, "expire").stock = stock::Action::reserve; },
         "error states.created.deadline.event: a deadline sends `expire`, which says not what to "
         "do when the stock is short; write `short: { to: STATE }` beside `stock`"},
        {"sells_what_may_be_gone",
         [](Definition& f) { first(f, "close").stock = stock::Action::confirm; },
         "error states.shipped.deadline.event: a deadline sends `close`, which says not what to do "
         "when the stock is short"},
        {"takes_a_slot_that_may_be_gone",
         [](Definition& f) {
             f.fields.push_back({"room", FieldType::text});
             f.fields.push_back({"start", FieldType::time});
             f.fields.push_back({"end", FieldType::time});
             first(f, "close").exclusive = ExclusiveRule{"room", "start", "end", {"delivered"}};
         },
         "error states.shipped.deadline.event: a deadline sends `close`, which says not what to do "
         "when the slot is taken; write `taken: { to: STATE }`"},
        {"gives_back_what_is_not_in", [](Definition& f) { first(f, "expire").saga = "refund"; },
         "error states.created.deadline.event: a deadline sends `expire` in `created`, where "
         "nothing need have told the `provider` that `refund` is keyed by; give the deadline of "
         "`created` an event that starts no `refund`"},
        {"gives_back_what_may_not_be_in",
         [](Definition& f) {
             first(f, "close").saga = "refund";
             first(f, "ship").from.push_back("created");
         },
         "error states.shipped.deadline.event: a deadline sends `close` in `shipped`, where "
         "nothing need have told the `provider`"},
    };
}

class TimerRows : public testing::TestWithParam<Row> {};

TEST_P(TimerRows, SaysWhereAndWhatToWriteInstead) { expect_said(whole_order(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Timers, TimerRows, testing::ValuesIn(timer_rows()), kRowName);
INSTANTIATE_TEST_SUITE_P(Firing, TimerRows, testing::ValuesIn(firing_rows()), kRowName);

TEST(CheckTimers, MoneyThatIsInMayGoBackWhenATimeHasPassed) {
    Definition flow = whole_order();
    first(flow, "close").saga = "refund";
    EXPECT_THAT(said(flow), testing::IsEmpty());
}

TEST(CheckTimers, WhatAFactHasSaidWhileItLastsKeysASaga) {
    Definition flow = whole_order();
    EventRule& ship = named(flow.events, "ship");
    ship.fields = {{"parcel", FieldType::text}};
    ship.unique = {{{"parcel"}, {"shipped"}}};
    flow.sagas.push_back({"recall", "POST http://courier/recall", {"parcel"}, {}});
    first(flow, "close").saga = "recall";
    EXPECT_THAT(said(flow), testing::IsEmpty());
    ship.unique[0].while_in = {"paid"};
    EXPECT_THAT(said(flow), testing::Contains(testing::HasSubstr("need have told the `parcel`")));
    ship.unique.clear();
    flow.fields.push_back({"parcel", FieldType::text, false});
    ship.set = {"parcel"};
    EXPECT_THAT(said(flow), testing::IsEmpty()) << "the order keeps it";
}

TEST(CheckTimers, WhatMayBeGoneIsTakenWithAWayOn) {
    Definition flow = whole_order();
    first(flow, "close").stock = stock::Action::confirm;
    first(flow, "close").short_of = Branch{"cancelled", ""};
    EXPECT_THAT(said(flow), testing::IsEmpty());
}

}  // namespace
}  // namespace pawl::flow
