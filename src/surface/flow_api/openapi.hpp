// SPDX-License-Identifier: Apache-2.0
// The OpenAPI 3.1 document of the flows that are served: per flow its fields, and a path for each event that
// somebody who calls may send. Made of the machines themselves, so that it cannot say anything else than they do.
#pragma once

#include <boost/json/object.hpp>

#include "surface/flow_api/flow_rules.hpp"

namespace pawl::flow_api {

boost::json::object openapi(const FlowRules& rules);

}  // namespace pawl::flow_api
