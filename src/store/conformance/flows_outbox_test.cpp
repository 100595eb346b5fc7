// SPDX-License-Identifier: Apache-2.0
// Outgoing events, per sink: in the order of each entity, none passed by, none twice once it was reported.
#include "store/conformance/outbox_suite.hpp"

namespace pawl::store::conformance {
namespace {

class FlowsOutbox : public OutboxSuite {};

// The built-in flow's types along the way: paid, shipped, delivered.
TEST_P(FlowsOutbox, RowsOfOneEntityGoOneAfterTheOther) {
    grown("1", 3);
    EXPECT_EQ(types("a"), (Strings{"1 order.paid"}));
    EXPECT_EQ(types("a"), (Strings{"1 order.paid"})) << "until it is reported";
    send_all("a");
    EXPECT_EQ(types("a"), (Strings{"1 order.shipped"}));
    send_all("a");
    rig().restart();
    EXPECT_EQ(types("a"), (Strings{"1 order.delivered"}));
    send_all("a");
    EXPECT_TRUE(types("a").empty());
    EXPECT_EQ(figures("a").unsent, 0U);
}

TEST_P(FlowsOutbox, ARowSaysWhatItsHistorySays) {
    grown("1", 1);
    const OutboxRow row = unsent("a").at(0);
    EXPECT_EQ(row.subject.tenant, "acme");
    EXPECT_EQ(row.subject.flow, "order");
    EXPECT_EQ(row.history, history("1", 1).at(0).history);
    EXPECT_EQ(row.tries, 0U);
}

// Field case 65: no row is passed by because a later one was sent.
TEST_P(FlowsOutbox, OthersPassOneThatIsStuck) {
    for (const char* id : {"1", "2", "3"}) grown(id, 2);
    EXPECT_EQ(types("a").size(), 3U);
    const auto rows = unsent("a");
    report("a", {parked(rows[0], "the endpoint says 400"), sent(rows[1]), again(rows[2], 5s)});
    EXPECT_EQ(types("a"), (Strings{"2 order.shipped"}));
    send_all("a");
    EXPECT_TRUE(types("a").empty());
    EXPECT_EQ(figures("a").parked, 1U);
    EXPECT_EQ(figures("a").unsent, 3U) << "one waits, and one behind each of both";
    rig().hand().pass(5s);
    EXPECT_EQ(types("a"), (Strings{"3 order.paid"}));
    EXPECT_EQ(unsent("a").at(0).tries, 1U);
    send_all("a");
    EXPECT_EQ(types("a"), (Strings{"3 order.shipped"}));
    send_all("a");
    rig().restart();
    EXPECT_TRUE(types("a").empty());
    const auto list = run(rig().store().parked("a", 9));
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].row.subject.id, "1");
    EXPECT_EQ(list[0].said, "the endpoint says 400");
    EXPECT_EQ(list[0].row.tries, 1U);
}

TEST_P(FlowsOutbox, WhatIsDrivenAgainGoesBeforeWhatWaitedBehindIt) {
    grown("1", 3);
    report("a", {parked(unsent("a").at(0), "no")});
    EXPECT_TRUE(types("a").empty());
    EXPECT_EQ(run(rig().store().redrive("a")), 1U);
    EXPECT_EQ(run(rig().store().redrive("a")), 0U);
    EXPECT_TRUE(run(rig().store().parked("a", 9)).empty());
    Strings order;
    for (auto rows = unsent("a"); !rows.empty(); rows = unsent("a")) {
        order.push_back(rows.at(0).history.type);
        report("a", {sent(rows.at(0))});
    }
    EXPECT_EQ(order, (Strings{"order.paid", "order.shipped", "order.delivered"}));
}

// Field case X32: sent stays sent.
TEST_P(FlowsOutbox, AReportThatComesTwiceChangesNothing) {
    grown("1", 2);
    grown("2", 1);
    const auto rows = unsent("a");
    report("a", {sent(rows[0]), again(rows[1], 1s)});
    report("a", {sent(rows[0]), again(rows[1], 1s)});
    EXPECT_EQ(types("a"), (Strings{"1 order.shipped"}));
    rig().hand().pass(1s);
    report("a", {again(rows[1], 1h)});
    EXPECT_EQ(types("a"), (Strings{"1 order.shipped", "2 order.paid"}));
    send_all("a");
    report("a", {sent(rows[0]), again(rows[1], 1s), parked(rows[1], "late")});
    EXPECT_TRUE(types("a").empty());
    EXPECT_EQ(figures("a").parked, 0U);
}

