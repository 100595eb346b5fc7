// SPDX-License-Identifier: Apache-2.0
// What is counted of events on their way and of sagas, in the text format of Prometheus; beside the node's own.
#pragma once

#include <string>

#include "surface/api/errands.hpp"

namespace pawl::api {

// Empty where there is no desk. What the store does not answer is left out. `desk` outlives the task.
Task<std::string> errand_metrics(ErrandDesk* desk);

}  // namespace pawl::api
