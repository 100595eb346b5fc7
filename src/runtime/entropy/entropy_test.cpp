// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gtest/gtest.h>

#include "runtime/entropy/entropy.hpp"

namespace pawl {
namespace {

TEST(Entropy, TheSameSeedGivesTheSameNumbers) {
    SeededEntropy a(7);
    SeededEntropy b(7);
    SeededEntropy c(8);
    const std::uint64_t first = a.number();
    EXPECT_EQ(first, b.number());
    EXPECT_NE(first, c.number());
}

TEST(Entropy, BelowStaysBelowAndReachesEveryValue) {
    SeededEntropy entropy(1);
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) seen.insert(entropy.below(7));
    EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Entropy, TheSystemNeverGivesTheSameNumberTwice) {
    SystemEntropy entropy;
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(seen.insert(entropy.number()).second);
}

}  // namespace
}  // namespace pawl
