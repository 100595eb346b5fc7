// SPDX-License-Identifier: Apache-2.0
#include "core/flow/value.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/flow/limits.hpp"
#include "core/record/stamp.hpp"

namespace pawl::flow {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// A decimal number in parts, without zeros at either end.
struct Decimal {
    bool negative = false;
    std::string_view whole;
    std::string_view fraction;
    std::string_view currency;
};

// nullopt: not a decimal number.
std::optional<Decimal> decimal_of(std::string_view text) {
    Decimal parts;
    if (const auto blank = text.find(' '); blank != std::string_view::npos) {
        parts.currency = text.substr(blank + 1);
        text = text.substr(0, blank);
        if (parts.currency.size() != 3 || !std::ranges::all_of(parts.currency, is_capital))
            return std::nullopt;
    }
    parts.negative = text.starts_with('-');
    if (parts.negative) text.remove_prefix(1);
    const auto point = text.find('.');
    parts.whole = text.substr(0, point);
    if (point != std::string_view::npos) {
        parts.fraction = text.substr(point + 1);
        if (parts.fraction.empty()) return std::nullopt;
    }
    const bool digits = !parts.whole.empty() && std::ranges::all_of(parts.whole, is_digit) &&
                        std::ranges::all_of(parts.fraction, is_digit);
    if (!digits) return std::nullopt;
    while (parts.whole.starts_with('0')) parts.whole.remove_prefix(1);
    while (parts.fraction.ends_with('0')) parts.fraction.remove_suffix(1);
    if (parts.whole.empty() && parts.fraction.empty()) parts.negative = false;
    return parts;
}

std::strong_ordering magnitude(const Decimal& a, const Decimal& b) {
    if (const auto order = a.whole.size() <=> b.whole.size(); order != 0) return order;
    if (const auto order = a.whole.compare(b.whole) <=> 0; order != 0) return order;
    return a.fraction.compare(b.fraction) <=> 0;
}

std::partial_ordering compare_decimals(std::string_view left, std::string_view right) {
    const auto a = decimal_of(left);
    const auto b = decimal_of(right);
    if (!a || !b || a->currency != b->currency) return std::partial_ordering::unordered;
    if (a->negative != b->negative)
        return a->negative ? std::partial_ordering::less : std::partial_ordering::greater;
    return a->negative ? magnitude(*b, *a) : magnitude(*a, *b);
}

Result<Value> parse_integer(std::string_view text) {
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    const bool leading_zero = digits.size() > 1 && digits.starts_with('0');
    if (digits.empty() || leading_zero || text == "-0" || !std::ranges::all_of(digits, is_digit))
        return fail(Code::request_invalid, "not a whole number such as 42");
    if (digits.size() > kIntegerDigitsMax)
        return fail(Code::request_invalid,
                    fmt::format("{} digits, at most {}", digits.size(), kIntegerDigitsMax));
    return Value{FieldType::integer, std::string(text)};
}

Result<Value> parse_money(std::string_view text) {
    if (text.size() > kMoneyDigitsMax)
        return fail(Code::request_invalid,
                    fmt::format("{} characters, at most {}", text.size(), kMoneyDigitsMax));
    if (!decimal_of(text))
        return fail(Code::request_invalid, "not an amount such as 12.50 or \"12.50 EUR\"");
    return Value{FieldType::money, std::string(text)};
}

}  // namespace

Result<Value> parse_value(FieldType type, std::string_view text) {
    switch (type) {
        case FieldType::text:
            break;
        case FieldType::integer:
            return parse_integer(text);
        case FieldType::money:
            return parse_money(text);
        case FieldType::boolean:
            if (text != "true" && text != "false")
                return fail(Code::request_invalid, "not true or false");
            return Value{type, std::string(text)};
        case FieldType::time: {
            const auto stamp = record::parse_stamp(text);
            if (!stamp || stamp->kind != record::StampKind::time)
                return fail(Code::request_invalid, "not a time such as 2026-05-01T12:00:00Z");
            return Value{type, stamp->canonical + "Z"};
        }
    }
    if (text.size() > kTextBytesMax)
        return fail(Code::request_invalid,
                    fmt::format("{} bytes, at most {}", text.size(), kTextBytesMax));
    return Value{FieldType::text, std::string(text)};
}

std::partial_ordering compare(const Value& a, const Value& b) {
    if (a.type != b.type) return std::partial_ordering::unordered;
    if (a.type == FieldType::integer || a.type == FieldType::money)
        return compare_decimals(a.text, b.text);
    if (a.type == FieldType::boolean && a.text != b.text) return std::partial_ordering::unordered;
    if (a.type == FieldType::time) {
        // Without the Z, "…:05" sorts before "…:05.5".
        const std::string_view left(a.text.data(), a.text.size() - 1);
        return left.compare(std::string_view(b.text.data(), b.text.size() - 1)) <=> 0;
    }
    return a.text.compare(b.text) <=> 0;
}

}  // namespace pawl::flow
