// SPDX-License-Identifier: Apache-2.0
// From a configuration to what all loops serve of flows.
#pragma once

#include "app/flow_station.hpp"
#include "surface/api/admin_service.hpp"
#include "surface/config/config.hpp"

namespace pawl::app {

// `former`: what is served now; figures go on. nullptr: nothing yet. Errors: config_invalid.
Result<FlowOffer> offer_of(const config::Config& config, const FlowOffer* former);

// What the admin port shows of it.
api::ServedFlows served_of(const FlowOffer& offer);

}  // namespace pawl::app
