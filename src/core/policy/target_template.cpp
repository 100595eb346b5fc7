// SPDX-License-Identifier: Apache-2.0
// A scan for braces; everything outside of them is sent as written.
#include "core/policy/target_template.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace pawl::policy {

Result<std::vector<TargetPiece>> cut_target(std::string_view target) {
    const auto may_stand = [](char c) { return is_target_character(c) && c != '}'; };
    std::vector<TargetPiece> pieces;
    while (!target.empty()) {
        const std::string_view plain = target.substr(0, target.find('{'));
        if (!std::ranges::all_of(plain, may_stand))
            return fail(
                Code::config_invalid,
                fmt::format("`{}` holds a character that a request target cannot have", plain));
        if (!plain.empty()) pieces.push_back({false, std::string(plain)});
        target.remove_prefix(plain.size());
        if (target.empty()) break;
        const auto close = std::min(target.find('}'), target.size() - 1);
        pieces.push_back({true, std::string(target.substr(0, close + 1))});
        target.remove_prefix(close + 1);
    }
    return pieces;
}

}  // namespace pawl::policy
