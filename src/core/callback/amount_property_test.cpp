// SPDX-License-Identifier: Apache-2.0
// An amount is the same value however it is spelled, and comes back exactly.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "core/callback/amount.hpp"

namespace pawl::callback {
namespace {

// `units` of 10^-decimals, with `zeros` behind, in decimal text.
std::string spelled(std::int64_t units, int decimals, int zeros) {
    std::string text = std::to_string(units);
    const auto places = static_cast<std::size_t>(decimals);
    if (text.size() <= places) text.insert(0, places + 1 - text.size(), '0');
    if (decimals + zeros > 0) text.insert(text.size() - places, 1, '.');
    return text.append(static_cast<std::size_t>(zeros), '0');
}

RC_GTEST_PROP(AmountProperty, EverySpellingIsTheSameValue, ()) {
    const auto units = *rc::gen::inRange<std::int64_t>(0, kAmountUnitsMax + 1);
    const int decimals = *rc::gen::inRange(0, kAmountDecimalsMax + 1);
    const int zeros = *rc::gen::inRange(0, 8);
    const auto minor = Amount::in_minor_units(std::to_string(units), "CNY", decimals);
    RC_ASSERT(minor.has_value());
    RC_ASSERT(minor->minor_units(decimals) == units);
    RC_ASSERT(Amount::in_decimal(spelled(units, decimals, zeros), "cny") == minor);
    RC_ASSERT(Amount::in_decimal(std::to_string(units) + "e-" + std::to_string(decimals), "CNY") ==
              minor);
    RC_ASSERT(Amount::in_decimal(minor->decimal_text(), "CNY") == minor);
}

RC_GTEST_PROP(AmountProperty, NeighboursDiffer, ()) {
    const auto units = *rc::gen::inRange<std::int64_t>(0, kAmountUnitsMax);
    const int decimals = *rc::gen::inRange(0, kAmountDecimalsMax + 1);
    const auto of = [decimals](std::int64_t count) {
        return Amount::in_minor_units(std::to_string(count), "CNY", decimals);
    };
    RC_ASSERT(of(units) && of(units + 1) && !(of(units) == of(units + 1)));
}

}  // namespace
}  // namespace pawl::callback
