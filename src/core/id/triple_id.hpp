// SPDX-License-Identifier: Apache-2.0
// What support reads out over the telephone: trace, merchant's order and time in one text of at most 64 characters,
// `trace12_order20_ms`. An index with possibly several hits, never an identity: order numbers are cut.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::id {

inline constexpr std::size_t kTripleTraceLength = 12;
inline constexpr std::size_t kTripleOrderLengthMax = 20;
inline constexpr std::size_t kTripleLengthMax = 64;

// `trace_id`: its first 12 hexadecimal digits, zeros where there are fewer. `order`: its last 20 characters, which
// tell more than the first; what is no letter, digit, `.` or `-` becomes `-`. Unit: `at_ms` since 1970, 0 at least.
std::string triple_id(std::string_view trace_id, std::string_view order, std::int64_t at_ms);

struct Triple {
    std::string trace;
    std::string order;
    std::int64_t at_ms = 0;
    auto operator<=>(const Triple&) const = default;
};
// nullopt: not of the form.
std::optional<Triple> parse_triple_id(std::string_view text);

}  // namespace pawl::id
