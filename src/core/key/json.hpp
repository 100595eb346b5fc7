// SPDX-License-Identifier: Apache-2.0
// JSON as text that keeps its numbers: canonical form after RFC 8785 for member order and strings, but
// numbers by mathematical value at full precision (1, 1.0 and 1e0 are equal, 2^53 and 2^53 + 1 are not;
// none passes through a double). Duplicate members, lone surrogates, invalid UTF-8 and trailing bytes are
// refused. Depth is bounded.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/result/result.hpp"

namespace pawl::key {

inline constexpr int kJsonDepthMax = 64;

// A path of member names and array indices: "$.order.items[0].sku". "$" is the whole.
struct JsonPath {
    struct Step {
        std::string member;
        std::optional<std::size_t> index;  // set: an array's element
    };
    std::vector<Step> steps;
    std::string text;
};
// Errors: config_invalid, with what is wrong at which character.
Result<JsonPath> parse_json_path(std::string_view text);

struct CanonicalRule {
    std::vector<JsonPath> include;  // empty: everything
    std::vector<JsonPath> exclude;
};
// Errors: request_invalid, with the byte offset.
Result<std::string> canonical_json(std::string_view text, const CanonicalRule& rule = {});

// The value at a path: a string decoded, a number as its exact text, true/false/null as such, an object or
// array as its canonical form; nullopt when there is none. Errors: request_invalid for what is not JSON.
struct JsonValue {
    enum class Kind : unsigned char { string, number, literal, composite };
    Kind kind = Kind::string;
    std::string text;
};
Result<std::optional<JsonValue>> json_at(std::string_view text, const JsonPath& path);

}  // namespace pawl::key
