// SPDX-License-Identifier: Apache-2.0
// The roles of who sends a request, for the events of flows that ask for one. A token that is missing or not believed
// gives none; whether the request needs a caller at all was settled before.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/caller/callers.hpp"
#include "core/policy/role.hpp"
#include "net/http/message.hpp"

namespace pawl::gateway {

// `caller`: as caller_of() says; empty: nobody is named. Unit: `now_ms` since 1970. In the order of the rules.
std::vector<std::string> roles_of(const caller::Callers& callers,
                                  const std::vector<policy::RoleRule>& rules,
                                  const http::RequestHead& head, std::string_view caller,
                                  std::int64_t now_ms);

}  // namespace pawl::gateway
