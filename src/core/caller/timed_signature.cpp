// SPDX-License-Identifier: Apache-2.0
#include "core/caller/timed_signature.hpp"

#include <algorithm>
#include <charconv>

namespace pawl::caller {
namespace {

constexpr std::size_t kTimeDigitsMax = 12;

}  // namespace

std::optional<std::int64_t> parse_seconds(std::string_view text) {
    if (text.empty() || text.size() > kTimeDigitsMax ||
        !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }))
        return std::nullopt;
    std::int64_t seconds = 0;
    std::from_chars(text.data(), text.data() + text.size(), seconds);
    return seconds;
}

std::optional<TimedSignature> parse_timed_signature(std::string_view header) {
    TimedSignature found;
    while (!header.empty()) {
        std::string_view member = header.substr(0, header.find(','));
        header.remove_prefix(std::min(member.size() + 1, header.size()));
        while (member.starts_with(' ')) member.remove_prefix(1);
        while (member.ends_with(' ')) member.remove_suffix(1);
        if (member.starts_with("t=")) {
            if (!found.time.empty()) return std::nullopt;
            found.time = member.substr(2);
        }
        if (member.starts_with("v1=")) found.macs.push_back(member.substr(3));
    }
    const auto at_s = parse_seconds(found.time);
    if (!at_s || found.macs.empty() || found.macs.size() > kSignaturesMax) return std::nullopt;
    found.at_s = *at_s;
    return found;
}

std::int64_t apart_ms(std::int64_t now_ms, std::int64_t at_s) {
    const std::int64_t at_ms = at_s * 1'000;
    return now_ms > at_ms ? now_ms - at_ms : at_ms - now_ms;
}

}  // namespace pawl::caller
