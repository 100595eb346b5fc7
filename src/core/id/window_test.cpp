// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/id/window.hpp"

namespace pawl::id {
namespace {

constexpr std::int64_t kNow = 1'764'000'000'000;

TEST(IdWindow, EndsSoLongAfterTheLaterOfClockAndLastId) {
    EXPECT_EQ(extended(0, kNow), kNow + kWindowMs);
    EXPECT_EQ(extended(kNow + 7, kNow), kNow + 7 + kWindowMs);
}

TEST(IdWindow, IsExtendedWhenHalfOfItIsOver) {
    const std::int64_t until = extended(0, kNow);
    EXPECT_FALSE(extension_is_due(until, kNow, kNow + kWindowMs / 2 - 1));
    EXPECT_TRUE(extension_is_due(until, kNow, kNow + kWindowMs / 2));
    EXPECT_TRUE(extension_is_due(until, kNow + kWindowMs / 2, kNow)) << "ids run ahead";
    EXPECT_TRUE(extension_is_due(0, 0, kNow)) << "none yet";
}

TEST(IdWindow, ARunBehindACrashedOnesHasIdsAtOnce) {
    const std::int64_t stored = extended(0, kNow);
    Snowflake ids(Layout{}, {0, 0}, stored);
    ids.permit_until(extended(stored, kNow));
    EXPECT_EQ(unpack(Layout{}, ids.next(kNow).value()).time_ms, stored + 1);
}

TEST(IdWindow, AWorkerWhoseStoreIsSilentStopsByItself) {
    Snowflake ids(Layout{}, {0, 0}, 0);
    const std::int64_t until = extended(0, kNow);
    ids.permit_until(until);
    EXPECT_TRUE(ids.next(until));
    EXPECT_EQ(ids.next(until + 1).error(), NoId::window_ended);
}

}  // namespace
}  // namespace pawl::id
