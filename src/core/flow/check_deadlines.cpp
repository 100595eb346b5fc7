// SPDX-License-Identifier: Apache-2.0
// Deadlines: their events are possible where they fire, and ask for nothing that a time cannot say; each can fire
// at all; and where only they lead on, one runs.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/answers.hpp"
#include "core/flow/findings.hpp"
#include "core/policy/units.hpp"

namespace pawl::flow {
namespace {

using std::chrono::milliseconds;

const Transition* fires(const Definition& flow, const timer::Rule& rule, const std::string& state) {
    const EventRule* event = event_named(flow, rule.event);
    if (event == nullptr) return nullptr;
    for (const Transition& one : event->transitions)
        if (std::ranges::find(one.from, state) != one.from.end()) return &one;
    return nullptr;
}

// A deadline, and the states in which it runs.
struct Place {
    const timer::Rule* rule;
    StateSet runs;
    std::string path;
};

std::vector<Place> places_of(const Definition& flow) {
    const Graph graph(flow);
    std::vector<Place> places;
    StateSet final(flow.states.size(), false);
    for (std::size_t i = 0; i < flow.states.size(); ++i) final[i] = flow.states[i].final;
    for (std::size_t i = 0; i < flow.states.size(); ++i) {
        if (!flow.states[i].deadline) continue;
        StateSet runs(flow.states.size(), false);
        runs[i] = !final[i];
        places.push_back({&*flow.states[i].deadline, runs,
                          fmt::format("states.{}.deadline", flow.states[i].name)});
    }
    for (const FlowDeadline& deadline : flow.deadlines) {
        StateSet ends = graph.set_of(deadline.until);
        for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = ends[i] || final[i];
        places.push_back({&deadline.rule, graph.reachable(graph.index_of(flow.initial), ends),
                          fmt::format("deadlines.{}", deadline.rule.name)});
    }
    return places;
}

// By when, counted from creation, this deadline has moved an entity out of the state, however often it is
// renewed. nullopt: perhaps never; one that asks first may be kept waiting by the answer.
std::optional<milliseconds> bound_of(const Definition& flow, const timer::Rule& rule,
                                     const std::string& state) {
    const Transition* transition = fires(flow, rule, state);
    if (transition == nullptr || transition->to == kSame || !transition->before.empty())
        return std::nullopt;
    if (rule.from == timer::From::create)
        return rule.cap ? std::min(rule.after, *rule.cap) : rule.after;
    return rule.cap;
}

bool is_overtaken(const Definition& flow, const std::vector<Place>& places, const Place& place,
                  std::size_t state) {
    const milliseconds earliest =
        place.rule->cap ? std::min(place.rule->after, *place.rule->cap) : place.rule->after;
    return std::ranges::any_of(places, [&](const Place& other) {
        if (other.rule == place.rule || !other.runs[state]) return false;
        const auto bound = bound_of(flow, *other.rule, flow.states[state].name);
        return bound && *bound < earliest;
    });
}

void check_place(Findings& found, const std::vector<Place>& places, const Place& place) {
    const Definition& flow = found.definition();
    bool may_fire = false;
    for (std::size_t i = 0; i < flow.states.size(); ++i) {
        if (!place.runs[i]) continue;
        const std::string& state = flow.states[i].name;
        if (event_named(flow, place.rule->event) && !fires(flow, *place.rule, state))
            found.error(
                place.path + ".event",
                fmt::format("`{}` is not allowed in `{}`, where this deadline can fire",
                            place.rule->event, state),
                fmt::format("add `{}` to the event's `from`{}", state,
                            place.rule->from == timer::From::create ? ", or to `until`" : ""));
        may_fire = may_fire || !is_overtaken(flow, places, place, i);
    }
    if (!may_fire)
        found.warn(place.path, fmt::format("the deadline `{}` can never fire", place.rule->name),
                   "remove it, or change `after`, `cap` or `until`");
}

// A deadline sends its event with no values, and for no caller.
std::string unmet_by_a_timer(const Definition& flow, const EventRule& event,
                             const Transition& transition) {
    for (const Field& field : event.fields)
        if (field.required) return field.name;
    if (event.token) return event.token->field;
    for (const Guard& guard : transition.require) {
        const bool is_of_entity = type_of(flow, flow.create, guard.field).has_value();
        const bool of_sender = guard.kind == Guard::Kind::same || guard.kind == Guard::Kind::owner;
        if (of_sender || !is_of_entity) return guard.field;
    }
    return {};
}

void check_said(Findings& found, const Place& place) {
    const Definition& flow = found.definition();
    const EventRule* event = event_named(flow, place.rule->event);
    for (std::size_t i = 0; event != nullptr && i < flow.states.size(); ++i) {
        const Transition* transition =
            place.runs[i] ? fires(flow, *place.rule, flow.states[i].name) : nullptr;
        if (transition == nullptr) continue;
        const std::string field = unmet_by_a_timer(flow, *event, *transition);
        if (field.empty()) continue;
        found.error(
            place.path + ".event",
            fmt::format("`{}` asks for `{}`, which a deadline does not say", event->name, field),
            "give the deadline an event of its own, which asks for nothing");
        return;
    }
}

bool is_for_deadlines_only(const EventRule& event, const std::vector<Place>& places) {
    return !event.external && event.allow.empty() &&
           std::ranges::any_of(places,
                               [&](const Place& place) { return place.rule->event == event.name; });
}

bool leaves(const EventRule& event, const std::string& state) {
    return std::ranges::any_of(event.transitions, [&](const Transition& one) {
        const bool moves = one.to != kSame || one.short_of || one.taken;
        return moves && std::ranges::find(one.from, state) != one.from.end();
    });
}

// Nobody else may send what a deadline sends: without one that runs, the entity stays for ever.
void check_left(Findings& found, const std::vector<Place>& places, std::size_t at) {
    const Definition& flow = found.definition();
    const StateRule& state = flow.states[at];
    const EventRule* only = nullptr;
    for (const EventRule& event : flow.events) {
        if (!leaves(event, state.name)) continue;
        const bool runs = std::ranges::any_of(places, [&](const Place& place) {
            return place.runs[at] && place.rule->event == event.name;
        });
        if (runs || !is_for_deadlines_only(event, places)) return;
        only = &event;
    }
    if (only == nullptr || state.final) return;
    found.error(fmt::format("states.{}", state.name),
                fmt::format("only `{}` leaves `{}`; deadlines send it, and none runs there",
                            only->name, state.name),
                fmt::format("write `{}: {{ deadline: {{ after: 1h, event: {} }} }}`, or `allow: "
                            "[anyone]` at `{}`",
                            state.name, only->name, path_of(*only)));
}

void check_rule(Findings& found, const Place& place) {
    const timer::Rule& rule = *place.rule;
    if (rule.after < milliseconds(1) || rule.after > policy::kDurationMax)
        found.error(place.path + ".after", "a deadline ends after a time",
                    fmt::format("write from `after: 1ms` to `after: {}`",
                                policy::format_duration(policy::kDurationMax)));
    if (rule.cap && *rule.cap < rule.after)
        found.warn(place.path + ".cap",
                   fmt::format("the cap ends it before `after: {}` has passed once",
                               policy::format_duration(rule.after)),
                   "write a longer `cap`, or a shorter `after`");
    const EventRule* event = event_named(found.definition(), rule.event);
    if (event != nullptr && event->external)
        found.error(
            place.path + ".event",
            fmt::format("`{}` reports a fact, and a time that has passed is none", rule.event),
            "name an event that is not external");
}

}  // namespace

void check_deadlines(Findings& found) {
    const Definition& flow = found.definition();
    const std::vector<Place> places = places_of(flow);
    for (const Place& place : places) {
        check_rule(found, place);
        check_place(found, places, place);
        check_said(found, place);
    }
    for (std::size_t i = 0; i < flow.states.size(); ++i) check_left(found, places, i);
    for (const FlowDeadline& deadline : flow.deadlines) {
        const std::string path = fmt::format("deadlines.{}", deadline.rule.name);
        if (std::ranges::find(flow.states, deadline.rule.name, &StateRule::name) !=
            flow.states.end())
            found.error(
                path,
                fmt::format("the deadline of the state `{0}` is named `{0}`", deadline.rule.name),
                "give this one another name");
    }
}

}  // namespace pawl::flow
