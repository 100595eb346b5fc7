// SPDX-License-Identifier: Apache-2.0
// Any actions of any orders on one level, at any size: Q1 never below zero, Q2 conserved, Q3 a reservation
// ends once, and what is refused changes nothing.
#include <array>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "core/stock/reservation.hpp"

namespace pawl::stock {
namespace {

struct Step {
    int order;
    int action;
    std::int64_t part;
};

rc::Gen<std::vector<Step>> steps() {
    const auto step =
        rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 3), rc::gen::inRange(0, 6),
                                    rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-1, 8),
                                                   rc::gen::arbitrary<std::int64_t>())),
                     [](const auto& numbers) { return std::make_from_tuple<Step>(numbers); });
    return rc::gen::scale(2.0, rc::gen::container<std::vector<Step>>(step));
}

struct World {
    Level level{5, 0, 0};
    std::array<Reservation, 3> orders{};
};

void take(World& world, const Step& step) {
    const World before = world;
    const std::int64_t total = total_of(world.level);
    Outcome outcome = Outcome::moved;
    if (step.action == 4) {
        outcome = adjust(world.level, step.part);
        if (outcome == Outcome::moved) RC_ASSERT(total_of(world.level) == total + step.part);
    } else if (step.action == 5) {
        outcome = set(world.level, step.part);
        if (outcome == Outcome::moved) RC_ASSERT(total_of(world.level) == step.part);
    } else {
        Reservation& one = world.orders[static_cast<std::size_t>(step.order)];
        const std::int64_t open = open_of(one);
        const auto action = static_cast<Action>(step.action);
        const auto part =
            step.part == 0 || action == Action::reserve ? std::nullopt : std::optional(step.part);
        const auto change = act(one, action, 4, part);
        if (!change) {
            RC_ASSERT(world.orders == before.orders);
            return;
        }
        if (open == 0 && action == Action::release) RC_ASSERT(is_nothing(*change));
        RC_ASSERT(change->available + change->reserved + change->sold == 0);
        outcome = apply(world.level, *change);
        RC_ASSERT(outcome != Outcome::unsound);
        if (outcome != Outcome::moved) one = before.orders[static_cast<std::size_t>(step.order)];
        RC_ASSERT(total_of(world.level) == total);
    }
    if (outcome != Outcome::moved) RC_ASSERT(world.level == before.level);
}

TEST(StockProperty, AnyActionsKeepTheSumsAndNothingGoesBelowZero) {
    EXPECT_TRUE(rc::check([] {
        World world;
        for (const Step& step : *steps()) {
            take(world, step);
            RC_ASSERT(is_sound(world.level));
            std::int64_t open = 0;
            std::int64_t in_hand = 0;
            for (const Reservation& one : world.orders) {
                RC_ASSERT(is_sound(one));
                open += open_of(one);
                in_hand += one.confirmed - one.returned;
                RC_ASSERT(one.confirmed - one.returned + open_of(one) <= 4);
            }
            RC_ASSERT(world.level.reserved == open);
            RC_ASSERT(world.level.sold == in_hand);
        }
    }));
}

}  // namespace
}  // namespace pawl::stock
