// SPDX-License-Identifier: Apache-2.0
#include "core/flow/diagram.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/flow/graph.hpp"
#include "core/policy/units.hpp"

namespace pawl::flow {
namespace {

// Whether a deadline of the whole flow can still run here: nothing of `until` has to be entered on the way.
bool can_run(const Definition& flow, const FlowDeadline& deadline, const std::string& state) {
    const Graph graph(flow);
    const std::size_t at = graph.index_of(state);
    return at != Graph::kNone &&
           graph.reachable(graph.index_of(flow.initial), graph.set_of(deadline.until))[at];
}

// The spans after which deadlines send this event from this state.
std::string spans(const Definition& flow, const EventRule& event, const std::string& state) {
    std::string text;
    const auto add = [&text](const std::string& span) {
        text += (text.empty() ? "" : ", ") + span;
    };
    for (const StateRule& one : flow.states)
        if (one.name == state && one.deadline && one.deadline->event == event.name)
            add("after " + policy::format_duration(one.deadline->after));
    for (const FlowDeadline& one : flow.deadlines)
        if (one.rule.event == event.name && can_run(flow, one, state))
            add(policy::format_duration(one.rule.after) + " after creation");
    return text.empty() ? text : fmt::format(" ({})", text);
}

std::string arrow(const std::string& from, const std::string& to, const std::string& label) {
    return fmt::format("    {} --> {}: {}\n", from, to, label);
}

std::string arrows(const Definition& flow, const EventRule& event, const Transition& way) {
    std::string text;
    for (const std::string& from : way.from) {
        text += arrow(from, way.to == kSame ? from : way.to, event.name + spans(flow, event, from));
        if (way.short_of) text += arrow(from, way.short_of->to, event.name + " (no stock)");
        if (way.taken) text += arrow(from, way.taken->to, event.name + " (slot taken)");
    }
    return text;
}

std::string note(const StateRule& state) {
    if (state.late.empty()) return {};
    std::string text = fmt::format("    note right of {}\n", state.name);
    for (const Late& late : state.late)
        text +=
            fmt::format("        late {}: {}\n", late.event, late.ignore ? "ignored" : late.saga);
    return text + "    end note\n";
}

}  // namespace

std::string mermaid(const Definition& flow) {
    std::string text = fmt::format("stateDiagram-v2\n    [*] --> {}\n", flow.initial);
    for (const EventRule& event : flow.events)
        for (const Transition& way : event.transitions) text += arrows(flow, event, way);
    for (const StateRule& state : flow.states)
        if (state.final) text += fmt::format("    {} --> [*]\n", state.name);
    for (const StateRule& state : flow.states) text += note(state);
    return text;
}

}  // namespace pawl::flow
