// SPDX-License-Identifier: Apache-2.0
// Who sends a request and whose it is, by the rules of its route, and which headers say so. Known before the key is
// looked at: a name in here is a part of every identity, so what is unclear is refused, and never shared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/caller/callers.hpp"
#include "core/policy/route.hpp"
#include "net/http/message.hpp"
#include "runtime/result/result.hpp"

namespace pawl::gateway {

// Whose request it is and who sends it, as far as the route knows without asking.
struct Who {
    std::string tenant;
    std::string caller;
};

// Unit: `now_ms` since 1970. Errors: caller_unknown where the route needs a caller; never a shared namespace.
Result<std::string> caller_of(const caller::Callers& callers, const policy::CallerRule& rule,
                              const http::RequestHead& head, const http::Peer& peer,
                              std::int64_t now_ms);
// Whose request it is, where the route says how that is known. Errors: caller_unknown; never a shared namespace.
Result<std::string> tenant_of(const caller::Callers& callers, const policy::TenantRule& rule,
                              const http::RequestHead& head, std::int64_t now_ms);
// What a header says, where it names a caller or a tenant and does so once. Good as long as the headers.
std::optional<std::string_view> name_in(const http::Headers& headers, std::string_view header);

// The header that says who calls; empty where none does.
std::string_view caller_header(const caller::Callers& callers, const policy::CallerRule& rule);
// The request's headers that this route goes by, and that of the permission's word; empty ones are none.
// Good as long as the arguments.
std::vector<std::string_view> headers_gone_by(const caller::Callers& callers,
                                              const policy::Route& route);
// Errors: request_invalid where a Connection line names a header that this route goes by: the next hop would
// not see it.
Status check_connection_lines(const caller::Callers& callers, const policy::Route& route,
                              const http::RequestHead& head);
// What a 401 of such a route says in WWW-Authenticate (RFC 9110, 11.6.1); empty where no scheme has a name.
std::string challenge_of(const caller::Callers& callers, const policy::CallerRule& rule);

}  // namespace pawl::gateway
