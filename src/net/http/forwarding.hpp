// SPDX-License-Identifier: Apache-2.0
// What a proxy does to header lines (RFC 9110, 7.6): lines that speak about one connection only are taken
// out in both directions, and the upstream is told for whom it works. Everything else keeps its order,
// spelling and repetition.
#pragma once

#include <string_view>

#include "net/http/message.hpp"
#include "net/http/service.hpp"

namespace pawl::http {

// Connection, Keep-Alive, Proxy-Connection, TE, Trailer, Transfer-Encoding, Upgrade.
bool is_hop_by_hop(std::string_view name);

// The lines that are hop-by-hop by definition or named in a Connection line. Content-Length stays.
void remove_hop_by_hop(Headers& headers);

// Whether two names are one for those who read `_` and `-` alike (CGI, WSGI).
bool equal_like_cgi(std::string_view a, std::string_view b);
// What Pawl says to upstreams is said by nobody else: a forged operation key or fence would be believed.
bool is_pawl_header(std::string_view name);
void remove_pawl_headers(Headers& headers);

// Sets X-Forwarded-Proto and -Host, appends the peer to X-Forwarded-For (one line, joined by ", ").
void add_forwarded(Headers& headers, const Peer& peer);

// The Host that the next hop gets. After add_forwarded(), which tells it the client's.
void set_host(Headers& headers, std::string_view host);

// "host" or "host:port", the port only when it is not the scheme's; IPv6 addresses in brackets.
std::string authority_of(const Target& target);

}  // namespace pawl::http
