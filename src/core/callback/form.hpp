// SPDX-License-Identifier: Apache-2.0
// The body of an HTML form (application/x-www-form-urlencoded) as its parameters' bytes, whatever their charset.
// Strict: a broken escape, a part without `=` and a name that comes twice make it unreadable.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pawl::callback {

inline constexpr std::size_t kFormParametersMax = 256;

// By name, in the order of bytes.
using Form = std::map<std::string, std::string, std::less<>>;

std::optional<Form> parse_form(std::string_view body);

}  // namespace pawl::callback
