// SPDX-License-Identifier: Apache-2.0
// What a token says of its bearer beside the name: the roles or groups in one of its members.
#pragma once

#include <vector>

#include "core/caller/jwt.hpp"

namespace pawl::caller {

inline constexpr std::size_t kNamesMax = 64;  // of one list; what stands behind it does not count

// Of a text that one, of a list its texts; none where the member is missing or something else. Unit: `now_ms`
// since 1970. Errors: as caller_in_jwt, but for the member.
Result<std::vector<std::string>> names_in_jwt(std::string_view token, const JwtRule& rule,
                                              const std::string& claim, std::int64_t now_ms);

}  // namespace pawl::caller
