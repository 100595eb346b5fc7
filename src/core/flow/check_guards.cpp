// SPDX-License-Identifier: Apache-2.0
// Conditions: known fields, as many values as the kind takes, and values that such a field can have.
#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/flow/names.hpp"

namespace pawl::flow {
namespace {

bool is_ordered(FieldType type) {
    return type == FieldType::integer || type == FieldType::money || type == FieldType::time;
}

bool is_of_entity(const Definition& flow, const std::string& field) {
    return type_of(flow, flow.create, field).has_value();
}

void check_count(Findings& found, const Guard& guard, const std::string& path) {
    const bool takes_none = guard.kind == Guard::Kind::same || guard.kind == Guard::Kind::present ||
                            guard.kind == Guard::Kind::owner;
    const bool takes_several = guard.kind == Guard::Kind::one_of;
    const bool takes_two = guard.kind == Guard::Kind::between;
    const bool fits = takes_none      ? guard.values.empty()
                      : takes_several ? !guard.values.empty()
                                      : guard.values.size() == (takes_two ? 2U : 1U);
    if (fits) return;
    const std::string_view kind = name_of(guard.kind);
    found.error(path, fmt::format("`{}` with {} values", kind, guard.values.size()),
                takes_none      ? fmt::format("write `{}: {}`", guard.field, kind)
                : takes_several ? fmt::format("write `{}: {{ one_of: [A, B] }}`", guard.field)
                : takes_two ? fmt::format("write `{}: {{ at_least: A, at_most: B }}`", guard.field)
                            : fmt::format("write `{}: {{ {}: VALUE }}`", guard.field, kind));
}

// The event could never happen.
void check_ends(Findings& found, const Guard& guard, FieldType type, const std::string& path) {
    const auto low = parse_value(type, guard.values.front());
    const auto high = parse_value(type, guard.values.back());
    if (low && high && !(compare(*low, *high) <= 0))
        found.error(path,
                    fmt::format("nothing is `{}` at least and `{}` at most", guard.values.front(),
                                guard.values.back()),
                    fmt::format("write `{}: {{ at_least: LESS, at_most: MORE }}`, in one currency",
                                guard.field));
}

void check_guard(Findings& found, const EventRule& event, const Guard& guard,
                 const std::string& path) {
    const Definition& flow = found.definition();
    const auto type = type_of(flow, event, guard.field);
    if (!type) {
        found.error(path, fmt::format("`{}` is not a field of `{}`", guard.field, event.name),
                    fmt::format("declare it under `fields`, of the flow or of `{}`", event.name));
        return;
    }
    check_count(found, guard, path);
    const bool needs_entity = guard.kind == Guard::Kind::same || guard.kind == Guard::Kind::owner;
    if (guard.kind == Guard::Kind::same && event.name == "create")
        found.error(path, "at creation there is nothing to be the same as",
                    "use `equals`, `one_of`, `at_most`, `at_least` or `present`");
    else if (needs_entity && !is_of_entity(flow, guard.field))
        found.error(path, fmt::format("entities have no `{}`", guard.field),
                    "declare it under the flow's `fields`");
    if (guard.kind == Guard::Kind::owner && *type != FieldType::text)
        found.error(
            path,
            fmt::format("`{}` is of type {}, a caller's name is text", guard.field, name_of(*type)),
            fmt::format("write `fields: {{ {}: text }}`", guard.field));
    const bool is_bound = guard.kind == Guard::Kind::at_most ||
                          guard.kind == Guard::Kind::at_least || guard.kind == Guard::Kind::between;
    if (is_bound && !is_ordered(*type))
        found.error(
            path,
            fmt::format("`{}` is of type {}, which has no order", guard.field, name_of(*type)),
            "use `equals` or `one_of`");
    for (const std::string& value : guard.values)
        if (const auto parsed = parse_value(*type, value); !parsed)
            found.error(path, fmt::format("`{}`: {}", value, parsed.error().text),
                        fmt::format("write a value of type {}", name_of(*type)));
    if (guard.kind == Guard::Kind::between && guard.values.size() == 2 && is_ordered(*type))
        check_ends(found, guard, *type, path);
}

}  // namespace

void check_guards(Findings& found) {
    each_transition(found.definition(), [&](const EventRule& event, const Transition& transition,
                                            const std::string& path) {
        for (const Guard& guard : transition.require)
            check_guard(found, event, guard, fmt::format("{}.require.{}", path, guard.field));
    });
}

}  // namespace pawl::flow
