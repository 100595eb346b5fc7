// SPDX-License-Identifier: Apache-2.0
#include "core/stock/level.hpp"

#include "runtime/plant/planted.hpp"

namespace pawl::stock {
namespace {

constexpr bool is_quantity(std::int64_t n) { return n >= 0 && n <= kQuantityMax; }
// What may be added: three sums of a quantity and such a step never leave the numbers.
constexpr bool is_step(std::int64_t n) { return n >= -kQuantityMax && n <= kQuantityMax; }

}  // namespace

bool is_sound(const Level& level) {
    return is_quantity(level.available) && is_quantity(level.reserved) && is_quantity(level.sold) &&
           is_quantity(total_of(level));
}

Outcome apply(Level& level, const Change& change) {
    if (!is_step(change.available) || !is_step(change.reserved) || !is_step(change.sold))
        return Outcome::overflowed;
    const Level next{level.available + change.available, level.reserved + change.reserved,
                     level.sold + change.sold};
    if (next.reserved < 0 || next.sold < 0) return Outcome::unsound;
    const bool blind = is_planted(Plant::sold_without_stock);
    if (next.available < 0 && !blind) return Outcome::shortage;
    if (!is_sound(next) && !blind) return Outcome::overflowed;
    level = next;
    return Outcome::moved;
}

Outcome adjust(Level& level, std::int64_t by) { return apply(level, {by, 0, 0}); }

Outcome set(Level& level, std::int64_t total) {
    if (!is_quantity(total)) return total < 0 ? Outcome::shortage : Outcome::overflowed;
    return apply(level, {total - total_of(level), 0, 0});
}

}  // namespace pawl::stock
