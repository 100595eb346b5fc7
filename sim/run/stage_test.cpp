// SPDX-License-Identifier: Apache-2.0
#include "sim/run/stage.hpp"

#include <gtest/gtest.h>

#include "sim/run/seeds.hpp"

namespace pawl::sim {
namespace {

using namespace std::chrono_literals;

TEST(Stage, OneSeedIsOneRun) {
    for (const StoreKind store : {StoreKind::memory, StoreKind::sqlite}) {
        const Report once = run_seed(11, store);
        const Report again = run_seed(11, store);
        EXPECT_EQ(once.trace_hash, again.trace_hash);
        EXPECT_EQ(once.trace_events, again.trace_events);
        EXPECT_EQ(once.requests, again.requests);
        EXPECT_NE(once.trace_hash, run_seed(12, store).trace_hash);
    }
}

// Without faults there is nothing to be uncertain about.
TEST(Stage, WhereNothingGoesWrongEverybodyIsAnswered) {
    Scenario scenario = draw_scenario(3, StoreKind::memory);
    scenario.dose = calm_dose();
    const Report report = Stage(scenario).run();
    EXPECT_TRUE(report.findings.empty()) << describe(std::vector{report}, StoreKind::memory);
    EXPECT_GT(report.made, 0);
    EXPECT_EQ(report.rarities.of(Rare::boot_ended_uncertain), 0);
    EXPECT_EQ(report.rarities.of(Rare::lapsed_by_sweeper), 0);
    EXPECT_EQ(report.rarities.of(Rare::person_applied), 0);
    EXPECT_EQ(report.rarities.of(Rare::completion_lost), 0);
}

class WireTest : public testing::Test {
  protected:
    WireTest() {
        Name& name = book.add_name(Promise::quiet, 1, "k1");
        book.add_intent(name);
        book.add_exchange(1, world.now());
    }
    std::shared_ptr<Wire::Slot> send(std::chrono::milliseconds horizon) {
        const auto slot = std::make_shared<Wire::Slot>(world.outside().loop());
        wire.send({.arrival = {.exchange = 1, .intent = 1, .caller = 1, .fence = record::Fence{1}},
                   .boot = 4,
                   .horizon = horizon,
                   .give_up = world.now() + 5s},
                  slot);
        return slot;
    }

    World world{1};
    Book book;
    Ledger ledger;
    Rarities rarities;
    Audit audit{book, ledger, {}};
    Upstream upstream{world.chance_for("upstream"), book, ledger, rarities};
    Wire wire{world, upstream, audit, rarities};
};

// The horizon counts from the owner's end: its giving up, or its death.
TEST_F(WireTest, WhatIsHeldBackLandsWithinTheHorizonOfItsOwnersEnd) {
    Dose dose = calm_dose();
    dose.held_back = 1'000;
    wire.set_dose(dose);
    for (int i = 0; i < 50; ++i) {
        const MonotonicTime sent = world.now();
        const auto slot = send(2'000ms);
        world.run_until(sent + 10s);
        ASSERT_EQ(ledger.effects().size(), static_cast<std::size_t>(i + 1));
        EXPECT_LE(ledger.effects().back().at, sent + 5s + 2s);
    }
    EXPECT_EQ(rarities.of(Rare::landed_after_give_up), 50);
}

TEST_F(WireTest, WhatADeadNodeSentLandsAllTheSame) {
    Dose dose = calm_dose();
    dose.held_back = 1'000;
    wire.set_dose(dose);
    auto slot = send(2'000ms);
    slot.reset();
    const MonotonicTime died = world.now();
    wire.node_died(4);
    world.run_until(died + 10s);
    ASSERT_EQ(ledger.effects().size(), 1);
    EXPECT_LE(ledger.effects().back().at, died + 2s);
    EXPECT_EQ(rarities.of(Rare::landed_after_death), 1);
    EXPECT_EQ(wire.under_way(), 0);
}

TEST_F(WireTest, AClosedFenceIsRefusedAndAHigherOneIsNot) {
    std::optional<Applied> applied;
    const Question close{.promise = Promise::closing, .closes = true, .fence = record::Fence{5}};
    EXPECT_EQ(upstream.asked(close).answer.status, 404);
    Arrival arrival{.exchange = 1,
                    .intent = 1,
                    .caller = 1,
                    .promise = Promise::closing,
                    .fence = record::Fence{5}};
    EXPECT_EQ(upstream.receive(arrival, world.now(), applied).declared,
              policy::Declared::not_applied);
    EXPECT_FALSE(applied);
    arrival.fence.number = 6;
    EXPECT_LT(upstream.receive(arrival, world.now(), applied).answer.status, 400);
    EXPECT_TRUE(applied);
    EXPECT_EQ(upstream.asked(close).answer.status, 200);
}

TEST_F(WireTest, ARerunnableUpstreamActsOnceAndAnswersTheSame) {
    std::optional<Applied> applied;
    const Arrival arrival{.exchange = 1,
                          .intent = 1,
                          .caller = 1,
                          .promise = Promise::rerunnable,
                          .fence = record::Fence{1}};
    const Reaction first = upstream.receive(arrival, world.now(), applied);
    const Reaction second = upstream.receive(arrival, world.now(), applied);
    EXPECT_EQ(ledger.effects().size(), 1);
    EXPECT_EQ(first.answer, second.answer);
}

}  // namespace
}  // namespace pawl::sim
