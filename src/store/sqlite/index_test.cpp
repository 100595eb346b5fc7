// SPDX-License-Identifier: Apache-2.0
// The parts of the index: filters, recent positions, the set of the unresolved, frames.
#include <sys/stat.h>

#include "store/sqlite/engine_fixture.hpp"
#include "store/sqlite/row_frame.hpp"

namespace pawl::sqlite {
namespace {

TEST(BloomFilter, ContainsWhatWasAddedAndLittleElse) {
    BloomFilter filter(10'000);
    for (int key = 0; key < 10'000; ++key) filter.add(identity_of(key));
    for (int key = 0; key < 10'000; ++key) ASSERT_TRUE(filter.may_contain(identity_of(key)));
    int mistaken = 0;
    for (int key = 10'000; key < 110'000; ++key)
        mistaken += filter.may_contain(identity_of(key)) ? 1 : 0;
    EXPECT_LT(mistaken, 500);  // 0.5 %
}

TEST(BloomFilter, ComesBackFromItsBytesAndRefusesOthers) {
    BloomFilter filter(1'000);
    for (int key = 0; key < 1'000; ++key) filter.add(identity_of(key));
    const auto back = BloomFilter::from(filter.bytes());
    ASSERT_TRUE(back);
    EXPECT_EQ(back->bytes(), filter.bytes());
    EXPECT_FALSE(BloomFilter::from(""));
    EXPECT_FALSE(BloomFilter::from(filter.bytes() + "x"));
    EXPECT_FALSE(BloomFilter::from(std::string(64 * 3, 'x')));
    EXPECT_TRUE(BloomFilter::full().may_contain(identity_of(7)));
    EXPECT_FALSE(BloomFilter(1).may_contain(identity_of(7)));
}

TEST(Recent, FindsTheLatestPositionOfAnIdentity) {
    Recent recent(4, 99);
    for (int key = 0; key < 1'000; ++key)
        EXPECT_EQ(recent.add(identity_of(key)), static_cast<std::uint32_t>(key + 1));
    EXPECT_EQ(recent.add(identity_of(5)), 1'001U);
    EXPECT_EQ(recent.find(identity_of(5)), 1'001U);
    EXPECT_EQ(recent.find(identity_of(6)), 7U);
    EXPECT_EQ(recent.find(identity_of(1'000)), 0U);
}

TEST(Recent, ACutBringsBackWhatWasBefore) {
    Recent recent(4, 99);
    for (int key = 0; key < 10; ++key) recent.add(identity_of(key));
    recent.add_name({7, 1});
    recent.add(identity_of(3));
    recent.add(identity_of(50));
    recent.add_name({8, 12});
    recent.cut(10, 1);
    EXPECT_EQ(recent.find(identity_of(3)), 4U);
    EXPECT_EQ(recent.find(identity_of(50)), 0U);
    EXPECT_EQ(recent.names().size(), 1U);
    EXPECT_EQ(recent.add(identity_of(51)), 11U);
}

TEST(Recent, KeepsApartWhoSharesAllLeadingBytes) {
    Digest one = identity_of(1);
    Digest two = one;
    two.bytes[31] ^= 1;
    Recent recent(4, 99);
    recent.add(one);
    EXPECT_EQ(recent.find(two), 0U);
    recent.add(two);
    EXPECT_EQ(recent.find(one), 1U);
    EXPECT_EQ(recent.find(two), 2U);
}

TEST(UnresolvedSet, FollowsARecordThroughItsStates) {
    UnresolvedSet set;
    const RecordId one{1};
    const RecordId two{2};
    set.apply({{one, State::in_progress, 10, 100}, {two, State::in_progress, 20, 90}});
    EXPECT_EQ(set.totals(50).in_progress, 2U);
    EXPECT_EQ(set.lapsed(89, 10), (std::vector<RecordId>{}));
    EXPECT_EQ(set.lapsed(100, 10), (std::vector<RecordId>{two, one}));
    EXPECT_EQ(set.lapsed(100, 1), (std::vector<RecordId>{two}));
    set.apply({{two, State::in_progress, 20, 200}});  // renewed
    EXPECT_EQ(set.lapsed(100, 10), (std::vector<RecordId>{one}));
    set.apply({{one, State::uncertain, 100, 0}, {two, State::open, 110, 0}});
    EXPECT_TRUE(set.lapsed(1'000, 10).empty());
    EXPECT_EQ(set.totals(130).oldest_uncertain_ms, 30);
    EXPECT_EQ(set.totals(130).open, 1U);
    EXPECT_EQ(set.waiting(true, {}, 1'000, 10).size(), 1U);
    EXPECT_EQ(set.waiting(false, {}, 1'000, 10).size(), 2U);
    EXPECT_EQ(set.waiting(false, {100, one}, 1'000, 10).size(), 1U);
    set.apply({{one, State::completed, 140, 0}, {two, State::absent, 140, 0}});
    EXPECT_TRUE(set.all().empty());
    EXPECT_EQ(set.totals(150).uncertain, 0U);
    EXPECT_EQ(set.totals(150).open, 0U);
}

TEST(RowFrame, ACompletionFitsIntoTheRoomOfItsClaim) {
    record::Row row;
    row.identity = identity_of(1);
    row.state = State::in_progress;
    row.key_label = std::string(255, 'k');
    row.changed_ms = 1'764'000'000'000;
    row.fence = {1'000'000'000};
    row.claim.bytes[3] = 1;
    row.fingerprint = identity_of(2);
    row.rule = identity_of(3);
    const std::string claimed = frame_of(row, 0);
    EXPECT_EQ(head_of(claimed)->keep_until_ms, kStays);

    row.state = State::completed;
    row.key_until_ms = 1'798'000'000'000;
    row.settled = record::Settled{};
    row.settled->fingerprint = row.fingerprint;
    row.settled->rule = row.rule;
    row.settled->answer_digest = identity_of(4);
    row.settled->status = 201;
    row.settled->fence = row.fence;
    row.settled->settled_ms = 1'764'000'000'000;
    row.settled->result_until_ms = 1'764'000'000'000;
    const std::string completed = frame_of(row, claimed.size());
    EXPECT_EQ(completed.size(), claimed.size());
    EXPECT_EQ(head_of(completed)->keep_until_ms, row.key_until_ms);
    EXPECT_EQ(row_in(completed), row);
}

// protocol rule 14
TEST(RowFrame, WhatIsCutShortStillSaysWhoseItIs) {
    record::Row row;
    row.identity = identity_of(1);
    row.state = State::completed;
    row.settled = record::Settled{};
    const std::string frame = frame_of(row, 0);
    for (std::size_t size = 0; size < kFrameHead + 20; ++size) {
        EXPECT_FALSE(row_in(frame.substr(0, size)));
        EXPECT_EQ(bearers_of(frame.substr(0, size)).size(), size < 32 ? 0U : 1U);
    }
    EXPECT_EQ(row_in(frame), row);
    EXPECT_THAT(bearers_of(frame), testing::ElementsAre(row.identity));
    EXPECT_FALSE(head_of(frame.substr(0, kFrameHead - 1)));
}

TEST(AnswerId, AnswersAreOrderedByTheEndOfTheirRetention) {
    const record::Fence fence{77};
    const std::int64_t now_ms = 1'764'000'000'000;
    for (const std::int64_t until_ms :
         {now_ms, now_ms - 1, now_ms - kSlotMs, now_ms - 2 * kSlotMs}) {
        const bool kept = answer_id(until_ms, fence) >= first_kept_answer_id(now_ms);
        EXPECT_EQ(kept, until_ms / kSlotMs >= now_ms / kSlotMs);
    }
    EXPECT_GE(answer_id(now_ms + 1, fence), first_kept_answer_id(now_ms));
    EXPECT_LT(answer_id(now_ms, fence), first_kept_answer_id(now_ms + kSlotMs));
    EXPECT_GE(answer_id(record::kForever, fence),
              first_kept_answer_id(std::numeric_limits<std::int64_t>::max()));
    EXPECT_NE(answer_id(now_ms, {1}), answer_id(now_ms, {2}));
    EXPECT_EQ(answer_id(now_ms, {1}), answer_id(now_ms, {1 | std::uint64_t{1} << 48}));
    EXPECT_GT(answer_id(record::kForever, {~std::uint64_t{0}}), 0);
}

}  // namespace
}  // namespace pawl::sqlite
