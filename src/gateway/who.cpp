// SPDX-License-Identifier: Apache-2.0
#include "gateway/who.hpp"

#include <fmt/format.h>

#include "core/caller/caller_name.hpp"
#include "net/http/list.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

Error must_prove(std::string_view header, std::string_view with) {
    return {
        Code::caller_unknown, fmt::format("Send {} in the header {}, once.", with, header), {}, {}};
}

// `whom`: "caller" or "tenant".
Result<std::string> named_by_header(const http::Headers& headers, const std::string& header,
                                    std::string_view whom) {
    if (const auto name = name_in(headers, header)) return std::string(*name);
    return fail(Code::caller_unknown,
                fmt::format("The header {} must name the {}, once. It is set by what authenticates "
                            "in front of this gateway.",
                            header, whom));
}

// Not yet believed.
Result<std::string_view> token_of(const caller::JwtIssuer& issuer, const http::Headers& headers) {
    const auto values = http::values_of(headers, issuer.header);
    const std::string_view token =
        values.size() == 1 ? caller::token_in(issuer.header, values.front()) : std::string_view{};
    if (token.empty()) return fail(must_prove(issuer.header, "a bearer token"));
    return token;
}

std::string_view tenant_header(const caller::Callers& callers, const policy::TenantRule& rule) {
    using Source = policy::TenantRule::Source;
    if (rule.source == Source::header) return rule.name;
    return rule.source == Source::jwt
               ? std::string_view(callers.issuers.find(rule.name)->second.header)
               : std::string_view{};
}

}  // namespace

std::optional<std::string_view> name_in(const http::Headers& headers, std::string_view header) {
    const auto values = http::values_of(headers, header);
    if (values.size() != 1 || !caller::is_caller_name(values.front())) return std::nullopt;
    return values.front();
}

Result<std::string> caller_of(const caller::Callers& callers, const policy::CallerRule& rule,
                              const http::RequestHead& head, const http::Peer& peer,
                              std::int64_t now_ms) {
    using Source = policy::CallerRule::Source;
    switch (rule.source) {
        case Source::open:
        case Source::authorize:  // said by the permission, which is asked for next
            return std::string{};
        case Source::header:
            return named_by_header(head.headers, rule.name, "caller");
        case Source::api_key: {
            const caller::ApiKeySet& set = callers.api_keys.find(rule.name)->second;
            const auto values = http::values_of(head.headers, set.header);
            if (values.size() != 1) return fail(must_prove(set.header, "an API key"));
            return set.keys.caller_of(values.front());
        }
        case Source::jwt: {
            const caller::JwtIssuer& issuer = callers.issuers.find(rule.name)->second;
            const auto token = token_of(issuer, head.headers);
            if (!token) return fail(token.error());
            return caller::caller_in_jwt(*token, issuer.rule, now_ms);
        }
        case Source::mtls:
            if (caller::is_caller_name(peer.certificate_subject)) return peer.certificate_subject;
            return fail(Code::caller_unknown,
                        "This route knows its callers by their TLS client certificates; show "
                        "one that the gateway's authority signed.");
    }
    return fail(Code::caller_unknown,
                "This route's way of knowing its callers is not available here.");
}

Result<std::string> tenant_of(const caller::Callers& callers, const policy::TenantRule& rule,
                              const http::RequestHead& head, std::int64_t now_ms) {
    using Source = policy::TenantRule::Source;
    switch (rule.source) {
        case Source::header:
            return named_by_header(head.headers, rule.name, "tenant");
        case Source::jwt: {
            const caller::JwtIssuer& issuer = callers.issuers.find(rule.name)->second;
            const auto token = token_of(issuer, head.headers);
            if (!token) return fail(token.error());
            return caller::name_in_jwt(*token, issuer.rule, rule.claim, now_ms);
        }
        case Source::host:
            break;
    }
    // Without the port, and in small letters: spellings of one host are one tenant.
    std::string host(http::first_of(head.headers, "Host"));
    if (const auto colon = host.rfind(':'); colon != std::string::npos && !host.ends_with(']'))
        host.resize(colon);
    if (host.ends_with('.')) host.pop_back();
    for (char& c : host)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (caller::is_caller_name(host)) return host;
    return fail(Code::caller_unknown, "The header Host must name the tenant.");
}

std::string_view caller_header(const caller::Callers& callers, const policy::CallerRule& rule) {
    using Source = policy::CallerRule::Source;
    switch (rule.source) {
        case Source::header:
            return rule.name;
        case Source::api_key:
            return callers.api_keys.find(rule.name)->second.header;
        case Source::jwt:
            return callers.issuers.find(rule.name)->second.header;
        case Source::open:
        case Source::mtls:
        case Source::authorize:
            break;
    }
    return {};
}

std::vector<std::string_view> headers_gone_by(const caller::Callers& callers,
                                              const policy::Route& route) {
    std::vector<std::string_view> all{caller_header(callers, route.caller)};
    if (route.key.source == policy::KeyRule::Source::header) all.emplace_back(route.key.header);
    if (route.tenant) all.push_back(tenant_header(callers, *route.tenant));
    if (route.authorize) {
        all.emplace_back(route.authorize->caller_header);
        all.insert(all.end(), route.authorize->headers.begin(), route.authorize->headers.end());
    }
    return all;
}

Status check_connection_lines(const caller::Callers& callers, const policy::Route& route,
                              const http::RequestHead& head) {
    const auto lines = http::values_of(head.headers, "Connection");
    if (lines.empty()) return {};
    std::string_view named;
    for (const std::string_view needed : headers_gone_by(callers, route))
        for (const std::string_view line : lines)
            http::for_each_member(line, [&](std::string_view member) {
                if (equal_ignoring_case(member, needed)) named = needed;
            });
    if (named.empty()) return {};
    return fail(
        Code::request_invalid,
        fmt::format(
            "The header Connection names {}, which must reach the service. Leave it out there.",
            named));
}

std::string challenge_of(const caller::Callers& callers, const policy::CallerRule& rule) {
    const bool bearer = rule.source == policy::CallerRule::Source::jwt &&
                        equal_ignoring_case(caller_header(callers, rule), "authorization");
    return bearer ? "Bearer" : std::string{};
}

}  // namespace pawl::gateway
