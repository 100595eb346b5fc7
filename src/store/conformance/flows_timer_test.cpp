// SPDX-License-Identifier: Apache-2.0
// Deadlines: never early, moved by one write, and no more than one of those that want to fire (L3, L4).
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

class FlowsTimer : public FlowSuite {
  protected:
    std::vector<std::string> due(std::int64_t ahead_ms = 0, std::size_t limit = 99) {
        std::vector<std::string> ids;
        for (const DueRow& row : run(rig().timers().due(rig().now_ms() + ahead_ms, limit)).rows)
            ids.push_back(row.subject.id);
        return ids;
    }
    std::int64_t next_ms() { return run(rig().timers().next_due_ms()); }
    void pass(std::chrono::milliseconds time) { rig().hand().pass(time); }
    FlowCommit renewal(const std::string& id, const std::string& name, std::int64_t due_ms) {
        return {.subject = by_id(id), .decision = flow::Renewal{entity(id).version, name, due_ms}};
    }
    const timer::Running& named(const flow::Entity& order, const std::string& name) {
        return *std::ranges::find(order.deadlines, name, &timer::Running::name);
    }
};

TEST_P(FlowsTimer, NothingIsDueWhereNothingRuns) {
    EXPECT_EQ(next_ms(), timer::kNever);
    EXPECT_TRUE(due(365 * 24 * 3'600'000LL).empty());
}

TEST_P(FlowsTimer, ADeadlineIsDueToTheMillisecond) {
    const std::int64_t due_ms = commit(creation("1", "B1")).now_ms + 15 * 60'000;
    EXPECT_EQ(next_ms(), due_ms);
    pass(15min - 1ms);
    EXPECT_TRUE(due().empty());
    EXPECT_EQ(due(1), std::vector<std::string>{"1"});
    // Whoever thinks that it is later is told otherwise.
    EXPECT_EQ(outcome(fire("1", "created", "expire", due_ms)), "lost not_due");
    EXPECT_EQ(entity("1").version, 1U);
    pass(1ms);
    EXPECT_EQ(due(), std::vector<std::string>{"1"});
    EXPECT_EQ(outcome(fire("1", "created", "expire")), "applied 2");
    EXPECT_EQ(entity("1").state, "cancelled");
    EXPECT_TRUE(due().empty());
    EXPECT_EQ(next_ms(), timer::kNever);
}

TEST_P(FlowsTimer, DeadlinesOutliveAStart) {
    ordered("1");
    const std::int64_t due_ms = next_ms();
    rig().restart();
    EXPECT_EQ(next_ms(), due_ms);
    pass(15min);
    EXPECT_EQ(due(), std::vector<std::string>{"1"});
}

TEST_P(FlowsTimer, RenewingIsOneWriteAndMakesTheOldTimerANoOp) {
    ordered("1");
    EXPECT_EQ(outcome(step("1", "begin_payment")), "applied 2");
    pass(45min);
    const FlowCommit stale = fire("1", "paying", "expire");
    const std::int64_t renewed_ms = rig().now_ms() + 45 * 60'000;
    const FlowReply renewed = commit(renewal("1", "paying", renewed_ms));
    EXPECT_EQ(told(renewed), "applied 2");
    EXPECT_EQ(renewed.next_due_ms, renewed_ms);
    EXPECT_EQ(next_ms(), renewed_ms);
    EXPECT_TRUE(due().empty());
    EXPECT_EQ(outcome(stale), "lost not_due");
    EXPECT_EQ(history("1").size(), 2U);
    pass(45min);
    EXPECT_EQ(outcome(fire("1", "paying", "expire")), "applied 3");
    EXPECT_EQ(outcome(renewal("1", "paying", renewed_ms)), "lost version");
}

// A bundle that was under way keeps the renewal that overtook it.
TEST_P(FlowsTimer, ARenewalMakesNoBundleLose) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    const FlowCommit under_way = step("1", payment("T2"));  // compensated: the state stays
    const std::int64_t later_ms = next_ms() + 3'600'000;
    EXPECT_EQ(outcome(renewal("1", "paid", later_ms)), "applied 2");
    EXPECT_EQ(outcome(under_way), "applied 3");
    EXPECT_EQ(next_ms(), later_ms);
}

TEST_P(FlowsTimer, OneThatWasTakenIsLeftToItsTaker) {
    ordered("1");
    ordered("2");
    pass(15min);
    EXPECT_EQ(due().size(), 2U);
    const flow::Entity order = entity("1");
    const auto taken = timer::taken(named(order, "created"), rig().now_ms());
    ASSERT_TRUE(taken);
    const FlowReply reply =
        commit({.subject = by_id("1"), .decision = flow::Later{*taken, order.version}});
    EXPECT_EQ(told(reply), "applied 1");
    EXPECT_EQ(reply.next_due_ms, taken->next_ms);
    EXPECT_EQ(due(), std::vector<std::string>{"2"});
    pass(timer::kTakeLease);
    EXPECT_EQ(due(), (std::vector<std::string>{"2", "1"}));
}

TEST_P(FlowsTimer, TheEarliestComeFirstAndNoMoreThanWereAskedFor) {
    for (const char* id : {"3", "1", "2"}) {
        ordered(id);
        pass(1s);
    }
    pass(15min);
    EXPECT_EQ(due(0, 2), (std::vector<std::string>{"3", "1"}));
    EXPECT_EQ(due().size(), 3U);
    const DueRow row = run(rig().timers().due(rig().now_ms(), 1)).rows.at(0);
    EXPECT_EQ(row.subject.tenant, "acme");
    EXPECT_EQ(row.subject.flow, "order");
    EXPECT_EQ(row.version, 1U);
    EXPECT_EQ(row.deadlines, entity("3").deadlines);
}

// L3: paid or timed out.
TEST_P(FlowsTimer, OfAPaymentAndATimerOneWins) {
    stocked();
    ordered("1");
    pass(15min);
    const FlowCommit expire = fire("1", "created", "expire");
    const FlowCommit pay = step("1", payment("T1"));
    const auto replies = commit_all({pay, expire});
    EXPECT_EQ(told(replies[0]), "applied 2");
    EXPECT_EQ(told(replies[1]), "lost version");
    EXPECT_EQ(entity("1").state, "paid");
    // The timer looks again and finds nothing to do.
    EXPECT_EQ(outcome(fire("1", "created", "expire")), "applied 2");
    EXPECT_EQ(history("1").size(), 2U);
}

TEST_P(FlowsTimer, OneThatWaitsForAPersonEnds) {
    ordered("1");
    pass(15min);
    const FlowCommit given_up{
        .subject = by_id("1"),
        .decision = flow::Arbitration{.kind = flow::Arbitration::Kind::attention,
                                      .reason = "the probe gave up",
                                      .id = "1",
                                      .judged_on = 1,
                                      .stop = "created"}};
    EXPECT_EQ(outcome(given_up), "applied 1");
    EXPECT_EQ(outcome(given_up), "applied 1");
    EXPECT_TRUE(due().empty());
    EXPECT_EQ(attention().size(), 1U);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsTimer, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
