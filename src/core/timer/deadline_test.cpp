// SPDX-License-Identifier: Apache-2.0
#include "core/timer/deadline.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace pawl::timer {
namespace {

constexpr std::int64_t kMinute = 60'000;
const Rule kCreated{"created", "expire", From::enter, 15min, {}};
const Rule kPaying{"paying", "expire", From::enter, 45min, 80min};
const Rule kUnpaid{"unpaid", "expire", From::create, 30min, {}};

TEST(Deadline, CountsFromEnteringTheStateOrFromCreation) {
    EXPECT_EQ(started(kCreated, 0, 10 * kMinute).due_ms, 25 * kMinute);
    EXPECT_EQ(started(kUnpaid, 0, 10 * kMinute).due_ms, 30 * kMinute);
    EXPECT_EQ(started(kUnpaid, 0, 10 * kMinute).next_ms, 30 * kMinute);
}

TEST(Deadline, TheCapCountsFromCreation) {
    EXPECT_EQ(started(kPaying, 0, 35 * kMinute).due_ms, 80 * kMinute);
    EXPECT_EQ(started(kPaying, 0, 34 * kMinute).due_ms, 79 * kMinute);
    EXPECT_EQ(started(kPaying, 0, 90 * kMinute).due_ms, 80 * kMinute) << "due now, not never";
}

TEST(Deadline, RenewingGivesTheWholeSpanAgainUpToTheCap) {
    const Running running = started(kPaying, 0, 0);
    EXPECT_EQ(renewed_due_ms(kPaying, running, 0, 20 * kMinute), 65 * kMinute);
    EXPECT_EQ(renewed_due_ms(kPaying, running, 0, 40 * kMinute), 80 * kMinute);
}

TEST(Deadline, RenewingNeverMakesItEarlier) {
    const Running running = started(kCreated, 0, 20 * kMinute);
    EXPECT_EQ(renewed_due_ms(kCreated, running, 0, 10 * kMinute), 35 * kMinute)
        << "another renewal came first, or the clock was set back";
}

TEST(Deadline, WhatCountsFromCreationIsNotRenewed) {
    EXPECT_EQ(renewed_due_ms(kUnpaid, started(kUnpaid, 0, 0), 0, kMinute), std::nullopt);
}

TEST(Deadline, IsDueAtItsTimeAndNotBefore) {
    const Running running = started(kCreated, 0, 0);
    EXPECT_FALSE(is_due(running, 15 * kMinute - 1));
    EXPECT_TRUE(is_due(running, 15 * kMinute));
}

TEST(Deadline, ATimeThatHasPassedIsNow) {
    EXPECT_EQ(delay_ms(100, 40), 60);
    EXPECT_EQ(delay_ms(100, 100), 0);
    EXPECT_EQ(delay_ms(100, 101), 0);
    EXPECT_EQ(delay_ms(INT64_MIN, INT64_MAX), 0);
}

TEST(Deadline, OfSeveralTheEarliestIsLookedAtNext) {
    EXPECT_EQ(earliest_ms({}), kNever);
    const std::vector<Running> running{started(kUnpaid, 0, 0), started(kCreated, 0, 0)};
    EXPECT_EQ(earliest_ms(running), 15 * kMinute);
}

TEST(Deadline, OneWorkerTakesItAndAnotherAfterItsLease) {
    const Running running = started(kCreated, 0, 0);
    EXPECT_EQ(taken(running, 15 * kMinute - 1), std::nullopt);
    const auto mine = taken(running, 15 * kMinute);
    ASSERT_TRUE(mine);
    EXPECT_EQ(mine->due_ms, running.due_ms);
    EXPECT_EQ(taken(*mine, 15 * kMinute), std::nullopt);
    EXPECT_EQ(taken(*mine, mine->next_ms - 1), std::nullopt);
    EXPECT_TRUE(taken(*mine, mine->next_ms)) << "the first one died";
}

TEST(Deadline, QuestionsAreAskedEverMoreSeldomUpToTheCap) {
    Running running = started(kCreated, 0, 0);
    std::vector<std::int64_t> pauses;
    for (int i = 0; i < 11; ++i) {
        running = asked_again(running, 0);
        pauses.push_back(running.next_ms / 1000);
    }
    EXPECT_EQ(pauses, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300}));
    running.asked = UINT32_MAX - 1;
    EXPECT_EQ(asked_again(running, 0).next_ms, 300'000);
}

TEST(Deadline, IsGivenUpAfterItsTimeAndNotBefore) {
    const Running running = started(kCreated, 0, 0);
    EXPECT_FALSE(is_given_up(running, 24h, 15 * kMinute + 24 * 60 * kMinute - 1));
    EXPECT_TRUE(is_given_up(running, 24h, 15 * kMinute + 24 * 60 * kMinute));
}

TEST(Deadline, SumsStopAtTheEndOfTheNumbers) {
    EXPECT_EQ(after_ms(kNever - 1, 1ms), kNever);
    EXPECT_EQ(after_ms(kNever - 1, 2ms), kNever);
    EXPECT_EQ(after_ms(5, -1ms), 5);
    EXPECT_EQ(
        started(Rule{"x", "e", From::enter, std::chrono::milliseconds::max(), {}}, 0, 5).due_ms,
        kNever);
}

}  // namespace
}  // namespace pawl::timer
