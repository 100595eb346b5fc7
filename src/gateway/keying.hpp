// SPDX-License-Identifier: Apache-2.0
// From a request to the name of its operation: who calls, which key, and, where there is none, the natural
// key that stops a double click.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/caller/callers.hpp"
#include "core/policy/compiled_route.hpp"
#include "core/record/stamp.hpp"
#include "net/http/message.hpp"
#include "runtime/codec/digest.hpp"
#include "runtime/entropy/entropy.hpp"
#include "runtime/result/result.hpp"

namespace pawl::gateway {

// Unit: `now_ms` since 1970. Errors: caller_unknown where the route needs a caller; never a shared namespace.
Result<std::string> caller_of(const caller::Callers& callers, const policy::CallerRule& rule,
                              const http::RequestHead& head, const http::Peer& peer,
                              std::int64_t now_ms);
// Whose request it is, where the route says how that is known. Errors: caller_unknown; never a shared namespace.
Result<std::string> tenant_of(const caller::Callers& callers, const policy::TenantRule& rule,
                              const http::RequestHead& head, std::int64_t now_ms);
// The request's headers that this route goes by, and that of the permission's word; empty ones are none.
// Good as long as the arguments.
std::vector<std::string_view> headers_gone_by(const caller::Callers& callers,
                                              const policy::Route& route);
// Errors: request_invalid where a Connection line names a header that this route goes by: the next hop would
// not see it.
Status check_connection_lines(const caller::Callers& callers, const policy::Route& route,
                              const http::RequestHead& head);
// The header that says who calls; empty where none does.
std::string_view caller_header(const caller::Callers& callers, const policy::CallerRule& rule);
// What a 401 of such a route says in WWW-Authenticate (RFC 9110, 11.6.1); empty where no scheme has a name.
std::string challenge_of(const caller::Callers& callers, const policy::CallerRule& rule);

// What can be said of the key from the head alone, before a byte of the body is taken.
// Errors: key_missing, key_invalid, version_invalid.
Status check_key_in_head(const policy::Route& route, const http::RequestHead& head);

// What a fingerprint is made of. Good as long as the request and the body.
key::Fingerprinted fingerprinted(const http::Request& request, std::string_view body);

struct Keyed {
    Digest identity;
    Digest fingerprint;
    std::string label;  // the key as sent, or what it was derived from
    std::string line;   // the header's value as received, empty when it came another way
    std::optional<record::Stamp> stamp;  // the version that it is, where the route has versions
    std::chrono::milliseconds
        window{};  // above 0: a natural key, good for so long after the first has settled
};
// Errors: key_missing, key_invalid, version_invalid, request_invalid (the body is not what the route's rules
// need), unavailable (the body cannot be read back).
// `client` is where the request came from: anonymous clients have nothing else of their own, and a natural key
// must not make one of two of them.
Result<Keyed> key_of(const policy::CompiledRoute& route, const http::Request& request,
                     const std::string& tenant, const std::string& caller, std::string_view client,
                     Entropy& entropy);

}  // namespace pawl::gateway
