// SPDX-License-Identifier: Apache-2.0
// Money that goes back: which fact an event takes back can be told, and where an event could be about other money than
// the entity's, it says whose it takes back. And money that a probe finds: the state in which it is asked takes it, or
// gives it back.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/answers.hpp"
#include "core/flow/findings.hpp"
#include "core/flow/payments.hpp"

namespace pawl::flow {
namespace {

const UniqueRule* lasting(const EventRule& event) {
    const auto rules = permanent_uniques(event);
    return rules.empty() ? nullptr : rules.front();
}

void check_reversal(Findings& found, const EventRule& event) {
    const std::string path = path_of(event) + ".reverses";
    const EventRule* reversed = event_named(found.definition(), event.reverses);
    if (reversed == nullptr || reversed == &event) {
        found.error(path, fmt::format("`{}` is not another event of this flow", event.reverses),
                    "name the event that reports what this one takes back");
        return;
    }
    if (!event.external || !reversed->external)
        found.error(
            path, fmt::format("`{}` reports no fact", event.external ? reversed->name : event.name),
            "remove `reverses`, or write `external: true` there");
    const UniqueRule* named = lasting(*reversed);
    if (named == nullptr) {
        found.error(path, fmt::format("nothing tells one `{}` from another", reversed->name),
                    fmt::format("write `unique: {{ fields: [provider, account, transaction_id] }}` "
                                "at `{}`",
                                path_of(*reversed)));
        return;
    }
    for (const std::string& field : named->fields)
        if (!type_of(found.definition(), event, field))
            found.error(path,
                        fmt::format("`{}` says not which `{}` it takes back: it carries no `{}`",
                                    event.name, reversed->name, field),
                        fmt::format("declare it under `{}.fields`", path_of(event)));
}

// Whether an entity that this event has led on can come to where it leads on again.
bool may_apply_again(const Definition& flow, const Graph& graph, const EventRule& event) {
    StateSet from(flow.states.size(), false);
    for (const Transition& way : event.transitions)
        for (const std::string& state : way.from)
            if (const auto at = graph.index_of(state); at != Graph::kNone) from[at] = true;
    for (const Transition& way : event.transitions) {
        if (way.to == kSame) return true;
        const StateSet next = graph.reachable(graph.index_of(way.to));
        for (std::size_t i = 0; i < next.size(); ++i)
            if (next[i] && from[i]) return true;
    }
    return false;
}

// "refunded" is unique by what "paid" is unique by, and a number: it names a payment.
bool names_fact_of(const EventRule& event, const EventRule& other) {
    const UniqueRule* own = lasting(event);
    const UniqueRule* its = lasting(other);
    if (own == nullptr || its == nullptr || own->fields.size() <= its->fields.size()) return false;
    return std::ranges::all_of(its->fields, [&](const std::string& field) {
        return std::ranges::find(own->fields, field) != own->fields.end();
    });
}

// Asked first, a probe that finds the money tells its event instead: a state that waves it through would lose it.
void check_found(Findings& found, const Graph& graph, const Transition& way,
                 const std::string& path) {
    const Definition& flow = found.definition();
    const auto probe = std::ranges::find(flow.probes, way.before, &Probe::name);
    if (probe == flow.probes.end()) return;
    const EventRule* event = event_named(flow, probe->event);
    for (const std::string& state : way.from) {
        const Answer answer = answer_of(flow, graph, graph.index_of(state), *event);
        const bool takes = answer.kind == AnswerKind::transition ||
                           (answer.kind == AnswerKind::late && !answer.late->ignore);
        if (!takes)
            found.error(
                path + ".before",
                fmt::format("`{}` may find `{}` in `{}`, which neither takes it nor gives it back",
                            probe->name, event->name, state),
                fmt::format("let `{0}` lead on from `{1}`, or write `late: {{ {0}: SAGA }}` there",
                            event->name, state));
    }
}

}  // namespace

void check_reversed(Findings& found) {
    for (const EventRule& event : found.definition().events)
        if (!event.reverses.empty()) check_reversal(found, event);
}

void check_money(Findings& found) {
    const Definition& flow = found.definition();
    const Graph graph(flow);
    each_transition(flow, [&](const EventRule&, const Transition& way, const std::string& path) {
        check_found(found, graph, way, path);
    });
    for (const EventRule& event : flow.events) {
        const EventRule* reversed = event_named(flow, event.reverses);
        if (reversed != nullptr && may_apply_again(flow, graph, *reversed))
            found.error(
                path_of(event) + ".reverses",
                fmt::format("`{}` can take effect more than once, and nobody could say "
                            "which of them `{}` takes back",
                            reversed->name, event.name),
                fmt::format("let `{}` lead to where it is not possible again", reversed->name));
        if (!event.external || !event.reverses.empty()) continue;
        for (const EventRule& other : flow.events)
            if (other.external && names_fact_of(event, other))
                found.warn(path_of(event),
                           fmt::format("`{}` may be about another `{}` than the entity's own",
                                       event.name, other.name),
                           fmt::format("write `reverses: {}` if it takes that back", other.name));
    }
}

}  // namespace pawl::flow
