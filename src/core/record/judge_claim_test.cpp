// SPDX-License-Identifier: Apache-2.0
// Claims beyond the table: sent again, given up, superseding, taking over, at the limits of times.
#include <gtest/gtest.h>

#include <limits>

#include "core/record/record_fixture.hpp"

namespace pawl::record {
namespace {

TEST(RecordClaim, AClaimIsWrittenIntoTheRowInFull) {
    Record record;
    record.rerunnable = true;
    const Claim claim = record.claim(1, 4);
    record.apply(claim);
    const Row& row = record.row;
    EXPECT_EQ(row.identity, claim.identity);
    EXPECT_EQ(row.tenant, "shop");
    EXPECT_EQ(row.operation, "orders.create");
    EXPECT_EQ(row.key_label, "k1");
    EXPECT_EQ(row.trace_id, "4bf92f35");
    EXPECT_EQ(row.claim, claim.claim);
    EXPECT_EQ(row.owner, claim.owner);
    EXPECT_EQ(row.lease_until_ms, kStart + kLease);
    EXPECT_EQ(row.horizon_ms, kHorizon);
    EXPECT_TRUE(row.rerunnable);
    EXPECT_EQ(row.stamp, claim.stamp);
    EXPECT_EQ(row.fingerprint, claim.fingerprint);
    EXPECT_EQ(row.rule, claim.rule);
    EXPECT_EQ(row.keep, claim.keep);
    EXPECT_EQ(row.created_ms, kStart);
    EXPECT_EQ(row.changed_ms, kStart);
    EXPECT_EQ(row.attempts, 1U);
}

TEST(RecordClaim, ANewAttemptForgetsWhatWasKnownOfTheOwnersBefore) {
    Record record;
    record.rerunnable = true;
    record.make_lapsed(1);
    record.apply(record.claim(2, 1));
    ASSERT_TRUE(record.row.earlier_may_live);
    record.apply(record.settle(Basis::closed));
    record.now_ms += kLease;
    ASSERT_EQ(record.apply(record.settle(Basis::closed)), Outcome::freed);
    EXPECT_EQ(record.apply(record.claim(3, 1)), Outcome::acquired);
    EXPECT_FALSE(record.row.earlier_may_live);
    EXPECT_EQ(record.row.created_ms, kStart);
    record.apply(record.suspect());
    record.apply(record.complete());
    ASSERT_NE(record.row.owner_gone_ms, 0);
    EXPECT_EQ(record.apply(record.claim(4, 2)), Outcome::superseded);
    EXPECT_EQ(record.row.owner_gone_ms, 0);

    Record taken;
    taken.rerunnable = true;
    taken.make_lapsed(1);
    taken.apply(taken.claim(2, 1));
    taken.apply(taken.complete());
    EXPECT_EQ(taken.apply(taken.claim(3, 2)), Outcome::superseded);
    EXPECT_FALSE(taken.row.earlier_may_live);
}

// Protocol rule 7.
TEST(RecordClaim, TheSameClaimSentAgainHasTheSameFence) {
    Record record;
    ASSERT_EQ(record.apply(record.claim(1)), Outcome::acquired);
    const Fence fence = record.row.fence;
    record.now_ms += 10;
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::acquired);
    EXPECT_EQ(record.row.fence, fence);
    EXPECT_FALSE(record.last.fence_used);
    EXPECT_EQ(record.row.attempts, 1U);
    // Its owner counts from when it sent the claim that was answered.
    EXPECT_EQ(record.row.lease_until_ms, record.now_ms + kLease);
}

TEST(RecordClaim, TheSameClaimSentAgainAfterItsLeaseIsStillItsOwn) {
    Record record;
    record.make_lapsed();
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::acquired);
    EXPECT_EQ(record.row.fence, Fence{1});
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::in_progress);
}

TEST(RecordClaim, SentAgainItNeverShortensItsLease) {
    Record record;
    record.make_in_progress();
    const std::int64_t until = record.row.lease_until_ms;
    Claim shorter = record.claim(1);
    shorter.lease_ms = 1;
    record.apply(shorter);
    EXPECT_EQ(record.row.lease_until_ms, until);
}

