// SPDX-License-Identifier: Apache-2.0
// Evidence: what is believed, of whom, and when.
#include <gtest/gtest.h>

#include "core/record/record_fixture.hpp"

namespace pawl::record {
namespace {

TEST(RecordEvidence, AnEffectThatWasFoundBecomesTheResult) {
    Record record;
    record.make_uncertain();
    const Settle call = record.settle(Basis::seen);
    ASSERT_EQ(record.apply(call), Outcome::stored);
    EXPECT_EQ(record.row.settled->source, Source::probe);
    EXPECT_EQ(record.row.settled->answer_digest, digest_of(*call.answer));
    EXPECT_EQ(record.row.settled->status, 200);
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::replay);
    // The owner comes back with another answer, which nobody is told.
    EXPECT_EQ(record.apply(record.complete()), Outcome::lost);
}

TEST(RecordEvidence, AnEffectWithoutAnAnswerLeavesATombstone) {
    Record record;
    record.make_completed(1);
    const Fence first = record.row.fence;
    record.apply(record.claim(2, 2));
    record.apply(record.suspect());
    Settle call = record.settle(Basis::seen);
    call.answer.reset();
    ASSERT_EQ(record.apply(call), Outcome::stored);
    EXPECT_EQ(record.row.state, State::tombstone);
    EXPECT_EQ(record.last.store, nullptr);
    EXPECT_EQ(record.last.drop, first);
    EXPECT_EQ(record.apply(record.claim(3, 2)), Outcome::expired);
    EXPECT_EQ(due_ms(record.row), record.now_ms + kKeyKept);
}

TEST(RecordEvidence, AClosingProbeFreesAtOnce) {
    Record record;
    record.make_lapsed();
    record.apply(record.lapse());
    EXPECT_EQ(record.apply(record.settle(Basis::closed)), Outcome::freed);
    EXPECT_EQ(record.row.key_until_ms, record.now_ms + kKeyKept);
    EXPECT_FALSE(record.row.forced);
}

TEST(RecordEvidence, AClosingProbeOfASupersedingClaimGivesTheOldResultBack) {
    Record record;
    record.make_completed(1);
    record.apply(record.claim(2, 2));
    record.apply(record.suspect());
    EXPECT_EQ(record.apply(record.settle(Basis::closed)), Outcome::restored);
    EXPECT_EQ(record.apply(record.claim(3, 1)), Outcome::replay);
}

TEST(RecordEvidence, QuietNeedsAnOwnerProvenGone) {
    Record record;
    record.make_lapsed();
    record.apply(record.lapse());
    record.now_ms += 1'000 * kKeyKept;  // age proves nothing
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::owner_alive);
    EXPECT_FALSE(record.last.changed);
    record.apply(BootEnded{record.row.identity, 99});
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::too_early);
    record.now_ms += kHorizon;
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::freed);
}

TEST(RecordEvidence, QuietNeedsTheHorizonToHavePassed) {
    Record record;
    record.make_uncertain();
    record.now_ms += kHorizon - 1;
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::too_early);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::freed);
}

// The model's finding: nothing there; the request lands; the horizon passes; the old look is believed.
TEST(RecordEvidence, QuietNeedsALookAfterTheHorizonPassed) {
    Record record;
    record.make_uncertain();
    const std::int64_t passed = record.now_ms + kHorizon;
    record.now_ms = passed + 1'000;
    Settle call = record.settle(Basis::quiet);
    call.looked_ms = passed - 1;
    EXPECT_EQ(record.apply(call), Outcome::too_early);
    call.looked_ms = passed;
    EXPECT_EQ(record.apply(call), Outcome::freed);
}

TEST(RecordEvidence, ALookInTheFutureIsALookNow) {
    Record record;
    record.make_uncertain();
    Settle call = record.settle(Basis::quiet);
    call.looked_ms = record.now_ms + 2 * kHorizon;
    EXPECT_EQ(record.apply(call), Outcome::too_early);
}

TEST(RecordEvidence, QuietNeedsAHorizonFromTheRouteOrTheCall) {
    Record record;
    Claim claim = record.claim(1);
    claim.horizon_ms = -1;
    record.apply(claim);
    record.apply(record.suspect());
    record.now_ms += 1'000 * kKeyKept;
    Settle call = record.settle(Basis::quiet);
    EXPECT_EQ(record.apply(call), Outcome::too_early);
    call.horizon_ms = 0;
    EXPECT_EQ(record.apply(call), Outcome::freed);
}

