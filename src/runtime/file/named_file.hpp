// SPDX-License-Identifier: Apache-2.0
// Files that somebody names, as a configuration names its secrets: regular ones only, read within a bound. What else
// has a name keeps its reader waiting (a pipe for its other end, a terminal for a line) or never ends (a device).
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "runtime/result/result.hpp"

namespace pawl {

// What is wrong with a file, in words that follow its name, and what to do.
struct FileFault {
    std::string_view what;
    std::string_view remedy;
};
inline constexpr FileFault kFileUnreadable{"cannot be read", "look at its name and rights"};
inline constexpr FileFault kFileNotRegular{"is a pipe, a folder or a device",
                                           "name a regular file"};
inline constexpr FileFault kFileEmpty{"is empty", "write into it what is asked for"};
inline constexpr FileFault kFileTooLong{"is too long", "look whether it is the one that is meant"};

// At most `bytes_max` bytes from its beginning. Errors: kFileUnreadable, kFileNotRegular. Never waits for another.
std::expected<std::string, FileFault> read_start_of(const std::string& path, std::size_t bytes_max);

// All of it. `setting`: what names it. Errors: config_invalid, with any of the faults; `place` is the setting.
Result<std::string> read_named_file(const std::string& path, std::string_view setting,
                                    std::size_t bytes_max);
Error error_of(const FileFault& fault, std::string_view path, std::string_view setting);

}  // namespace pawl
