// SPDX-License-Identifier: Apache-2.0
// Deadlines: their events are possible where they fire, and each can fire at all.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/flow/places.hpp"
#include "core/policy/units.hpp"

namespace pawl::flow {
namespace {

using std::chrono::milliseconds;

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
    }
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
