// SPDX-License-Identifier: Apache-2.0
// Sets of seeds of the shop, for tests; see sim/run/seeds.hpp.
#pragma once

#include "sim/run/seeds.hpp"
#include "sim/shop/shop_stage.hpp"

namespace pawl::sim {

inline ShopReport run_shop_seed(std::uint64_t seed, StoreKind store) {
    return ShopStage(draw_shop_scenario(seed, store)).run();
}
using ShopSummary = SummaryOf<ShopReport>;

}  // namespace pawl::sim
