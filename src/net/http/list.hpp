// SPDX-License-Identifier: Apache-2.0
// Comma-separated header values (RFC 9110, 5.6.1) of the kind whose members are tokens: Connection, Expect,
// Transfer-Encoding. Empty members are skipped.
#pragma once

#include <string_view>

namespace pawl::http {

constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

template <class Visit>
void for_each_member(std::string_view list, Visit visit) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        const std::string_view member = trimmed(list.substr(0, comma));
        if (!member.empty()) visit(member);
        if (comma == std::string_view::npos) return;
        list.remove_prefix(comma + 1);
    }
}

}  // namespace pawl::http
