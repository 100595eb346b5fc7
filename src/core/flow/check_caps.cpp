// SPDX-License-Identifier: Apache-2.0
// What counts from creation and is met later. A `cap` that has passed when a state is entered fires at once; a deadline
// of the whole flow that has ended does not begin again when an entity comes back.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/flow/places.hpp"
#include "core/policy/units.hpp"

namespace pawl::flow {
namespace {

using std::chrono::milliseconds;

std::string shown(milliseconds span) { return policy::format_duration(span); }

template <class Go>
void each_step(const Definition& flow, const Graph& graph, const Go& go) {
    for (const EventRule& event : flow.events)
        for (const Transition& way : event.transitions)
            for (const std::string& state : way.from) {
                const std::size_t from = graph.index_of(state);
                const auto step = [&](const std::string& to) {
                    const std::size_t at = graph.index_of(to);
                    if (from != Graph::kNone && at != Graph::kNone && from != at)
                        go(event, from, at);
                };
                step(way.to);
                if (way.short_of) step(way.short_of->to);
                if (way.taken) step(way.taken->to);
            }
}

// How long after creation each state can be entered at the earliest; what a deadline alone sends takes its time.
class Earliest {
  public:
    Earliest(const Definition& flow, const Graph& graph)
        : places_(places_of(flow)), at_(flow.states.size()) {
        const std::size_t initial = graph.index_of(flow.initial);
        if (initial != Graph::kNone) at_[initial] = milliseconds(0);
        for (bool changed = true; changed;) {
            changed = false;
            each_step(flow, graph, [&](const EventRule& event, std::size_t from, std::size_t to) {
                const auto time = after(event, from);
                if (!time || (at_[to] && *at_[to] <= *time)) return;
                at_[to] = time;
                changed = true;
            });
        }
    }
    // nullopt: never.
    std::optional<milliseconds> operator[](std::size_t state) const { return at_[state]; }

  private:
    std::optional<milliseconds> after(const EventRule& event, std::size_t from) const {
        if (!at_[from] || !is_for_deadlines_only(event, places_)) return at_[from];
        std::optional<milliseconds> first;
        for (const Place& place : places_) {
            if (!place.runs[from] || place.rule->event != event.name) continue;
            const timer::Rule& rule = *place.rule;
            milliseconds due =
                rule.from == timer::From::create ? rule.after : *at_[from] + rule.after;
            if (rule.cap) due = std::min(due, *rule.cap);
            due = std::max(due, *at_[from]);
            if (!first || due < *first) first = due;
        }
        return first;
    }

    std::vector<Place> places_;
    std::vector<std::optional<milliseconds>> at_;
};

// How long after creation the state is left at the latest, apart from what a probe keeps waiting; nullopt: any time.
std::optional<milliseconds> left_by(const Definition& flow, const std::vector<Place>& places,
                                    std::size_t state) {
    std::optional<milliseconds> bound;
    for (const Place& place : places) {
        if (!place.surely_runs(state)) continue;
        const Transition* way = fires(flow, *place.rule, flow.states[state].name);
        if (way == nullptr || way->to == kSame) continue;
        const timer::Rule& rule = *place.rule;
        const auto own = rule.from == timer::From::create ? std::optional(rule.after) : rule.cap;
        if (own && (!bound || *own < *bound)) bound = own;
    }
    return bound;
}

void check_entered(Findings& found, const Graph& graph, const Earliest& earliest, std::size_t at) {
    const Definition& flow = found.definition();
    const StateRule& state = flow.states[at];
    if (!state.deadline || !state.deadline->cap || !earliest[at]) return;
    const milliseconds cap = *state.deadline->cap;
    const std::string path = fmt::format("states.{}.deadline.cap", state.name);
    if (*earliest[at] > milliseconds(0) && *earliest[at] >= cap) {
        found.error(path,
                    fmt::format("`{}` is entered {} after creation at the earliest, and `cap: {}` "
                                "has passed then: its deadline fires at once",
                                state.name, shown(*earliest[at]), shown(cap)),
                    "write a longer `cap`: it counts from creation");
        return;
    }
    const std::vector<Place> places = places_of(flow);
    std::optional<std::size_t> from;
    each_step(flow, graph, [&](const EventRule&, std::size_t before, std::size_t to) {
        const auto left = left_by(flow, places, before);
        if (to == at && earliest[before] && (!left || *left > cap) && !from) from = before;
    });
    if (!from) return;
    const std::string& source = flow.states[*from].name;
    found.warn(path,
               fmt::format("`{}` can be entered from `{}` when `cap: {}` has passed: its deadline "
                           "then fires at once",
                           state.name, source, shown(cap)),
               fmt::format("write a `cap` of less at the deadline of `{}` too", source));
}

void check_way_back(Findings& found, const Graph& graph, const FlowDeadline& deadline,
                    const Place& place) {
    const Definition& flow = found.definition();
    for (std::size_t i = 0; i < flow.states.size(); ++i) {
        const StateRule& state = flow.states[i];
        const bool is_bound = state.deadline && state.deadline->cap;
        if (!place.may_have_ended[i] || is_bound) continue;
        for (const std::string& ended : deadline.until) {
            const std::size_t from = graph.index_of(ended);
            if (from == Graph::kNone || !graph.reachable(from)[i]) continue;
            found.warn(
                fmt::format("deadlines.{}.until", deadline.rule.name),
                fmt::format("events lead back from `{}` to `{}`, and `{}` has ended for good "
                            "by then",
                            ended, state.name, deadline.rule.name),
                fmt::format("write `cap` at the deadline of `{}`, or take `{}` out of `until`",
                            state.name, ended));
            return;
        }
    }
}

}  // namespace

void check_caps(Findings& found) {
    const Definition& flow = found.definition();
    const Graph graph(flow);
    const Earliest earliest(flow, graph);
    for (std::size_t i = 0; i < flow.states.size(); ++i) check_entered(found, graph, earliest, i);
    const std::vector<Place> places = places_of(flow);
    for (const FlowDeadline& deadline : flow.deadlines)
        for (const Place& place : places)
            if (place.rule == &deadline.rule) check_way_back(found, graph, deadline, place);
}

}  // namespace pawl::flow
