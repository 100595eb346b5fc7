// SPDX-License-Identifier: Apache-2.0
// Every byte of a log of several commits, and every length of it: what is not seen as damage costs nothing
// that was acknowledged, and what a loss of power leaves is not seen as damage.
#include "store/sqlite/log_damage.hpp"

#include <cstring>

#include "store/sqlite/killed_store.hpp"

namespace pawl::sqlite {
namespace {

constexpr std::size_t kFrame = kFrameHeadInLog + 4'096;
constexpr std::size_t kSector = 512;

std::optional<LogDamage> judged(const std::string& log, const std::optional<LogIndex>& index) {
    return damage_in(
        [&log](std::uint64_t offset, std::span<char> out) -> std::size_t {
            if (offset >= log.size()) return 0;
            const std::size_t count = std::min(out.size(), log.size() - offset);
            std::memcpy(out.data(), log.data() + offset, count);
            return count;
        },
        index);
}

bool commits_at(const std::string& log, std::size_t frame) {
    return std::string_view(log).substr(kLogHead + frame * kFrame + 4, 4) !=
           std::string_view("\0\0\0\0", 4);
}

class LogDamageTest : public testing::Test {
  protected:
    void SetUp() override {
        index_ = log_index_in(store_.index);
        ASSERT_TRUE(index_);
        frames_ = index_->frames;
        for (std::size_t frame = 0; frame < frames_; ++frame)
            if (commits_at(log_, frame)) commits_.push_back(frame);
        ASSERT_GE(commits_.size(), 5U);
        ASSERT_EQ(commits_.back() + 1, frames_);
        ASSERT_EQ(log_.size(), kLogHead + frames_ * kFrame);
    }
    std::string flipped(std::size_t at) const {
        std::string damaged = log_;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        return damaged;
    }
    static std::size_t start_of(std::size_t frame) { return kLogHead + frame * kFrame; }
    // Where the last commit begins, and the one before it.
    std::size_t last_begins() const { return start_of(commits_[commits_.size() - 2] + 1); }

