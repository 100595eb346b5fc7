// SPDX-License-Identifier: Apache-2.0
#include "surface/api/flow_view.hpp"

#include <algorithm>

#include <boost/json/array.hpp>

#include "engine/draft.hpp"
#include "engine/present.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;

}  // namespace

json::object entity_view(const flow::Entity& entity, const flow::Machine* machine) {
    json::object document = engine::shown(entity, machine);
    std::vector<timer::Running> running = entity.deadlines;
    std::ranges::sort(running, {}, &timer::Running::due_ms);
    json::array deadlines;
    for (const timer::Running& one : running) {
        json::object shown{{"name", one.name}};
        const std::string event =
            machine == nullptr ? std::string() : engine::event_of(*machine, one.name);
        if (!event.empty()) shown["event"] = event;
        shown["due_at"] = to_rfc3339(wall_time(one.due_ms));
        deadlines.emplace_back(std::move(shown));
    }
    document["deadlines"] = std::move(deadlines);
    return document;
}

json::object timeline_view(std::string_view flow, std::string_view id,
                           std::span<const store::FlowStep> steps) {
    json::array shown;
    for (const store::FlowStep& step : steps) shown.emplace_back(engine::shown(step));
    return {{"flow", flow}, {"id", id}, {"steps", std::move(shown)}};
}

}  // namespace pawl::api
