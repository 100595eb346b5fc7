// SPDX-License-Identifier: Apache-2.0
// R-ID: one worker's ids, whatever the clock does.
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "core/id/snowflake.hpp"

namespace pawl::id {
namespace {

constexpr std::int64_t kNow = 1'764'000'000'000;
constexpr Machine kMachine{3, 7};

Snowflake worker(std::int64_t after_ms = 0) { return {Layout{}, kMachine, after_ms}; }

TEST(Snowflake, AnIdTellsWhenAndByWhomItWasMade) {
    Snowflake ids = worker();
    const Parts parts = unpack(Layout{}, ids.next(kNow).value());
    EXPECT_EQ(parts.time_ms, kNow);
    EXPECT_EQ(parts.machine, kMachine);
    EXPECT_EQ(ids.high_water_ms(), kNow);
}

TEST(Snowflake, RunsAheadOfTheClockByTheBoundAndNoFurther) {
    Snowflake ids = worker();
    std::int64_t made = 0;
    std::int64_t milliseconds = 1;
    Id last = ids.next(kNow).value();
    for (;; ++made) {
        const auto id = ids.next(kNow);
        if (!id) {
            EXPECT_EQ(id.error(), NoId::lead_used_up);
            break;
        }
        ASSERT_GT(*id, last);
        milliseconds += (*id >> 22) - (last >> 22);
        last = *id;
    }
    EXPECT_EQ(unpack(Layout{}, last).time_ms, kNow + kLeadMsMax);
    EXPECT_EQ(milliseconds, kLeadMsMax + 1);
    EXPECT_GE(made, (kLeadMsMax + 1) * (kSequenceMax + 1 - kFirstNumbers) - 1);
    EXPECT_GT(ids.next(kNow + 1).value(), last) << "one millisecond later there are more";
}

TEST(Snowflake, AClockThatStepsBackWithinTheBoundIsTolerated) {
    Snowflake ids = worker();
    const Id first = ids.next(kNow).value();
    const Id second = ids.next(kNow - kLeadMsMax).value();
    EXPECT_GT(second, first);
    EXPECT_EQ(unpack(Layout{}, second).time_ms, kNow);
    EXPECT_EQ(ids.next(kNow - kLeadMsMax - 1).error(), NoId::lead_used_up);
    EXPECT_GT(ids.next(kNow - kLeadMsMax).value(), second) << "a refusal changes nothing";
}

// Field case X26: a backward clock across a stop.
TEST(Snowflake, ANewRunBeginsBehindTheLastOne) {
    Snowflake before = worker();
    const Id last = before.next(kNow).value();
    Snowflake after = worker(before.high_water_ms());
    const Id first = after.next(kNow - 5'000).value();
    EXPECT_GT(first, last);
    EXPECT_EQ(unpack(Layout{}, first).time_ms, kNow + 1);
    EXPECT_EQ(worker(kNow).high_water_ms(), kNow);
}

TEST(Snowflake, AMarkThatDamageMadeGivesNoIdAndNoHarm) {
    EXPECT_EQ(worker(std::numeric_limits<std::int64_t>::max()).next(kNow).error(),
              NoId::lead_used_up);
    EXPECT_EQ(worker(std::numeric_limits<std::int64_t>::max()).next(Layout{}.end_ms()).error(),
              NoId::layout_ended);
    EXPECT_TRUE(worker(std::numeric_limits<std::int64_t>::min()).next(kNow));
}

// I3: none outside what was permitted.
TEST(Snowflake, NoIdIsLaterThanPermitted) {
    Snowflake ids = worker();
    ids.permit_until(kNow);
    const Id first = ids.next(kNow).value();
    EXPECT_EQ(ids.next(kNow + 1).error(), NoId::window_ended);
    EXPECT_EQ(ids.high_water_ms(), kNow);
    ids.permit_until(kNow + 1);
    EXPECT_GT(ids.next(kNow + 1).value(), first);
}

TEST(Snowflake, ThereAreNoIdsBeforeTheEpochNorBehindTheEnd) {
    const Layout layout;
    EXPECT_EQ(worker().next(layout.epoch_ms - 1).error(), NoId::before_epoch);
    EXPECT_TRUE(worker().next(layout.epoch_ms));
    EXPECT_GT((Snowflake{layout, {0, 0}, 0}.next(layout.epoch_ms).value()), 0);
    EXPECT_TRUE(worker().next(layout.end_ms()));
    EXPECT_EQ(worker().next(layout.end_ms() + 1).error(), NoId::layout_ended);
    EXPECT_EQ(worker().next(0).error(), NoId::before_epoch);
}

TEST(Snowflake, WhyThereIsNoneIsSaid) {
    for (const NoId reason :
         {NoId::lead_used_up, NoId::window_ended, NoId::before_epoch, NoId::layout_ended}) {
        const Error error = error_of(reason);
        EXPECT_EQ(error.code, Code::unavailable);
        EXPECT_NE(error.text.find("othing was executed."), std::string::npos) << name_of(reason);
    }
    EXPECT_EQ(name_of(NoId::window_ended), "window_ended");
    EXPECT_EQ(name_of(NoId::layout_ended), "layout_ended");
}

// How far the fullest and the emptiest of `ids` modulo `divisor` are from even, in standard deviations.
double unevenness(const std::vector<Id>& ids, int divisor) {
    std::map<Id, int> counts;
    for (const Id id : ids) ++counts[id % divisor];
    const double even = static_cast<double>(ids.size()) / divisor;
    double worst = 0;
    for (int i = 0; i < divisor; ++i)
        worst = std::max(worst, std::abs(counts[i] - even) / std::sqrt(even));
    return worst;
}

// Field case 49: an order and its items, ten times a second. The first number of a millisecond was 0 elsewhere: orders
// became even, their items odd.
TEST(Snowflake, EveryStreamIsEvenModuloSmallNumbersAtLowLoad) {
    for (const std::int64_t apart_ms : {0, 1, 3}) {
        for (const std::int64_t period_ms : {100, 128, 1'000, 1'024}) {
            Snowflake ids = worker();
            std::vector<Id> orders;
            std::vector<Id> items;
            for (int i = 0; i < 1'000; ++i) {
                orders.push_back(ids.next(kNow + i * period_ms).value());
                items.push_back(ids.next(kNow + i * period_ms + apart_ms).value());
            }
            for (const int divisor : {2, 3, 4, 5, 7, 8, 10, 16, 32, 64}) {
                EXPECT_LT(unevenness(orders, divisor), 5) << divisor << " " << period_ms;
                EXPECT_LT(unevenness(items, divisor), 5) << divisor << " " << period_ms;
            }
        }
    }
}

}  // namespace
}  // namespace pawl::id
