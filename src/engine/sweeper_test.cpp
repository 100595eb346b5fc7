// SPDX-License-Identifier: Apache-2.0
// Deadlines fire by themselves: at their time, once, together, and whatever ends in between.
#include "engine/sweeper.hpp"
#include "engine/engine_fixture.hpp"

namespace pawl::engine {
namespace {

class Deadlines : public EngineTest {
  protected:
    Deadlines() : EngineTest(plain_order()) {
        desk_.tell_due([this](std::int64_t at_ms) {
            if (sweeper_) sweeper_->hint(at_ms);
        });
    }
    ~Deadlines() override { stop(); }

    // Without a probe, so that most of this file needs none.
    static flow::Definition plain_order() {
        flow::Definition flow = touched_order();
        flow::named(flow.events, "expire").transitions[0].before = {};
        return flow;
    }
    void start() {
        sweeper_.emplace(hand_.loop(), flows_, flows_, committer_, observer_);
        sweeper_->start();
        hand_.poll();
    }
    void stop() {
        if (!sweeper_) return;
        run([](Sweeper& sweeper, Loop& loop) -> Task<bool> {
            co_return co_await sweeper.end(loop.now() + 20s);
        }(*sweeper_, hand_.loop()));
        sweeper_.reset();
    }
    void create(int count) {
        for (int i = 0; i < count; ++i) say(creation("B" + std::to_string(i)));
    }
    int cancelled(int count) {
        int found = 0;
        for (int i = 0; i < count; ++i) found += state("B" + std::to_string(i)) == "cancelled";
        return found;
    }
    void pass(std::chrono::milliseconds time, std::chrono::milliseconds step) {
        for (auto passed = 0ms; passed < time; passed += step) hand_.pass(step);
    }

