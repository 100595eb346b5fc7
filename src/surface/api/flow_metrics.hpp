// SPDX-License-Identifier: Apache-2.0
// What became of the events of flows, in the text format of Prometheus; beside the node's own.
#pragma once

#include <string>

#include "engine/desk.hpp"

namespace pawl::api {

// Labels are names that flow files declare; how many series there are, each desk bounds.
std::string flow_metrics(const engine::DeskFigures& figures);

}  // namespace pawl::api
