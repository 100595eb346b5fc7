// SPDX-License-Identifier: Apache-2.0
// The invariants hold for every seed, and the seeds together reach every rare state.
#include <gtest/gtest.h>

#include "sim/run/seeds.hpp"

namespace pawl::sim {
namespace {

constexpr std::uint64_t kSeeds = 200;
constexpr std::uint64_t kRequestsPerSeed = 2'000;

Summary run_all(const SeedSet& set, StoreKind store) {
    Summary summary;
    for (std::uint64_t i = 0; i < set.count; ++i) add(summary, run_seed(set.first + i, store));
    return summary;
}

TEST(Seeds, EveryInvariantHoldsAndEveryRareStateIsReached) {
    const SeedSet set = seed_set(kSeeds);
    const Summary summary = run_all(set, StoreKind::memory);
    fmt::print("{} seeds from {} on, {} requests\n", summary.seeds, set.first, summary.requests);
    EXPECT_TRUE(summary.failed.empty()) << describe(summary.failed, StoreKind::memory);
    EXPECT_GE(summary.fewest_requests, kRequestsPerSeed);
    if (set.count < kSeeds) return;  // too few to ask them for everything
    for (int i = 0; i < kRareCount; ++i) {
        const auto rare = static_cast<Rare>(i);
        EXPECT_GT(summary.rarities.of(rare), 0) << name_of(rare) << " was never reached";
    }
}

TEST(Seeds, SeedsThatFailedOnceHold) {
    Summary summary;
    for (const std::uint64_t seed : regression_seeds("memory"))
        add(summary, run_seed(seed, StoreKind::memory));
    EXPECT_TRUE(summary.failed.empty()) << describe(summary.failed, StoreKind::memory);
    EXPECT_GT(summary.seeds, 0);
}

}  // namespace
}  // namespace pawl::sim
