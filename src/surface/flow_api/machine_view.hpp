// SPDX-License-Identifier: Apache-2.0
// A flow as JSON: its states with what they wait for, its events with where they lead from and under which
// conditions. What a refusal's Link leads to.
#pragma once

#include <boost/json/object.hpp>

#include "core/flow/definition.hpp"

namespace pawl::flow_api {

boost::json::object machine_view(const flow::Definition& flow);

}  // namespace pawl::flow_api
