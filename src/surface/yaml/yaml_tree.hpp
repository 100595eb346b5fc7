// SPDX-License-Identifier: Apache-2.0
// YAML as a tree of values with their places. Built from the parser's events, because a tree of yaml-cpp
// drops repeated keys and expands aliases; bounded while it is built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/policy/finding.hpp"

namespace pawl::yaml {

inline constexpr std::size_t kFileBytesMax = 1U << 20;
inline constexpr std::size_t kDepthMax = 16;
inline constexpr std::size_t kNodesMax = 100'000;

struct YamlNode {
    enum class Kind : std::uint8_t { null, scalar, list, map };
    struct Member;
    Kind kind = Kind::null;
    std::string text;             // scalar
    std::vector<YamlNode> items;  // list
    std::vector<Member> members;  // map, in order; names are unique
    int line = 0;                 // 1-based
    int column = 0;

    const YamlNode* find(std::string_view name) const;
};
struct YamlNode::Member {
    std::string name;
    int line = 0;
    int column = 0;
    YamlNode value;
};

// An empty text is a null. What is wrong goes to `findings`; nullopt when the reading broke off there.
std::optional<YamlNode> parse_yaml(std::string_view text, std::vector<policy::Finding>& findings);

}  // namespace pawl::yaml