TEST(RecordEvidence, ForceIsTakenAndMarksTheKeyForGood) {
    Record record;
    record.make_lapsed();
    record.apply(record.lapse());
    EXPECT_EQ(record.apply(record.settle(Basis::forced)), Outcome::freed);
    EXPECT_TRUE(record.row.forced);
    record.apply(record.claim(2));
    EXPECT_TRUE(record.row.forced);
    record.apply(record.suspect());
    EXPECT_EQ(record.apply(record.settle(Basis::closed)), Outcome::freed);
    EXPECT_TRUE(record.row.forced);
}

TEST(RecordEvidence, ALapsedClaimIsMadeUncertainEvenIfTheEvidenceIsRefused) {
    Record record;
    record.make_lapsed();
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::owner_alive);
    EXPECT_EQ(record.row.state, State::uncertain);
    EXPECT_TRUE(record.last.changed);
}

TEST(RecordEvidence, EvidenceAboutALivingClaimIsAConflict) {
    Record record;
    record.make_in_progress();
    record.now_ms = record.row.lease_until_ms - 1;
    EXPECT_EQ(record.apply(record.settle(Basis::seen)), Outcome::conflict);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.settle(Basis::seen)), Outcome::stored);
}

// The second owner ended; the first one is only frozen and may still send.
TEST(RecordEvidence, QuietAfterATakeoverNeedsEveryOwnerGone) {
    Record record;
    record.rerunnable = true;
    record.make_lapsed();
    record.apply(record.claim(2));
    record.apply(record.suspect());
    record.now_ms += 10 * kHorizon;
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::owner_alive);
    record.apply(record.claim(3));
    EXPECT_TRUE(record.row.earlier_may_live);
    record.apply(record.suspect());
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::owner_alive);
    EXPECT_EQ(record.apply(BootEnded{record.row.identity, 99}), Outcome::lapsed);
    EXPECT_FALSE(record.row.earlier_may_live);
    record.now_ms += kHorizon;
    EXPECT_EQ(record.apply(record.settle(Basis::quiet)), Outcome::freed);
    EXPECT_FALSE(record.row.took_over);
}

TEST(RecordEvidence, LapseOfARerunnableOperationOpensIt) {
    Record record;
    record.rerunnable = true;
    record.make_in_progress();
    record.now_ms = record.row.lease_until_ms - 1;
    EXPECT_EQ(record.apply(record.lapse()), Outcome::unchanged);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.lapse()), Outcome::lapsed);
    EXPECT_EQ(record.row.state, State::open);
    EXPECT_TRUE(record.row.took_over);
    EXPECT_EQ(record.row.owner_gone_ms, 0);
    EXPECT_EQ(record.apply(record.complete()), Outcome::stored);
    EXPECT_FALSE(record.row.took_over);
}

TEST(RecordEvidence, LapseLeavesTheRowAsItIsKeptBySweepers) {
    Record record;
    record.make_lapsed();
    EXPECT_EQ(record.apply(record.lapse()), Outcome::lapsed);
    EXPECT_EQ(record.row.state, State::uncertain);
    EXPECT_EQ(due_ms(record.row), kForever);
    EXPECT_EQ(record.row.changed_ms, record.now_ms);
}

// Rule 4: on start SQLite turns every claim of an earlier boot at once.
TEST(RecordEvidence, BootEndedConcernsOtherBootsOnly) {
    for (const bool rerunnable : {false, true}) {
        Record record;
        record.rerunnable = rerunnable;
        record.make_in_progress();
        EXPECT_EQ(record.apply(BootEnded{record.row.identity, record.boot}), Outcome::unchanged);
        EXPECT_EQ(record.apply(BootEnded{record.row.identity, record.boot + 1}), Outcome::lapsed);
        EXPECT_EQ(record.row.state, rerunnable ? State::open : State::uncertain);
        EXPECT_EQ(record.row.took_over, rerunnable);
        EXPECT_EQ(record.row.owner_gone_ms, record.now_ms);
    }
}

TEST(RecordEvidence, BootEndedTellsOfTheOwnerOfAnUncertainRecord) {
    Record record;
    record.make_lapsed();
    record.apply(record.lapse());
    EXPECT_EQ(record.apply(BootEnded{record.row.identity, 99}), Outcome::lapsed);
    EXPECT_EQ(record.row.owner_gone_ms, record.now_ms);
    EXPECT_EQ(record.apply(BootEnded{record.row.identity, 99}), Outcome::unchanged);
    EXPECT_FALSE(record.last.changed);
}

}  // namespace
}  // namespace pawl::record
