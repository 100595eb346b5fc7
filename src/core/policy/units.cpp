// SPDX-License-Identifier: Apache-2.0
// One table of units per kind, largest first, used both ways.
#include "core/policy/units.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <span>

#include <fmt/format.h>

namespace pawl::policy {
namespace {

struct Unit {
    std::string_view name;
    std::uint64_t count;
};
constexpr std::array kDurations{Unit{"d", 86'400'000}, Unit{"h", 3'600'000}, Unit{"m", 60'000},
                                Unit{"s", 1000}, Unit{"ms", 1}};
constexpr std::array kSizes{Unit{"GiB", 1U << 30}, Unit{"MiB", 1U << 20}, Unit{"KiB", 1U << 10},
                            Unit{"B", 1}};
constexpr std::uint64_t kSizeMax = 1ULL << 50;

enum class Misread : std::uint8_t { number, unit, range };

std::expected<std::uint64_t, Misread> parse_with(std::span<const Unit> units, std::uint64_t max,
                                                 std::string_view text) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc::result_out_of_range) return std::unexpected(Misread::range);
    if (read.ec != std::errc{}) return std::unexpected(Misread::number);
    const std::string_view name = text.substr(static_cast<std::size_t>(read.ptr - text.data()));
    if (name.empty() && number == 0) return 0;
    for (const Unit& unit : units) {
        if (unit.name != name) continue;
        if (number > max / unit.count) return std::unexpected(Misread::range);
        return number * unit.count;
    }
    return std::unexpected(Misread::unit);
}

std::string format_with(std::span<const Unit> units, std::uint64_t value) {
    for (const Unit& unit : units)
        if (value != 0 && value % unit.count == 0)
            return fmt::format("{}{}", value / unit.count, unit.name);
    return fmt::format("0{}", units.back().name == "ms" ? "s" : units.back().name);
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
    const auto value =
        parse_with(kDurations, static_cast<std::uint64_t>(kDurationMax.count()), text);
    if (value) return std::chrono::milliseconds(static_cast<std::int64_t>(*value));
    if (value.error() == Misread::range)
        return fail(Code::config_invalid, fmt::format("`{}` is longer than a hundred years", text));
    return fail(
        Code::config_invalid,
        fmt::format(
            "`{}` is not a duration; write a whole number and ms, s, m, h or d, as in `10s`",
            text));
}

Result<std::uint64_t> parse_size(std::string_view text) {
    const auto value = parse_with(kSizes, kSizeMax, text);
    if (value) return *value;
    if (value.error() == Misread::range)
        return fail(Code::config_invalid, fmt::format("`{}` is too large", text));
    return fail(
        Code::config_invalid,
        fmt::format("`{}` is not a size; write a whole number and B, KiB, MiB or GiB, as in `8MiB`",
                    text));
}

std::string format_duration(std::chrono::milliseconds duration) {
    return format_with(kDurations, static_cast<std::uint64_t>(duration.count()));
}

std::string format_size(std::uint64_t bytes) { return format_with(kSizes, bytes); }

}  // namespace pawl::policy
