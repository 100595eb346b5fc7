// SPDX-License-Identifier: Apache-2.0
#include "net/http/answer_edit.hpp"

#include "net/http/list.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::http {
namespace {

bool is_cors(std::string_view name) {
    constexpr std::string_view kPrefix = "access-control-";
    return equal_ignoring_case(name.substr(0, kPrefix.size()), kPrefix);
}

bool varies_by(const Headers& headers, std::string_view wanted) {
    bool found = false;
    for (const std::string_view value : values_of(headers, "vary"))
        for_each_member(value, [&](std::string_view member) {
            found |= member == "*" || equal_ignoring_case(member, wanted);
        });
    return found;
}

}  // namespace

void amend(const AnswerEdit& edit, Headers& headers) {
    if (edit.drops_cors)
        std::erase_if(headers, [](const auto& line) { return is_cors(line.first); });
    for (const auto& [name, value] : edit.added)
        if (!equal_ignoring_case(name, "vary") || !varies_by(headers, value))
            headers.emplace_back(name, value);
}

}  // namespace pawl::http
