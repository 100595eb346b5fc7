// SPDX-License-Identifier: Apache-2.0
// What a seed makes of the world before it begins: store, nodes, routes, and how much goes wrong.
#pragma once

#include "gateway/routes.hpp"
#include "sim/audit/auditor.hpp"
#include "sim/outside/callers.hpp"

namespace pawl::sim {

enum class StoreKind : std::uint8_t { memory, sqlite };

struct Scenario {
    std::uint64_t seed = 0;
    StoreKind store = StoreKind::memory;
    bool shared = false;  // two nodes on one store; else one node, and the store is part of it
    std::size_t nodes = 1;
    std::size_t seats = 1;
    Traffic traffic;
    Dose dose;
    std::chrono::milliseconds lease{};
    std::chrono::milliseconds wait{};
    std::chrono::milliseconds hold_max{};
    std::chrono::milliseconds horizon{};
    std::chrono::milliseconds permission_kept{};
    gateway::HomeLimits limits;
    bool sealed = false;  // answers are encrypted in the store
    AuditRules rules;
    bool printing = false;
};

Scenario draw_scenario(std::uint64_t seed, StoreKind store);
// One route for each promise.
std::shared_ptr<const gateway::Routes> routes_of(const Scenario& scenario);

}  // namespace pawl::sim
