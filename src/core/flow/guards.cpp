// SPDX-License-Identifier: Apache-2.0
// Conditions and scan tokens.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/flow/deeds.hpp"
#include "core/flow/names.hpp"
#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

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

std::optional<std::int64_t> token_time(const Case& one) {
    const Value* value = find_value(one.values, one.rule.token->time);
    std::int64_t ms = 0;
    if (value == nullptr) return std::nullopt;
    const char* end = value->text.data() + value->text.size();
    const auto read = std::from_chars(value->text.data(), end, ms);
    if (read.ec != std::errc{} || read.ptr != end || ms < 0) return std::nullopt;
    return ms;
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

Objected check_token(const Case& one) {
    if (!one.rule.token) return std::nullopt;
    const auto invalid = [] {
        return Objection{Reason::token_invalid, "the token does not fit what it came with", {}};
    };
    DigestStream expected;
    expected.add_part("pawl.scan");
    for (const std::string& name : one.rule.token->over) {
        const Value* value = find_value(one.values, name);
        if (value == nullptr) value = find_value(one.entity.fields, name);
        if (value == nullptr) return invalid();
        expected.add_part(value->text);
    }
    const Value* token = find_value(one.values, one.rule.token->field);
    const auto bytes = token == nullptr ? std::nullopt : from_hex(token->text);
    if (!bytes || !equal_in_constant_time(*bytes, expected.finish().view())) return invalid();
    const auto made = token_time(one);
    if (!made || *made > timer::after_ms(one.event.now_ms, one.rule.token->skew)) return invalid();
    return std::nullopt;
}

Objected check_token_age(const Case& one) {
    if (!one.rule.token) return std::nullopt;
    const std::int64_t until = timer::after_ms(token_time(one).value_or(0), one.rule.token->valid);
    if (one.event.now_ms <= until) return std::nullopt;
    return Objection{Reason::token_expired, "the token is too old; scan again", {}};
}

}  // namespace pawl::flow
