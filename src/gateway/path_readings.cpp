// SPDX-License-Identifier: Apache-2.0
// One step after another, each a leniency that a service has or has not: every step is taken with what any choice
// of the steps before it gave. The order is that of services: parameters are taken out before escapes are undone, or
// after.
#include "gateway/path_readings.hpp"

#include <algorithm>

#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Escapes undone, apart from those of what would end the path.
std::string unescaped(std::string_view path) {
    std::string plain;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const auto byte = path[i] == '%' ? from_hex(path.substr(i + 1, 2)) : std::nullopt;
        const bool escape = byte && byte->size() == 1 && *byte != "?" && *byte != "#";
        const char c = escape ? byte->front() : path[i];
        plain += c == '\\' ? '/' : c;
        if (escape) i += 2;
    }
    return plain;
}

// What comes behind the first segment of `//host/path`.
std::string behind_authority(std::string_view path) {
    const auto slash = path.starts_with("//") ? path.find('/', 2) : std::string_view::npos;
    return std::string(slash == std::string_view::npos ? path : path.substr(slash));
}

std::string before_nul(std::string_view path) {
    return std::string(path.substr(0, path.find('\0')));
}

std::string before_query(std::string_view path) {
    std::size_t end = path.size();
    for (const std::string_view escape : {"%3F", "%3f", "%23"})
        end = std::min(path.find(escape), end);
    return std::string(path.substr(0, end));
}

std::string without_parameters(std::string_view path) {
    std::string kept;
    bool inside = false;
    for (const char c : path) {
        inside = c == ';' || (inside && c != '/');
        if (!inside) kept += c;
    }
    return kept;
}

std::string without_blanks(std::string_view path) {
    std::string kept;
    const auto trim = [&kept] { kept.resize(kept.find_last_not_of(' ') + 1); };
    for (const char c : path) {
        if (is_control(c) || (c == ' ' && kept.ends_with('/'))) continue;
        if (c == '/') trim();
        kept += c;
    }
    trim();
    return kept;
}

}  // namespace

std::vector<std::string> lenient_readings(std::string_view path) {
    const auto is_odd = [](char c) {
        return c == '%' || c == '\\' || c == ';' || c == ' ' || is_control(c);
    };
    std::vector<std::string> readings;
    if (!path.starts_with("//") && std::ranges::none_of(path, is_odd)) return readings;
    readings.emplace_back(path);
    for (const auto step : {behind_authority, without_parameters, unescaped, behind_authority,
                            before_nul, before_query, without_parameters, without_blanks}) {
        const std::size_t before = readings.size();
        for (std::size_t i = 0; i < before; ++i) {
            std::string reading = step(readings[i]);
            if (std::ranges::find(readings, reading) == readings.end())
                readings.push_back(std::move(reading));
        }
    }
    return readings;
}

}  // namespace pawl::gateway
