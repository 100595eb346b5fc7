// SPDX-License-Identifier: Apache-2.0
// Paths as segments: a route's pattern, and a request's target read the way an upstream that normalises
// would read it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result/result.hpp"

namespace pawl::policy {

inline constexpr std::size_t kSegmentsMax = 32;  // of a route's path

struct PatternSegment {
    enum class Kind : std::uint8_t { literal, parameter, rest };
    Kind kind = Kind::literal;
    std::string text;  // literal: decoded; parameter: its name
};

// Shape: "/orders/{id}/items", "/files/*" (everything below), "/". Errors: config_invalid; the text says
// what is wrong and what to write.
Result<std::vector<PatternSegment>> parse_pattern(std::string_view path);

// True when some path fits both patterns and neither is the more specific one, as "/a/{x}" and "/{y}/b".
bool patterns_cross(const std::vector<PatternSegment>& a, const std::vector<PatternSegment>& b);

// What comes before the query or a fragment. Requests that come over a socket have no fragment: they are refused
// (src/net/http/framing.cpp). Where none was refused, a service would take it off: the path ends there.
constexpr std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find_first_of("?#"));
}

// A target taken apart. The views point into the target. Empty segments are skipped, "." and ".." resolved,
// percent-encoded ones too.
struct PathWalk {
    // One more than a pattern can have: what lies deeper only matters to "*".
    std::array<std::string_view, kSegmentsMax + 1> segments;
    std::size_t count = 0;  // all of them, also those beyond the array
    bool trailing_slash = false;
    std::string_view authority;  // of an absolute-form target
    bool valid = false;          // false: "*", an authority, or nothing
};
PathWalk walk_path(std::string_view target);

// Percent-encoding undone, except of "/" and "%" themselves, which stay "%2F" and "%25". A broken escape
// stays as it is.
std::string decode_segment(std::string_view raw);
// Everything but unreserved characters (RFC 3986, 2.3) as `%XX`.
std::string percent_encoded(std::string_view text);
// The same of what decode_segment gave: what it left escaped stays as it is.
std::string encode_segment(std::string_view decoded);
// decode_segment(raw) == literal, without making the string.
bool segment_equals(std::string_view raw, std::string_view literal);

}  // namespace pawl::policy
