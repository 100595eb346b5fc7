// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/id/layout.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::id {
namespace {

TEST(IdLayout, PutsTimeBeforeMachineBeforeNumber) {
    const Layout layout;
    EXPECT_EQ(pack(layout, {layout.epoch_ms, {0, 0}, 1}), 1);
    EXPECT_EQ(pack(layout, {layout.epoch_ms, {0, 1}, 0}), 1 << 12);
    EXPECT_EQ(pack(layout, {layout.epoch_ms, {1, 0}, 0}), 1 << 17);
    EXPECT_EQ(pack(layout, {layout.epoch_ms + 1, {0, 0}, 0}), 1 << 22);
    EXPECT_EQ(pack(layout, {layout.end_ms(), {31, 31}, 4095}), 9'223'372'036'854'775'807);
}

TEST(IdLayout, IsReadBackWhereverTheMachineBitsAreSplit) {
    for (int bits = 0; bits <= kMachineBits; ++bits) {
        const Layout layout{kEpochMsDefault, bits};
        ASSERT_TRUE(check(layout));
        const Parts parts{layout.epoch_ms + 86'400'123,
                          {layout.buckets() - 1, layout.workers() - 1},
                          kSequenceMax};
        ASSERT_TRUE(check(layout, parts.machine));
        EXPECT_EQ(unpack(layout, pack(layout, parts)), parts) << bits;
    }
}

TEST(IdLayout, SaysWhatIsBeyondIt) {
    EXPECT_FALSE(check(Layout{kEpochMsDefault, -1}));
    EXPECT_FALSE(check(Layout{kEpochMsDefault, kMachineBits + 1}));
    EXPECT_FALSE(check(Layout{-1, 5}));
    EXPECT_TRUE(check(Layout{4'102'444'800'000, 5}));
    EXPECT_FALSE(check(Layout{4'102'444'800'001, 5}));
    EXPECT_TRUE(check(Layout{}, {31, 31}));
    EXPECT_FALSE(check(Layout{}, {32, 0}));
    const auto beyond = check(Layout{}, {0, 32});
    ASSERT_FALSE(beyond);
    EXPECT_EQ(beyond.error().text, "Worker 32 is beyond the 32 that 5 bits tell apart.");
}

TEST(IdLayout, EndsIn2093ByDefault) {
    EXPECT_EQ(to_rfc3339(WallTime{std::chrono::milliseconds(Layout{}.end_ms())}),
              "2093-09-06T15:47:35.551Z");
}

}  // namespace
}  // namespace pawl::id
