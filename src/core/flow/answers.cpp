// SPDX-License-Identifier: Apache-2.0
#include "core/flow/answers.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace pawl::flow {
namespace {

constexpr std::array<std::string_view, 6> kNames{"transition", "late", "park",
                                                 "ignore",     "noop", "refuse"};

bool becomes_possible(const Graph& graph, std::size_t state, const EventRule& event) {
    const StateSet next = graph.reachable(state);
    return std::ranges::any_of(event.transitions, [&](const Transition& transition) {
        return std::ranges::any_of(transition.from, [&](const std::string& from) {
            const std::size_t at = graph.index_of(from);
            return at != Graph::kNone && next[at];
        });
    });
}

Answer answer_of_fact(const Definition& definition, const Graph& graph, std::size_t state,
                      const EventRule& event) {
    for (const Late& late : definition.states[state].late)
        if (late.event == event.name) return {AnswerKind::late, nullptr, &late};
    if (event.early == Early::none || !becomes_possible(graph, state, event))
        return {AnswerKind::refuse};
    return {event.early == Early::park ? AnswerKind::park : AnswerKind::ignore};
}

}  // namespace

std::string_view name_of(AnswerKind kind) { return kNames[std::to_underlying(kind)]; }

Answer answer_of(const Definition& definition, const Graph& graph, std::size_t state,
                 const EventRule& event) {
    const std::string& name = definition.states[state].name;
    for (const Transition& transition : event.transitions)
        if (std::ranges::find(transition.from, name) != transition.from.end())
            return {AnswerKind::transition, &transition};
    if (event.external) return answer_of_fact(definition, graph, state, event);
    const bool is_there = std::ranges::any_of(
        event.transitions, [&](const Transition& transition) { return transition.to == name; });
    return {is_there ? AnswerKind::noop : AnswerKind::refuse};
}

}  // namespace pawl::flow
