// SPDX-License-Identifier: Apache-2.0
// The names by which facts, fields and sagas speak of money. An amount is one with its currency: `12.50` and `EUR`
// beside it, or `12.50 EUR`.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/flow/entity.hpp"

namespace pawl::flow {

inline constexpr std::array<std::string_view, 2> kMoney{"amount", "currency"};

constexpr bool is_money(std::string_view name) {
    return std::ranges::find(kMoney, name) != kMoney.end();
}

// nullptr: it is not told there.
inline const std::string* told_in(const Texts& values, std::string_view name) {
    const auto at = std::ranges::find(values, name, &Texts::value_type::first);
    return at == values.end() ? nullptr : &at->second;
}

// For people: an amount with the currency that stands beside it.
std::string shown(const Fields& fields, std::string_view name);

}  // namespace pawl::flow
