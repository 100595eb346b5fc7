// SPDX-License-Identifier: Apache-2.0
// Any text as one of the small values that a configuration is made of: durations, sizes, addresses, upstreams, path
// patterns, forms of a settling request, parts of a key. What is taken is printed as a text that reads as the same;
// a settling request never leaves the path it was given, whatever the names in it are.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/policy/compiled_route.hpp"
#include "core/policy/settle_request.hpp"
#include "core/policy/units.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/result/assert.hpp"
#include "surface/config/address.hpp"

namespace {

using namespace pawl;

void judge_units(std::string_view text) {
    if (const auto duration = policy::parse_duration(text)) {
        PAWL_ASSERT(duration->count() >= 0 && *duration <= policy::kDurationMax);
        PAWL_ASSERT(policy::parse_duration(policy::format_duration(*duration)) == *duration);
    }
    if (const auto bytes = policy::parse_size(text))
        PAWL_ASSERT(policy::parse_size(policy::format_size(*bytes)) == *bytes);
}

void judge_places(std::string_view text) {
    if (const auto address = config::parse_address(text))
        PAWL_ASSERT(config::parse_address(config::format_address(*address)) == *address);
    if (const auto upstream = config::parse_upstream(text))
        PAWL_ASSERT(config::parse_upstream(config::format_upstream(*upstream)) == *upstream);
}

void judge_settling(std::string_view text) {
    const auto form = policy::SettleRequest::parse(text);
    if (!form) {
        PAWL_ASSERT(form.error().code == Code::config_invalid && !form.error().text.empty());
        return;
    }
    const std::string plain = form->target({"k", "r", "n"});
    const std::string odd = form->target({"/../?#\r\n %", "/../?#\r\n %", "/../?#\r\n %"});
    PAWL_ASSERT(plain.starts_with('/') && odd.find_first_of("\r\n ") == std::string::npos);
    PAWL_ASSERT(std::ranges::count(plain, '/') == std::ranges::count(odd, '/'));
    PAWL_ASSERT(std::ranges::count(plain, '?') == std::ranges::count(odd, '?'));
}

void judge_codecs(std::string_view text) {
    if (const auto bytes = from_hex(text)) PAWL_ASSERT(equal_ignoring_case(to_hex(*bytes), text));
    if (const auto bytes = from_base64(text)) PAWL_ASSERT(to_base64(*bytes) == text);
    if (const auto bytes = from_base64url(text)) PAWL_ASSERT(to_base64url(*bytes) == text);
    PAWL_ASSERT(from_hex(to_hex(text)) == text && from_base64(to_base64(text)) == text);
    PAWL_ASSERT(from_base64url(to_base64url(text)) == text);
    PAWL_ASSERT(to_utf8(to_utf8(text)) == to_utf8(text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    judge_units(text);
    judge_places(text);
    judge_settling(text);
    judge_codecs(text);
    if (const auto pattern = policy::parse_pattern(text))
        PAWL_ASSERT(text.starts_with('/') && pattern->size() <= policy::kSegmentsMax);
    if (const auto part = policy::parse_key_part(text); !part)
        PAWL_ASSERT(part.error().code == Code::config_invalid);
    return 0;
}
