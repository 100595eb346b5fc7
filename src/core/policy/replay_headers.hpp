// SPDX-License-Identifier: Apache-2.0
// Which header lines of an upstream's answer are stored for its repeats. An allow-list, because most lines
// speak about one exchange only: a cookie, a date or a trace id given out again is wrong, and a stored
// framing header breaks the connection it is replayed on. Lines are kept apart, in order, byte for byte:
// joining or splitting at commas destroys dates and quoted names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::policy {

using HeaderLines = std::vector<std::pair<std::string, std::string>>;

// Shape: `received` is every line of the answer; `added` are the route's own names. Lines that the answer's
// `Connection` names are hop-by-hop and left out.
HeaderLines replay_headers(const HeaderLines& received, const std::vector<std::string>& added);

// Why a line of this name is never stored ("a cookie belongs to one exchange"), whatever the route adds.
std::optional<std::string_view> never_stored(std::string_view name);

// A field name as RFC 9110 has it: one or more token characters.
bool is_field_name(std::string_view name);

}  // namespace pawl::policy
