// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gateway/who.hpp"
#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::gateway {
namespace {

policy::Route key_in_header() {
    policy::Route route;
    route.key.source = policy::KeyRule::Source::header;
    return route;
}

http::RequestHead head(http::Headers headers) {
    http::RequestHead head;
    head.method = "POST";
    head.target = "/orders";
    head.headers = std::move(headers);
    return head;
}

TEST(Who, AConnectionLineMayNotTakeAwayWhatTheRouteGoesBy) {
    policy::Route route = key_in_header();
    route.key.header = "X-Key";
    route.caller = {policy::CallerRule::Source::header, "X-User"};
    EXPECT_TRUE(check_connection_lines({}, route, head({{"Connection", "keep-alive, X-Other"}})));
    for (const std::string_view named : {"X-User", "close, x-key", "keep-alive,X-KEY"})
        EXPECT_EQ(check_connection_lines({}, route, head({{"Connection", std::string(named)}}))
                      .error()
                      .code,
                  Code::request_invalid);
}

TEST(Who, AConnectionLineMayNotTakeAwayThePermissionsWord) {
    policy::Route route = key_in_header();
    route.authorize.emplace();
    route.authorize->caller_header = "X-User";
    route.caller = {policy::CallerRule::Source::authorize, "X-User"};
    for (const std::string_view named : {"X-User", "close,  x-user", "keep-alive,X-USER,te"})
        EXPECT_EQ(check_connection_lines({}, route, head({{"Connection", std::string(named)}}))
                      .error()
                      .code,
                  Code::request_invalid);
    EXPECT_TRUE(check_connection_lines({}, route, head({{"Connection", "X-Use"}})));
}

// R-SCOPE
TEST(Who, ACallerWhoIsNotNamedWhereOneIsRequiredIsRefused) {
    policy::Route route = key_in_header();
    route.caller = {policy::CallerRule::Source::header, "X-User"};
    for (const http::Headers& headers : {http::Headers{}, http::Headers{{"X-User", ""}},
                                         http::Headers{{"X-User", "a"}, {"X-User", "b"}}}) {
        const auto caller = caller_of({}, route.caller, head(headers), {}, 0);
        ASSERT_FALSE(caller);
        EXPECT_EQ(caller.error().code, Code::caller_unknown);
    }
    EXPECT_EQ(caller_of({}, route.caller, head({{"x-user", "a"}}), {}, 0), "a");
    EXPECT_EQ(
        caller_of({}, route.caller, head({}), {}, 0).error().text,
        "The header X-User must name the caller, once. It is set by what authenticates in front of "
        "this gateway.");
}

TEST(Who, ATenantIsKnownOrTheRequestIsRefused) {
    const caller::Callers callers;
    policy::TenantRule rule{policy::TenantRule::Source::header, "X-Tenant", ""};
    const auto tenant = [&](http::Headers headers) {
        const auto found = tenant_of(callers, rule, head(std::move(headers)), 0);
        return found ? *found : "refused: " + std::string(name_of(found.error().code));
    };
    EXPECT_EQ(tenant({{"x-tenant", "acme"}}), "acme");
    EXPECT_EQ(tenant({{"X-Tenant", "Acme"}}), "Acme") << "byte by byte";
    EXPECT_EQ(tenant({}), "refused: caller_unknown");
    EXPECT_EQ(tenant({{"X-Tenant", ""}}), "refused: caller_unknown");
    EXPECT_EQ(tenant({{"X-Tenant", "a"}, {"X-Tenant", "a"}}), "refused: caller_unknown");
    EXPECT_EQ(tenant({{"X-Tenant", std::string(513, 'a')}}), "refused: caller_unknown");
    EXPECT_EQ(
        tenant_of(callers, rule, head({}), 0).error().text,
        "The header X-Tenant must name the tenant, once. It is set by what authenticates in front "
        "of this gateway.");
    rule = {policy::TenantRule::Source::host, "", ""};
    EXPECT_EQ(tenant({{"Host", "Acme.example:8443"}}), "acme.example");
    EXPECT_EQ(tenant({{"Host", "acme.example."}}), "acme.example");
    EXPECT_EQ(tenant({{"Host", "[::1]:80"}}), "[::1]");
    EXPECT_EQ(tenant({{"Host", "[::1]"}}), "[::1]");
    EXPECT_EQ(tenant({{"Host", ""}}), "refused: caller_unknown");
    EXPECT_EQ(tenant({}), "refused: caller_unknown");
}

TEST(Who, TheTenantAndTheCallerOfATokenAreBelievedAlike) {
    caller::Callers callers;
    caller::JwtRule trusted;
    trusted.algorithm = caller::JwtRule::Algorithm::hs256;
    trusted.secret = std::string(32, 's');
    callers.issuers.emplace("main", caller::JwtIssuer{"Authorization", trusted});
    const auto token = [](std::string_view secret, std::string_view claims) {
        const std::string said = to_base64url(R"({"alg":"HS256"})") + "." + to_base64url(claims);
        return "Bearer " + said + "." + to_base64url(hmac_sha256(secret, said).view());
    };
    const policy::TenantRule rule{policy::TenantRule::Source::jwt, "main", "org"};
    const auto tenant = [&](std::string value) {
        const auto found =
            tenant_of(callers, rule, head({{"Authorization", std::move(value)}}), 1'000'000'000);
        return found ? *found : "refused: " + found.error().text;
    };
    constexpr std::string_view kGood = R"({"sub":"ada","org":"acme","exp":2000000})";
    EXPECT_EQ(tenant(token(trusted.secret, kGood)), "acme");
    EXPECT_EQ(tenant(token(std::string(32, 'x'), kGood)),
              "refused: The token is not signed by whom this route trusts.");
    EXPECT_EQ(tenant(token(trusted.secret, R"({"sub":"ada","exp":2000000})")),
              "refused: The token does not hold a name, as a text, in `org`.");
    EXPECT_EQ(tenant(token(trusted.secret, R"({"org":7,"exp":2000000})")),
              "refused: The token does not hold a name, as a text, in `org`.");
    EXPECT_EQ(tenant("Basic x"), "refused: Send a bearer token in the header Authorization, once.");

    const auto caller = [&](const http::Headers& headers) {
        return caller_of(callers, {policy::CallerRule::Source::jwt, "main"}, head(headers), {},
                         1'000'000'000);
    };
    const std::string good = token(trusted.secret, kGood);
    EXPECT_EQ(caller({{"Authorization", good}}), "ada");
    EXPECT_EQ(caller({{"Authorization", good}, {"Authorization", good}}).error().text,
              "Send a bearer token in the header Authorization, once.");
}

}  // namespace
}  // namespace pawl::gateway
