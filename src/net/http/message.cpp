// SPDX-License-Identifier: Apache-2.0
#include "net/http/message.hpp"

#include "runtime/codec/text.hpp"

namespace pawl::http {

std::vector<std::string_view> values_of(const Headers& headers, std::string_view name) {
    std::vector<std::string_view> values;
    for (const auto& [key, value] : headers)
        if (equal_ignoring_case(key, name)) values.emplace_back(value);
    return values;
}

std::string_view first_of(const Headers& headers, std::string_view name) {
    for (const auto& [key, value] : headers)
        if (equal_ignoring_case(key, name)) return value;
    return {};
}

void remove_all(Headers& headers, std::string_view name) {
    std::erase_if(headers,
                  [name](const auto& line) { return equal_ignoring_case(line.first, name); });
}

}  // namespace pawl::http
