// SPDX-License-Identifier: Apache-2.0
#include "runtime/codec/visible.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace pawl {
namespace {

struct Point {
    char32_t value = 0;
    std::size_t bytes = 1;
};

// Of two and three bytes, which hold all that is looked for; anything else is its first byte.
Point point_at(std::string_view text) {
    const auto byte = [text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto follows = [&byte](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
    if ((byte(0) & 0xe0U) == 0xc0U && follows(1))
        return {((byte(0) & 0x1fU) << 6U) | (byte(1) & 0x3fU), 2};
    if ((byte(0) & 0xf0U) == 0xe0U && follows(1) && follows(2))
        return {((byte(0) & 0x0fU) << 12U) | ((byte(1) & 0x3fU) << 6U) | (byte(2) & 0x3fU), 3};
    return {byte(0), 1};
}

// Controls, and what nobody sees but what turns a line around, ends it, or makes two texts look alike.
bool is_unseen(char32_t point) {
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0xad || point == 0x61c ||
           point == 0x180e || (point >= 0x200b && point <= 0x200f) ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2060 && point <= 0x206f) ||
           point == 0xfeff || (point >= 0xfff9 && point <= 0xfffb);
}

}  // namespace

std::string visible(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Point point = point_at(text);
        // A byte above 0x7f by itself is no character, and the terminal shows that.
        const bool lone = point.bytes == 1 && point.value >= 0x80;
        if (lone || !is_unseen(point.value))
            out += text.substr(0, point.bytes);
        else if (point.value < 0x100)
            out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(point.value));
        else
            out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(point.value));
        text.remove_prefix(point.bytes);
    }
    return out;
}

}  // namespace pawl
