// SPDX-License-Identifier: Apache-2.0
// One hexadecimal digit, in either case: what from_hex, escapes in paths and escapes in JSON read alike.
#pragma once

namespace pawl {

// 0 to 15, or -1.
constexpr int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace pawl
