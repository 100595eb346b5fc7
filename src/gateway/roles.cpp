// SPDX-License-Identifier: Apache-2.0
#include "gateway/roles.hpp"

#include <algorithm>

#include "core/caller/jwt_names.hpp"

namespace pawl::gateway {
namespace {

bool is_named(const policy::RoleRule& rule, std::string_view caller) {
    return !caller.empty() && std::ranges::find(rule.callers, caller) != rule.callers.end();
}

bool is_said(const caller::Callers& callers, const policy::RoleRule& rule,
             const http::RequestHead& head, std::int64_t now_ms) {
    const auto at = callers.issuers.find(rule.jwt);
    if (rule.claim.empty() || at == callers.issuers.end()) return false;
    const caller::JwtIssuer& issuer = at->second;
    const auto values = http::values_of(head.headers, issuer.header);
    if (values.size() != 1) return false;
    const auto names = caller::names_in_jwt(caller::token_in(issuer.header, values.front()),
                                            issuer.rule, rule.claim, now_ms);
    return names && std::ranges::find(*names, rule.has) != names->end();
}

}  // namespace

std::vector<std::string> roles_of(const caller::Callers& callers,
                                  const std::vector<policy::RoleRule>& rules,
                                  const http::RequestHead& head, std::string_view caller,
                                  std::int64_t now_ms) {
    std::vector<std::string> roles;
    for (const policy::RoleRule& rule : rules)
        if (is_named(rule, caller) || is_said(callers, rule, head, now_ms))
            roles.push_back(rule.name);
    return roles;
}

}  // namespace pawl::gateway
