// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "net/http/deadline.hpp"

namespace pawl::http {
namespace {

MonotonicTime at(int n) { return MonotonicTime{std::chrono::nanoseconds{n}}; }

TEST(Deadline, MovedLaterItComesLaterWithoutANewAlarmEachTime) {
    Alarms alarms;
    int expired = 0;
    Deadline deadline(alarms, [&] { ++expired; });
    deadline.move_to(at(10));
    for (int i = 11; i <= 100; ++i) deadline.move_to(at(i));
    EXPECT_EQ(alarms.pending(), 1U);
    EXPECT_EQ(alarms.fire(at(10)), 1);
    EXPECT_EQ(expired, 0);
    alarms.fire(at(99));
    EXPECT_EQ(expired, 0);
    alarms.fire(at(100));
    EXPECT_EQ(expired, 1);
    EXPECT_EQ(alarms.pending(), 0U);
}

TEST(Deadline, MovedEarlierItComesEarlierAndOnce) {
    Alarms alarms;
    int expired = 0;
    Deadline deadline(alarms, [&] { ++expired; });
    deadline.move_to(at(60));
    deadline.move_to(at(10));
    alarms.fire(at(9));
    EXPECT_EQ(expired, 0);
    alarms.fire(at(10));
    alarms.fire(at(60));
    EXPECT_EQ(expired, 1);
}

TEST(Deadline, WithoutOneNothingComes) {
    Alarms alarms;
    {
        Deadline deadline(alarms, [] { FAIL(); });
        deadline.move_to(at(10));
        deadline.move_to(kNever);
        alarms.fire(at(50));
        EXPECT_EQ(alarms.pending(), 0U);
        deadline.move_to(at(70));
        EXPECT_EQ(alarms.pending(), 1U);
    }
    EXPECT_EQ(alarms.pending(), 0U);
}

}  // namespace
}  // namespace pawl::http
