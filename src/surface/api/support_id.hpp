// SPDX-License-Identifier: Apache-2.0
// The id that support reads out (core/id/triple_id.hpp) of an entity: the trace of its creation, its business key, and
// the time in its id. It needs no index: the time leads to the ids of one millisecond.
#pragma once

#include <span>

#include <boost/json/object.hpp>

#include "core/flow/entity.hpp"
#include "core/flow/event.hpp"
#include "core/id/layout.hpp"
#include "store/port/flows.hpp"

namespace pawl::api {

// `first`: the step that made it. Empty: the id is not one that Pawl made.
std::string support_id(const flow::Entity& entity, const store::FlowStep& first);

// As `support_id`, where there is one. `first`: its history, at least the step that made it; or nothing.
void add_support_id(boost::json::object& document, const flow::Entity& entity,
                    std::span<const store::FlowStep> first);

// The time in an id. nullopt: as above. Unit: milliseconds since 1970.
std::optional<std::int64_t> time_in(std::string_view id);
// The least id of a millisecond; nullopt: there are no ids of that time.
std::optional<std::string> first_id_of(std::int64_t at_ms);

// 32 hexadecimal digits: the word itself, or those in a traceparent. Empty: it is neither.
std::string trace_id_in(std::string_view word);

}  // namespace pawl::api
