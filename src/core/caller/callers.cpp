// SPDX-License-Identifier: Apache-2.0
#include "core/caller/callers.hpp"

#include "runtime/codec/text.hpp"

namespace pawl::caller {

std::string_view token_in(std::string_view header, std::string_view value) {
    if (!equal_ignoring_case(header, "authorization")) return value;
    constexpr std::string_view kScheme = "bearer";
    if (value.size() <= kScheme.size() ||
        !equal_ignoring_case(value.substr(0, kScheme.size()), kScheme))
        return {};
    value.remove_prefix(kScheme.size());
    if (!value.starts_with(' ')) return {};
    const auto begin = value.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string_view{} : value.substr(begin);
}

}  // namespace pawl::caller
