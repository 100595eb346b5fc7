// SPDX-License-Identifier: Apache-2.0
#include "app/flow_offer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gateway/roles.hpp"
#include "surface/config/read_callbacks.hpp"
#include "surface/config/read_callers.hpp"
#include "surface/config/read_stations.hpp"

namespace pawl::app {
namespace {

// Nothing of the user's is served beside the flows; the demonstration is not.
bool only_flows(const config::Config& config) {
    const bool passes_on = config.default_upstream && !config.default_upstream->demo;
    return !passes_on && std::ranges::all_of(config.routes, [](const policy::Route& route) {
        return route.upstream.demo;
    });
}

}  // namespace

Result<FlowOffer> offer_of(const config::Config& config, const FlowOffer* former) {
    auto callers = config::callers_of(config);
    if (!callers) return fail(std::move(callers.error()));
    auto subscriptions = config::subscriptions_of(config);
    if (!subscriptions) return fail(std::move(subscriptions.error()));
    flow_api::Access access{.tenant = config.tenant,
                            .tenant_rule = config.tenant_rule,
                            .caller = config.flows.caller,
                            .roles = config.flows.roles,
                            .retention = config.flows.retention};
    auto stations = config::stations_of(config.stations);
    if (!stations) return fail(std::move(stations.error()));
    const auto known = std::make_shared<const flow::Stations>(*std::move(stations));
    std::vector<flow::Machine> served = config.flows.machines;
    for (flow::Machine& machine : served) machine.know(known);
    auto machines = std::make_shared<const engine::Machines>(std::move(served));
    FlowOffer offer;
    offer.rules = std::make_shared<const flow_api::FlowRules>(
        std::move(machines), std::move(*callers), std::move(access), config.cors,
        only_flows(config));
    offer.accounts = std::make_shared<const engine::CallbackAccounts>(
        std::move(*subscriptions), former == nullptr ? nullptr : former->accounts.get());
    offer.services = std::make_shared<const engine::Services>(config.services);
    return offer;
}

api::ServedFlows served_of(const FlowOffer& offer) {
    api::ServedFlows served{offer.rules->shared_machines(), offer.accounts, {}};
    for (const auto& [name, operation] : offer.rules->operations())
        served.figures.emplace_back(
            name, std::shared_ptr<const gateway::RouteFigures>(offer.rules, &operation.figures));
    return served;
}

}  // namespace pawl::app
