// SPDX-License-Identifier: Apache-2.0
// The invariants of flows hold for every seed, on both stores, and the seeds together reach every rare state.
#include <gtest/gtest.h>

#include "sim/shop/shop_seeds.hpp"

namespace pawl::sim {
namespace {

constexpr std::uint64_t kSeeds = 200;
constexpr std::uint64_t kSqliteSeeds = 40;

TEST(ShopSeeds, EveryInvariantHoldsAndEveryRareStateIsReached) {
    const SeedSet set = seed_set(kSeeds);
    ShopSummary summary;
    for (std::uint64_t i = 0; i < set.count; ++i)
        add(summary, run_shop_seed(set.first + i, StoreKind::memory));
    fmt::print("{} seeds from {} on, {} requests\n", summary.seeds, set.first, summary.requests);
    EXPECT_TRUE(summary.failed.empty()) << describe(summary.failed, StoreKind::memory);
    if (set.count < kSeeds) return;  // too few to ask them for everything
    for (int i = 0; i < kShopRareCount; ++i) {
        const auto rare = static_cast<ShopRare>(i);
        EXPECT_GT(summary.rarities.of(rare), 0) << name_of(rare) << " was never reached";
    }
}

TEST(ShopSeeds, EveryInvariantHoldsOnTheEmbeddedStore) {
    const SeedSet set = seed_set(kSqliteSeeds);
    ShopSummary summary;
    for (std::uint64_t i = 0; i < set.count; ++i)
        add(summary, run_shop_seed(set.first + i, StoreKind::sqlite));
    EXPECT_TRUE(summary.failed.empty()) << describe(summary.failed, StoreKind::sqlite);
}

TEST(ShopSeeds, SeedsThatFailedOnceHold) {
    for (const auto& [kind, store] :
         {std::pair{"shop", StoreKind::memory}, std::pair{"shop-sqlite", StoreKind::sqlite}}) {
        ShopSummary summary;
        for (const std::uint64_t seed : regression_seeds(kind))
            add(summary, run_shop_seed(seed, store));
        EXPECT_TRUE(summary.failed.empty()) << describe(summary.failed, store);
    }
}

}  // namespace
}  // namespace pawl::sim
