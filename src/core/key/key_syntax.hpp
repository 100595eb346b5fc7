// SPDX-License-Identifier: Apache-2.0
// The idempotency key as it is carried: one field line, `"abc"` (structured-field string of RFC 8941, with
// \" and \\) and `abc` denote the same key. 1 to 255 bytes after decoding; visible ASCII in headers, any
// bytes when carried in JSON. Byte-exact: case, spaces and Unicode forms stay distinct.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/result/result.hpp"

namespace pawl::key {

inline constexpr std::size_t kKeyBytesMax = 255;

// Shape: the values of all field lines of the key's name, in order.
// Errors: key_missing (no line), key_invalid (several, empty, over-long, malformed, other characters); the
// text says which rule and how to mend it, never the key itself.
Result<std::string> key_from_header(const std::vector<std::string_view>& lines);

// Shape: the decoded string (or the exact text of an integer) found at the configured path.
// Errors: key_invalid (empty or over-long).
Result<std::string> key_from_text(std::string_view text);

}  // namespace pawl::key
