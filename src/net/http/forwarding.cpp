// SPDX-License-Identifier: Apache-2.0
#include "net/http/forwarding.hpp"

#include <array>

#include "net/http/list.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::http {
namespace {

using namespace std::string_view_literals;

constexpr std::array kHopByHop{"connection"sv, "keep-alive"sv, "proxy-connection"sv, "te"sv,
                               "trailer"sv,    "upgrade"sv,    "transfer-encoding"sv};
// Never taken out on a Connection line's word: who could remove them would change the message's meaning.
constexpr std::array kEndToEnd{"host"sv,           "content-length"sv, "content-type"sv,
                               "authorization"sv,  "cookie"sv,         "set-cookie"sv,
                               "idempotency-key"sv};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
    return std::ranges::any_of(
        names, [name](std::string_view known) { return equal_ignoring_case(name, known); });
}

}  // namespace

bool is_hop_by_hop(std::string_view name) {
    if (name.size() < 2 || name.size() > 17) return false;
    return is_one_of(name, kHopByHop);
}

bool equal_like_cgi(std::string_view a, std::string_view b) {
    const auto same = [](char x, char y) {
        return (x == '_' ? '-' : x) == (y == '_' ? '-' : y) ||
               equal_ignoring_case({&x, 1}, {&y, 1});
    };
    return std::ranges::equal(a, b, same);
}

bool is_pawl_header(std::string_view name) {
    constexpr std::string_view kPrefix = "pawl-";
    return name.size() >= kPrefix.size() && equal_like_cgi(name.substr(0, kPrefix.size()), kPrefix);
}

void remove_pawl_headers(Headers& headers) {
    std::erase_if(headers, [](const auto& line) { return is_pawl_header(line.first); });
}

void remove_hop_by_hop(Headers& headers) {
    std::vector<std::string> named;
    for (const auto& [name, value] : headers) {
        if (!equal_ignoring_case(name, "connection")) continue;
        for_each_member(value, [&named](std::string_view member) {
            if (!is_one_of(member, kEndToEnd) && !equal_ignoring_case(member, "close"))
                named.emplace_back(member);
        });
    }
    std::erase_if(headers, [&named](const auto& line) {
        return is_hop_by_hop(line.first) || std::ranges::any_of(named, [&](const auto& name) {
                   return equal_ignoring_case(name, line.first);
               });
    });
}

void add_forwarded(Headers& headers, const Peer& peer) {
    std::string forwarded_for;
    for (const std::string_view value : values_of(headers, "x-forwarded-for")) {
        if (value.empty()) continue;
        forwarded_for.append(value).append(", ");
    }
    forwarded_for += peer.address;
    const std::string host(first_of(headers, "host"));
    std::erase_if(headers, [](const auto& line) {
        return equal_ignoring_case(line.first, "x-forwarded-for") ||
               equal_ignoring_case(line.first, "x-forwarded-proto") ||
               equal_ignoring_case(line.first, "x-forwarded-host");
    });
    headers.emplace_back("X-Forwarded-For", std::move(forwarded_for));
    headers.emplace_back("X-Forwarded-Proto", peer.tls ? "https" : "http");
    if (!host.empty()) headers.emplace_back("X-Forwarded-Host", host);
}

void set_host(Headers& headers, std::string_view host) {
    remove_all(headers, "host");
    headers.emplace(headers.begin(), "Host", host);
}

std::string authority_of(const Target& target) {
    const bool literal_v6 =
        target.host.find(':') != std::string::npos && !target.host.starts_with('[');
    std::string authority = literal_v6 ? "[" + target.host + "]" : target.host;
    if (target.port != (target.tls ? 443 : 80))
        authority.append(":").append(std::to_string(target.port));
    return authority;
}

}  // namespace pawl::http
