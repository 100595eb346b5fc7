// SPDX-License-Identifier: Apache-2.0
// What a caller or a tenant may be called, however it is known. Byte-exact: two spellings are two callers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace pawl::caller {

inline constexpr std::size_t kCallerBytesMax = 512;

inline bool is_caller_name(std::string_view name) {
    // No control bytes: names go into header lines, logs and terminals.
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    return !name.empty() && name.size() <= kCallerBytesMax &&
           std::ranges::none_of(name, is_control);
}

}  // namespace pawl::caller
