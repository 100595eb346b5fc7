// SPDX-License-Identifier: Apache-2.0
// Sets of seeds of the shop, for tests; see sim/run/seeds.hpp.
#pragma once

#include "sim/run/seeds.hpp"
#include "sim/shop/shop_stage.hpp"

namespace pawl::sim {

ShopReport run_shop_seed(std::uint64_t seed, StoreKind store);

struct ShopSummary {
    std::uint64_t seeds = 0;
    std::uint64_t sent = 0;
    ShopRarities rarities;
    std::vector<ShopReport> failed;
};
void add(ShopSummary& summary, ShopReport report);

// What was found, and how to look at it again.
std::string describe(const std::vector<ShopReport>& failed, StoreKind store);

}  // namespace pawl::sim
