// SPDX-License-Identifier: Apache-2.0
// From a configuration to what all loops serve of flows, and what a change of it would leave behind.
#pragma once

#include "app/flow_station.hpp"
#include "surface/api/admin_service.hpp"
#include "surface/config/config.hpp"

namespace pawl::app {

// `former`: what is served now; figures go on. nullptr: nothing yet. Errors: config_invalid.
Result<FlowOffer> offer_of(const config::Config& config, const FlowOffer* former);

// What the admin port shows of it.
api::ServedFlows served_of(const FlowOffer& offer);

// A state that is there no more, or with an empty name the whole flow.
struct Gone {
    std::string flow;
    std::string state;
};
std::vector<Gone> gone_between(const engine::Machines& former, const engine::Machines& next);

// How many entities are looked at for each before the rest is taken on trust.
inline constexpr std::size_t kLookedAtMax = 10'000;

// What still is in a state that is gone: "order 17 is in `paying`". Empty: nothing among the newest of the
// tenant. Errors: unavailable.
Task<Result<std::string>> still_in(store::Flows& flows, std::string tenant, Gone gone);

}  // namespace pawl::app
