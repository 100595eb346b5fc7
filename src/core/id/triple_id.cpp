// SPDX-License-Identifier: Apache-2.0
#include "core/id/triple_id.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace pawl::id {
namespace {

constexpr std::size_t kTimeDigitsMax = std::numeric_limits<std::int64_t>::digits10 + 1;
static_assert(kTripleTraceLength + kTripleOrderLengthMax + kTimeDigitsMax + 2 <= kTripleLengthMax);

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool is_order(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-';
}

char lower(char c) { return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string triple_id(std::string_view trace_id, std::string_view order, std::int64_t at_ms) {
    std::string text;
    for (std::size_t i = 0; i < kTripleTraceLength; ++i) {
        const char c = i < trace_id.size() ? lower(trace_id[i]) : '0';
        text += is_hex(c) ? c : '0';
    }
    text += '_';
    if (order.size() > kTripleOrderLengthMax)
        order.remove_prefix(order.size() - kTripleOrderLengthMax);
    for (const char c : order) text += is_order(c) ? c : '-';
    text += '_';
    return text + std::to_string(std::max<std::int64_t>(at_ms, 0));
}

std::optional<Triple> parse_triple_id(std::string_view text) {
    const std::size_t first = text.find('_');
    const std::size_t second = text.find('_', first + 1);
    if (first != kTripleTraceLength || second == std::string_view::npos) return std::nullopt;
    Triple triple{std::string(text.substr(0, first)),
                  std::string(text.substr(first + 1, second - first - 1)), 0};
    const std::string_view time = text.substr(second + 1);
    const char* const end = time.data() + time.size();
    const auto read = std::from_chars(time.data(), time.data() + time.size(), triple.at_ms);
    const bool good = std::ranges::all_of(triple.trace, is_hex) &&
                      triple.order.size() <= kTripleOrderLengthMax &&
                      std::ranges::all_of(triple.order, is_order) && read.ec == std::errc() &&
                      read.ptr == end && triple.at_ms >= 0;
    // One text for one triple: no zeros in front of the time.
    if (!good || std::to_string(triple.at_ms) != time) return std::nullopt;
    return triple;
}

}  // namespace pawl::id
