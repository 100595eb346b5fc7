// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runtime/clock/alarms.hpp"

namespace pawl {
namespace {

MonotonicTime at(int n) { return MonotonicTime{std::chrono::nanoseconds{n}}; }

TEST(Alarms, EqualTimesFireInTheOrderInWhichTheyWereSet) {
    Alarms alarms;
    std::string order;
    alarms.set(at(2), [&] { order += 'c'; });
    alarms.set(at(1), [&] { order += 'a'; });
    alarms.set(at(1), [&] { order += 'b'; });
    EXPECT_EQ(alarms.fire(at(2)), 3);
    EXPECT_EQ(order, "abc");
}

TEST(Alarms, OneAtATimeLeavesTheRestOfTheSameInstantForLater) {
    Alarms alarms;
    int fired = 0;
    alarms.set(at(1), [&] { ++fired; });
    alarms.set(at(1), [&] { ++fired; });
    EXPECT_FALSE(alarms.fire_next(at(0)));
    EXPECT_TRUE(alarms.fire_next(at(1)));
    EXPECT_EQ(fired, 1);
    EXPECT_TRUE(alarms.fire_next(at(1)));
    EXPECT_FALSE(alarms.fire_next(at(1)));
}

TEST(Alarms, ACancelledAlarmNeverFires) {
    Alarms alarms;
    const AlarmId id = alarms.set(at(1), [] { FAIL(); });
    EXPECT_TRUE(alarms.cancel(id));
    EXPECT_FALSE(alarms.cancel(id));
    EXPECT_EQ(alarms.fire(at(9)), 0);
    EXPECT_FALSE(alarms.cancel(AlarmId{}));
}

TEST(Alarms, NothingFiresEarlyAndWhatACallbackSetsForNowFiresToo) {
    Alarms alarms;
    int fired = 0;
    alarms.set(at(5), [&] {
        ++fired;
        alarms.set(at(5), [&] { ++fired; });
        alarms.set(at(6), [&] { ++fired; });
    });
    EXPECT_EQ(alarms.fire(at(4)), 0);
    EXPECT_EQ(alarms.fire(at(5)), 2);
    EXPECT_EQ(fired, 2);
    EXPECT_EQ(alarms.next(), at(6));
}

TEST(Alarms, TheOwnerIsToldOnlyWhenTheNextDueTimeMovesForward) {
    std::vector<MonotonicTime> told;
    Alarms alarms([&](MonotonicTime time) { told.push_back(time); });
    alarms.set(at(5), [] {});
    alarms.set(at(7), [] {});
    alarms.set(at(3), [] {});
    EXPECT_EQ(told, (std::vector{at(5), at(3)}));
}

}  // namespace
}  // namespace pawl
