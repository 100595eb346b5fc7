// SPDX-License-Identifier: Apache-2.0
// A field's value as its exact text. Money and integers never pass through a machine number: 2^53 + 1 differs
// from 2^53, 12.50 equals 12.5, and 12.50 EUR equals no 12.50 USD.
//
//   type     written as                          compared
//   text     up to 4,096 bytes                   byte by byte
//   integer  -17, of any size                    as numbers
//   money    12.50 or "12.50 EUR"                as numbers, within one currency
//   boolean  true, false                         equal or not
//   time     RFC 3339                            as instants; kept in UTC
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/result/result.hpp"

namespace pawl::flow {

enum class FieldType : std::uint8_t { text, integer, money, boolean, time };
inline constexpr int kFieldTypeCount = 5;

// `text` is as it was given; a time is the same instant in UTC, so that texts sort as times do.
struct Value {
    FieldType type = FieldType::text;
    std::string text;
    bool operator==(const Value&) const = default;  // the same text; `compare` for the same value
};
using Fields = std::map<std::string, Value, std::less<>>;

// Errors: request_invalid, with what to write.
Result<Value> parse_value(FieldType type, std::string_view text);

// unordered: two types, two currencies, two different booleans.
std::partial_ordering compare(const Value& a, const Value& b);
inline bool same(const Value& a, const Value& b) { return compare(a, b) == 0; }

}  // namespace pawl::flow
