// SPDX-License-Identifier: Apache-2.0
#include "core/flow/places.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/flow/findings.hpp"

namespace pawl::flow {
namespace {

Place of_state(const Definition& flow, std::size_t at) {
    StateSet runs(flow.states.size(), false);
    runs[at] = !flow.states[at].final;
    return {&*flow.states[at].deadline, runs, StateSet(flow.states.size(), false),
            fmt::format("states.{}.deadline", flow.states[at].name)};
}

Place of_flow(const Definition& flow, const Graph& graph, const FlowDeadline& deadline) {
    const std::size_t count = flow.states.size();
    StateSet ends = graph.set_of(deadline.until);
    for (std::size_t i = 0; i < count; ++i) ends[i] = ends[i] || flow.states[i].final;
    const StateSet runs = graph.reachable(graph.index_of(flow.initial), ends);
    const StateSet entered = graph.reachable(graph.index_of(flow.initial));
    StateSet over(count, false);  // entered with it, or by it, it has ended
    for (std::size_t i = 0; i < count; ++i) {
        over[i] = over[i] || (ends[i] && entered[i]);
        const Transition* way = runs[i] ? fires(flow, deadline.rule, flow.states[i].name) : nullptr;
        if (way == nullptr) continue;
        const std::size_t to = way->to == kSame ? i : graph.index_of(way->to);
        if (to != Graph::kNone) over[to] = true;
        for (const auto* branch : {&way->short_of, &way->taken})
            if (*branch && graph.index_of((*branch)->to) != Graph::kNone)
                over[graph.index_of((*branch)->to)] = true;
    }
    StateSet may_have_ended(count, false);
    for (std::size_t i = 0; i < count; ++i) {
        if (!over[i]) continue;
        const StateSet next = graph.reachable(i);
        for (std::size_t j = 0; j < count; ++j)
            may_have_ended[j] = may_have_ended[j] || (next[j] && runs[j]);
    }
    return {&deadline.rule, runs, may_have_ended, fmt::format("deadlines.{}", deadline.rule.name)};
}

}  // namespace

const Transition* fires(const Definition& flow, const timer::Rule& rule, const std::string& state) {
    const EventRule* event = event_named(flow, rule.event);
    if (event == nullptr) return nullptr;
    for (const Transition& one : event->transitions)
        if (holds(one.from, state)) return &one;
    return nullptr;
}

std::vector<Place> places_of(const Definition& flow) {
    const Graph graph(flow);
    std::vector<Place> places;
    for (std::size_t i = 0; i < flow.states.size(); ++i)
        if (flow.states[i].deadline) places.push_back(of_state(flow, i));
    for (const FlowDeadline& deadline : flow.deadlines)
        places.push_back(of_flow(flow, graph, deadline));
    return places;
}

bool is_for_deadlines_only(const EventRule& event, const std::vector<Place>& places) {
    return !event.external && event.allow.empty() &&
           std::ranges::any_of(places,
                               [&](const Place& place) { return place.rule->event == event.name; });
}

}  // namespace pawl::flow
