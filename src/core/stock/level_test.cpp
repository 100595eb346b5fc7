// SPDX-License-Identifier: Apache-2.0
#include "core/stock/level.hpp"

#include <gtest/gtest.h>

namespace pawl::stock {
namespace {

TEST(Level, TakesTheLastOneAndNotOneMore) {
    Level level{5, 0, 0};
    EXPECT_EQ(apply(level, {-5, 5, 0}), Outcome::moved);
    EXPECT_EQ(level, (Level{0, 5, 0}));
    EXPECT_EQ(apply(level, {-1, 1, 0}), Outcome::shortage);
    EXPECT_EQ(level, (Level{0, 5, 0}));
}

// Stock 5, two orders of 3: one of them.
TEST(Level, OfTwoOrdersThatTogetherAskTooMuchOneGetsIt) {
    Level level{5, 0, 0};
    EXPECT_EQ(apply(level, {-3, 3, 0}), Outcome::moved);
    EXPECT_EQ(apply(level, {-3, 3, 0}), Outcome::shortage);
    EXPECT_EQ(level, (Level{2, 3, 0}));
}

TEST(Level, ContradictionsAreNotShortages) {
    Level level{5, 1, 1};
    EXPECT_EQ(apply(level, {2, -2, 0}), Outcome::unsound);
    EXPECT_EQ(apply(level, {2, 0, -2}), Outcome::unsound);
    EXPECT_EQ(level, (Level{5, 1, 1}));
}

TEST(Level, TheTotalEndsAtTheLargestExactNumber) {
    Level level{0, 1, 1};
    EXPECT_EQ(adjust(level, kQuantityMax - 2), Outcome::moved);
    EXPECT_EQ(total_of(level), kQuantityMax);
    EXPECT_EQ(adjust(level, 1), Outcome::overflowed);
    EXPECT_EQ(apply(level, {INT64_MAX, 0, 0}), Outcome::overflowed);
    EXPECT_EQ(apply(level, {INT64_MIN, 0, 0}), Outcome::overflowed);
    EXPECT_EQ(apply(level, {-kQuantityMax, kQuantityMax, 0}), Outcome::shortage);
    EXPECT_EQ(total_of(level), kQuantityMax);
}

TEST(Level, SetCountsWhatIsReservedAndSold) {
    Level level{10, 3, 4};
    EXPECT_EQ(set(level, 20), Outcome::moved);
    EXPECT_EQ(level, (Level{13, 3, 4}));
    EXPECT_EQ(set(level, 7), Outcome::moved);
    EXPECT_EQ(level, (Level{0, 3, 4}));
    EXPECT_EQ(set(level, 6), Outcome::shortage);
    EXPECT_EQ(set(level, -1), Outcome::shortage);
    EXPECT_EQ(set(level, kQuantityMax + 1), Outcome::overflowed);
    EXPECT_EQ(level, (Level{0, 3, 4}));
    EXPECT_EQ(set(level, kQuantityMax), Outcome::moved);
}

TEST(Level, WhatIsLostIsTakenFromWhatIsAvailable) {
    Level level{2, 3, 0};
    EXPECT_EQ(adjust(level, -2), Outcome::moved);
    EXPECT_EQ(adjust(level, -1), Outcome::shortage);
    EXPECT_EQ(level, (Level{0, 3, 0}));
}

TEST(Level, SoundMeansNothingBelowZeroAndASumThatFits) {
    EXPECT_TRUE(is_sound({0, 0, 0}));
    EXPECT_TRUE(is_sound({kQuantityMax, 0, 0}));
    EXPECT_FALSE(is_sound({kQuantityMax, 1, 0}));
    EXPECT_FALSE(is_sound({-1, 0, 0}));
    EXPECT_FALSE(is_sound({0, -1, 0}));
    EXPECT_FALSE(is_sound({0, 0, -1}));
}

}  // namespace
}  // namespace pawl::stock
