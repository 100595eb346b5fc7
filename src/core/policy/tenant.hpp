// SPDX-License-Identifier: Apache-2.0
// What says whose request it is, where one Pawl serves several tenants. Part of every identity: a request whose
// tenant is not known is refused, never put into a space that others share.
#pragma once

#include <cstdint>
#include <string>

namespace pawl::policy {

struct TenantRule {
    enum class Source : std::uint8_t { header, jwt, host };
    Source source = Source::header;
    std::string name;   // the header's, or the set's under `callers`
    std::string claim;  // jwt: the member that names the tenant
};

}  // namespace pawl::policy
