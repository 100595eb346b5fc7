// SPDX-License-Identifier: Apache-2.0
// One answer for every state and event: no two transitions, no fact without an answer, nothing that can never
// be used.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/answers.hpp"
#include "core/flow/findings.hpp"
#include "core/flow/payments.hpp"

namespace pawl::flow {
namespace {

bool has_transition(const EventRule& event, const std::string& state) {
    return std::ranges::any_of(event.transitions, [&](const Transition& one) {
        return std::ranges::find(one.from, state) != one.from.end();
    });
}

void check_overlaps(Findings& found, const EventRule& event) {
    for (std::size_t i = 0; i < event.transitions.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            for (const std::string& state : event.transitions[i].from) {
                const Names& others = event.transitions[j].from;
                if (std::ranges::find(others, state) == others.end()) continue;
                found.error(fmt::format("{}.transitions[{}].from", path_of(event), i),
                            fmt::format("`{}` leads from `{}` to `{}` and to `{}`", event.name,
                                        state, event.transitions[j].to, event.transitions[i].to),
                            fmt::format("take `{}` out of one of them", state));
            }
}

void check_loops(Findings& found, const EventRule& event, const Transition& transition,
                 const std::string& path) {
    const Names& from = transition.from;
    if (std::ranges::find(from, transition.to) != from.end())
        found.error(path + ".to",
                    fmt::format("`{}` leads from `{}` to itself", event.name, transition.to),
                    "write `to: same`, or take the state out of `from`");
    for (const StateRule& state : found.definition().states)
        if (state.final && std::ranges::find(from, state.name) != from.end())
            found.error(path + ".from",
                        fmt::format("`{}` leaves `{}`, which is final", event.name, state.name),
                        fmt::format("remove `final: true` from `{}`, or take it out of `from`",
                                    state.name));
}

void check_late(Findings& found, const StateRule& state, const Late& late) {
    const std::string path = fmt::format("states.{}.late.{}", state.name, late.event);
    for (const EventRule& event : found.definition().events) {
        if (event.name != late.event) continue;
        if (!event.external)
            found.error(
                path,
                fmt::format("`{}` is a request, which is refused when it comes late", event.name),
                fmt::format("remove it, or write `external: true` at `{}`", path_of(event)));
        else if (has_transition(event, state.name))
            found.error(path,
                        fmt::format("`{}` is not late in `{}`: it leads on from there", event.name,
                                    state.name),
                        "remove it here, or take the state out of the event's `from`");
    }
    if (late.ignore == !late.saga.empty())
        found.error(path, "a late fact is either ignored or compensated",
                    "write `ignore` or the name of a saga");
}

void check_answered(Findings& found, const Graph& graph, const EventRule& event) {
    const Definition& flow = found.definition();
    for (std::size_t i = 0; i < flow.states.size(); ++i) {
        if (answer_of(flow, graph, i, event).kind != AnswerKind::refuse) continue;
        const std::string& state = flow.states[i].name;
        const bool parks = event.early != Early::none;
        // What brings money is never ignored.
        const std::string ignored = brings_money(flow, event)
                                        ? std::string()
                                        : fmt::format("`late: {{ {}: ignore }}` or ", event.name);
        found.error(
            fmt::format("states.{}", state),
            fmt::format("`{}` reports a fact, and `{}` has no answer to it", event.name, state),
            fmt::format("write {}`late: {{ {}: SAGA }}` at `{}`{}", ignored, event.name, state,
                        parks ? "" : fmt::format(", or `early: park` at `{}`", path_of(event))));
    }
}

}  // namespace

void check_answers(Findings& found) {
    const Definition& flow = found.definition();
    const Graph graph(flow);
    for (const EventRule& event : flow.events) {
        check_overlaps(found, event);
        if (event.external) check_answered(found, graph, event);
        if (!event.external && event.early != Early::none)
            found.error(
                path_of(event) + ".early",
                fmt::format("`{}` is a request, which is refused when it comes early", event.name),
                "remove `early`, or write `external: true`");
        if (event.external && event.noop == Noop::ok)
            found.error(
                path_of(event) + ".noop",
                fmt::format("`{}` reports a fact, which is always acknowledged", event.name),
                "remove `noop`; say under `late` what a repeat does");
    }
    each_transition(
        flow, [&](const EventRule& event, const Transition& transition, const std::string& path) {
            check_loops(found, event, transition, path);
        });
    for (const StateRule& state : flow.states)
        for (const Late& late : state.late) check_late(found, state, late);
    const bool has_facts = std::ranges::any_of(flow.events, &EventRule::external);
    if (has_facts && !flow.correlate)
        found.warn("correlate", "no provider's notification finds its entity",
                   "write `correlate: { callback: out_trade_no, field: business_key }`");
}

}  // namespace pawl::flow
