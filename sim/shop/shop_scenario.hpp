// SPDX-License-Identifier: Apache-2.0
// What a seed makes of the shop before it opens: store, nodes, traffic, and how much goes wrong. The flows are the
// built-in ones, with deadlines of seconds instead of minutes and days.
#pragma once

#include "engine/machines.hpp"
#include "sim/run/scenario.hpp"
#include "sim/shop/people.hpp"

namespace pawl::sim {

struct ShopScenario {
    std::uint64_t seed = 0;
    StoreKind store = StoreKind::memory;
    bool shared = false;  // two nodes on one store; else one node, and the store is part of it
    std::size_t nodes = 1;
    std::size_t seats = 1;
    ShopTraffic traffic;
    ShopDose dose;
    bool printing = false;
};

ShopScenario draw_shop_scenario(std::uint64_t seed, StoreKind store);
// By name.
const Declared& shop_flows();
std::shared_ptr<const engine::Machines> shop_machines();

}  // namespace pawl::sim
