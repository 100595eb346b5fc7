// SPDX-License-Identifier: Apache-2.0
// Attempts that outlive their maximum hold of ten minutes.
#include "home_fixture.hpp"

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;
using record::Outcome;
using record::State;

class OverdueTest : public HomeTest {
  protected:
    Outcome settle(record::Basis basis) {
        record::Settle word;
        word.identity = sha256("k");
        word.fence = row("k").fence;
        word.basis = basis;
        const record::Call call = word;
        return records.shelf().commit({&call, 1}).front()->outcome;
    }
};

// protocol, "Waiting"
TEST_F(OverdueTest, AnAnswerAfterTheMaximumHoldCompletesTheRecord) {
    upstream.scripts = {{.takes = 12min}};
    const auto first = ask(operation("k"), 1h);
    const auto copy = ask(operation("k"), 1h);
    advance(10min);
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict, Verdict::uncertain);
    EXPECT_TRUE((*first)->own);
    ASSERT_TRUE(*copy);
    EXPECT_EQ((*copy)->verdict, Verdict::uncertain);
    EXPECT_EQ(home().running(), 0U);
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::uncertain);
    advance(2min);
    EXPECT_EQ(row("k").state, State::completed);
    const auto later = ask(operation("k"));
    EXPECT_EQ((*later)->verdict, Verdict::replayed);
    EXPECT_EQ((*later)->answer->body, "made");
    EXPECT_EQ(upstream.sent.size(), 1U);
    while (records.shelf().tend()) {
    }
    const auto timeline = records.shelf().timeline(sha256("k"));
    ASSERT_TRUE(timeline);
    ASSERT_EQ(timeline->size(), 2U);
    EXPECT_EQ(timeline->back().detail, "answered 201 after the maximum hold");
}

TEST_F(OverdueTest, ARefusalAfterTheMaximumHoldFreesTheKey) {
    upstream.scripts = {{.takes = 12min, .status = 429}};
    ask(operation("k"), 1h);
    advance(12min);
    EXPECT_EQ(row("k").state, State::freed);
    EXPECT_EQ((*ask(operation("k")))->verdict, Verdict::first);
}

// What it sent may land for as long as it is connected: the horizon does not run yet.
TEST_F(OverdueTest, AnOwnerThatListensIsNotGoneAndOneThatHasStoppedIs) {
    upstream.scripts = {{.takes = 24h}};
    ask(operation("k"), 1h);
    advance(15min);
    EXPECT_EQ(row("k").state, State::uncertain);
    EXPECT_EQ(settle(record::Basis::quiet), Outcome::owner_alive);
    advance(5min);
    EXPECT_EQ(settle(record::Basis::quiet), Outcome::too_early);
    advance(1min);
    EXPECT_EQ(settle(record::Basis::quiet), Outcome::freed);
}

TEST_F(OverdueTest, ALateAnswerOfAFreedOperationIsStoredAndCounted) {
    upstream.scripts = {{.takes = 12min}};
    ask(operation("k"), 1h);
    advance(11min);
    ASSERT_EQ(settle(record::Basis::forced), Outcome::freed);
    advance(1min);
    EXPECT_EQ(row("k").state, State::completed);
    EXPECT_EQ(figures.stored_late.value(), 1U);
}

TEST_F(OverdueTest, OnlySoManyListenBeyondTheirHold) {
    limits.overdue_max = 1;
    upstream.scripts = {{.takes = 12min}, {.takes = 12min}};
    ask(operation("k"), 1h);
    const auto second = ask(operation("other"), 1h);
    advance(10min);
    ASSERT_TRUE(*second);
    EXPECT_EQ((*second)->verdict, Verdict::uncertain);
    EXPECT_EQ(row("k").owner_gone_ms, 0);
    EXPECT_NE(row("other").owner_gone_ms, 0);
    advance(2min);
    EXPECT_EQ(row("k").state, State::completed);
    EXPECT_EQ(row("other").state, State::uncertain);
    // The place is free again.
    upstream.scripts = {{.takes = 12min}};
    ask(operation("third"), 1h);
    advance(12min);
    EXPECT_EQ(row("third").state, State::completed);
}

TEST_F(OverdueTest, ANodeThatDrainsDoesNotWaitForThem) {
    upstream.scripts = {{.takes = 12min}};
    ask(operation("k"), 1h);
    advance(11min);
    std::optional<bool> drained;
    clients.spawn([](Home& there, MonotonicTime until, std::optional<bool>& out) -> Task<void> {
        out = co_await there.drain(until);
    }(home(), clock.now + 10s, drained));
    poll();
    EXPECT_EQ(drained, true);
    EXPECT_NE(row("k").owner_gone_ms, 0);
}

TEST_F(OverdueTest, AnAnswerThatMeetsTheStoreAwayIsStoredWhenItIsBack) {
    upstream.scripts = {{.takes = 10min + 1s}};
    const auto first = ask(operation("k"), 1h);
    advance(10min - 1s);
    records.server().set_reachable(false);
    advance(5s);
    EXPECT_FALSE(*first);
    records.server().set_reachable(true);
    advance(5s);
    ASSERT_TRUE(*first);
    EXPECT_EQ((*first)->verdict, Verdict::uncertain);
    EXPECT_EQ(row("k").state, State::completed);
    EXPECT_EQ(figures.settling.value(), 0);
}

}  // namespace
}  // namespace pawl::gateway
