// SPDX-License-Identifier: Apache-2.0
#include "gateway/trace.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

bool is_lower_hex(std::string_view text) {
    return std::ranges::all_of(
        text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_zero(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c == '0'; });
}

// "00-<32>-<16>-<2>"; later versions may be longer, version ff is forbidden.
bool is_valid(std::string_view header) {
    if (header.size() < 55 || header[2] != '-' || header[35] != '-' || header[52] != '-')
        return false;
    if (header.starts_with("00") ? header.size() != 55 : header.size() > 55 && header[55] != '-')
        return false;
    return !header.starts_with("ff") && is_lower_hex(header.substr(0, 2)) &&
           is_lower_hex(header.substr(3, 32)) && is_lower_hex(header.substr(36, 16)) &&
           is_lower_hex(header.substr(53, 2)) && !is_zero(header.substr(3, 32)) &&
           !is_zero(header.substr(36, 16));
}

std::string random_hex(std::size_t bytes, Entropy& entropy) {
    std::string raw(bytes, '\0');
    entropy.fill(std::as_writable_bytes(std::span{raw}));
    return to_hex(raw);
}

}  // namespace

Trace continue_trace(std::string_view traceparent, Entropy& entropy) {
    Trace trace;
    const bool valid = is_valid(traceparent);
    trace.id = valid ? std::string(traceparent.substr(3, 32)) : random_hex(16, entropy);
    const std::string_view flags = valid ? traceparent.substr(53, 2) : "01";
    trace.traceparent = "00-" + trace.id + "-" + random_hex(8, entropy) + "-" + std::string(flags);
    return trace;
}

}  // namespace pawl::gateway
