// SPDX-License-Identifier: Apache-2.0
// What a caller may be called, however it is known. Byte-exact: two spellings are two callers.
#pragma once

#include <cstddef>
#include <string_view>

namespace pawl::caller {

inline constexpr std::size_t kCallerBytesMax = 512;

inline bool is_caller_name(std::string_view name) {
    return !name.empty() && name.size() <= kCallerBytesMax;
}

}  // namespace pawl::caller
