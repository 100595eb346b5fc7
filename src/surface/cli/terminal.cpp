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
