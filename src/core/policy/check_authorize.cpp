// SPDX-License-Identifier: Apache-2.0
// Whether an endpoint that permits requests can be asked, and whether what it is told and says can be believed.
#include <array>

#include <fmt/format.h>

#include "core/policy/replay_headers.hpp"
#include "core/policy/route_findings.hpp"
#include "core/policy/units.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::policy {
namespace {

using namespace std::string_view_literals;

// What Pawl says itself in a question, or what speaks about one connection or message.
constexpr std::array kOwn{"host"sv,
                          "content-length"sv,
                          "transfer-encoding"sv,
                          "connection"sv,
                          "keep-alive"sv,
                          "proxy-connection"sv,
                          "te"sv,
                          "trailer"sv,
                          "upgrade"sv,
                          "expect"sv,
                          "x-forwarded-for"sv,
                          "x-forwarded-host"sv,
                          "x-forwarded-proto"sv,
                          "x-forwarded-method"sv,
                          "x-forwarded-uri"sv};
// What clients say with every request, so that it can be nobody's name.
constexpr std::array kClients{
    "authorization"sv, "cookie"sv,          "set-cookie"sv, "content-type"sv,
    "date"sv,          "idempotency-key"sv, "location"sv,   "www-authenticate"sv};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
    return std::ranges::any_of(
        names, [name](std::string_view known) { return equal_ignoring_case(name, known); });
}

bool is_pawls(std::string_view name) {
    constexpr std::string_view kPrefix = "pawl-";
    return equal_ignoring_case(name.substr(0, kPrefix.size()), kPrefix);
}

void check_told(RouteFindings& found, const AuthorizeRule& rule) {
    for (const std::string& name : rule.headers) {
        if (!is_field_name(name))
            found.error("authorize.headers", fmt::format("`{}` is not the name of a header", name),
                        "write its name alone");
        else if (is_one_of(name, kOwn) || is_pawls(name))
            found.error("authorize.headers", fmt::format("`{}` is Pawl's own to say", name),
                        "remove it");
        else if (equal_ignoring_case(name, rule.caller_header))
            found.error(
                "authorize.headers",
                fmt::format("`{}` is taken out of clients' requests: it is the answer's", name),
                "remove it");
    }
}

void check_caller_header(RouteFindings& found, const AuthorizeRule& rule) {
    const std::string& name = rule.caller_header;
    if (name.empty()) return;
    if (!is_field_name(name) || is_one_of(name, kOwn) || is_one_of(name, kClients) ||
        is_pawls(name))
        found.error("authorize.caller_header", fmt::format("`{}` cannot name a caller", name),
                    "write one such as `X-User`, which the endpoint answers with");
    const Route& route = found.route();
    if (route.key.source == KeyRule::Source::header && equal_ignoring_case(name, route.key.header))
        found.error("authorize.caller_header", fmt::format("`{}` carries the key already", name),
                    "write the header in which the endpoint names the caller");
}

}  // namespace

void check_authorize(RouteFindings& found) {
    if (!found.route().authorize) return;
    const AuthorizeRule& rule = *found.route().authorize;
    check_told(found, rule);
    check_caller_header(found, rule);
    if (rule.cache > kPermissionAgeMax)
        found.error(
            "authorize.cache",
            fmt::format("a right that is withdrawn would last {}", format_duration(rule.cache)),
            fmt::format("write at most {}", format_duration(kPermissionAgeMax)));
    if (rule.timeout.count() <= 0 || rule.timeout > kPermissionAgeMax)
        found.error(
            "authorize.timeout",
            fmt::format("`{}` is no time to wait for an answer", format_duration(rule.timeout)),
            fmt::format("write more than 0 and at most {}", format_duration(kPermissionAgeMax)));
}

}  // namespace pawl::policy
