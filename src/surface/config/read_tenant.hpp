// SPDX-License-Identifier: Apache-2.0
// `tenant:` of the file, for every route, or of one route, in its place: one name for all, or what says it.
//
//   tenant: shop                                  # the file's alone
//   tenant: { header: X-Tenant }
//   tenant: { jwt: main, claim: org }
//   tenant: { host: true }
#pragma once

#include <optional>

#include "core/policy/tenant.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

// `fixed`: takes the name; null where there may be none.
void read_tenant(Section& parent, std::string* fixed, std::optional<policy::TenantRule>& rule);

}  // namespace pawl::config
