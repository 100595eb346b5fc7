// SPDX-License-Identifier: Apache-2.0
// Bytes as text and back: hexadecimal, base64, and RFC 3339 for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/clock/clock.hpp"

namespace pawl {

std::string to_hex(std::string_view bytes);
// Lower or upper case; nullopt for odd length or another character.
std::optional<std::string> from_hex(std::string_view text);

// With padding (RFC 4648, section 4).
std::string to_base64(std::string_view bytes);
// nullopt for another alphabet, line breaks, and missing or wrong padding.
std::optional<std::string> from_base64(std::string_view text);

// Without padding, `-` and `_` (RFC 4648, section 5; RFC 7515).
std::string to_base64url(std::string_view bytes);
// nullopt for anything else.
std::optional<std::string> from_base64url(std::string_view text);

// "2026-11-29T14:47:32.123Z".
std::string to_rfc3339(WallTime time);

// ASCII only, by definition of HTTP field names.
constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
    constexpr auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i] && lower(a[i]) != lower(b[i])) return false;
    return true;
}

// Well-formed UTF-8 as it is; every other byte becomes U+FFFD. For what is put into JSON.
std::string to_utf8(std::string_view text);

}  // namespace pawl