    KilledStore store_{2};
    std::string log_ = store_.log;
    std::optional<LogIndex> index_;
    std::size_t frames_ = 0;
    std::vector<std::size_t> commits_;  // frames, from 0
};

TEST_F(LogDamageTest, ASoundLogIsNotDamaged) {
    EXPECT_FALSE(judged(log_, index_));
    EXPECT_FALSE(judged(log_, std::nullopt));
    EXPECT_FALSE(judged("", std::nullopt));
    EXPECT_FALSE(judged(std::string(1 << 20, '\0'), std::nullopt));
}

TEST_F(LogDamageTest, AfterAKillAnyByteOfAnyCommitIsSeen) {
    for (std::size_t at = 0; at < log_.size(); ++at) {
        const auto damage = judged(flipped(at), index_);
        ASSERT_TRUE(damage) << at;
        ASSERT_EQ(damage->frame, at < kLogHead ? 0 : (at - kLogHead) / kFrame + 1) << at;
        ASSERT_FALSE(damage->all_folded);
    }
}

// The last commit may be the one that was under way when the power went.
TEST_F(LogDamageTest, AfterALossOfPowerAnyByteOfAnyCommitButTheLastIsSeen) {
    const std::size_t before = commits_[commits_.size() - 2];
    for (std::size_t at = 0; at < last_begins(); ++at) {
        // Of the last frame that can be in question: without what says that it commits, it does not.
        if (at >= start_of(before) + 4 && at < start_of(before) + 16) continue;
        ASSERT_TRUE(judged(flipped(at), std::nullopt)) << at;
    }
    for (std::size_t at = last_begins(); at < log_.size(); at += 97)
        ASSERT_FALSE(judged(flipped(at), std::nullopt)) << at;
}

TEST_F(LogDamageTest, AfterAKillALogCutShortAnywhereIsSeen) {
    for (std::size_t size = 0; size < log_.size(); ++size)
        ASSERT_TRUE(judged(log_.substr(0, size), index_)) << size;
}

// A log that simply ends is what a loss of power leaves.
TEST_F(LogDamageTest, AfterALossOfPowerALogMayEndAnywhere) {
    for (std::size_t size = 0; size < log_.size(); size += 31)
        ASSERT_FALSE(judged(log_.substr(0, size), std::nullopt)) << size;
}

// Sectors of the last commit arrive in any order, over what an earlier log left in their places.
TEST_F(LogDamageTest, ATornLastCommitIsNotDamageWhateverArrivedOfIt) {
    SeededEntropy dice(7);
    std::string older = log_;
    for (std::size_t frame = 0; frame < frames_; ++frame)
        for (std::size_t at = 8; at < 16; ++at)
            older[start_of(frame) + at] = static_cast<char>(older[start_of(frame) + at] ^ 0x55);
    for (std::size_t in_flight = 1; in_flight < commits_.size(); ++in_flight) {
        const std::size_t begins = start_of(commits_[in_flight - 1] + 1);
        const std::size_t ends = start_of(commits_[in_flight] + 1);
        LogIndex synced = *index_;
        synced.frames = static_cast<std::uint32_t>(commits_[in_flight - 1] + 1);
        for (int round = 0; round < 200; ++round) {
            std::string torn = log_.substr(0, begins) + older.substr(begins);
            for (std::size_t sector = begins / kSector; sector <= ends / kSector; ++sector) {
                if (dice.below(2) == 0) continue;
                const std::size_t from = std::max(begins, sector * kSector);
                const std::size_t to = std::min(ends, (sector + 1) * kSector);
                if (from < to) torn.replace(from, to - from, log_, from, to - from);
            }
            ASSERT_FALSE(judged(torn, std::nullopt)) << in_flight << " " << round;
            ASSERT_FALSE(judged(torn, synced)) << in_flight << " " << round;
        }
    }
}

TEST_F(LogDamageTest, WhatAnEarlierLogLeftBehindTheEndIsNotDamage) {
    std::string longer = log_;
    for (int round = 0; round < 3; ++round) longer += log_.substr(kLogHead);
    for (std::size_t frame = frames_; frame < 4 * frames_; ++frame)
        longer[start_of(frame) + 9] = static_cast<char>(longer[start_of(frame) + 9] ^ 1);
    EXPECT_FALSE(judged(longer, index_));
    EXPECT_FALSE(judged(longer, std::nullopt));
}

TEST_F(LogDamageTest, FramesBehindABlankHeadAreDamage) {
    std::string headless = log_;
    headless.replace(0, kLogHead, kLogHead, '\0');
    EXPECT_TRUE(judged(headless, std::nullopt));
}

TEST_F(LogDamageTest, AnIndexThatDoesNotFitItsSumSaysNothing) {
    for (std::size_t at = 0; at < 48; ++at) {
        std::string damaged = store_.index;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        damaged[48 + at] = static_cast<char>(damaged[48 + at] ^ 1);
        EXPECT_FALSE(log_index_in(damaged)) << at;
    }
    EXPECT_FALSE(log_index_in(store_.index.substr(0, kLogIndexHead - 1)));
    EXPECT_FALSE(log_index_in(""));
}

TEST(LogDamage, OfALogThatIsFoldedInCostsNothing) {
    const KilledStore store(3, 0);
    const auto index = log_index_in(store.index);
    ASSERT_TRUE(index);
    EXPECT_EQ(index->frames, index->folded);
    std::string damaged = store.log;
    damaged[kLogHead + 100] ^= 1;
    const auto damage = judged(damaged, index);
    ASSERT_TRUE(damage);
    EXPECT_TRUE(damage->all_folded);
    damaged[3] ^= 1;
    ASSERT_TRUE(judged(damaged, index));
    EXPECT_TRUE(judged(damaged, index)->all_folded);
}

}  // namespace
}  // namespace pawl::sqlite
