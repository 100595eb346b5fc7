// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "net/http/retry_after.hpp"

namespace pawl::http {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kNow = wall_time(784'111'777'000);  // Sun, 06 Nov 1994 08:49:37 GMT

std::optional<std::chrono::seconds> read(std::string value) {
    return retry_after_in({{"retry-after", std::move(value)}}, kNow);
}

TEST(RetryAfter, IsSeconds) {
    EXPECT_EQ(read("0"), 0s);
    EXPECT_EQ(read("120"), 120s);
}

TEST(RetryAfter, IsADate) {
    EXPECT_EQ(read("Sun, 06 Nov 1994 08:50:07 GMT"), 30s);
    EXPECT_EQ(read("Sun, 06 Nov 1994 08:49:37 GMT"), 0s);
}

TEST(RetryAfter, ADateThatHasPassedIsNow) { EXPECT_EQ(read("Sat, 05 Nov 1994 08:49:37 GMT"), 0s); }

TEST(RetryAfter, NobodyIsMadeToWaitLongerThanAnHour) {
    EXPECT_EQ(read("3600"), 3'600s);
    EXPECT_EQ(read("3601"), 3'600s);
    EXPECT_EQ(read("99999999999999999999999999"), 3'600s);
    EXPECT_EQ(read("Sun, 06 Nov 2094 08:49:37 GMT"), 3'600s);
}

TEST(RetryAfter, WhatIsNeitherIsNotThere) {
    for (const char* value : {"", "-1", "1.5", "soon", "Sun, 06 Nov 1994 08:50:07", "Sunday",
                              "Sun, 31 Feb 1994 08:50:07 GMT", "Sun, 06 Nov 1994 08:5x:07 GMT"})
        EXPECT_EQ(read(value), std::nullopt) << value;
    EXPECT_EQ(retry_after_in({}, kNow), std::nullopt);
    EXPECT_EQ(retry_after_in({{"Retry-After", "1"}, {"Retry-After", "2"}}, kNow), std::nullopt);
}

}  // namespace
}  // namespace pawl::http
