// SPDX-License-Identifier: Apache-2.0
// Protocol rule 15: unresolved records are capped per caller and per tenant, and only new keys feel it.
#include "store/conformance/suite.hpp"

namespace pawl::store::conformance {
namespace {

using enum Outcome;

constexpr UnresolvedLimits kLimits{.per_caller = 3, .per_tenant = 5};

class Limits : public Suite {
  protected:
    void SetUp() override {
        Suite::SetUp();
        rig().limit(kLimits);
    }
    record::Claim claim_by(std::string_view caller, int key, std::string tenant = "acme") {
        record::Claim made = claim(key, static_cast<std::uint64_t>(key));
        made.caller = record::caller_digest(tenant, caller);
        made.tenant = std::move(tenant);
        return made;
    }
    // A record that waits for somebody.
    Fence suspect(const record::Claim& made) {
        const Fence fence = acquire(made);
        EXPECT_EQ(rig().outcome(record::Suspect{made.identity, made.claim, fence}), suspected);
        return fence;
    }
};

TEST_P(Limits, ACallerMayHaveSoManyAndNotOneMore) {
    suspect(claim_by("ada", 1));
    suspect(claim_by("ada", 2));
    suspect(claim_by("ada", 3));  // the third was claimed while two were unresolved
    const Reply refused = rig().reply(claim_by("ada", 4));
    EXPECT_EQ(refused.outcome, limited);
    EXPECT_EQ(refused.row.state, State::absent);
    EXPECT_EQ(refused.row.identity, identity(4));
    EXPECT_FALSE(rig().read(identity(4)));
    EXPECT_EQ(rig().outcome(claim_by("bob", 5)), acquired);
}

TEST_P(Limits, ATenantMayHaveSoManyAndNotOneMore) {
    suspect(claim_by("ada", 1));
    suspect(claim_by("ada", 2));
    suspect(claim_by("bob", 3));
    suspect(claim_by("bob", 4));
    suspect(claim_by("", 5));  // of a caller that is not known
    EXPECT_EQ(rig().outcome(claim_by("eve", 6)), limited);
    EXPECT_EQ(rig().outcome(claim_by("", 7)), limited);
    EXPECT_EQ(rig().outcome(claim_by("eve", 8, "other")), acquired);
}

TEST_P(Limits, ACallerThatIsNotKnownHasNoLimitOfItsOwn) {
    for (int key = 1; key <= 5; ++key) suspect(claim_by("", key));
    EXPECT_EQ(rig().outcome(claim_by("", 6)), limited);
}

TEST_P(Limits, KnownKeysAreAnsweredAsAlways) {
    const Fence done = acquire(claim_by("ada", 1));
    EXPECT_EQ(complete(1, 1, done, "done"), stored);
    const record::Claim given_back = claim_by("ada", 2);
    const Fence freed_fence = acquire(given_back);
    EXPECT_EQ(rig().outcome(record::Release{given_back.identity, given_back.claim, freed_fence}),
              freed);
    for (int key = 3; key <= 5; ++key) suspect(claim_by("ada", key));
    EXPECT_EQ(rig().outcome(claim_by("ada", 6)), limited);
    record::Claim repeat = claim_by("ada", 1);
    repeat.claim = claim_id(100);
    EXPECT_EQ(rig().outcome(repeat), replay);
    repeat = claim_by("ada", 3);
    repeat.claim = claim_id(101);
    EXPECT_EQ(rig().outcome(repeat), uncertain);
    repeat = claim_by("ada", 2);
    repeat.claim = claim_id(102);
    EXPECT_EQ(rig().outcome(repeat), acquired);
}

TEST_P(Limits, WhatIsResolvedMakesRoom) {
    Fence fence;
    for (int key = 1; key <= 3; ++key) fence = suspect(claim_by("ada", key));
    EXPECT_EQ(rig().outcome(claim_by("ada", 4)), limited);
    EXPECT_EQ(rig().outcome(settle(3, fence, Basis::seen, answer("found"))), stored);
    EXPECT_EQ(rig().outcome(claim_by("ada", 4)), acquired);
}

TEST_P(Limits, AClaimCountsFromTheEndOfItsLeaseSweptOrNot) {
    for (int key = 1; key <= 4; ++key) acquire(claim_by("ada", key));
    rig().pass(std::chrono::milliseconds{kLeaseMs - 1});
    const Fence fifth = acquire(claim_by("ada", 5));
    rig().pass(1ms);
    EXPECT_EQ(rig().outcome(claim_by("ada", 6)), limited);
    EXPECT_EQ(complete(1, 1, rig().read(identity(1))->row.fence, "late"), stored);
    EXPECT_EQ(complete(2, 2, rig().read(identity(2))->row.fence, "late"), stored);
    EXPECT_EQ(rig().outcome(claim_by("ada", 6)), acquired);
    EXPECT_EQ(rig().outcome(record::Renew{identity(5), claim_id(5), fifth, kLeaseMs}), held);
    rig().pass(std::chrono::milliseconds{kLeaseMs});
    rig().sweep_all();
    EXPECT_EQ(rig().outcome(claim_by("ada", 7)), limited);
}

TEST_P(Limits, AreCountedAnewByEveryBoot) {
    for (int key = 1; key <= 3; ++key) acquire(claim_by("ada", key));
    rig().restart();
    EXPECT_EQ(rig().outcome(claim_by("ada", 4)), limited);
    EXPECT_EQ(rig().outcome(claim_by("bob", 5)), acquired);
}

TEST_P(Limits, FollowRecordsIntoAnotherGeneration) {
    for (int key = 1; key <= 3; ++key) suspect(claim_by("ada", key));
    for (int key = 100; key < 130; ++key) {
        const Fence fence = acquire(claim_by("bob", key));
        EXPECT_EQ(complete(key, static_cast<std::uint64_t>(key), fence, "done"), stored);
    }
    rig().pass(std::chrono::milliseconds{kKeyMs + kResultMs});
    rig().sweep_all();
    EXPECT_EQ(rig().outcome(claim_by("ada", 4)), limited);
    EXPECT_EQ(rig().outcome(settle(1, rig().read(identity(1))->row.fence, Basis::seen)), stored);
    EXPECT_EQ(rig().outcome(claim_by("ada", 4)), acquired);
}

INSTANTIATE_TEST_SUITE_P(Store, Limits, testing::ValuesIn(stores_under_test()),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace pawl::store::conformance
