// SPDX-License-Identifier: Apache-2.0
#include "core/timer/pace.hpp"

#include <gtest/gtest.h>

namespace pawl::timer {
namespace {

TEST(Pace, AnOrdinaryPassFiresAWholeStepEveryTime) {
    Pacer pacer;
    EXPECT_EQ(pacer.plan({0, 0, 5}), (Plan{kFireStep, false, false, false}));
    EXPECT_EQ(pacer.plan({1, 1, 100'000}).most, kFireStep) << "many at once are the day's work";
    EXPECT_FALSE(pacer.plan({2, 2, 100'000}).is_paced);
}

TEST(Pace, AJumpOfMoreThanSixtySecondsPacesAndAlarms) {
    for (const std::int64_t way : {1, -1}) {
        Pacer pacer;
        pacer.plan({0, 0, 0});
        EXPECT_FALSE(pacer.plan({1'000 + way * 60'000, 1'000, 0}).raises_alarm());
        EXPECT_TRUE(pacer.plan({2'000 + way * 120'001, 2'000, 500}).clock_jumped);
    }
}

TEST(Pace, ALongPauseIsNoJump) {
    Pacer pacer;
    pacer.plan({0, 0, 0});
    EXPECT_FALSE(pacer.plan({3'600'000, 3'600'000, 500}).raises_alarm());
}

TEST(Pace, AStartThatFindsAHeapPacesAndAlarmsOnce) {
    Pacer few;
    EXPECT_FALSE(few.plan({0, 0, kFirstPassDueMax}).raises_alarm());
    Pacer many;
    EXPECT_EQ(many.plan({0, 0, kFirstPassDueMax + 1}), (Plan{kFireStep, false, true, true}));
    EXPECT_EQ(many.plan({999, 999, kFirstPassDueMax + 1}), (Plan{0, false, false, true}));
    EXPECT_EQ(many.plan({1'000, 1'000, kFirstPassDueMax + 1}),
              (Plan{kFireStep, false, false, true}));
}

TEST(Pace, EndsWhenTheHeapHasGoneDown) {
    Pacer pacer;
    pacer.plan({0, 0, kFirstPassDueMax + 1});
    EXPECT_TRUE(pacer.plan({1'000, 1'000, kFireStep + 1}).is_paced);
    EXPECT_FALSE(pacer.plan({1'001, 1'001, kFireStep}).is_paced);
    EXPECT_FALSE(pacer.plan({1'002, 1'002, 100'000}).is_paced);
}

}  // namespace
}  // namespace pawl::timer
