// SPDX-License-Identifier: Apache-2.0
// What there is of one SKU. Three quantities, never below zero, whose sum is the total; only `set` and
// `adjust` change the total, everything else moves between the three (Q1, Q2).
//
//   action    | available | reserved | sold
//   ----------+-----------+----------+------
//   reserve n |    - n    |   + n    |
//   confirm n |           |   - n    | + n     of a reservation
//   confirm n |    - n    |          | + n     without one: taken and confirmed in one step
//   release n |    + n    |   - n    |
//   return n  |    + n    |          | - n
//   adjust d  |    + d    |          |
//   set t     | t - reserved - sold  |         the total counts what was sold, so that a sale that is under
//                                              way changes nothing about it
#pragma once

#include <cstdint>

namespace pawl::stock {

// Exact in JSON and in every store's scripts.
inline constexpr std::int64_t kQuantityMax = (std::int64_t{1} << 53) - 1;

struct Level {
    std::int64_t available = 0;
    std::int64_t reserved = 0;
    std::int64_t sold = 0;
    bool operator==(const Level&) const = default;
};
constexpr std::int64_t total_of(const Level& level) {
    return level.available + level.reserved + level.sold;
}
// Each quantity and their sum within 0 and kQuantityMax: what every level is that this folder made.
bool is_sound(const Level& level);

// What an action adds to each quantity.
struct Change {
    std::int64_t available = 0;
    std::int64_t reserved = 0;
    std::int64_t sold = 0;
    bool operator==(const Change&) const = default;
};
constexpr bool is_nothing(const Change& change) { return change == Change{}; }

enum class Outcome : std::uint8_t {
    moved,
    shortage,  // fewer available than asked for; the level is as it was
    unsound,   // fewer reserved or sold than the change takes back: the rows contradict each other
    overflowed,  // more than kQuantityMax
};

// Changes the level, or leaves it as it was. Precondition: a sound level.
Outcome apply(Level& level, const Change& change);

// New stock came in (positive) or was lost (negative).
Outcome adjust(Level& level, std::int64_t by);
// The total becomes this. Shortage: less than what is reserved and sold.
Outcome set(Level& level, std::int64_t total);

}  // namespace pawl::stock
