// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "store/port/store_time.hpp"

namespace pawl::store {
namespace {

using namespace std::chrono_literals;

class HandClock final : public Clock {
  public:
    MonotonicTime monotonic() const override { return monotonic_; }
    WallTime wall() const override { return wall_; }
    void pass(std::chrono::milliseconds time) {
        monotonic_ += time;
        wall_ += time;
    }
    void step(std::chrono::milliseconds by) { wall_ += by; }

  private:
    MonotonicTime monotonic_{};
    WallTime wall_ = wall_time(1'000'000'000);
};

// field case X24, field case 45: no lease moves with the wall clock
TEST(StoreTime, FollowsMonotonicTimeWhenTheWallClockSteps) {
    HandClock clock;
    const StoreTime time(clock, 0);
    EXPECT_EQ(time.now_ms(), 1'000'000'000);
    clock.step(24h);
    EXPECT_EQ(time.now_ms(), 1'000'000'000);
    clock.step(-48h);
    clock.pass(1500ms);
    EXPECT_EQ(time.now_ms(), 1'000'001'500);
    EXPECT_EQ(time.behind_ms(), 0);
}

TEST(StoreTime, StartsAboveWhatAnEarlierBootHasWritten) {
    HandClock clock;
    const StoreTime time(clock, 1'000'500'000);
    EXPECT_EQ(time.now_ms(), 1'000'500'001);
    EXPECT_EQ(time.behind_ms(), 500'000);
}

TEST(ClockWatch, TakesSixtySecondsAndNotOneMillisecondMore) {
    HandClock clock;
    ClockWatch watch(clock, 0);
    clock.step(60s);
    EXPECT_TRUE(watch.agree());
    clock.step(-60s - 1ms);
    EXPECT_FALSE(watch.agree());
}

TEST(ClockWatch, BelievesTheClocksAgainWhenTheyHaveRunInStepForTenMinutes) {
    HandClock clock;
    ClockWatch watch(clock, 0);
    clock.step(24h);
    EXPECT_FALSE(watch.agree());
    clock.pass(10min - 1ms);
    EXPECT_FALSE(watch.agree());
    clock.pass(1ms);
    EXPECT_TRUE(watch.agree());
}

TEST(ClockWatch, StartsInDoubtWhenTheWallClockIsBehindTheStore) {
    HandClock clock;
    ClockWatch in_doubt(clock, 60'001);
    EXPECT_FALSE(in_doubt.agree());
    ClockWatch sure(clock, 60'000);
    EXPECT_TRUE(sure.agree());
}

}  // namespace
}  // namespace pawl::store
