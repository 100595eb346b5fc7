// SPDX-License-Identifier: Apache-2.0
#include "net/http/trailers.hpp"

#include <algorithm>
#include <array>

#include "net/http/forwarding.hpp"

namespace pawl::http {
namespace {

using namespace std::string_view_literals;

// A name ending in '*' stands for all names that begin so.
constexpr std::array kHeadOnly{"host"sv,
                               "content-length"sv,
                               "content-type"sv,
                               "content-encoding"sv,
                               "content-language"sv,
                               "content-location"sv,
                               "content-range"sv,
                               "content-disposition"sv,
                               "connection"sv,
                               "expect"sv,
                               "max-forwards"sv,
                               "range"sv,
                               "if-*"sv,
                               "cache-control"sv,
                               "pragma"sv,
                               "age"sv,
                               "expires"sv,
                               "date"sv,
                               "vary"sv,
                               "location"sv,
                               "retry-after"sv,
                               "authorization"sv,
                               "proxy-authorization"sv,
                               "www-authenticate"sv,
                               "proxy-authenticate"sv,
                               "cookie"sv,
                               "set-cookie"sv,
                               "set-cookie2"sv,
                               "clear-site-data"sv,
                               "origin"sv,
                               "access-control-*"sv,
                               "forwarded"sv,
                               "x-forwarded-*"sv,
                               "x-real-ip"sv,
                               "x-http-method*"sv,
                               "idempotency-key"sv,
                               "idempotent-replayed"sv};

bool fits(std::string_view pattern, std::string_view name) {
    if (!pattern.ends_with('*')) return equal_like_cgi(pattern, name);
    pattern.remove_suffix(1);
    return equal_like_cgi(pattern, name.substr(0, pattern.size()));
}

}  // namespace

bool may_be_trailer(std::string_view name) {
    return !is_hop_by_hop(name) && !is_pawl_header(name) &&
           std::ranges::none_of(kHeadOnly,
                                [name](std::string_view pattern) { return fits(pattern, name); });
}

}  // namespace pawl::http
