// SPDX-License-Identifier: Apache-2.0
// The ways of knowing callers that a configuration names (`callers:`), for the routes that refer to them.
// Immutable once made; shared by all loops.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/caller/api_keys.hpp"
#include "core/caller/jwt.hpp"

namespace pawl::caller {

struct ApiKeySet {
    std::string header;
    ApiKeys keys;
};

struct JwtIssuer {
    std::string header;  // "Authorization" carries "Bearer TOKEN"; any other header the token alone
    JwtRule rule;
};

struct Callers {
    std::map<std::string, ApiKeySet, std::less<>> api_keys;
    std::map<std::string, JwtIssuer, std::less<>> issuers;
};

// The token in the value of a header: what follows "Bearer " in Authorization (RFC 6750), else the value.
// Empty when there is none.
std::string_view token_in(std::string_view header, std::string_view value);

}  // namespace pawl::caller
