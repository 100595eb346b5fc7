// SPDX-License-Identifier: Apache-2.0
#include "core/stock/reservation.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/plant/planted.hpp"

namespace pawl::stock {
namespace {

constexpr std::array<std::string_view, kActionCount> kNames{"reserve", "confirm", "release",
                                                            "return"};

constexpr std::int64_t kHeldMax = kQuantityMax * 512;

Change reserve(Reservation& one, std::int64_t n) {
    one.held += n;
    return {-n, n, 0};
}

Change confirm(Reservation& one, std::int64_t n) {
    const std::int64_t from_open = std::min(n, open_of(one));
    const std::int64_t at_once = n - from_open;
    one.held += at_once;
    one.confirmed += n;
    return {-at_once, -from_open, n};
}

Change release(Reservation& one, std::int64_t n) {
    one.released += n;
    return {is_planted(Plant::released_twice) ? 2 * n : n, -n, 0};
}

Change give_back(Reservation& one, std::int64_t n) {
    one.returned += n;
    return {n, 0, -n};
}

}  // namespace

std::string_view name_of(Action action) { return kNames[std::to_underlying(action)]; }

std::optional<Action> action_from(std::string_view name) {
    const auto at = std::ranges::find(kNames, name);
    if (at == kNames.end()) return std::nullopt;
    return static_cast<Action>(at - kNames.begin());
}

bool is_sound(const Reservation& one) {
    return one.held >= 0 && one.confirmed >= 0 && one.released >= 0 && one.returned >= 0 &&
           one.returned <= one.confirmed && one.confirmed <= one.held &&
           one.released <= one.held - one.confirmed;
}

std::optional<Change> act(Reservation& one, Action action, std::int64_t line,
                          std::optional<std::int64_t> part) {
    if (line < 0 || line > kQuantityMax || (part && (*part < 1 || *part > kQuantityMax)))
        return std::nullopt;
    const std::int64_t in_hand = one.confirmed - one.returned;
    std::int64_t most = 0;
    switch (action) {
        case Action::reserve:
            most = std::max<std::int64_t>(0, line - open_of(one) - in_hand);
            break;
        case Action::confirm:
            most = std::max<std::int64_t>(0, line - in_hand);
            break;
        case Action::release:
            most = open_of(one);
            break;
        case Action::return_sold:
            most = in_hand;
            break;
    }
    const std::int64_t n = part.value_or(most);
    if (n > most) return std::nullopt;
    // Sums over all rounds stay far inside the numbers: what would grow past that is refused.
    const bool grows = action == Action::reserve || action == Action::confirm;
    if (grows && one.held > kHeldMax - n) return std::nullopt;
    switch (action) {
        case Action::reserve:
            return reserve(one, n);
        case Action::confirm:
            return confirm(one, n);
        case Action::release:
            return release(one, n);
        case Action::return_sold:
            break;
    }
    return give_back(one, n);
}

}  // namespace pawl::stock
