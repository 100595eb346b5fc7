// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/id/logical_time.hpp"

namespace pawl::id {
namespace {

constexpr std::int64_t kNow = 1'764'000'000'000;
constexpr std::int64_t kDay = 86'400'000;

TEST(LogicalTime, IsTheWallClocksWhileThatGoesForward) {
    LogicalTime time(kNow, 500, 0);
    EXPECT_EQ(time.read(kNow, 500), kNow);
    EXPECT_EQ(time.read(kNow + 10, 510), kNow + 10);
    EXPECT_EQ(time.read(kNow + 20, 509), kNow + 20) << "a steady clock that is none";
    EXPECT_EQ(time.read(kNow + kDay, 520), kNow + kDay) << "set forward";
}

TEST(LogicalTime, GoesOnAtHalfSpeedBehindAStepBack) {
    LogicalTime time(kNow, 0, 0);
    EXPECT_EQ(time.read(kNow - 1'000, 0), kNow);
    EXPECT_EQ(time.read(kNow - 999, 1), kNow);
    EXPECT_EQ(time.read(kNow - 998, 2), kNow + 1) << "no half is lost";
    EXPECT_EQ(time.read(kNow, 1'000), kNow + 500);
    EXPECT_EQ(time.read(kNow + 1'000, 2'000), kNow + 1'000) << "caught up";
    EXPECT_EQ(time.read(kNow + 1'001, 2'001), kNow + 1'001);
}

TEST(LogicalTime, ADayBackAndADayForwardLosesNothing) {
    LogicalTime time(kNow, 0, 0);
    std::int64_t last = kNow;
    for (int i = 1; i <= 1'000; ++i) {
        const std::int64_t read = time.read(kNow - kDay + i * 10, i * 10);
        EXPECT_GE(read, last + 5);
        last = read;
    }
    EXPECT_EQ(time.read(kNow + 10'010, 10'010), kNow + 10'010);
}

TEST(LogicalTime, BeginsNoEarlierThanTheLastRunEnded) {
    LogicalTime time(kNow, 0, kNow + 5'000);
    EXPECT_EQ(time.read(kNow, 0), kNow + 5'000);
    EXPECT_EQ(time.read(kNow + 10'000, 10'000), kNow + 10'000);
}

}  // namespace
}  // namespace pawl::id