TEST_P(FlowsOutbox, SinksKnowNothingOfEachOther) {
    grown("1", 2);
    EXPECT_EQ(types("a").size(), 1U);
    EXPECT_EQ(types("b").size(), 1U);
    send_all("a");
    send_all("a");
    EXPECT_TRUE(types("a").empty());
    EXPECT_EQ(types("b"), (Strings{"1 order.paid"}));
}

TEST_P(FlowsOutbox, ANewSinkBeginsWhereItIsToldTo) {
    grown("1", 1);
    EXPECT_TRUE(run(rig().store().unsent("late", false, 9)).empty());
    EXPECT_EQ(types("early").size(), 1U);
    grown("2", 1);
    const auto rows = run(rig().store().unsent("late", true, 9));
    ASSERT_EQ(rows.size(), 1U) << "it has a name already";
    EXPECT_EQ(rows[0].subject.id, "2");
    EXPECT_EQ(types("early").size(), 2U);
}

TEST_P(FlowsOutbox, OfASinkThatIsDroppedNothingStays) {
    grown("1", 2);
    grown("2", 2);
    const auto rows = unsent("a");
    report("a", {parked(rows[0], "no"), again(rows[1], 1h)});
    EXPECT_TRUE(rig().hand().run(rig().store().drop_sink("a")));
    EXPECT_TRUE(rig().hand().run(rig().store().drop_sink("a")));
    EXPECT_TRUE(run(rig().store().parked("a", 9)).empty());
    EXPECT_EQ(figures("a").unsent, 0U);
    // A report that was under way opens nothing.
    report("a", {sent(rows[0])});
    EXPECT_EQ(types("a"), (Strings{"1 order.paid", "2 order.paid"})) << "a new sink of that name";
}

TEST_P(FlowsOutbox, ARowThatThereIsNotIsRefused) {
    grown("1", 1);
    const OutboxRow row = unsent("a").at(0);
    for (const std::uint64_t number : {std::uint64_t{0}, row.number + 1}) {
        const Status told = rig().hand().run(rig().store().delivered("a", {{.number = number}}));
        ASSERT_FALSE(told);
        EXPECT_EQ(told.error().code, Code::request_invalid);
    }
    EXPECT_EQ(types("a").size(), 1U);
}

TEST_P(FlowsOutbox, RowsThatAreTriedAgainKeepNoNewOnesBack) {
    for (const char* id : {"1", "2", "3", "4"}) grown(id, 1);
    std::vector<Delivery> failed;
    for (const OutboxRow& row : unsent("a")) failed.push_back(again(row, 0s));
    report("a", failed);
    EXPECT_EQ(unsent("a", 3).size(), 3U) << "all the room, while there is nothing new";
    for (const char* id : {"5", "6", "7"}) grown(id, 1);
    Strings ids;
    for (const OutboxRow& row : unsent("a", 4)) ids.push_back(row.subject.id);
    EXPECT_EQ(ids, (Strings{"1", "2", "5", "6"}));
}

TEST_P(FlowsOutbox, NoMoreAreGivenThanWereAskedForAndTheOldestFirst) {
    for (const char* id : {"3", "1", "2"}) grown(id, 1);
    const auto rows = run(rig().store().unsent("a", true, 2));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].subject.id, "3");
    EXPECT_LT(rows[0].number, rows[1].number);
    report("a", {again(rows[0], 0s)});
    EXPECT_EQ(run(rig().store().unsent("a", true, 1)).at(0).subject.id, "3");
    EXPECT_EQ(figures("a").oldest_unsent_ms, rows[0].history.at_ms);
    EXPECT_EQ(figures("a").unsent, 3U);
}

}  // namespace

TEST_P(FlowsOutbox, SinksAreKnownUntilTheyAreDropped) {
    EXPECT_TRUE(run(rig().store().sinks()).empty());
    (void)unsent("b");
    (void)unsent("a");
    EXPECT_EQ(run(rig().store().sinks()), (Strings{"a", "b"}));
    EXPECT_TRUE(rig().hand().run(rig().store().drop_sink("a")));
    rig().restart();
    EXPECT_EQ(run(rig().store().sinks()), Strings{"b"});
}

// By the store's clock, whatever the wall's says.
TEST_P(FlowsOutbox, TheAgeOfTheOldestIsInStoreTime) {
    ordered("1");
    grown("1", 1);
    (void)unsent("s");
    EXPECT_EQ(figures("s").oldest_age_ms(), 0);
    rig().hand().clock().step_wall(48h);
    rig().hand().pass(90s);
    EXPECT_EQ(figures("s").oldest_age_ms(), 90'000);
    send_all("s");
    EXPECT_EQ(figures("s").oldest_age_ms(), 0);
}

INSTANTIATE_TEST_SUITE_P(Store, FlowsOutbox, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
