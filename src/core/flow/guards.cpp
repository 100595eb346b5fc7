// SPDX-License-Identifier: Apache-2.0
// Conditions.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/deeds.hpp"

namespace pawl::flow {
namespace {

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
        case Guard::Kind::between:
            return value != nullptr && compared(guard.values.front()) >= 0 &&
                   compared(guard.values.back()) <= 0;
    }
    return false;
}

constexpr std::size_t kShownMax = 60;

std::string shown(const std::string& text) {
    std::size_t end = std::min(text.size(), kShownMax);
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) >> 6) == 2) --end;
    return fmt::format("`{}{}`", text.substr(0, end), end < text.size() ? "…" : "");
}

std::string listed(const Names& values) {
    std::string out;
    for (const std::string& value : values) out += (out.empty() ? "" : ", ") + shown(value);
    return out;
}

// A text that a caller was to know is not told to one who does not; whoever looks at a fact may know both.
bool may_name_own(const Case& one, const Value& own) {
    return one.rule.external || own.type != FieldType::text;
}

std::string unmet(const Case& one, const Guard& guard) {
    const Value* given = find_value(one.values, guard.field);
    const Value* own = find_value(one.entity.fields, guard.field);
    const Value* value = given != nullptr ? given : own;
    const bool compares_both = guard.kind == Guard::Kind::same;
    if (guard.kind == Guard::Kind::owner) return fmt::format("`{}` is not the caller", guard.field);
    const bool is_missing = compares_both ? given == nullptr : value == nullptr;
    std::string is = is_missing || value->text.empty()
                         ? fmt::format("`{}` is missing", guard.field)
                         : fmt::format("`{}` is {}", guard.field, shown(value->text));
    switch (guard.kind) {
        case Guard::Kind::same:
            if (own != nullptr && may_name_own(one, *own))
                return fmt::format("{}, the entity's is {}", is, shown(own->text));
            return is + ", which is not the entity's";
        case Guard::Kind::equals:
            return fmt::format("{}, and has to be {}", is, listed(guard.values));
        case Guard::Kind::one_of:
            return fmt::format("{}, and has to be one of {}", is, listed(guard.values));
        case Guard::Kind::at_most:
            return fmt::format("{}, and may be {} at most", is, listed(guard.values));
        case Guard::Kind::at_least:
            return fmt::format("{}, and has to be {} at least", is, listed(guard.values));
        case Guard::Kind::between:
            return fmt::format("{}, and has to be from {} to {}", is, shown(guard.values.front()),
                               shown(guard.values.back()));
        case Guard::Kind::present:
        case Guard::Kind::owner:
            break;
    }
    return is;
}

}  // namespace

Objected check_guards(const Case& one, const std::vector<Guard>& guards) {
    for (const Guard& guard : guards) {
        if (is_met(one, guard)) continue;
        const auto own = one.entity.fields.find(guard.field);
        const bool is_money = guard.kind == Guard::Kind::same && own != one.entity.fields.end() &&
                              own->second.type == FieldType::money;
        return Objection{
            is_money ? Reason::amount_mismatch : Reason::guard_refused, unmet(one, guard), {}};
    }
    return std::nullopt;
}

}  // namespace pawl::flow
