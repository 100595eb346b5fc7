// SPDX-License-Identifier: Apache-2.0
// Whether flow files may take the place of those that are served: not while an entity would lose by it. States and
// flows that go are looked for in all of the store, of every tenant, for as long as a reload may take; what
// concerns stock and fields among the newest of the node's own tenant.
#pragma once

#include <functional>

#include "engine/machines.hpp"
#include "runtime/task/loop.hpp"
#include "store/port/flows.hpp"

namespace pawl::app {

// After it the reload goes on with what was seen, and the look that follows it tells the rest.
inline constexpr std::chrono::seconds kCheckPatience{5};

// `warn` is told what was not looked for whole. Errors: config_invalid, with the remedy; as Flows::page.
Task<Status> check_change(Loop& loop, store::Flows& flows, std::string tenant,
                          std::shared_ptr<const engine::Machines> former,
                          std::shared_ptr<const engine::Machines> next,
                          std::function<void(std::string)> warn);

}  // namespace pawl::app
