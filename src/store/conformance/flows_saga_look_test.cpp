// SPDX-License-Identifier: Apache-2.0
// What people see of compensations: those that are not done, those that an order began, and those whose rows cannot be
// read: money may hang on one, so that nobody may take it for absent.
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

using Numbers = std::vector<std::uint64_t>;

class FlowsSagaLook : public FlowSuite {
  protected:
    // The key of the refund that it began.
    Digest paid_late(const std::string& id) {
        ordered(id);
        EXPECT_EQ(outcome(step(id, "cancel")), "applied 2");
        EXPECT_EQ(outcome(step(id, payment("T" + id))), "applied 3");
        return history(id).back().sagas.at(0).key;
    }
    std::vector<SagaRow> look(SagasQuery query = {}) {
        return run(rig().store().look_at_sagas(std::move(query)));
    }
    static Numbers numbers(const std::vector<SagaRow>& rows) {
        Numbers all;
        for (const SagaRow& row : rows) all.push_back(row.number);
        return all;
    }
    void move(const SagaRow& row, SagaState to) {
        EXPECT_TRUE(run(rig().store().move({.number = row.number,
                                            .tries = row.tries,
                                            .to = to,
                                            .tries_after = row.tries + 1,
                                            .pause_ms = 60'000,
                                            .said = "its service answered 503",
                                            .claim = claim_id(row.number + 100)})));
    }
};

TEST_P(FlowsSagaLook, WhatIsNotDoneIsSeenWithItsLatestFailure) {
    EXPECT_TRUE(look().empty());
    for (const char* id : {"1", "2", "3"}) paid_late(id);
    const auto begun = look();
    ASSERT_EQ(begun.size(), 3U);
    move(begun[0], SagaState::running);
    move(begun[1], SagaState::done);
    move(begun[2], SagaState::needs_attention);
    rig().restart();
    const auto open = look();
    ASSERT_EQ(numbers(open), (Numbers{begun[0].number, begun[2].number}));
    EXPECT_EQ(open[0].state, SagaState::running);
    EXPECT_EQ(open[0].tries, 1U);
    EXPECT_EQ(open[0].said, "its service answered 503");
    EXPECT_THAT(open[0].start.values, testing::Contains(testing::Pair("transaction_id", "T1")));
    EXPECT_EQ(open[1].state, SagaState::needs_attention);
    EXPECT_EQ(numbers(look({.limit = 1})), Numbers{begun[0].number});
    EXPECT_EQ(numbers(look({.after = begun[0].number})), Numbers{begun[2].number});
    EXPECT_TRUE(look({.limit = 0}).empty());
}

TEST_P(FlowsSagaLook, ThoseOfAnOrderAreSeenDoneOrNot) {
    std::vector<Digest> keys;
    for (const char* id : {"1", "2", "3"}) keys.push_back(paid_late(id));
    const auto begun = look();
    move(begun[1], SagaState::done);
    EXPECT_EQ(numbers(look({.keys = {keys[1]}})), Numbers{begun[1].number});
    EXPECT_EQ(look({.keys = {keys[1]}})[0].state, SagaState::done);
    EXPECT_EQ(numbers(look({.keys = {keys[2], sha256("none"), keys[0]}})),
              (Numbers{begun[0].number, begun[2].number}));
    EXPECT_TRUE(look({.keys = {sha256("none")}}).empty());
}

TEST_P(FlowsSagaLook, OneThatCannotBeReadIsSeenAsSuch) {
    for (const Harm harm : kHarms) {
        SCOPED_TRACE(static_cast<int>(harm));
        SetUp();
        std::vector<Digest> keys;
        for (const char* id : {"1", "2"}) keys.push_back(paid_late(id));
        const auto begun = look();
        ASSERT_EQ(begun.size(), 2U);
        ASSERT_TRUE(rig().damage("flow_saga", 0, harm));
        for (const auto& seen : {look(), look({.keys = keys})}) {
            ASSERT_EQ(numbers(seen), numbers(begun));
            EXPECT_TRUE(seen[0].is_damaged);
            EXPECT_EQ(seen[0].start.key, keys[0]);
            EXPECT_EQ(seen[0].subject, FlowSubject{});
            EXPECT_EQ(seen[1], begun[1]);
        }
    }
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsSagaLook, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
