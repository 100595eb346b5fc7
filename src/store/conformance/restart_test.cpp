// SPDX-License-Identifier: Apache-2.0
// What a kill and a start leave behind.
#include "store/conformance/suite.hpp"
#include "store/port/self_test.hpp"

namespace pawl::store::conformance {
namespace {

class Restart : public Suite {};

// E4: nothing that was acknowledged is lost
TEST_P(Restart, WhatWasAnsweredIsThere) {
    for (int key = 1; key <= 50; ++key) completed(key, 1, "body " + std::to_string(key));
    rig().restart();
    for (int key = 1; key <= 50; ++key) {
        const Reply repeat = rig().reply(claim(key, 2));
        EXPECT_EQ(repeat.outcome, Outcome::replay);
        EXPECT_EQ(repeat.answer->body, "body " + std::to_string(key));
    }
}

// field case 1: the in-progress mark does not outlive its process
TEST_P(Restart, ClaimsOfAnEarlierBootAreUncertainAtOnce) {
    const Fence fence = acquire(claim(1, 1));
    rig().restart();
    const auto stored = rig().read(identity(1));
    EXPECT_EQ(stored->row.state, State::uncertain);
    EXPECT_GT(stored->row.owner_gone_ms, 0);
    EXPECT_EQ(rig().outcome(claim(1, 2)), Outcome::uncertain);
    // Its owner is proven gone: with a horizon of 0 an operator's word is taken.
    record::Settle word = settle(1, fence, Basis::quiet);
    word.horizon_ms = 0;
    EXPECT_EQ(rig().outcome(word), Outcome::freed);
    EXPECT_EQ(rig().outcome(claim(1, 3)), Outcome::acquired);
}

TEST_P(Restart, ARerunnableClaimOfAnEarlierBootIsOpenForARetry) {
    record::Claim made = claim(1, 1);
    made.rerunnable = true;
    const Fence fence = acquire(made);
    rig().restart();
    EXPECT_EQ(rig().state(identity(1)), State::open);
    made.claim = claim_id(2);
    made.owner.boot = rig().boot();
    const Reply retry = rig().reply(made);
    EXPECT_EQ(retry.outcome, Outcome::took_over);
    EXPECT_GT(retry.row.fence, fence);
}

TEST_P(Restart, ClaimsThatWereUncertainBeforeNowHaveAnOwnerWhoIsGone) {
    acquire(claim(1, 1));
    rig().pass(std::chrono::milliseconds(kLeaseMs));
    EXPECT_EQ(rig().outcome(claim(1, 2)), Outcome::uncertain);
    EXPECT_EQ(rig().read(identity(1))->row.owner_gone_ms, 0);
    rig().restart();
    EXPECT_GT(rig().read(identity(1))->row.owner_gone_ms, 0);
}

// F1, F2
TEST_P(Restart, FencesGoOnAboveEverythingGivenOutBefore) {
    Fence last{};
    for (int round = 0; round < 5; ++round) {
        for (int key = 1; key <= 20; ++key) {
            const Fence fence = acquire(claim(round * 100 + key, 1));
            EXPECT_GT(fence, last);
            last = fence;
        }
        rig().restart();
    }
}

TEST_P(Restart, StoreTimeDoesNotGoBack) {
    acquire(claim(1, 1));
    const std::int64_t before_ms = rig().read(identity(1))->row.changed_ms;
    rig().hand().clock().step_wall(-48h);
    rig().restart();
    EXPECT_GE(rig().now_ms(), before_ms);
    EXPECT_GE(rig().reply(claim(2, 1)).row.changed_ms, before_ms);
}

// field case 45, field case X24: no lease and no retention moves with the wall clock
TEST_P(Restart, AStepOfTheWallClockMovesNoLease) {
    acquire(claim(1, 1));
    rig().hand().clock().step_wall(24h);
    EXPECT_EQ(rig().outcome(claim(1, 2)), Outcome::in_progress);
    rig().hand().clock().step_wall(-48h);
    rig().pass(std::chrono::milliseconds(kLeaseMs));
    EXPECT_EQ(rig().outcome(claim(1, 3)), Outcome::uncertain);
}

TEST_P(Restart, EveryBootHasAnotherNumber) {
    const std::uint64_t first = rig().boot();
    rig().restart();
    EXPECT_NE(rig().boot(), first);
}

// Protection that does not work is not started.
TEST_P(Restart, TheSelfTestPassesBeforeAndAfter) {
    for (int round = 0; round < 3; ++round) {
        const Status status = rig().hand().run(
            self_test(rig().records(), rig().hand().loop(), {"node-a:8080", rig().boot()}));
        EXPECT_TRUE(status) << describe(status.error());
        rig().restart();
    }
    const Capabilities capabilities = rig().records().capabilities();
    EXPECT_EQ(capabilities.durable_ack, rig().durable());
    EXPECT_TRUE(capabilities.linearizable_claim);
    EXPECT_FALSE(capabilities.strength.empty());
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, Restart, testing::ValuesIn(stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
