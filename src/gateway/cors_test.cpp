// SPDX-License-Identifier: Apache-2.0
// What a browser is told, as Chromium asks (field case X9).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/caller/callers.hpp"
#include "gateway/cors.hpp"

namespace pawl::gateway {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

policy::CompiledRoute orders() {
    policy::Route route;
    route.key.source = policy::KeyRule::Source::header;
    route.key.header = "Idempotency-Key";
    route.caller = {policy::CallerRule::Source::jwt, "main"};
    route.replay_headers = {"X-Order"};
    return policy::compile(route).value();
}

caller::Callers callers() {
    caller::Callers all;
    all.issuers.emplace("main", caller::JwtIssuer{"Authorization", {}});
    return all;
}

policy::CorsRule rule() {
    policy::CorsRule made;
    made.origins = {"https://shop.example", "https://till.example:8443"};
    made.headers = {"X-Cart", "content-type"};
    made.expose = {"X-Rest"};
    return made;
}

http::RequestHead preflight(std::string origin) {
    return {"OPTIONS",
            "/orders",
            1,
            {{"Host", "api.example"},
             {"Access-Control-Request-Method", "POST"},
             {"Access-Control-Request-Headers", "content-type,idempotency-key"},
             {"Origin", std::move(origin)},
             {"Sec-Fetch-Mode", "cors"}}};
}

http::RequestHead post(std::string origin) {
    return {"POST", "/orders", 1, {{"Host", "api.example"}, {"Origin", std::move(origin)}}};
}

TEST(Cors, AnOptionsRequestIsAPreflightOnlyWhenItSaysWhatFollows) {
    EXPECT_EQ(preflighted_method(preflight("https://a")), "POST");
    http::RequestHead head = preflight("https://a");
    head.headers.pop_back();
    head.headers.pop_back();
    EXPECT_EQ(preflighted_method(head), "") << "no origin";
    head = preflight("https://a");
    http::remove_all(head.headers, "Access-Control-Request-Method");
    EXPECT_EQ(preflighted_method(head), "");
    head = preflight("https://a");
    head.headers.emplace_back("Access-Control-Request-Method", "PUT");
    EXPECT_EQ(preflighted_method(head), "") << "two methods";
    head = preflight("https://a");
    head.method = "POST";
    EXPECT_EQ(preflighted_method(head), "");
}

TEST(Cors, APreflightIsToldWhatTheRouteGoesBy) {
    const policy::CompiledRoute route = orders();
    const auto answer =
        preflight_answer(rule(), &route, callers(), preflight("https://shop.example"));
    EXPECT_EQ(answer.status, 204);
    EXPECT_EQ(answer.body, "");
    EXPECT_THAT(answer.headers,
                ElementsAre(Pair("Access-Control-Allow-Origin", "https://shop.example"),
                            Pair("Access-Control-Allow-Methods", "POST"),
                            Pair("Access-Control-Allow-Headers",
                                 "Content-Type, Idempotency-Key, Pawl-Repeat, Pawl-Version, "
                                 "Authorization, X-Cart"),
                            Pair("Access-Control-Max-Age", "600"), Pair("Vary", "Origin")));
}

TEST(Cors, AVersionMayBeSentAndItsDecisionRead) {
    policy::CompiledRoute route = orders();
    route.route.version = {policy::VersionRule::Source::header, "X-Revision", ""};
    const auto added = cors_edit(rule(), &route, post("https://shop.example")).added;
    EXPECT_NE(http::first_of(added, "Access-Control-Expose-Headers").find("Pawl-Version-Decision"),
              std::string::npos);
    const auto answer =
        preflight_answer(rule(), &route, callers(), preflight("https://shop.example"));
    EXPECT_NE(http::first_of(answer.headers, "Access-Control-Allow-Headers").find("X-Revision"),
              std::string::npos);
}

TEST(Cors, APageOfAnotherOriginIsRefusedAndToldNothing) {
    const policy::CompiledRoute route = orders();
    for (const std::string origin :
         {"https://evil.example", "https://shop.example.evil", "http://shop.example", "null",
          "https://SHOP.example", "https://shop.example:443"}) {
        const auto answer = preflight_answer(rule(), &route, callers(), preflight(origin));
        EXPECT_EQ(answer.status, 403) << origin;
        EXPECT_EQ(http::first_of(answer.headers, "Access-Control-Allow-Origin"), "");
        EXPECT_EQ(http::first_of(answer.headers, "Vary"), "Origin");
        EXPECT_THAT(cors_edit(rule(), &route, post(origin)).added,
                    ElementsAre(Pair("Vary", "Origin")));
    }
}

TEST(Cors, AnAnswerLetsThePageReadWhatARepeatNeeds) {
    const policy::CompiledRoute route = orders();
    policy::CorsRule with_cookies = rule();
    with_cookies.credentials = true;
    const auto edit = cors_edit(with_cookies, &route, post("https://till.example:8443"));
    EXPECT_TRUE(edit.drops_cors);
    EXPECT_THAT(edit.added,
                ElementsAre(Pair("Access-Control-Allow-Origin", "https://till.example:8443"),
                            Pair("Access-Control-Allow-Credentials", "true"),
                            Pair("Access-Control-Expose-Headers",
                                 "Idempotent-Replayed, Idempotency-Key, Location, ETag, "
                                 "Retry-After, Link, Pawl-Outcome, Pawl-Operation, "
                                 "Pawl-Result-Source, X-Order, X-Rest"),
                            Pair("Vary", "Origin")));
}

TEST(Cors, AnyOriginIsAStarAndVariesByNothing) {
    policy::CorsRule any;
    any.origins = {"*"};
    const policy::CompiledRoute route = orders();
    const auto answer = preflight_answer(any, &route, callers(), preflight("https://x.example"));
    EXPECT_EQ(http::first_of(answer.headers, "Access-Control-Allow-Origin"), "*");
    EXPECT_EQ(http::first_of(answer.headers, "Vary"), "");
    EXPECT_EQ(cors_edit(any, nullptr, post("https://x.example")).added.front(),
              (std::pair<std::string, std::string>("Access-Control-Allow-Origin", "*")));
}

TEST(Cors, ARequestWithoutAnOriginOrWithTwoIsNoPages) {
    const policy::CompiledRoute route = orders();
    http::RequestHead head = post("https://shop.example");
    head.headers.emplace_back("Origin", "https://shop.example");
    EXPECT_THAT(cors_edit(rule(), &route, head).added, ElementsAre(Pair("Vary", "Origin")));
    http::remove_all(head.headers, "Origin");
    EXPECT_THAT(cors_edit(rule(), &route, head).added, ElementsAre(Pair("Vary", "Origin")));
}

TEST(AnswerEdit, DropsWhatAnUpstreamSaysOfItAndVariesOnce) {
    const policy::CompiledRoute route = orders();
    http::Headers lines{{"access-control-allow-origin", "*"},
                        {"Access-Control-Max-Age", "1"},
                        {"Vary", "Accept, origin"},
                        {"ETag", "\"a\""}};
    http::amend(cors_edit(rule(), &route, post("https://evil.example")), lines);
    EXPECT_THAT(lines, ElementsAre(Pair("Vary", "Accept, origin"), Pair("ETag", "\"a\"")));
    lines = {{"Vary", "Accept"}};
    http::amend(cors_edit(rule(), &route, post("https://evil.example")), lines);
    EXPECT_THAT(lines, ElementsAre(Pair("Vary", "Accept"), Pair("Vary", "Origin")));
    lines = {{"Access-Control-Allow-Origin", "*"}};
    http::amend({}, lines);
    EXPECT_THAT(lines, testing::SizeIs(1)) << "where nothing is configured nothing is changed";
}

}  // namespace
}  // namespace pawl::gateway
