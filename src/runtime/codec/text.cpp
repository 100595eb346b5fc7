// SPDX-License-Identifier: Apache-2.0
#include "runtime/codec/text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "runtime/codec/hex_digit.hpp"

namespace pawl {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `text` (RFC 3629), 0 if there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
    const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < low || byte(1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    return length;
}

// EVP_DecodeBlock forgives white space around the text and padding in its middle; this does not.
bool is_well_formed(std::string_view text) {
    if (text.size() % 4 != 0) return false;
    const std::size_t end = text.find('=');
    const std::string_view padding = end == std::string_view::npos ? "" : text.substr(end);
    if (padding.size() > 2 || padding.find_first_not_of('=') != std::string_view::npos)
        return false;
    return text.substr(0, end).find_first_not_of(
               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") ==
           std::string_view::npos;
}

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

std::string to_hex(std::string_view bytes) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string out(bytes.size() * 2, '0');
    char* at = out.data();
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        *at++ = kDigits[byte >> 4];
        *at++ = kDigits[byte & 15];
    }
    return out;
}

std::optional<std::string> from_hex(std::string_view text) {
    if (text.size() % 2 != 0) return std::nullopt;
    std::string out;
    out.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = hex_value(text[i]);
        const int low = hex_value(text[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
    }
    return out;
}

std::string to_base64(std::string_view bytes) {
    std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');
    const int written =
        EVP_EncodeBlock(bytes_of(out), bytes_of(bytes), static_cast<int>(bytes.size()));
    out.resize(static_cast<std::size_t>(written));
    return out;
}

std::optional<std::string> from_base64(std::string_view text) {
    if (!is_well_formed(text)) return std::nullopt;
    std::string out(text.size() / 4 * 3, '\0');
    const int written =
        EVP_DecodeBlock(bytes_of(out), bytes_of(text), static_cast<int>(text.size()));
    if (written < 0) return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    const std::size_t size = static_cast<std::size_t>(written) - padding;
    // Bits of the last character that belong to no byte: another text for the same bytes.
    if (out.find_first_not_of('\0', size) != std::string::npos) return std::nullopt;
    out.resize(size);
    return out;
}

std::string to_base64url(std::string_view bytes) {
    std::string text = to_base64(bytes);
    while (text.ends_with('=')) text.pop_back();
    for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    std::string padded(text);
    for (char& c : padded) {
        if (c == '+' || c == '/' || c == '=') return std::nullopt;
        if (c == '-') c = '+';
        if (c == '_') c = '/';
    }
    padded.append((4 - padded.size() % 4) % 4, '=');
    return from_base64(padded);
}

std::string to_rfc3339(WallTime time) {
    const std::chrono::sys_time<std::chrono::milliseconds> instant{time.time_since_epoch()};
    const auto day = std::chrono::floor<std::chrono::days>(instant);
    const std::chrono::year_month_day date{day};
    const std::chrono::hh_mm_ss clock{instant - day};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                       clock.subseconds().count());
}

std::string to_utf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        if (length == 0)
            out += "\xef\xbf\xbd";
        else
            out += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out;
}

}  // namespace pawl
