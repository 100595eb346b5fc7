// SPDX-License-Identifier: Apache-2.0
// Compensations: each begins once per key and has one next state, whoever moves it, and windows of ids, which
// only grow.
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

class FlowsSaga : public FlowSuite {
  protected:
    // A payment that comes after its order was cancelled.
    void paid_late(const std::string& id, const std::string& transaction) {
        if (!load(by_id(id))) {
            ordered(id);
            EXPECT_EQ(outcome(step(id, "cancel")), "applied 2");
        }
        const FlowReply reply = commit(step(id, payment(transaction)));
        EXPECT_EQ(reply.outcome, FlowOutcome::applied);
    }
    SagaRows due(std::int64_t until_ms, std::size_t limit = 99) {
        return run(rig().store().due_sagas(until_ms, limit));
    }
    std::vector<SagaRow> sagas(std::optional<SagaState> state = {}, std::uint64_t after = 0,
                               std::size_t limit = 99) {
        return run(rig().store().sagas(state, after, limit));
    }
    std::int64_t next_ms() {
        const SagaRows next = run(rig().store().due_sagas(timer::kNever, 1));
        return next.rows.empty() ? timer::kNever : next.rows.front().next_ms;
    }
    std::string move(SagaMove move) {
        const auto moved = rig().hand().run(rig().store().move(std::move(move)));
        if (!moved) return std::string(name_of(moved.error().code));
        return *moved ? "moved" : "somebody else";
    }
    static SagaMove taken(const SagaRow& row, std::uint64_t claim) {
        return {.number = row.number,
                .tries = row.tries,
                .to = SagaState::running,
                .tries_after = row.tries + 1,
                .pause_ms = 60'000,
                .claim = claim_id(claim)};
    }
};

TEST_P(FlowsSaga, ASagaBeginsWithItsHistoryAndRunsAtOnce) {
    EXPECT_EQ(next_ms(), timer::kNever);
    paid_late("1", "T1");
    rig().restart();
    const auto all = sagas();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].state, SagaState::running);
    EXPECT_EQ(all[0].subject.id, "1");
    EXPECT_EQ(all[0].version, 3U);
    EXPECT_EQ(all[0].start.name, "refund");
    EXPECT_EQ(all[0].tries, 0U);
    EXPECT_EQ(next_ms(), all[0].next_ms);
    EXPECT_LE(all[0].next_ms, rig().now_ms());
    EXPECT_EQ(due(rig().now_ms()).rows, all);
    EXPECT_TRUE(due(all[0].next_ms - 1).rows.empty());
}

// Copies of one callback: one refund.
TEST_P(FlowsSaga, CopiesOfOneFactBeginOne) {
    paid_late("1", "T1");
    for (int copy = 0; copy < 20; ++copy) (void)try_commit(step("1", payment("T1")));
    EXPECT_EQ(sagas().size(), 1U);
    paid_late("1", "T2");
    EXPECT_EQ(sagas().size(), 2U);
}

TEST_P(FlowsSaga, OfTwoRunnersOneTakesIt) {
    paid_late("1", "T1");
    const SagaRow row = sagas().at(0);
    EXPECT_EQ(move(taken(row, 1)), "moved");
    EXPECT_EQ(move(taken(row, 2)), "somebody else");
    EXPECT_EQ(move(taken(row, 1)), "moved") << "its answer was lost";
    rig().restart();
    EXPECT_EQ(move(taken(row, 1)), "moved");
    const SagaRow after = sagas().at(0);
    EXPECT_EQ(after.tries, 1U);
    EXPECT_TRUE(due(rig().now_ms()).rows.empty());
    rig().hand().pass(60s);
    EXPECT_EQ(due(rig().now_ms()).rows.size(), 1U);
}

TEST_P(FlowsSaga, WhatIsDoneStaysDone) {
    paid_late("1", "T1");
    const SagaRow row = sagas().at(0);
    SagaMove done = taken(row, 1);
    done.to = SagaState::done;
    EXPECT_EQ(move(done), "moved");
    EXPECT_EQ(move(done), "moved");
    EXPECT_EQ(next_ms(), timer::kNever);
    EXPECT_EQ(move(taken(sagas().at(0), 2)), "somebody else");
    // And the same fact does not begin it again.
    (void)try_commit(step("1", payment("T1")));
    EXPECT_EQ(sagas(SagaState::done).size(), 1U);
    EXPECT_TRUE(sagas(SagaState::running).empty());
}

TEST_P(FlowsSaga, APersonSendsItAgainOrSkipsIt) {
    paid_late("1", "T1");
    paid_late("2", "T2");
    std::uint64_t claim = 0;
    for (const SagaRow& row : sagas()) {
        SagaMove stuck = taken(row, ++claim);
        stuck.to = SagaState::needs_attention;
        stuck.said = "the service says 422";
        EXPECT_EQ(move(stuck), "moved");
    }
    const auto list = sagas(SagaState::needs_attention);
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].said, "the service says 422");
    EXPECT_EQ(next_ms(), timer::kNever);
    EXPECT_EQ(move({.number = list[0].number,
                    .tries = 1,
                    .to = SagaState::running,
                    .claim = claim_id(++claim)}),
              "moved");
    EXPECT_EQ(move({.number = list[1].number,
                    .tries = 1,
                    .to = SagaState::done,
                    .tries_after = 1,
                    .said = "skipped by ann: paid back in cash",
                    .claim = claim_id(++claim)}),
              "moved");
    EXPECT_EQ(due(rig().now_ms()).rows.at(0).number, list[0].number);
    EXPECT_EQ(sagas(SagaState::done).at(0).said, "skipped by ann: paid back in cash");
    EXPECT_EQ(move({.number = 99, .claim = claim_id(9)}), "not_found");
}

TEST_P(FlowsSaga, AreListedInTheOrderInWhichTheyBeganAndDueByTheirTime) {
    for (const char* id : {"1", "2", "3"}) {
        paid_late(id, std::string("T") + id);
        rig().hand().pass(1ms);
    }
    const auto all = sagas();
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(sagas({}, all[0].number, 1).at(0), all[1]);
    SagaMove later = taken(all[0], 1);
    EXPECT_EQ(move(later), "moved");
    const auto rows = due(rig().now_ms() + 60'000).rows;
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].number, all[1].number);
    EXPECT_EQ(rows[2].number, all[0].number);
    EXPECT_EQ(due(rig().now_ms() + 60'000, 2).rows.size(), 2U);
}

// Field case X23: what an id may be comes from the store, whatever the clocks of two machines say.
TEST_P(FlowsSaga, AWindowOfIdsOnlyGrows) {
    const auto extend = [&](id::Machine machine, std::int64_t until_ms) {
        return run(rig().store().extend(machine, until_ms));
    };
    EXPECT_EQ(extend({1, 2}, 1'000), 0);
    EXPECT_EQ(extend({1, 2}, 2'000), 1'000);
    EXPECT_EQ(extend({1, 2}, 1'500), 2'000) << "a clock that stands behind";
    rig().restart();
    EXPECT_EQ(extend({1, 2}, 1'500), 2'000);
    EXPECT_EQ(extend({2, 1}, 500), 0) << "another machine";
    EXPECT_EQ(extend({1, 2}, 3'000), 2'000);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsSaga, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
