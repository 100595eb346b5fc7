// SPDX-License-Identifier: Apache-2.0
// What one order holds of one SKU, counted since it began: held q, confirmed c, released r with c + r <= q;
// returned is the part of c that came back. Open is q - c - r; a reservation ends when nothing is open, and
// what has ended is neither confirmed nor released a second time (Q3). Each action says what it moves; the
// level is somebody else's.
//
//   action     | without a number              | with n                      | refused when
//   -----------+-------------------------------+-----------------------------+--------------------------------
//   reserve    | brings open up to the line    | -                           | never here: the level decides
//   confirm    | what the line still lacks     | n                           | n > what the line still lacks
//   release    | what is open (0: a no-op)     | n                           | n > open
//   return     | what is confirmed and not     | n                           | n > confirmed - returned
//              | returned                      |                             |
//
// Confirm takes from what is open first; the rest is taken and confirmed in one step.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/stock/level.hpp"

namespace pawl::stock {

enum class Action : std::uint8_t { reserve, confirm, release, return_sold };
inline constexpr int kActionCount = 4;
// "reserve", "confirm", "release", "return": as in flow files.
std::string_view name_of(Action action);
std::optional<Action> action_from(std::string_view name);

struct Reservation {
    std::int64_t held = 0;
    std::int64_t confirmed = 0;
    std::int64_t released = 0;
    std::int64_t returned = 0;
    bool operator==(const Reservation&) const = default;
};
constexpr std::int64_t open_of(const Reservation& one) {
    return one.held - one.confirmed - one.released;
}
bool is_sound(const Reservation& one);

// The change that the action makes to the level; `one` is changed with it. nullopt: refused, `one` is as it
// was. `line`: what the order asked for of this SKU. `part`: only so much of it, at least 1.
std::optional<Change> act(Reservation& one, Action action, std::int64_t line,
                          std::optional<std::int64_t> part = {});

}  // namespace pawl::stock