TEST(RecordClaim, TheSameClaimSentAgainAnswersAsTheFirstTime) {
    Record superseding;
    superseding.make_completed(1);
    ASSERT_EQ(superseding.apply(superseding.claim(2, 2)), Outcome::superseded);
    EXPECT_EQ(superseding.apply(superseding.claim(2, 2)), Outcome::superseded);

    Record taking;
    taking.rerunnable = true;
    taking.make_lapsed();
    ASSERT_EQ(taking.apply(taking.claim(2)), Outcome::took_over);
    EXPECT_EQ(taking.apply(taking.claim(2)), Outcome::took_over);
    EXPECT_EQ(taking.row.fence, Fence{2});
}

TEST(RecordClaim, TheSameClaimSentAgainAfterItsCompletionIsAReplay) {
    Record record;
    record.make_completed();
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::replay);
    EXPECT_FALSE(record.last.changed);
}

TEST(RecordClaim, AClaimThatWasReleasedIsNeverHeldAgain) {
    Record record;
    record.make_freed();
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::withdrawn);
    EXPECT_FALSE(record.last.changed);
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::acquired);
    EXPECT_EQ(record.row.attempts, 2U);
    EXPECT_EQ(record.row.created_ms, kStart);
}

TEST(RecordClaim, ASupersedingClaimThatWasReleasedIsNeverHeldAgain) {
    Record record;
    record.make_completed(1);
    record.apply(record.claim(2, 2));
    ASSERT_EQ(record.apply(record.release()), Outcome::restored);
    EXPECT_EQ(record.apply(record.claim(2, 2)), Outcome::withdrawn);
    EXPECT_EQ(record.apply(record.claim(3, 2)), Outcome::superseded);
}

TEST(RecordClaim, AWithdrawnClaimIsRefusedWheneverItArrives) {
    Record record;
    EXPECT_EQ(record.apply(record.withdraw(1)), Outcome::freed);
    EXPECT_TRUE(record.last.fence_used);
    EXPECT_EQ(record.row.identity, sha256("identity"));
    EXPECT_EQ(record.row.claim, claim_id(1));
    EXPECT_EQ(record.row.created_ms, kStart);
    EXPECT_EQ(record.row.changed_ms, kStart);
    EXPECT_EQ(record.row.attempts, 0U);
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::withdrawn);
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::acquired);
    EXPECT_GT(record.row.fence, Fence{1});
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::withdrawn);
    record.apply(record.release());
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::withdrawn);
}

TEST(RecordClaim, TheLastFourWithdrawnClaimsAreRemembered) {
    Record record;
    for (std::uint8_t id = 1; id <= 5; ++id) record.apply(record.withdraw(id));
    EXPECT_EQ(record.row.withdrawn.size(), kWithdrawnMax);
    for (std::uint8_t id = 2; id <= 5; ++id)
        EXPECT_EQ(record.apply(record.claim(id)), Outcome::withdrawn);
}

TEST(RecordClaim, AWithdrawnRowTakesAnyStamp) {
    for (const std::optional<int> stamp : {std::optional<int>{}, std::optional<int>{7}}) {
        Record record;
        record.apply(record.withdraw(1));
        EXPECT_EQ(record.apply(record.claim(2, stamp)), Outcome::acquired);
        EXPECT_EQ(record.row.created_ms, kStart);
    }
}

TEST(RecordClaim, ALeaseIsOverAtItsEndAndNotBefore) {
    Record record;
    record.make_in_progress();
    record.now_ms = record.row.lease_until_ms - 1;
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::in_progress);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::uncertain);
    EXPECT_EQ(record.row.owner_gone_ms, 0);  // it may be frozen
}

TEST(RecordClaim, AnExpiredResultIsToldApartBeforeTheCleanerCame) {
    Record record;
    record.make_completed();
    record.now_ms = record.row.settled->result_until_ms - 1;
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::replay);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::expired);
    EXPECT_FALSE(record.last.changed);
}

