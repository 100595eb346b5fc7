// SPDX-License-Identifier: Apache-2.0
// What is left when an event is decided: woken facts in their order, counts whose labels are bounded.
#include "engine/engine_fixture.hpp"
#include "engine/sweeper.hpp"

namespace pawl::engine {
namespace {

using DeskTest = EngineTest;

TEST_F(DeskTest, FactsOfOneMeetingAreSentInTheOrderInWhichTheyCame) {
    stock_up(10);
    say(payment("B1", "T1"));
    say(payment("B1", "T2"));
    say(fact("B1", "deliver"));
    observer_.told.clear();
    say(creation("B1"));
    settle();
    std::erase(observer_.told, "create applied");
    ASSERT_GE(observer_.told.size(), 3U);
    EXPECT_EQ(observer_.told[0], "pay applied");
    EXPECT_EQ(observer_.told[1], "pay applied");
    EXPECT_EQ(observer_.told[2], "deliver parked");
    EXPECT_EQ(state("B1"), "paid");
    EXPECT_EQ(history("B1").back().history.type, "duplicate_payment");
    EXPECT_EQ(waiting(), 1U);
    say(request("B1", "ship"));
    settle();
    EXPECT_EQ(state("B1"), "delivered");
}

TEST_F(DeskTest, WhatThereIsNoRoomForIsLeftToTheSweep) {
    std::vector<flow::WaitingFact> facts;
    for (std::size_t i = 0; i <= kWakesMax; ++i) {
        flow::WaitingFact fact{.meeting = "m", .tenant = "acme", .flow = "order"};
        fact.event = flow::payment("T" + std::to_string(i));
        facts.push_back(std::move(fact));
    }
    desk_.wakes(by_key("B1"), facts);
    EXPECT_EQ(desk_.figures().forgotten, 1U);
    for (int step = 0; desk_.figures().woken < kWakesMax && step < 10'000; ++step) hand_.pass(1ms);
    EXPECT_EQ(desk_.figures().woken, kWakesMax);
}

TEST_F(DeskTest, TransitionsAreCountedByFlowEventAndStates) {
    say(creation("B1"));
    say(request("B1", "begin_payment"));
    say(request("B1", "no_such_event"));
    say(request("B1", "another_one"));
    const auto& counts = desk_.figures().transitions;
    EXPECT_EQ(counts.at({"order", "create", "", "created", Told::applied}), 1U);
    EXPECT_EQ(counts.at({"order", "begin_payment", "created", "paying", Told::applied}), 1U);
    EXPECT_EQ(counts.at({"order", "other", "", "", Told::refused}), 2U);
}

// Whoever makes up names cannot make the figures grow without end.
TEST_F(DeskTest, SeriesAreBounded) {
    for (std::size_t i = 0; i < kTransitionSeriesMax + 10; ++i) {
        const Sent sent{.subject = by_key("B1"), .event = {.name = "e" + std::to_string(i)}};
        desk_.decided(sent, {});
    }
    EXPECT_EQ(desk_.figures().transitions.size(), kTransitionSeriesMax + 1);
    EXPECT_EQ(desk_.figures().transitions.at({"other", "other", "", "", Told::applied}), 10U);
}

TEST_F(DeskTest, ContendedIsToldOnceAMinuteOfEachEntity) {
    const Outcome contended{.told = Told::contended};
    const auto tell = [&](const std::string& key) {
        desk_.decided({.subject = by_key(key)}, contended);
    };
    tell("B1");
    tell("B1");
    tell("B2");
    EXPECT_EQ(observer_.contended_count, 2);
    hand_.pass(59'999ms);
    tell("B1");
    EXPECT_EQ(observer_.contended_count, 2);
    hand_.pass(1ms);
    tell("B1");
    EXPECT_EQ(observer_.contended_count, 3);
    EXPECT_EQ(desk_.figures().contended, 5U);
}

// By the store's time alone: the wall clock may be days off.
TEST_F(DeskTest, ADeadlineIsToldWhenItIsDueBeforeTheNextLook) {
    std::vector<std::int64_t> told;
    desk_.tell_due([&told](std::int64_t due_ms) { told.push_back(due_ms); });
    hand_.clock().step_wall(48h);
    const std::int64_t now_ms = shelf_.now_ms();
    desk_.due(now_ms + kLookEvery.count(), now_ms);
    desk_.due(now_ms + kLookEvery.count() + 1, now_ms);
    desk_.due(now_ms - 1, now_ms);
    EXPECT_EQ(told, (std::vector<std::int64_t>{now_ms + kLookEvery.count(), now_ms - 1}));
    desk_.tell_due({});
    desk_.due(now_ms, now_ms);
}

TEST_F(DeskTest, AnEndedDeskBeginsNothing) {
    stock_up(10);
    say(payment("B1", "T1"));
    EXPECT_TRUE(run(desk_.end(hand_.loop().now() + 1s)));
    say(creation("B1"));
    settle();
    EXPECT_EQ(state("B1"), "created");
    EXPECT_EQ(waiting(), 1U) << "the sweep of the next process finds it";
}

}  // namespace
}  // namespace pawl::engine
