// SPDX-License-Identifier: Apache-2.0
// Who else is asked whether a request may be carried out, and how (forward authorisation). The answer counts
// for a few seconds at most, so that a right that is withdrawn ends soon.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/policy/upstream.hpp"

namespace pawl::policy {

inline constexpr std::chrono::milliseconds kPermissionAgeMax = std::chrono::seconds(5);
inline constexpr std::chrono::milliseconds kAuthorizeTimeout = std::chrono::seconds(2);

struct AuthorizeRule {
    Upstream upstream;
    std::string path;  // and query, of the question
    std::vector<std::string> headers{"Authorization",
                                     "Cookie"};  // of the request, told as they are
    std::string
        caller_header;  // of the answer: names the caller; empty: `caller` of the route does
    std::chrono::milliseconds cache = kPermissionAgeMax;  // at most that; 0: each request asks
    std::chrono::milliseconds timeout = kAuthorizeTimeout;
};

}  // namespace pawl::policy
