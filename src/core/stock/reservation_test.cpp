// SPDX-License-Identifier: Apache-2.0
#include "core/stock/reservation.hpp"

#include <gtest/gtest.h>

namespace pawl::stock {
namespace {

// Ten reserved, seven confirmed, cancelled: three come back, then none, then none.
TEST(Reservation, ReleaseGivesBackWhatIsOpenAndNothingTwice) {
    Reservation one;
    EXPECT_EQ(act(one, Action::reserve, 10), (Change{-10, 10, 0}));
    EXPECT_EQ(act(one, Action::confirm, 10, 7), (Change{0, -7, 7}));
    EXPECT_EQ(act(one, Action::release, 10), (Change{3, -3, 0}));
    EXPECT_EQ(act(one, Action::release, 10), Change{});
    EXPECT_EQ(act(one, Action::release, 10), Change{});
    EXPECT_EQ(one, (Reservation{10, 7, 3, 0}));
}

TEST(Reservation, WhatIsConfirmedWholeIsNotReleased) {
    Reservation one;
    act(one, Action::reserve, 4);
    EXPECT_EQ(act(one, Action::confirm, 4), (Change{0, -4, 4}));
    EXPECT_EQ(act(one, Action::release, 4), Change{});
    EXPECT_EQ(act(one, Action::confirm, 4), Change{});
}

TEST(Reservation, ReservingTwiceHoldsOnce) {
    Reservation one;
    EXPECT_EQ(act(one, Action::reserve, 4), (Change{-4, 4, 0}));
    EXPECT_EQ(act(one, Action::reserve, 4), Change{});
    act(one, Action::confirm, 4);
    EXPECT_EQ(act(one, Action::reserve, 4), Change{}) << "the line has all it asked for";
}

TEST(Reservation, ReservesAgainAfterARelease) {
    Reservation one;
    act(one, Action::reserve, 4);
    act(one, Action::release, 4);
    EXPECT_EQ(act(one, Action::reserve, 4), (Change{-4, 4, 0}));
    EXPECT_EQ(one, (Reservation{8, 0, 4, 0}));
}

TEST(Reservation, ConfirmWithoutAReservationTakesInOneStep) {
    Reservation one;
    EXPECT_EQ(act(one, Action::confirm, 4), (Change{-4, 0, 4}));
    EXPECT_EQ(open_of(one), 0);
    EXPECT_EQ(act(one, Action::release, 4), Change{});
}

TEST(Reservation, ConfirmTakesFromWhatIsOpenFirst) {
    Reservation one;
    act(one, Action::reserve, 2);
    EXPECT_EQ(act(one, Action::confirm, 5), (Change{-3, -2, 5}));
    EXPECT_EQ(one, (Reservation{5, 5, 0, 0}));
}

TEST(Reservation, ReturnsNoMoreThanWasConfirmed) {
    Reservation one;
    EXPECT_EQ(act(one, Action::return_sold, 4), Change{});
    act(one, Action::confirm, 4);
    EXPECT_EQ(act(one, Action::return_sold, 4, 1), (Change{1, 0, -1}));
    EXPECT_EQ(act(one, Action::return_sold, 4, 4), std::nullopt);
    EXPECT_EQ(act(one, Action::return_sold, 4), (Change{3, 0, -3}));
    EXPECT_EQ(act(one, Action::return_sold, 4), Change{});
}

TEST(Reservation, APartIsAtLeastOneAndAtMostWhatThereIs) {
    Reservation one;
    act(one, Action::reserve, 4);
    const Reservation before = one;
    for (const Action action : {Action::confirm, Action::release, Action::return_sold}) {
        EXPECT_EQ(act(one, action, 4, 0), std::nullopt);
        EXPECT_EQ(act(one, action, 4, -1), std::nullopt);
        EXPECT_EQ(act(one, action, 4, 5), std::nullopt);
        EXPECT_EQ(act(one, action, 4, INT64_MAX), std::nullopt);
    }
    EXPECT_EQ(one, before);
    EXPECT_EQ(act(one, Action::confirm, 4, 4), (Change{0, -4, 4}));
}

TEST(Reservation, AFullHouseOfRoundsIsRefusedBeforeTheNumbersEnd) {
    Reservation one{kQuantityMax * 512 - 1, 0, kQuantityMax * 512 - 1, 0};
    EXPECT_EQ(act(one, Action::reserve, 1), (Change{-1, 1, 0}));
    act(one, Action::release, 1);
    EXPECT_EQ(act(one, Action::reserve, 1), std::nullopt);
}

TEST(Reservation, ActionsAreNamedAsInFlowFiles) {
    for (const auto* name : {"reserve", "confirm", "release", "return"})
        EXPECT_EQ(name_of(action_from(name).value()), name);
    EXPECT_EQ(action_from("hold"), std::nullopt);
}

TEST(Reservation, SoundMeansThatNoPartIsMoreThanItsWhole) {
    EXPECT_TRUE(is_sound(Reservation{3, 2, 1, 2}));
    EXPECT_FALSE(is_sound(Reservation{3, 2, 2, 0}));
    EXPECT_FALSE(is_sound(Reservation{3, 2, 1, 3}));
    EXPECT_FALSE(is_sound(Reservation{-1, 0, 0, 0}));
}

}  // namespace
}  // namespace pawl::stock
