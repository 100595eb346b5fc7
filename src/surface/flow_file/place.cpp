// SPDX-License-Identifier: Apache-2.0
#include "surface/flow_file/place.hpp"

#include <charconv>

namespace pawl::flow_file {

using yaml::YamlNode;

policy::Finding placed(const flow::Finding& finding, const YamlNode& tree) {
    policy::Finding out{finding.severity, tree.line, tree.column, finding.what, finding.remedy};
    const YamlNode* node = &tree;
    std::string_view rest = finding.path;
    while (!rest.empty()) {
        if (rest.front() == '.') rest.remove_prefix(1);
        if (rest.front() == '[') {
            std::size_t index = 0;
            const auto read = std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
            rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()) + 1);
            if (index >= node->items.size()) return out;
            node = &node->items[index];
            out.line = node->line;
            out.column = node->column;
            continue;
        }
        const std::string_view name = rest.substr(0, rest.find_first_of(".["));
        rest.remove_prefix(name.size());
        const YamlNode* next = nullptr;
        for (const YamlNode::Member& member : node->members) {
            if (member.name != name) continue;
            next = &member.value;
            out.line = member.line;
            out.column = member.column;
        }
        if (next == nullptr) return out;
        node = next;
    }
    return out;
}

}  // namespace pawl::flow_file
