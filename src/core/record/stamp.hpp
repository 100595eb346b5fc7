// SPDX-License-Identifier: Apache-2.0
// A version stamp: the order in which a caller corrects one operation. Integers of any size and RFC 3339
// times, compared exactly: neither passes through a machine number, so that 2^53 + 1 differs from 2^53
// and a time keeps every digit of its fraction.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/result/result.hpp"

namespace pawl::record {

enum class StampKind : std::uint8_t { integer = 1, time = 2 };

// Shape: `canonical` is unique per value: an integer without sign and leading zeros ("0" for zero); a time
// in UTC as "YYYY-MM-DDTHH:MM:SS" and, when it is not zero, "." with the fraction without trailing zeros.
struct Stamp {
    StampKind kind = StampKind::integer;
    std::string canonical;
    bool operator==(const Stamp&) const = default;
};

inline constexpr std::size_t kStampLengthMax = 200;

// Errors: version_invalid for anything else, for more than kStampLengthMax characters, and for a negative.
Result<Stamp> parse_stamp(std::string_view text);

// Precondition: equal kinds. Stamps of two kinds on one key are refused before they are compared.
std::strong_ordering compare(const Stamp& a, const Stamp& b);

// Of two requests with one key, each stamped or not. unordered: they may not meet on one key.
std::partial_ordering order_of(const std::optional<Stamp>& a, const std::optional<Stamp>& b);

}  // namespace pawl::record