TEST(RecordClaim, AKeyWhoseTimeIsOverIsThereUntilItIsRemoved) {
    Record record;
    record.make_tombstone();
    record.now_ms = record.row.key_until_ms + 1;
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::expired);
    EXPECT_EQ(record.apply(record.claim(2, {}, "other")), Outcome::mismatch);
}

TEST(RecordClaim, RerunnableTakesOverALapsedClaim) {
    Record record;
    record.rerunnable = true;
    record.make_lapsed(5);
    EXPECT_EQ(record.apply(record.claim(2, 6)), Outcome::in_progress);  // a newer stamp never does
    EXPECT_FALSE(record.last.changed);
    EXPECT_EQ(record.apply(record.claim(2, 5)), Outcome::took_over);
    EXPECT_TRUE(record.row.took_over);
    EXPECT_TRUE(record.row.earlier_may_live);
}

// The first attempt went out under the client's key, which the upstream does not honour; or the second
// would.
TEST(RecordClaim, ATakeoverNeedsARerunnableRecordAndARerunnableClaim) {
    Record record;
    record.make_lapsed();
    record.rerunnable = true;
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::uncertain);

    Record changed;
    changed.rerunnable = true;
    changed.make_lapsed();
    changed.rerunnable = false;
    EXPECT_EQ(changed.apply(changed.claim(2)), Outcome::uncertain);
    EXPECT_EQ(changed.row.state, State::uncertain);

    Record opened;
    opened.rerunnable = true;
    opened.make_uncertain();
    ASSERT_EQ(opened.row.state, State::open);
    opened.rerunnable = false;
    EXPECT_EQ(opened.apply(opened.claim(2)), Outcome::uncertain);
    EXPECT_EQ(opened.row.state, State::uncertain);
    // What is released now may be the later attempt's only.
    EXPECT_EQ(opened.apply(opened.release()), Outcome::opened);
}

// R-UNCERTAIN, protocol rule 3: the derived key is honoured for `upstream_remembers` only.
TEST(RecordClaim, NobodyTakesOverOnceTheUpstreamMayHaveForgottenTheKey) {
    for (const bool open : {false, true}) {
        for (const std::int64_t beyond : {-1, 0}) {
            Record record;
            record.rerunnable = true;
            open ? record.make_uncertain() : record.make_lapsed();
            ASSERT_EQ(record.row.state, open ? State::open : State::in_progress);
            Claim claim = record.claim(2);
            claim.remembers_ms = 24 * 3'600'000;
            record.now_ms = record.row.created_ms + claim.remembers_ms + beyond;
            EXPECT_EQ(record.apply(claim), beyond < 0 ? Outcome::took_over : Outcome::uncertain);
            EXPECT_EQ(record.row.state, beyond < 0 ? State::in_progress : State::uncertain);
        }
    }
}

// The key that goes upstream holds the stamp, so the upstream hears of it with the first claim under that stamp.
TEST(RecordClaim, WhatTheUpstreamRemembersOfACorrectionCountsFromTheCorrection) {
    Record record;
    record.rerunnable = true;
    record.make_completed(1);
    record.now_ms += 7 * kResultKept;
    const std::int64_t corrected_ms = record.now_ms;
    ASSERT_EQ(record.apply(record.claim(2, 2)), Outcome::superseded);
    EXPECT_EQ(record.row.created_ms, corrected_ms);
    record.now_ms += kLease;
    Claim repeat = record.claim(3, 2);
    repeat.remembers_ms = kResultKept;
    ASSERT_EQ(record.apply(repeat), Outcome::took_over);
    EXPECT_EQ(record.row.created_ms, corrected_ms);
    record.now_ms = corrected_ms + kResultKept;
    repeat.claim = claim_id(4);
    EXPECT_EQ(record.apply(repeat), Outcome::uncertain);
}

