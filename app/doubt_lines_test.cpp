// SPDX-License-Identifier: Apache-2.0
#include "app/doubt_lines.hpp"

#include <gtest/gtest.h>

namespace pawl::app {
namespace {

TEST(DoubtLines, OneIsWrittenAndTheRestOfItsSecondIsCounted) {
    const gateway::Doubt doubt{"op_x", "orders", "The upstream gave no answer."};
    const MonotonicTime began{};
    DoubtLines lines;
    EXPECT_EQ(lines.rest(), std::nullopt);
    EXPECT_EQ(lines.line(doubt, began),
              "it is not known whether op_x of orders took effect: The upstream gave no answer.");
    EXPECT_EQ(lines.line(doubt, began + kDoubtLineEvery - std::chrono::nanoseconds{1}),
              std::nullopt);
    EXPECT_EQ(lines.rest(),
              "of 1 operation more it is not known either; `pawl uncertain list` shows them");
    EXPECT_EQ(lines.rest(), std::nullopt) << "once";
    EXPECT_NE(lines.line(doubt, began + kDoubtLineEvery), std::nullopt);
}

}  // namespace
}  // namespace pawl::app
