// SPDX-License-Identifier: Apache-2.0
#include "core/flow/check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/flow/findings.hpp"

namespace pawl::flow {

std::string path_of(const EventRule& event) {
    return event.name == "create" ? "create" : fmt::format("events.{}", event.name);
}

const EventRule* event_named(const Definition& definition, const std::string& name) {
    const auto at = std::ranges::find(definition.events, name, &EventRule::name);
    return at == definition.events.end() ? nullptr : &*at;
}

void each_transition(const Definition& definition, const Visit& visit) {
    visit(definition.create, definition.create.transitions.front(), "create");
    for (const EventRule& event : definition.events)
        for (std::size_t i = 0; i < event.transitions.size(); ++i)
            visit(event, event.transitions[i],
                  event.transitions.size() == 1
                      ? path_of(event)
                      : fmt::format("{}.transitions[{}]", path_of(event), i));
}

std::optional<FieldType> type_of(const Definition& definition, const EventRule& event,
                                 std::string_view field) {
    for (const auto* fields : {&event.fields, &definition.fields})
        for (const Field& one : *fields)
            if (one.name == field) return one.type;
    const bool is_fact = std::ranges::find(kFacts, field) != std::ranges::end(kFacts) ||
                         (definition.correlate && definition.correlate->callback == field);
    if (event.external && is_fact) return FieldType::text;
    return std::nullopt;
}

std::vector<Finding> check(const Definition& definition) {
    Findings found(definition);
    check_names(found);
    check_references(found);
    check_guards(found);
    check_calls(found);
    check_probes(found);
    check_tokens(found);
    check_reversed(found);
    // A name that means nothing would make good states look unreachable: said first, and alone.
    if (found.has_errors()) return found.take();
    check_answers(found);
    check_graph(found);
    check_deadlines(found);
    check_timers(found);
    check_caps(found);
    check_exits(found);
    check_stock(found);
    check_branches(found);
    check_payments(found);
    check_saga_keys(found);
    check_money(found);
    return found.take();
}

}  // namespace pawl::flow
