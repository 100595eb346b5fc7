// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_scenario.hpp"

#include <algorithm>

#include "runtime/result/assert.hpp"
#include "surface/flow_file/load.hpp"

namespace pawl::sim {

using namespace std::chrono_literals;

namespace {

// A minute of the file is a second of the shop; days are minutes.
constexpr int kFaster = 60;
constexpr std::chrono::milliseconds kLongest = 2min;
constexpr std::chrono::milliseconds kAsksFor = 60s;

void hurry(timer::Rule& rule) {
    rule.after = std::min(rule.after / kFaster, kLongest);
    if (rule.cap) *rule.cap /= kFaster;
}

flow::Definition hurried(flow::Definition definition) {
    for (flow::StateRule& state : definition.states)
        if (state.deadline) hurry(*state.deadline);
    for (flow::FlowDeadline& deadline : definition.deadlines) hurry(deadline.rule);
    for (flow::Probe& probe : definition.probes) probe.give_up = kAsksFor;
    return definition;
}

}  // namespace

ShopScenario draw_shop_scenario(std::uint64_t seed, StoreKind store) {
    Chance chance(seed, "shop");
    ShopScenario scenario;
    scenario.seed = seed;
    scenario.store = store;
    scenario.shared = store == StoreKind::memory && chance.hit(400);
    scenario.nodes = scenario.shared ? 2 : 1;
    scenario.seats = chance.between(1, kSeatsMax);
    scenario.dose = draw_shop_dose(chance, scenario.shared);
    scenario.traffic.pause = chance.between(100ms, 600ms);
    return scenario;
}

const Declared& shop_flows() {
    static const Declared declared = [] {
        Declared flows;
        for (const std::string name : {"order", "booking", "packing", "payment"}) {
            auto loaded = flow_file::load_flow_file(std::string(PAWL_FLOWS) + "/" + name + ".yaml");
            PAWL_ASSERT(loaded.has_value());
            flows.emplace(name, hurried(std::move(loaded->definition)));
        }
        return flows;
    }();
    return declared;
}

std::shared_ptr<const engine::Machines> shop_machines() {
    static const auto machines = [] {
        std::vector<flow::Machine> compiled;
        for (const auto& [name, definition] : shop_flows())
            compiled.push_back(flow::Machine::compile(definition).value());
        return std::make_shared<const engine::Machines>(std::move(compiled));
    }();
    return machines;
}

}  // namespace pawl::sim
