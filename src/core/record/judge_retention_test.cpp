// SPDX-License-Identifier: Apache-2.0
// How long things are kept, at the limit and one before it.
#include <gtest/gtest.h>

#include "core/record/record_fixture.hpp"

namespace pawl::record {
namespace {

Record completed_with(Keep keep, std::optional<int> stamp = {}) {
    Record record;
    Claim claim = record.claim(1, stamp);
    claim.keep = keep;
    record.apply(claim);
    record.apply(record.complete());
    return record;
}

TEST(RecordRetention, AResultIsDroppedAndTheKeyStays) {
    Record record;
    record.make_completed();
    record.now_ms += kResultKept - 1;
    EXPECT_EQ(record.apply(record.expire()), Outcome::unchanged);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.expire()), Outcome::buried);
    EXPECT_EQ(record.row.state, State::tombstone);
    EXPECT_EQ(record.last.drop, record.row.fence);
    EXPECT_EQ(record.row.settled->status, 201);
    EXPECT_EQ(due_ms(record.row), kStart + kKeyKept);
    EXPECT_EQ(record.apply(record.expire()), Outcome::unchanged);
    EXPECT_FALSE(record.last.changed);
}

TEST(RecordRetention, AKeyIsRemovedWhenItsTimeIsOver) {
    Record record;
    record.make_tombstone();
    record.now_ms = kStart + kKeyKept - 1;
    EXPECT_EQ(record.apply(record.expire()), Outcome::unchanged);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.expire()), Outcome::removed);
    EXPECT_EQ(record.row.state, State::absent);
    EXPECT_EQ(record.row.identity, sha256("identity"));
    EXPECT_EQ(due_ms(record.row), kForever);
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::acquired);
}

// Result and key of one length, as in `cache` and stripe-v1.
TEST(RecordRetention, ResultAndKeyThatEndTogetherGoInOneStep) {
    Record record = completed_with({1'000, 1'000});
    record.now_ms += 1'000;
    EXPECT_EQ(record.apply(record.expire()), Outcome::removed);
    EXPECT_EQ(record.last.drop, Fence{1});
}

TEST(RecordRetention, AKeyOutlivesItsResult) {
    Record record = completed_with({1'000, 10});
    record.now_ms += 999;
    EXPECT_EQ(record.apply(record.expire()), Outcome::unchanged);
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::replay);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.expire()), Outcome::removed);
}

TEST(RecordRetention, WhatIsNotKeptGoesAtOnce) {
    Record record = completed_with({0, 0});
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::expired);
    EXPECT_EQ(record.apply(record.expire()), Outcome::removed);
}

