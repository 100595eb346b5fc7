// SPDX-License-Identifier: Apache-2.0
// What the sweeper and the cleaner do, and what they leave alone.
#include "store/conformance/suite.hpp"

namespace pawl::store::conformance {
namespace {

constexpr std::chrono::milliseconds kResult{kResultMs};
constexpr std::chrono::milliseconds kKey{kKeyMs};

class Retention : public Suite {
  protected:
    // Two looks: what a first pass has set apart a second one takes away.
    SweepReport clean() {
        SweepReport sum = rig().sweep_all();
        const SweepReport second = rig().sweep_all();
        sum.removed += second.removed;
        sum.stopped = sum.stopped || second.stopped;
        return sum;
    }
};

// field case X3: the same key one second before and after the result's retention
TEST_P(Retention, AResultIsReplayedUntilItsEndAndIsExpiredAfterwards) {
    completed(1, 1);
    rig().pass(kResult - 1s);
    clean();
    EXPECT_EQ(rig().outcome(claim(1, 2)), Outcome::replay);
    rig().pass(1s);
    EXPECT_EQ(rig().outcome(claim(1, 3)), Outcome::expired);
    EXPECT_GE(rig().sweep_all().removed, 0U);
    EXPECT_EQ(rig().outcome(claim(1, 4)), Outcome::expired);
    EXPECT_FALSE(rig().reply(claim(1, 5)).answer);
}

TEST_P(Retention, ARefusalIsReplayedUntilItsOwnEndAndItsKeyIsNotNewThen) {
    const Fence fence = acquire(claim(1, 1));
    record::Complete refusal{identity(1), claim_id(1), fence, answer("no money")};
    refusal.result_ms = 300'000;
    EXPECT_EQ(rig().outcome(refusal), Outcome::stored);
    completed(2, 1);
    rig().pass(299s);
    clean();
    EXPECT_EQ(rig().outcome(claim(1, 2)), Outcome::replay);
    rig().pass(1s);
    EXPECT_EQ(rig().outcome(claim(1, 3)), Outcome::expired);
    clean();
    EXPECT_EQ(rig().outcome(claim(1, 4)), Outcome::expired);
    EXPECT_EQ(rig().outcome(claim(2, 2)), Outcome::replay);
}

// H2: nothing goes early. A row whose retention is over goes in time, and then the key is new.
TEST_P(Retention, AKeyIsKnownUntilItsRowIsGone) {
    completed(1, 1);
    rig().pass(kKey - 1s);
    clean();
    EXPECT_EQ(rig().outcome(claim(1, 2)), Outcome::expired);
    rig().pass(1s);
    EXPECT_EQ(rig().outcome(claim(1, 3)), Outcome::expired);  // over, but not removed
    EXPECT_EQ(clean().removed, 1U);
    EXPECT_EQ(rig().state(identity(1)), State::absent);
    EXPECT_EQ(rig().outcome(claim(1, 4)), Outcome::acquired);
}

TEST_P(Retention, AStampedKeyKeepsItsHighestStampForEver) {
    const Fence fence = acquire(stamped(1, 1, 5));
    EXPECT_EQ(complete(1, 1, fence, "done"), Outcome::stored);
    rig().pass(kKey);
    clean();
    EXPECT_EQ(rig().outcome(stamped(1, 2, 4)), Outcome::stale);
    const Reply newer = rig().reply(stamped(1, 3, 5));
    EXPECT_EQ(newer.outcome, Outcome::acquired);
    EXPECT_GT(newer.row.fence, fence);
}

// R-UNCERTAIN: age never frees
TEST_P(Retention, UnresolvedRowsStayWhateverTheirAge) {
    const Fence uncertain = acquire(claim(1, 1));
    EXPECT_EQ(rig().outcome(record::Suspect{identity(1), claim_id(1), uncertain}),
              Outcome::suspected);
    record::Claim made = claim(2, 1);
    made.rerunnable = true;
    const Fence open = acquire(made);
    EXPECT_EQ(rig().outcome(record::Suspect{identity(2), claim_id(1), open}), Outcome::opened);
    acquire(claim(3, 1));
    for (int key = 10; key < 60; ++key) completed(key, 1);
    for (int years = 0; years < 3; ++years) {
        rig().pass(kKey);
        clean();
        rig().restart();
    }
    EXPECT_EQ(rig().state(identity(1)), State::uncertain);
    EXPECT_EQ(rig().state(identity(2)), State::open);
    EXPECT_EQ(rig().state(identity(3)), State::uncertain);
    EXPECT_EQ(rig().state(identity(50)), State::absent);
    EXPECT_EQ(complete(1, 1, uncertain, "after all"), Outcome::stored);
}

TEST_P(Retention, WhatIsKeptForEverStays) {
    record::Claim made = claim(1, 1);
    made.keep = {.result_ms = record::kForever, .key_ms = record::kForever};
    const Fence fence = acquire(made);
    EXPECT_EQ(complete(1, 1, fence, "for ever"), Outcome::stored);
    for (int years = 0; years < 3; ++years) {
        rig().pass(kKey);
        clean();
    }
    EXPECT_EQ(rig().reply(claim(1, 2)).answer->body, "for ever");
}

TEST_P(Retention, TheSweeperEndsLeasesWithoutAClaimThatMeetsThem) {
    acquire(claim(1, 1));
    rig().pass(std::chrono::milliseconds(kLeaseMs - 1));
    EXPECT_EQ(rig().sweep().lapsed, 0U);
    rig().pass(1ms);
    EXPECT_EQ(rig().sweep().lapsed, 1U);
    EXPECT_EQ(rig().state(identity(1)), State::uncertain);
}

TEST_P(Retention, ARenewedLeaseIsNotSweptAtItsOldEnd) {
    const Fence fence = acquire(claim(1, 1));
    rig().pass(10s);
    EXPECT_EQ(rig().outcome(record::Renew{identity(1), claim_id(1), fence, kLeaseMs}),
              Outcome::held);
    rig().pass(std::chrono::milliseconds(kLeaseMs - 1));
    EXPECT_EQ(rig().sweep_all().lapsed, 0U);
    rig().pass(1ms);
    EXPECT_EQ(rig().sweep_all().lapsed, 1U);
}

// H1: at most so many rows per pass
TEST_P(Retention, ASweepStopsAtItsBoundAndSaysThatThereIsMore) {
    for (int key = 1; key <= 25; ++key) acquire(claim(key, 1));
    rig().pass(std::chrono::milliseconds(kLeaseMs));
    SweepReport report = rig().sweep(10);
    EXPECT_EQ(report.lapsed, 10U);
    EXPECT_TRUE(report.more);
    report = rig().sweep(10);
    EXPECT_EQ(report.lapsed, 10U);
    report = rig().sweep(10);
    EXPECT_EQ(report.lapsed, 5U);
    EXPECT_EQ(rig().sweep(10).lapsed, 0U);
}

TEST_P(Retention, TheCleanerRemovesNoMoreThanItsBoundPerPass) {
    for (int key = 1; key <= 30; ++key) completed(key, 1);
    rig().pass(kKey);
    std::uint64_t removed = 0;
    for (int pass = 0; pass < 50; ++pass) {
        const SweepReport report = rig().sweep(7);
        EXPECT_LE(report.removed, 7U);
        removed += report.removed;
    }
    EXPECT_EQ(removed, 30U);
}

// protocol rule 11
TEST_P(Retention, TheCleanerStopsWithAnAlarmWhenTheClocksDisagree) {
    for (int key = 1; key <= 10; ++key) completed(key, 1);
    acquire(claim(20, 1));
    rig().pass(kKey);
    rig().hand().clock().step_wall(60s + 1ms);
    const SweepReport report = rig().sweep();
    EXPECT_TRUE(report.stopped);
    EXPECT_EQ(report.removed, 0U);
    EXPECT_EQ(report.lapsed, 1U);  // leases follow store time, which did not step
    EXPECT_EQ(rig().outcome(claim(1, 2)), Outcome::expired);
    rig().pass(11min);
    const SweepReport again = clean();
    EXPECT_FALSE(again.stopped);
    EXPECT_GE(again.removed, 7U);  // those that lie beside the claim may stay longer
}

TEST_P(Retention, AFreedKeyIsRememberedForItsRetention) {
    const Fence fence = acquire(claim(1, 1));
    EXPECT_EQ(rig().outcome(record::Release{identity(1), claim_id(1), fence}), Outcome::freed);
    rig().pass(kKey - 1s);
    clean();
    EXPECT_EQ(rig().state(identity(1)), State::freed);
    rig().pass(1s);
    clean();
    EXPECT_EQ(rig().state(identity(1)), State::absent);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, Retention, testing::ValuesIn(stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
