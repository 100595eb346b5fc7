// SPDX-License-Identifier: Apache-2.0
// What the owner of a claim says, in full: completions, releases, suspicions, withdrawals.
#include <gtest/gtest.h>

#include "core/record/record_fixture.hpp"

namespace pawl::record {
namespace {

TEST(RecordOwner, ACompletionIsStoredWithItsTimes) {
    Record record;
    record.make_in_progress(3);
    record.now_ms += 5;
    const Complete call = record.complete();
    ASSERT_EQ(record.apply(call), Outcome::stored);
    const Settled& settled = *record.row.settled;
    EXPECT_EQ(settled.answer_digest, digest_of(call.answer));
    EXPECT_EQ(settled.status, 201);
    EXPECT_EQ(settled.source, Source::owner);
    EXPECT_EQ(settled.fence, record.row.fence);
    EXPECT_EQ(settled.stamp, stamp_of(3));
    EXPECT_EQ(settled.settled_ms, record.now_ms);
    EXPECT_EQ(settled.result_until_ms, record.now_ms + kResultKept);
    EXPECT_EQ(record.row.key_until_ms, record.now_ms + kKeyKept);
    EXPECT_EQ(due_ms(record.row), settled.result_until_ms);
}

TEST(RecordOwner, TheAnswerToStorePointsIntoTheCall) {
    Record record;
    record.make_in_progress();
    const Call call = record.complete();
    const Verdict verdict = judge(record.row, call, record.now_ms, Fence{9});
    EXPECT_EQ(verdict.store, &std::get<Complete>(call).answer);
}

// Protocol rule 6: a completion in hand is sent until the store answers.
TEST(RecordOwner, TheSameCompletionAgainIsStoredAndAnotherIsLost) {
    Record record;
    record.make_completed();
    EXPECT_EQ(record.apply(record.complete()), Outcome::stored);
    EXPECT_FALSE(record.last.changed);
    EXPECT_EQ(record.last.store, nullptr);
    EXPECT_EQ(record.apply(record.complete("different")), Outcome::lost);
    EXPECT_FALSE(record.last.changed);
}

TEST(RecordOwner, ACompletionThatWasStoredStaysSoWhileANewerStampRuns) {
    Record record;
    record.make_completed(1);
    const Complete first = record.complete();
    record.apply(record.claim(2, 2));
    EXPECT_EQ(record.apply(first), Outcome::stored);
    EXPECT_FALSE(record.last.changed);
    Complete other = first;
    other.answer.body += "!";
    EXPECT_EQ(record.apply(other), Outcome::lost);
    record.apply(record.release());
    EXPECT_EQ(record.apply(first), Outcome::stored);
    EXPECT_EQ(record.apply(other), Outcome::lost);
}

TEST(RecordOwner, ACompletionOverAFreedRecordIsKeptAsAnAlarm) {
    Record record;
    record.make_uncertain();
    const Complete late = record.complete();
    record.apply(record.settle(Basis::forced));
    EXPECT_TRUE(record.row.forced);
    EXPECT_EQ(record.apply(late), Outcome::stored_late);
    EXPECT_EQ(record.row.state, State::completed);
    EXPECT_TRUE(record.row.forced);
    EXPECT_EQ(record.apply(late), Outcome::stored);
}

// A superseding claim was settled as not applied and was applied: the proof replaces what was given back.
TEST(RecordOwner, ACompletionOverAResultThatWasGivenBackIsKeptAsAnAlarm) {
    for (const bool result_over : {false, true}) {
        Record record;
        record.make_completed(1);
        const Fence first = record.row.fence;
        record.apply(record.claim(2, 2));
        record.apply(record.suspect());
        const Complete late = record.complete("second");
        if (result_over) record.now_ms += kResultKept;
        ASSERT_EQ(record.apply(record.settle(Basis::forced)), Outcome::restored);
        EXPECT_EQ(record.row.state, result_over ? State::tombstone : State::completed);
        ASSERT_EQ(record.apply(late), Outcome::stored_late);
        EXPECT_EQ(record.last.drop, first);
        EXPECT_EQ(record.row.settled->stamp, stamp_of(2));
        EXPECT_EQ(record.apply(record.claim(3, 1)), Outcome::stale);
    }
}

TEST(RecordOwner, ALateCompletionOfAnUncertainRecordIsStored) {
    Record record;
    record.make_uncertain();
    record.now_ms += 100 * kKeyKept;
    EXPECT_EQ(record.apply(record.complete()), Outcome::stored);
}

TEST(RecordOwner, ARenewalMovesTheLeaseForwardOnly) {
    Record record;
    record.make_lapsed();
    EXPECT_EQ(record.apply(record.renew()), Outcome::held);
    EXPECT_EQ(record.row.lease_until_ms, record.now_ms + kLease);
    EXPECT_EQ(due_ms(record.row), record.row.lease_until_ms);
    Renew shorter = record.renew();
    shorter.lease_ms = 1;
    EXPECT_EQ(record.apply(shorter), Outcome::held);
    EXPECT_EQ(record.row.lease_until_ms, record.now_ms + kLease);
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::in_progress);
}

TEST(RecordOwner, AReleaseOfASupersedingClaimGivesTheOldResultBack) {
    Record record;
    record.make_completed(1);
    const Settled first = *record.row.settled;
    const std::int64_t key_until = record.row.key_until_ms;
    record.now_ms += 10;
    record.apply(record.claim(2, 2));
    ASSERT_EQ(record.apply(record.release()), Outcome::restored);
    EXPECT_EQ(record.row.state, State::completed);
    EXPECT_EQ(record.row.settled, first);
    EXPECT_EQ(record.row.key_until_ms, key_until);
    EXPECT_FALSE(record.last.drop);
    EXPECT_EQ(record.apply(record.claim(3, 1)), Outcome::replay);
    Release again{record.row.identity, claim_id(2), record.row.fence};
    EXPECT_EQ(record.apply(again), Outcome::restored);
    EXPECT_FALSE(record.last.changed);
}

// The old result ran out while the newer stamp was running.
TEST(RecordOwner, AResultGivenBackAfterItsTimeIsATombstone) {
    Record record;
    record.make_completed(1);
    const Fence first = record.row.fence;
    record.now_ms = record.row.settled->result_until_ms - 1;
    record.apply(record.claim(2, 2));
    ++record.now_ms;
    ASSERT_EQ(record.apply(record.release()), Outcome::restored);
    EXPECT_EQ(record.row.state, State::tombstone);
    EXPECT_EQ(record.last.drop, first);
    Release again{record.row.identity, claim_id(2), record.row.fence};
    EXPECT_EQ(record.apply(again), Outcome::restored);
}

// A clock that steps back does not bring a dropped result back.
TEST(RecordOwner, ATombstoneThatWasSupersededComesBackAsOne) {
    Record record;
    record.make_tombstone(1);
    record.now_ms -= kResultKept;
    ASSERT_EQ(record.apply(record.claim(2, 2)), Outcome::superseded);
    ASSERT_EQ(record.apply(record.release()), Outcome::restored);
    EXPECT_EQ(record.row.state, State::tombstone);
    EXPECT_EQ(record.apply(record.claim(3, 1)), Outcome::expired);
}

TEST(RecordOwner, AReleaseAfterATakeoverFreesNothing) {
    Record record;
    record.rerunnable = true;
    record.make_lapsed();
    record.apply(record.claim(2));
    ASSERT_EQ(record.apply(record.release()), Outcome::opened);
    EXPECT_EQ(record.row.state, State::open);
    EXPECT_EQ(record.row.owner_gone_ms, 0);  // the first owner may still be about to send
    EXPECT_EQ(due_ms(record.row), kForever);
    EXPECT_EQ(record.apply(record.release()), Outcome::opened);
    EXPECT_FALSE(record.last.changed);
    EXPECT_EQ(record.apply(record.claim(3)), Outcome::took_over);
}

TEST(RecordOwner, ASuspicionSaysThatTheOwnerEnded) {
    Record record;
    record.make_in_progress();
    record.now_ms += 7;
    EXPECT_EQ(record.apply(record.suspect()), Outcome::suspected);
    EXPECT_EQ(record.row.owner_gone_ms, record.now_ms);
    const std::int64_t since = record.now_ms;
    record.now_ms += 7;
    EXPECT_EQ(record.apply(record.suspect()), Outcome::suspected);  // sent again
    EXPECT_EQ(record.row.owner_gone_ms, since);
    EXPECT_FALSE(record.last.changed);
}

TEST(RecordOwner, ASuspicionAfterTheLapseStillSaysThatTheOwnerEnded) {
    Record record;
    record.make_lapsed();
    record.apply(record.lapse());
    ASSERT_EQ(record.row.owner_gone_ms, 0);
    EXPECT_EQ(record.apply(record.suspect()), Outcome::suspected);
    EXPECT_TRUE(record.last.changed);
    EXPECT_EQ(record.row.owner_gone_ms, record.now_ms);
}

TEST(RecordOwner, AnOwnerThatSuspectsAndListensIsAliveUntilItSaysSoAgain) {
    Record record;
    record.make_in_progress();
    EXPECT_EQ(record.apply(record.suspect(true)), Outcome::suspected);
    EXPECT_EQ(record.row.state, State::uncertain);
    EXPECT_EQ(record.row.owner_gone_ms, 0);
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::owner_alive);
    Record answered = record;
    EXPECT_EQ(answered.apply(answered.complete()), Outcome::stored);
    EXPECT_EQ(record.apply(record.suspect()), Outcome::suspected);
    EXPECT_EQ(record.row.owner_gone_ms, record.now_ms);
    record.apply(record.suspect(true));  // arrives late, takes nothing back
    EXPECT_EQ(record.row.owner_gone_ms, record.now_ms);
}

