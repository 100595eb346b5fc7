// SPDX-License-Identifier: Apache-2.0
#include "core/stock/lines.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/stock/level.hpp"

namespace pawl::stock {
namespace {

constexpr std::array<std::string_view, 2> kKinds{"goods", "voucher"};

Status check(const Line& line) {
    const std::string& code = line.sku.code;
    if (code.empty()) return fail(Code::request_invalid, "a line has no SKU");
    if (code.size() > kSkuBytesMax)
        return fail(Code::request_invalid,
                    fmt::format("an SKU has {} bytes, at most {}", code.size(), kSkuBytesMax));
    if (std::ranges::any_of(code, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
        return fail(Code::request_invalid, "an SKU holds a control character");
    if (line.quantity < 1 || line.quantity > kQuantityMax)
        return fail(Code::request_invalid,
                    fmt::format("`{}`: the quantity is not from 1 to {}", code, kQuantityMax));
    return {};
}

}  // namespace

std::string_view name_of(Kind kind) { return kKinds[std::to_underlying(kind)]; }

std::optional<Kind> kind_from(std::string_view name) {
    const auto at = std::ranges::find(kKinds, name);
    if (at == kKinds.end()) return std::nullopt;
    return static_cast<Kind>(at - kKinds.begin());
}

Result<std::vector<Line>> merged(std::vector<Line> lines) {
    if (lines.empty()) return fail(Code::request_invalid, "there are no lines");
    if (lines.size() > kLinesMax)
        return fail(Code::request_invalid,
                    fmt::format("{} lines, at most {}", lines.size(), kLinesMax));
    for (const Line& line : lines)
        if (Status good = check(line); !good) return fail(good.error());
    std::ranges::sort(lines, {}, &Line::sku);
    std::vector<Line> sums;
    for (Line& line : lines) {
        if (sums.empty() || sums.back().sku != line.sku) {
            sums.push_back(std::move(line));
        } else if (sums.back().quantity > kQuantityMax - line.quantity) {
            return fail(Code::request_invalid,
                        fmt::format("`{}`: the quantities of its lines add up to more than {}",
                                    line.sku.code, kQuantityMax));
        } else {
            sums.back().quantity += line.quantity;
        }
    }
    return sums;
}

}  // namespace pawl::stock
