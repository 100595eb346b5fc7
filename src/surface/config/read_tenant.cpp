// SPDX-License-Identifier: Apache-2.0
#include "surface/config/read_tenant.hpp"

#include <fmt/format.h>

#include "core/policy/replay_headers.hpp"
#include "net/http/forwarding.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::config {
namespace {

using policy::TenantRule;

constexpr std::string_view kForms =
    "write `tenant: { header: X-Tenant }`, `{ jwt: SET, claim: org }` or `{ host: true }`";

// What clients say with every request, or what Pawl takes out of it, names no tenant.
bool can_name_tenant(std::string_view name) {
    if (!policy::is_field_name(name) || http::is_hop_by_hop(name) || http::is_pawl_header(name))
        return false;
    for (const std::string_view known :
         {"host", "authorization", "cookie", "content-length", "content-type", "idempotency-key"})
        if (equal_ignoring_case(name, known)) return false;
    return true;
}

}  // namespace

void read_tenant(Section& parent, std::string* fixed, std::optional<TenantRule>& rule) {
    const YamlNode* node = parent.take("tenant");
    const bool is_map = node != nullptr && node->kind == YamlNode::Kind::map;
    if (fixed != nullptr && !is_map) {
        parent.text("tenant", *fixed);
        return;
    }
    if (node == nullptr) return;
    if (!is_map) {
        parent.error(*node, "`tenant` of a route names what says it", std::string(kForms));
        return;
    }
    Section section = parent.section("tenant");
    TenantRule made;
    const bool by_header = section.text("header", made.name);
    const bool by_jwt = section.text("jwt", made.name);
    section.text("claim", made.claim);
    bool by_host = false;
    section.flag("host", by_host);
    section.finish();
    if (by_header + by_jwt + by_host != 1) {
        section.error("`tenant` needs one way of knowing it", std::string(kForms));
        return;
    }
    if (by_jwt == made.claim.empty())
        section.error(by_jwt ? "`jwt` does not say which member names the tenant"
                             : "`claim` speaks of a token, and none is named",
                      "write `tenant: { jwt: SET, claim: org }`");
    if (by_header && !can_name_tenant(made.name))
        section.error(fmt::format("`{}` cannot name a tenant", made.name),
                      "write one such as `X-Tenant`, set by what authenticates in front of Pawl");
    made.source = by_header ? TenantRule::Source::header
                  : by_jwt  ? TenantRule::Source::jwt
                            : TenantRule::Source::host;
    rule = std::move(made);
}

}  // namespace pawl::config