TEST(RecordOwner, WhoTakesOverFromAnOwnerThatListensKnowsOfIt) {
    Record record;
    record.rerunnable = true;
    record.make_in_progress();
    EXPECT_EQ(record.apply(record.suspect(true)), Outcome::opened);
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::took_over);
    EXPECT_TRUE(record.row.earlier_may_live);
}

TEST(RecordOwner, ASuspicionOfARerunnableOperationOpensIt) {
    Record record;
    record.rerunnable = true;
    record.make_in_progress();
    EXPECT_EQ(record.apply(record.suspect()), Outcome::opened);
    EXPECT_TRUE(record.row.took_over);
    EXPECT_EQ(record.row.owner_gone_ms, record.now_ms);
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::took_over);
    EXPECT_FALSE(record.row.earlier_may_live);
    EXPECT_EQ(record.apply(record.release()), Outcome::opened);  // the first one's request may land
    EXPECT_EQ(record.row.owner_gone_ms, record.now_ms);
}

TEST(RecordOwner, AtTimeZeroAnEndedOwnerIsNotALivingOne) {
    Record record;
    record.now_ms = 0;
    record.make_in_progress();
    record.apply(record.suspect());
    EXPECT_EQ(record.row.owner_gone_ms, 1);
}

TEST(RecordOwner, AWithdrawalOfTheHeldClaimReleasesIt) {
    Record record;
    record.make_in_progress();
    EXPECT_EQ(record.apply(record.withdraw(1)), Outcome::freed);
    EXPECT_EQ(record.row.state, State::freed);
    EXPECT_EQ(record.apply(record.withdraw(1)), Outcome::freed);  // sent again
    EXPECT_FALSE(record.last.changed);
    record.apply(record.claim(2));
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::withdrawn);
}