    std::optional<Sweeper> sweeper_;
};

// L4: never early by the store's clock, and at its time, by a hint as soon as it runs.
TEST_F(Deadlines, FireAtTheirTimeAndNotBefore) {
    start();
    create(1);
    pass(14min, 1s);
    while (shelf_.now_ms() < entity("B0")->created_ms + 15 * 60'000 - 1) hand_.pass(1ms);
    EXPECT_EQ(state("B0"), "created");
    hand_.pass(1ms);
    hand_.pass(1ms);
    EXPECT_EQ(state("B0"), "cancelled");
    EXPECT_EQ(history("B0").back().history.at_ms, entity("B0")->created_ms + 15 * 60'000);
}

// A hint that was missed costs one look.
TEST_F(Deadlines, WithoutAHintTheNextLookFindsThem) {
    desk_.tell_due({});
    start();
    create(1);
    pass(15min, 100ms);
    pass(kLookEvery, 100ms);
    EXPECT_EQ(state("B0"), "cancelled");
}

// Ten thousand at once: as many steps as it takes, one after the other, none of them a second apart.
TEST_F(Deadlines, TenThousandAtOnceFireInStepsThatFollowAtOnce) {
    constexpr int kMany = 10'000;
    start();
    create(kMany);
    const std::uint64_t before = sweeper_->figures().steps;
    hand_.pass(15min);
    int turns = 0;
    for (; sweeper_->figures().fired < kMany && turns < 5'000; ++turns) hand_.pass(1ms);
    settle(2ms);
    EXPECT_EQ(cancelled(kMany), kMany);
    EXPECT_LE(sweeper_->figures().steps - before, kMany / timer::kFireStep + 5U);
    EXPECT_LT(turns, 500);
    EXPECT_EQ(observer_.paced_count, 0);
}

// A heap that is found after a start is fired slowly, and somebody is told.
TEST_F(Deadlines, AHeapAfterAStartIsPaced) {
    create(1'100);
    hand_.pass(15min);
    start();
    pass(500ms, 10ms);
    EXPECT_EQ(cancelled(1'100), 100);
    EXPECT_EQ(observer_.paced_count, 1);
    pass(12s, 10ms);
    EXPECT_EQ(cancelled(1'100), 1'100);
}

TEST_F(Deadlines, ASmallHeapAfterAStartIsNot) {
    create(1'000);
    hand_.pass(15min);
    start();
    pass(500ms, 10ms);
    EXPECT_EQ(cancelled(1'000), 1'000);
    EXPECT_EQ(observer_.paced_count, 0);
}

// The wall clock jumps: what is due is fired slowly, nothing is refused, and the store's clock decides.
TEST_F(Deadlines, AJumpOfTheWallClockPacesAndFiresNothingEarly) {
    start();
    create(300);
    hand_.clock().step_wall(24h);
    pass(10s, 100ms);
    EXPECT_EQ(cancelled(300), 0);
    EXPECT_EQ(observer_.paced_count, 1);
    pass(15min, 1s);
    EXPECT_EQ(cancelled(300), 300);
}

// Field case X22: a clock that went back between two readings gives no negative pause.
TEST_F(Deadlines, ADueTimeThatHasPassedIsNow) {
    start();
    create(1);
    sweeper_->hint(0);
    sweeper_->hint(-1'000'000);
    settle(5ms);
    EXPECT_EQ(state("B0"), "created");
    pass(15min, 1s);
    settle(5ms);
    EXPECT_EQ(state("B0"), "cancelled");
}

// Field case X20: what ends in the middle of a sweep takes no schedule with it.
TEST_F(Deadlines, ARunThatEndsInTheMiddleIsFollowedByTheNext) {
    server_.set_profile({.delay_min = 5ms, .delay_max = 5ms});
    create(250);
    hand_.pass(15min);
    start();
    pass(25ms, 1ms);
    stop();
    server_.set_profile({});
    const int fired = cancelled(250);
    EXPECT_GT(fired, 0);
    EXPECT_LT(fired, 250);
    start();
    pass(1s, 10ms);
    EXPECT_EQ(cancelled(250), 250);
}

// Field cases 31 and 39: several workers, and each fires once.
TEST_F(Deadlines, SeveralSweepsFireEachOnce) {
    server_.set_profile({.delay_min = 0us, .delay_max = 4ms});
    create(300);
    hand_.pass(15min);
    start();
    std::vector<std::unique_ptr<Sweeper>> others;
    for (int i = 0; i < 7; ++i)
        others
            .emplace_back(
                std::make_unique<Sweeper>(hand_.loop(), flows_, flows_, committer_, observer_))
            ->start();
    pass(5s, 1ms);
    EXPECT_EQ(cancelled(300), 300);
    for (int i = 0; i < 300; ++i) EXPECT_EQ(version("B" + std::to_string(i)), 2U);
    for (auto& one : others)
        run([](Sweeper& sweeper, Loop& loop) -> Task<bool> {
            co_return co_await sweeper.end(loop.now() + 20s);
        }(*one, hand_.loop()));
}

// Field case 31 with case X23: a second node with a clock of its own, a minute ahead.
TEST_F(Deadlines, TwoNodesWithTheirOwnClocksFireEachOnceAndNoneEarly) {
    HandLoop elsewhere(9);
    elsewhere.clock().step_wall(1min);
    server_.set_profile({.delay_min = 0us, .delay_max = 4ms});
    store::SimulatedFlows its_flows(server_, flows_shelf_, elsewhere.loop());
    Desk its_desk(elsewhere.loop(), observer_);
    Committer its_committer({elsewhere.loop(), its_flows, inquiry_, ids_, its_desk},
                            committer_.machines());
    Sweeper its_sweeper(elsewhere.loop(), its_flows, its_flows, its_committer, observer_);
    create(1'000);
    start();
    its_sweeper.start();
    elsewhere.poll();
    for (auto passed = 0ms; passed < 16min; passed += 100ms) {
        hand_.pass(100ms);
        elsewhere.pass(100ms);
    }
    for (int ms = 0; ms < 5'000; ++ms) {
        hand_.pass(1ms);
        elsewhere.pass(1ms);
    }
    EXPECT_EQ(cancelled(1'000), 1'000);
    EXPECT_GT(its_sweeper.figures().fired, 0U);
    for (int i = 0; i < 1'000; ++i) {
        const auto rows = history("B" + std::to_string(i));
        ASSERT_EQ(rows.size(), 2U);
        ASSERT_GE(rows[1].history.at_ms - rows[0].history.at_ms, 15min / 1ms);
    }
    bool ended = false;
    boost::asio::co_spawn(elsewhere.loop().executor(), its_sweeper.end(kNever),
                          [&ended](std::exception_ptr, bool) { ended = true; });
    for (int ms = 0; !ended && ms < 5'000; ++ms) {
        hand_.pass(1ms);
        elsewhere.pass(1ms);
    }
    EXPECT_TRUE(ended);
}

TEST_F(Deadlines, AStoreThatIsAwayIsAskedAgain) {
    create(1);
    hand_.pass(15min);
    server_.set_reachable(false);
    start();
    pass(5s, 100ms);
    EXPECT_EQ(state("B0"), "created");
    server_.set_reachable(true);
    pass(2s, 100ms);
    EXPECT_EQ(state("B0"), "cancelled");
}

// Of several that run at once, each fires at its own time.
TEST_F(Deadlines, ThoseOfOneOrderRunSideBySide) {
    start();
    create(1);
    say(request("B0", "begin_payment"));
    stock_up(10);
    say(payment("B0", "T1"));
    pass(72h, 1min);
    pass(10s, 1s);
    EXPECT_EQ(history("B0").back().history.type, "order.escalated");
    EXPECT_EQ(state("B0"), "paid");
    const std::uint64_t version_then = version("B0");
    pass(1h, 1min);
    EXPECT_EQ(version("B0"), version_then) << "it has fired";
}

TEST_F(Deadlines, ADeadlineThatTheFlowHasNoMoreGoesToAPerson) {
    create(1);
    flow::Definition other = plain_order();
    flow::named(other.states, "created").deadline.reset();
    committer_.reload(std::make_shared<const Machines>(
        std::vector{flow::Machine::compile(std::move(other)).value()}));
    start();
    pass(16min, 1s);
    EXPECT_EQ(attention(), 1U);
    EXPECT_EQ(state("B0"), "created");
    const auto entry = flows_shelf_.attention(0, 1).value().front();
    for (const std::string& word :
         {entity("B0")->id, std::string("`created`"), std::string("reload")})
        EXPECT_NE(entry.reason.find(word), std::string::npos) << entry.reason;
    pass(15min, 1s);
    EXPECT_EQ(state("B0"), "cancelled") << "the other deadline goes on";
    EXPECT_EQ(attention(), 1U) << "it was looked at again, and told once";
}

TEST_F(Deadlines, ADeadlineThatAReloadBringsBackFires) {
    create(1);
    const auto served = committer_.machines();
    flow::Definition other = plain_order();
    flow::named(other.states, "created").deadline.reset();
    other.deadlines.clear();
    committer_.reload(std::make_shared<const Machines>(
        std::vector{flow::Machine::compile(std::move(other)).value()}));
    start();
    pass(40min, 1s);
    EXPECT_EQ(state("B0"), "created");
    EXPECT_EQ(attention(), 2U) << "of each deadline";
    committer_.reload(served);
    pass(timer::kAskCap + 5s, 1s);
    EXPECT_EQ(state("B0"), "cancelled");
}

TEST_F(Deadlines, AFlowThatIsNotServedKeepsItsDeadlines) {
    create(1);
    const auto served = committer_.machines();
    committer_.reload(std::make_shared<const Machines>());
    start();
    pass(16min, 1s);
    EXPECT_EQ(state("B0"), "created");
    committer_.reload(served);
    pass(kUnservedAgain + 5s, 1s);
    EXPECT_EQ(state("B0"), "cancelled");
}

// Its waiting fact cannot be read, so that nothing of it can be decided; it stands before nobody.
TEST_F(Deadlines, OneThatCannotBeDecidedIsPutOffInTheStore) {
    create(3);
    say(fact("B0", "deliver"));
    ASSERT_TRUE(flows_shelf_.damage("flow_waiting", 0));
    hand_.pass(15min);
    start();
    pass(2s, 10ms);
    EXPECT_EQ(state("B0"), "created");
    EXPECT_EQ(cancelled(3), 2);
    EXPECT_TRUE(flows_shelf_.due(shelf_.now_ms(), 9)->rows.empty());
    const std::uint64_t fired = sweeper_->figures().fired;
    pass(kUnservedAgain - 5s, 1s);
    EXPECT_EQ(sweeper_->figures().fired, fired);
    pass(10s, 1s);
    EXPECT_EQ(sweeper_->figures().fired, fired + 1);
}

// A store that is silent holds up so many events and no more.
TEST_F(Deadlines, AreUnderWayUpToABound) {
    create(1'000 + 1);
    hand_.pass(15min);
    server_.set_profile({.busy = 1h});
    server_.set_carry_plan([](std::uint64_t) { return std::optional(Fault::busy); });
    start();
    pass(10min, 1s);
    EXPECT_EQ(sweeper_->figures().fired, kFiringMax);
    server_.set_carry_plan({});
    server_.set_profile({});
    pass(1h, 1s);
    EXPECT_EQ(cancelled(1'001), 1'001);
}

class AskedDeadlines : public EngineTest {
  protected:
    void SetUp() override {
        inquiry_.loop = &hand_.loop();
        begin(120);
    }
    void begin(int count) {
        for (int i = created_; i < created_ + count; ++i) say(creation("B" + std::to_string(i)));
        created_ += count;
        hand_.pass(15min);
        sweeper_.start();
        hand_.poll();
    }
    void TearDown() override {
        run([](Sweeper& sweeper, Loop& loop) -> Task<bool> {
            co_return co_await sweeper.end(loop.now() + 20s);
        }(sweeper_, hand_.loop()));
    }
    Sweeper sweeper_{hand_.loop(), flows_, flows_, committer_, observer_};
    int created_ = 0;
};

// The rows are taken at once, and the questions asked beside the steps, so many at a time.
TEST_F(AskedDeadlines, AreTakenFirstAndAskedOutsideOfTheSweep) {
    settle(20ms);
    EXPECT_EQ(sweeper_.figures().fired, 120U);
    EXPECT_EQ(inquiry_.asked, static_cast<int>(kAskingMax));
    for (int i = 0; i < 120; ++i)
        for (const timer::Running& one : entity("B" + std::to_string(i))->deadlines)
            if (one.name == "created") EXPECT_GT(one.next_ms, shelf_.now_ms());
    settle(3s);
    EXPECT_EQ(inquiry_.asked, 120);
    for (int i = 0; i < 120; ++i) EXPECT_EQ(state("B" + std::to_string(i)), "cancelled");
}

class ManyAskedDeadlines : public AskedDeadlines {
  protected:
    void SetUp() override { inquiry_.loop = &hand_.loop(); }
    static constexpr int kTakenMax = static_cast<int>(kAskingMax + kToAskMax);
};

TEST_F(ManyAskedDeadlines, AllAreAskedUpToTheBound) {
    begin(kTakenMax);
    settle(100ms);
    EXPECT_EQ(sweeper_.figures().fired, static_cast<std::uint64_t>(kTakenMax));
    EXPECT_EQ(sweeper_.figures().left, 0U);
}

TEST_F(ManyAskedDeadlines, OneBeyondItWaitsForItsLease) {
    begin(kTakenMax + 1);
    settle(100ms);
    EXPECT_EQ(sweeper_.figures().left, 1U);
    const auto open = [&] {
        int open = 0;
        for (int i = 0; i < created_; ++i) open += state("B" + std::to_string(i)) == "created";
        return open;
    };
    settle(10s);
    EXPECT_EQ(open(), 1);
    for (int second = 0; second < 40; ++second) hand_.pass(1s);
    EXPECT_EQ(open(), 0);
}

}  // namespace
}  // namespace pawl::engine
