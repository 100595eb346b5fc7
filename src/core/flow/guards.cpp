// SPDX-License-Identifier: Apache-2.0
// Conditions.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/deeds.hpp"
#include "core/flow/names.hpp"

namespace pawl::flow {
namespace {

const Value* find_value(const Fields& fields, const std::string& name) {
    const auto at = fields.find(name);
    return at == fields.end() ? nullptr : &at->second;
}

bool is_met(const Case& one, const Guard& guard) {
    const Value* given = find_value(one.values, guard.field);
    const Value* own = find_value(one.entity.fields, guard.field);
    const Value* value = given != nullptr ? given : own;
    const auto compared = [&](const std::string& text) {
        return compare(*value, *parse_value(value->type, text));
    };
    switch (guard.kind) {
        case Guard::Kind::same:
            return given != nullptr && own != nullptr && same(*given, *own);
        case Guard::Kind::owner:
            return own != nullptr && !own->text.empty() && own->text == one.event.caller;
        case Guard::Kind::present:
            return value != nullptr && !value->text.empty();
        case Guard::Kind::equals:
        case Guard::Kind::one_of:
            return value != nullptr &&
                   std::ranges::any_of(
                       guard.values, [&](const std::string& text) { return compared(text) == 0; });
        case Guard::Kind::at_most:
            return value != nullptr && compared(guard.values.front()) <= 0;
        case Guard::Kind::at_least:
            return value != nullptr && compared(guard.values.front()) >= 0;
    }
    return false;
}

}  // namespace

Objected check_guards(const Case& one, const std::vector<Guard>& guards) {
    for (const Guard& guard : guards) {
        if (is_met(one, guard)) continue;
        const auto own = one.entity.fields.find(guard.field);
        const bool is_money = guard.kind == Guard::Kind::same && own != one.entity.fields.end() &&
                              own->second.type == FieldType::money;
        return Objection{is_money ? Reason::amount_mismatch : Reason::guard_refused,
                         fmt::format("`{}` is not {}", guard.field, name_of(guard.kind)),
                         {}};
    }
    return std::nullopt;
}

}  // namespace pawl::flow
