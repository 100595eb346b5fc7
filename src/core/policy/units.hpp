// SPDX-License-Identifier: Apache-2.0
// Durations and sizes as people write them, always with a unit: "500ms", "10s", "5m", "24h", "400d";
// "512B", "64KiB", "8MiB", "1GiB". What is printed is read back to the same value.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/result/result.hpp"

namespace pawl::policy {

inline constexpr std::chrono::milliseconds kDurationMax = std::chrono::hours(24) * 36500;

// Errors: config_invalid; the text says what to write.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);
Result<std::uint64_t> parse_size(std::string_view text);

// In the largest unit that divides it.
std::string format_duration(std::chrono::milliseconds duration);
std::string format_size(std::uint64_t bytes);

}  // namespace pawl::policy
