// SPDX-License-Identifier: Apache-2.0
// Stock and slots: only where there are lines, with an answer for what is not to be had, and nothing left
// reserved when an entity has ended.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/flow/graph.hpp"

namespace pawl::flow {
namespace {

bool takes(const Transition& one) {
    return one.stock == stock::Action::reserve || one.stock == stock::Action::confirm;
}

void check_branches(Findings& found, const EventRule& event, const Transition& one,
                    const std::string& path) {
    const bool creates = event.name == "create";
    if (one.stock && !found.definition().items)
        found.error(path + ".stock", "the flow has no lines whose stock could move",
                    "write `items: true`, or remove `stock`");
    if (one.short_of && (!takes(one) || creates))
        found.error(path + ".short",
                    creates ? "a creation without stock is refused and leaves no entity"
                            : "`short` stands beside `stock: reserve` or `stock: confirm` only",
                    "remove `short`");
    if (one.taken && (!one.exclusive || creates))
        found.error(path + ".taken",
                    creates ? "a creation without its slot is refused and leaves no entity"
                            : "`taken` stands beside `exclusive` only",
                    "remove `taken`");
    if (event.external && takes(one) && !one.short_of)
        found.error(
            path,
            fmt::format("`{}` reports a fact, and says not what to do when the stock is short",
                        event.name),
            "write `short: { to: STATE, saga: SAGA }`");
    if (event.external && one.exclusive && !one.taken)
        found.error(
            path,
            fmt::format("`{}` reports a fact, and says not what to do when the slot is taken",
                        event.name),
            "write `taken: { to: STATE, saga: SAGA }`");
}

// States in which an entity may hold a reservation.
StateSet holding(const Definition& flow, const Graph& graph) {
    StateSet holds(flow.states.size(), false);
    if (flow.create.transitions.front().stock == stock::Action::reserve)
        if (const auto at = graph.index_of(flow.initial); at != Graph::kNone) holds[at] = true;
    for (bool grew = true; grew;) {
        grew = false;
        for (const EventRule& event : flow.events)
            for (const Transition& one : event.transitions)
                for (const std::string& from : one.from) {
                    const std::size_t source = graph.index_of(from);
                    const std::size_t target = one.to == kSame ? source : graph.index_of(one.to);
                    if (source == Graph::kNone || target == Graph::kNone || holds[target]) continue;
                    const bool ends =
                        one.stock == stock::Action::confirm || one.stock == stock::Action::release;
                    const bool carried = holds[source] && !ends;
                    holds[target] = carried || one.stock == stock::Action::reserve;
                    grew = grew || holds[target];
                }
    }
    return holds;
}

void check_left_over(Findings& found) {
    const Definition& flow = found.definition();
    const Graph graph(flow);
    const StateSet holds = holding(flow, graph);
    each_transition(flow, [&](const EventRule& event, const Transition& one,
                              const std::string& path) {
        const std::size_t target = graph.index_of(one.to);
        const bool ends =
            one.stock == stock::Action::confirm || one.stock == stock::Action::release;
        if (target == Graph::kNone || !flow.states[target].final || ends) return;
        const bool held = std::ranges::any_of(one.from, [&](const std::string& from) {
            const std::size_t at = graph.index_of(from);
            return at != Graph::kNone && holds[at];
        });
        if (held)
            found.warn(path,
                       fmt::format("`{}` ends the entity, and what is still reserved goes back",
                                   event.name),
                       "write `stock: release` if it shall, or `stock: confirm` if it was sold");
    });
}

}  // namespace

void check_stock(Findings& found) {
    each_transition(found.definition(), [&](const EventRule& event, const Transition& transition,
                                            const std::string& path) {
        check_branches(found, event, transition, path);
    });
    check_left_over(found);
}

}  // namespace pawl::flow
