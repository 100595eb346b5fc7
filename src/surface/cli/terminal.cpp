// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/terminal.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace pawl::cli {

std::string Paint::wrapped(std::string_view code, std::string_view text) const {
    return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

bool wants_colour(int file_descriptor) {
    const char* refused = std::getenv("NO_COLOR");
    return isatty(file_descriptor) == 1 && (refused == nullptr || *refused == '\0');
}

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

std::string visible_lines(std::string_view text) {
    std::string out;
    for (;;) {
        const std::size_t end = text.find('\n');
        out += visible(text.substr(0, end));
        if (end == std::string_view::npos) return out;
        out += '\n';
        text.remove_prefix(end + 1);
    }
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string table(const std::vector<std::vector<std::string>>& rows, const Paint& paint) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line.append(widths[i] - width_of(row[i]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += &row == &rows.front() ? paint.faint(line) : line;
        out += '\n';
    }
    return out;
}

}  // namespace pawl::cli
