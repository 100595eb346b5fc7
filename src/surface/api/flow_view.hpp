// SPDX-License-Identifier: Apache-2.0
// An entity and its timeline as the reading calls show them: as the engine does, and with what changes without
// a version, the deadlines that run.
#pragma once

#include <span>

#include <boost/json/object.hpp>

#include "core/flow/machine.hpp"
#include "store/port/flows.hpp"

namespace pawl::api {

// Shape: engine::shown, and `deadlines`: [{name, event, due_at}], the earliest first. `machine`: nullptr when its
// flow is not served any more; the events and the check code are left out then.
boost::json::object entity_view(const flow::Entity& entity, const flow::Machine* machine);
// Shape: flow, id, steps, oldest first.
boost::json::object timeline_view(std::string_view flow, std::string_view id,
                                  std::span<const store::FlowStep> steps);

}  // namespace pawl::api
