// SPDX-License-Identifier: Apache-2.0
// The lines of an order, as stock sees them: one line per SKU, in one order for everybody, so that two
// commits never wait for each other crosswise and one never for itself. Coupons are lines of kind voucher.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result/result.hpp"

namespace pawl::stock {

inline constexpr std::size_t kLinesMax = 500;
inline constexpr std::size_t kSkuBytesMax = 128;

enum class Kind : std::uint8_t { goods, voucher };
std::string_view name_of(Kind kind);
std::optional<Kind> kind_from(std::string_view name);

struct Sku {
    Kind kind = Kind::goods;
    std::string code;
    auto operator<=>(const Sku&) const = default;
};

struct Line {
    Sku sku;
    std::int64_t quantity = 0;
    bool operator==(const Line&) const = default;
};

// Sorted by SKU, quantities of equal SKUs added. Errors: request_invalid for no or too many lines, an empty,
// overlong or unprintable SKU, a quantity below 1, a sum above kQuantityMax.
Result<std::vector<Line>> merged(std::vector<Line> lines);

}  // namespace pawl::stock
