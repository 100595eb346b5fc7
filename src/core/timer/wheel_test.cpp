// SPDX-License-Identifier: Apache-2.0
#include "core/timer/wheel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::timer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Entry = Wheel::Entry;

constexpr std::int64_t kStart = 1'700'000'000'000;
constexpr std::int64_t kSpan = kWheelTickMs * static_cast<std::int64_t>(kWheelSlots);

TEST(Wheel, GivesAnEntryAtItsTimeAndNotAMillisecondBefore) {
    Wheel wheel(kStart);
    wheel.add({7, kStart + 1'234});
    EXPECT_THAT(wheel.due(kStart + 1'233, 100), IsEmpty());
    EXPECT_THAT(wheel.due(kStart + 1'234, 100), ElementsAre(Entry{7, kStart + 1'234}));
    EXPECT_THAT(wheel.due(kStart + 9'999, 100), IsEmpty());
    EXPECT_EQ(wheel.size(), 0U);
}

TEST(Wheel, WhatIsOverdueIsDueNow) {
    Wheel wheel(kStart);
    wheel.add({7, kStart - 5'000});
    wheel.add({8, -1});
    EXPECT_EQ(wheel.due(kStart, 100).size(), 2U);
}

TEST(Wheel, TakesItsLastSlotAndNotOneTickMore) {
    Wheel wheel(kStart);
    EXPECT_EQ(wheel.add({1, kStart + kSpan - 1}), Wheel::Added::taken);
    EXPECT_EQ(wheel.add({2, kStart + kSpan}), Wheel::Added::too_far);
    EXPECT_EQ(wheel.add({2, INT64_MAX}), Wheel::Added::too_far);
    EXPECT_THAT(wheel.due(kStart + kSpan - 2, 100), IsEmpty());
    EXPECT_EQ(wheel.due(kStart + kSpan - 1, 100).size(), 1U);
}

TEST(Wheel, IsBoundedInMemory) {
    Wheel wheel(kStart, 2);
    EXPECT_EQ(wheel.add({1, kStart}), Wheel::Added::taken);
    EXPECT_EQ(wheel.add({2, kStart}), Wheel::Added::taken);
    EXPECT_EQ(wheel.add({3, kStart}), Wheel::Added::full);
    EXPECT_EQ(wheel.due(kStart, 1).size(), 1U);
    EXPECT_EQ(wheel.add({3, kStart}), Wheel::Added::taken);
}

TEST(Wheel, AJumpOfTheClockGivesEverythingInSteps) {
    Wheel wheel(kStart);
    for (std::uint64_t i = 0; i < 250; ++i)
        wheel.add({i, kStart + static_cast<std::int64_t>(i) * 1'000});
    const std::int64_t later = kStart + 100 * kSpan;
    EXPECT_EQ(wheel.due(later, 100).size(), 100U);
    EXPECT_EQ(wheel.due(later, 100).size(), 100U);
    EXPECT_EQ(wheel.due(later, 100).size(), 50U);
    EXPECT_EQ(wheel.add({1, later + kSpan - 1}), Wheel::Added::taken)
        << "it stands at the new time";
}

TEST(Wheel, AClockThatWasSetBackGivesNothingTwice) {
    Wheel wheel(kStart);
    wheel.add({1, kStart + 50});
    EXPECT_EQ(wheel.due(kStart + 50, 100).size(), 1U);
    EXPECT_THAT(wheel.due(kStart - kSpan, 100), IsEmpty());
    wheel.add({2, kStart - kSpan + 10});
    EXPECT_THAT(wheel.due(kStart - kSpan + 20, 100), IsEmpty()) << "until it has caught up";
    EXPECT_EQ(wheel.due(kStart + 50, 100).size(), 1U);
}

TEST(Wheel, SaysWhenToLookAgain) {
    Wheel wheel(kStart);
    EXPECT_EQ(wheel.next_ms(), INT64_MAX);
    wheel.add({1, kStart + 90'001});
    wheel.add({2, kStart + 90'007});
    EXPECT_EQ(wheel.next_ms(), kStart + 90'001);
}

}  // namespace
}  // namespace pawl::timer