TEST(RecordRetention, ForEverIsForEver) {
    Record all = completed_with({kForever, 10});
    all.now_ms += 1'000 * kKeyKept;
    EXPECT_EQ(all.apply(all.expire()), Outcome::unchanged);
    EXPECT_EQ(all.apply(all.claim(2)), Outcome::replay);
    EXPECT_EQ(due_ms(all.row), kForever);

    Record key = completed_with({1'000, kForever});
    key.now_ms += 1'000 * kKeyKept;
    EXPECT_EQ(key.apply(key.expire()), Outcome::buried);
    EXPECT_EQ(key.apply(key.expire()), Outcome::unchanged);
    EXPECT_EQ(due_ms(key.row), kForever);
    EXPECT_EQ(key.apply(key.claim(2)), Outcome::expired);
}

// Rulings 2, `retention.refused`: what the owner says of its answer goes before what the claim said.
TEST(RecordRetention, ARefusalGoesWhenItsOwnerSaysAndItsKeyStays) {
    Record record;
    record.make_in_progress();
    Complete refusal = record.complete("no money");
    refusal.result_ms = 300'000;
    record.apply(refusal);
    EXPECT_EQ(record.apply(refusal), Outcome::stored);  // sent again
    EXPECT_EQ(due_ms(record.row), kStart + 300'000);
    record.now_ms += 299'999;
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::replay);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::expired);
    EXPECT_EQ(record.apply(record.expire()), Outcome::buried);
    EXPECT_EQ(record.apply(record.claim(2)), Outcome::expired);
    EXPECT_EQ(due_ms(record.row), kStart + kKeyKept);
}

TEST(RecordRetention, AKeyOutlivesARefusalThatIsKeptLongerThanItsResults) {
    Record record;
    Claim claim = record.claim(1);
    claim.keep = {1'000, 1'000};
    record.apply(claim);
    Complete refusal = record.complete("no money");
    refusal.result_ms = 2'000;
    record.apply(refusal);
    EXPECT_EQ(due_ms(record.row), kStart + 2'000);
    record.now_ms += 2'000;
    EXPECT_EQ(record.apply(record.expire()), Outcome::removed);
    Record for_ever;
    for_ever.make_in_progress();
    refusal = for_ever.complete("no money");
    refusal.result_ms = kForever;
    for_ever.apply(refusal);
    EXPECT_EQ(due_ms(for_ever.row), kForever);
    EXPECT_EQ(for_ever.row.key_until_ms, kForever);
}

TEST(RecordRetention, AFreedRowGoesAfterTheKeysTime) {
    Record record;
    record.make_freed();
    EXPECT_EQ(due_ms(record.row), kStart + kKeyKept);
    record.now_ms += kKeyKept - 1;
    EXPECT_EQ(record.apply(record.expire()), Outcome::unchanged);
    ++record.now_ms;
    EXPECT_EQ(record.apply(record.expire()), Outcome::removed);
}

// Rulings 1: so that an old stamp stays stale.
TEST(RecordRetention, AStampedKeyShrinksAndKeepsItsHighestStampForEver) {
    Record record;
    record.make_completed(1);
    record.apply(record.claim(2, 5));
    record.apply(record.release());  // 5 was seen, 1 is the result
    record.now_ms += kKeyKept;
    ASSERT_EQ(record.apply(record.expire()), Outcome::shrunk);
    EXPECT_EQ(record.last.drop, Fence{1});
    EXPECT_EQ(record.row.state, State::freed);
    EXPECT_EQ(record.row.stamp, stamp_of(5));
    EXPECT_EQ(record.row.fence, Fence{2});
    EXPECT_TRUE(record.row.tenant.empty());
    EXPECT_EQ(record.row.created_ms, kStart);
    EXPECT_FALSE(record.row.forced);
    EXPECT_EQ(due_ms(record.row), kForever);
    record.now_ms += 1'000 * kKeyKept;
    EXPECT_EQ(record.apply(record.expire()), Outcome::unchanged);
    EXPECT_EQ(record.apply(record.claim(3, 4)), Outcome::stale);
    EXPECT_EQ(record.apply(record.claim(3)), Outcome::version_invalid);
    EXPECT_EQ(record.apply(record.claim(3, 6)), Outcome::acquired);
    EXPECT_EQ(record.row.attempts, 3U);
}

TEST(RecordRetention, AKeyThatAPersonForcedStaysMarkedWhenItShrinks) {
    Record record;
    record.make_uncertain(1);
    record.apply(record.settle(Basis::forced));
    record.now_ms += kKeyKept;
    ASSERT_EQ(record.apply(record.expire()), Outcome::shrunk);
    EXPECT_TRUE(record.row.forced);
}

TEST(RecordRetention, ForgettingDropsRowAndAnswer) {
    Record record;
    record.make_completed(1);
    Forget call = record.forget();
    ++call.fence.number;
    EXPECT_EQ(record.apply(call), Outcome::conflict);
    EXPECT_FALSE(record.last.changed);
    EXPECT_EQ(record.apply(record.forget()), Outcome::removed);
    EXPECT_EQ(record.last.drop, Fence{1});
    EXPECT_EQ(record.apply(call), Outcome::removed);  // sent again
    EXPECT_FALSE(record.last.changed);
    EXPECT_EQ(record.apply(record.claim(2, 1)), Outcome::acquired);
}

}  // namespace
}  // namespace pawl::record
