// SPDX-License-Identifier: Apache-2.0
// The invariants hold on the engine of the embedded store as well, with fewer seeds: it is slower than a map.
#include <gtest/gtest.h>

#include "sim/run/seeds.hpp"

namespace pawl::sim {
namespace {

constexpr std::uint64_t kSeeds = 40;

TEST(SeedsOnSqlite, EveryInvariantHolds) {
    Summary summary;
    const SeedSet set = seed_set(kSeeds);
    for (std::uint64_t i = 0; i < set.count; ++i)
        add(summary, run_seed(set.first + i, StoreKind::sqlite));
    for (const std::uint64_t seed : regression_seeds("sqlite"))
        add(summary, run_seed(seed, StoreKind::sqlite));
    fmt::print("{} seeds from {} on, {} requests\n", summary.seeds, set.first, summary.requests);
    EXPECT_TRUE(summary.failed.empty()) << describe(summary.failed, StoreKind::sqlite);
    EXPECT_GT(summary.rarities.of(Rare::boot_ended_uncertain), 0);
}

}  // namespace
}  // namespace pawl::sim