TEST(RecordClaim, AResultThatComesBackIsSeenAsOldAsItIs) {
    Record record;
    record.make_completed(1);
    record.now_ms += 1'000;
    record.apply(record.claim(2, 2));
    ASSERT_EQ(record.apply(record.release()), Outcome::restored);
    EXPECT_EQ(record.row.created_ms, kStart);
    Record freed;
    freed.make_freed(1);
    freed.now_ms += 1'000;
    EXPECT_EQ(freed.apply(freed.claim(2, 1)), Outcome::acquired);
    EXPECT_EQ(freed.row.created_ms, kStart);
    freed.apply(freed.release());
    EXPECT_EQ(freed.apply(freed.claim(3, 2)), Outcome::acquired);
    EXPECT_EQ(freed.row.created_ms, kStart + 1'000);
}

TEST(RecordClaim, ATakeoverKeepsTheLongerHorizonAndNoneIfOneIsUnknown) {
    struct Case {
        std::int64_t first, second, kept;
    };
    for (const auto& [first, second, kept] : {Case{10, 20, 20}, Case{20, 10, 20}, Case{-1, 10, -1},
                                              Case{10, -1, -1}, Case{0, 10, 10}}) {
        Record record;
        record.rerunnable = true;
        Claim claim = record.claim(1);
        claim.horizon_ms = first;
        record.apply(claim);
        record.now_ms += kLease;
        claim = record.claim(2);
        claim.horizon_ms = second;
        ASSERT_EQ(record.apply(claim), Outcome::took_over);
        EXPECT_EQ(record.row.horizon_ms, kept);
    }
}

TEST(RecordClaim, SupersedingKeepsTheOldResultBesideUntilTheNewOneIsStored) {
    Record record;
    record.make_completed(1);
    const Settled first = *record.row.settled;
    ASSERT_EQ(record.apply(record.claim(2, 2)), Outcome::superseded);
    EXPECT_EQ(record.row.beside, first);
    EXPECT_FALSE(record.last.drop);
    EXPECT_EQ(record.apply(record.claim(3, 1)), Outcome::stale);
    EXPECT_EQ(record.apply(record.claim(3, 2, "other")), Outcome::mismatch);
    ASSERT_EQ(record.apply(record.complete("second")), Outcome::stored);
    EXPECT_EQ(record.last.drop, first.fence);
    EXPECT_EQ(record.row.settled->stamp, stamp_of(2));
    EXPECT_FALSE(record.row.beside);
}

// Rulings 1: 2^53 and 2^53 + 1 are two stamps.
TEST(RecordClaim, StampsPassThroughNoMachineNumber) {
    Record record;
    Claim claim = record.claim(1, 1);
    claim.stamp = Stamp{StampKind::integer, "9007199254740993"};
    record.apply(claim);
    claim.claim = claim_id(2);
    claim.stamp = Stamp{StampKind::integer, "9007199254740992"};
    EXPECT_EQ(record.apply(claim), Outcome::stale);
}

TEST(RecordClaim, AnUnstampedRecordRefusesAStamp) {
    Record record;
    record.make_completed();
    EXPECT_EQ(record.apply(record.claim(2, 1)), Outcome::version_invalid);
}

TEST(RecordClaim, AFreedUnstampedRowTakesAStamp) {
    Record record;
    record.make_freed();
    EXPECT_EQ(record.apply(record.claim(2, 1)), Outcome::acquired);
}

TEST(RecordClaim, AFenceIsAboveTheRowsWhateverTheStoreDraws) {
    Record record;
    record.next = 100;
    record.make_freed();
    record.next = 50;  // a sequence that was restored from an old copy
    record.apply(record.claim(2));
    EXPECT_EQ(record.row.fence, Fence{101});
}

TEST(RecordClaim, TimesStopAtTheEndOfTheNumbers) {
    Record record;
    Claim claim = record.claim(1);
    claim.lease_ms = std::numeric_limits<std::int64_t>::max();
    claim.keep = Keep{claim.lease_ms, claim.lease_ms};
    record.apply(claim);
    EXPECT_EQ(record.row.lease_until_ms, std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::in_progress);
    record.apply(record.complete());
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::replay);

    Record negative;
    claim.lease_ms = -5;
    negative.apply(claim);
    EXPECT_EQ(negative.row.lease_until_ms, negative.now_ms);
}

}  // namespace
}  // namespace pawl::record