TEST(RecordOwner, AWithdrawalOfASupersedingClaimGivesTheOldResultBack) {
    Record record;
    record.make_completed(1);
    record.apply(record.claim(2, 2));
    EXPECT_EQ(record.apply(record.withdraw(2)), Outcome::restored);
    EXPECT_EQ(record.apply(record.withdraw(2)), Outcome::restored);
    EXPECT_FALSE(record.last.changed);
}

TEST(RecordOwner, AWithdrawalOfAnotherClaimIsRememberedAndTouchesNothing) {
    for (const auto make : {&Record::make_in_progress, &Record::make_uncertain,
                            &Record::make_completed, &Record::make_tombstone}) {
        Record record;
        (record.*make)({});
        Row expected = record.row;
        EXPECT_EQ(record.apply(record.withdraw(9)), Outcome::lost);
        expected.withdrawn = {claim_id(9)};
        EXPECT_EQ(record.row, expected);
        EXPECT_TRUE(record.last.changed);
        EXPECT_EQ(record.apply(record.claim(9)), Outcome::withdrawn);
    }
    Record freed;
    freed.make_freed();
    EXPECT_EQ(freed.apply(freed.withdraw(9)), Outcome::freed);
    EXPECT_EQ(freed.apply(freed.claim(9)), Outcome::withdrawn);
}

TEST(RecordOwner, AWithdrawalAfterTheCompletionIsTooLate) {
    Record record;
    record.make_completed();
    EXPECT_EQ(record.apply(record.withdraw(1)), Outcome::lost);
    EXPECT_FALSE(record.last.changed);
    EXPECT_EQ(record.apply(record.claim(1)), Outcome::replay);
}

TEST(RecordOwner, AWithdrawnRowGoesAfterFourHundredDays) {
    Record record;
    record.apply(record.withdraw(1));
    EXPECT_EQ(due_ms(record.row), kStart + kWithdrawnKeepMs);
    record.now_ms = kStart + kWithdrawnKeepMs - 1;
    EXPECT_EQ(record.apply(record.expire()), Outcome::unchanged);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.expire()), Outcome::removed);
}

}  // namespace
}  // namespace pawl::record
