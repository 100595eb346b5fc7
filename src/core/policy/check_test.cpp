// SPDX-License-Identifier: Apache-2.0
// The check as a whole: good routes, routes without protection and in shadow, and where findings point.
#include "core/policy/check_fixture.hpp"
#include "core/policy/compiled_route.hpp"

namespace pawl::policy {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Check, AGoodRouteHasNoFinding) { EXPECT_THAT(said(check_routes({good_route()})), IsEmpty()); }

TEST_P(CheckFinds, ExactlyThisMistake) {
    Route route = good_route();
    GetParam().change(route);
    const auto findings = check_routes({route});
    EXPECT_THAT(said(findings), ElementsAre(HasSubstr(GetParam().said)));
    for (const Finding& finding : findings) EXPECT_EQ(finding.line, 7);
    if (!has_errors(findings)) {
        EXPECT_TRUE(RouteTable::build({route}));
    }
}

TEST(Check, OrdinaryWordsPass) {
    for (const auto& change :
         std::vector<std::function<void(Route&)>>{[](Route& r) { r.host = "shop-1.example_a"; },
                                                  [](Route& r) { r.host = "[2001:db8::1]"; },
                                                  [](Route& r) { r.host_rewrite = "backend:3000"; },
                                                  [](Route& r) { r.transactional = true; },
                                                  [](Route& r) { r.fingerprint.include = {"$"}; },
                                                  [](Route& r) {
                                                      r.profile = Profile::ietf;
                                                      r.retention.result = 2min;
                                                      r.caller = {};
                                                      r.key.required = false;
                                                  },
                                                  [](Route& r) {
                                                      r.key.source = KeyRule::Source::json;
                                                      r.key.json_path = "$.tries[0]";
                                                  },
                                                  [](Route& r) {
                                                      r.key.source = KeyRule::Source::derived;
                                                      r.key.derive = {"$.date", "$"};
                                                      r.key.required = false;
                                                      r.key.window = 0ms;
                                                  }}) {
        Route route = good_route();
        change(route);
        EXPECT_THAT(said(check_routes({route})), IsEmpty());
    }
}

TEST(Check, AnUnprotectedRouteIsOnlyAskedForItsPlace) {
    Route route;
    route.name = "static";
    route.method = "GET";
    route.path = "/*";
    route.protect = false;
    route.upstream = {"127.0.0.1", 3000, false, false};
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
    route.path = "*";
    EXPECT_THAT(said(check_routes({route})), ElementsAre(HasSubstr("does not begin with `/`")));
}

TEST(Check, WhatAnUnprotectedRouteDoesNotUseIsWarnedOf) {
    Route route = good_route();
    route.protect = false;
    route.places = {{"match", 1, 1}, {"protect", 2, 12},   {"key", 3, 1},
                    {"key", 3, 1},   {"key.header", 3, 9}, {"wait", 4, 1}};
    const auto findings = check_routes({route});
    EXPECT_THAT(said(findings),
                ElementsAre("warning: `key`, `wait` is not used on a route without protection"));
    EXPECT_EQ(findings[0].line, 2);
    route.places = {{"match", 1, 1}, {"name", 1, 1},     {"was", 1, 1},
                    {"host", 1, 1},  {"upstream", 1, 1}, {"host_rewrite", 1, 1}};
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
}

TEST(Check, AShadowIsJudgedAsWhatItIsAShadowOf) {
    Route route = good_route();
    route.protect = false;
    route.shadow = true;
    route.places = {{"protect", 2, 12}, {"key", 3, 1}};
    EXPECT_THAT(said(check_routes({route})), IsEmpty());
    route.key.source = KeyRule::Source::json;
    route.key.json_path = "$.id";
    EXPECT_THAT(said(check_routes({route})),
                ElementsAre("warning: a shadow does not look into bodies, and the key is inside"));
    route = good_route();
    route.protect = false;
    route.shadow = true;
    route.method = "GET";
    EXPECT_THAT(said(check_routes({route})),
                testing::Contains(HasSubstr("GET changes nothing and takes no record")));
}

TEST(Check, FindingsPointAtTheSettingOrTheNearestOneAroundIt) {
    Route route = good_route();
    route.places = {{"lease", 9, 12},
                    {"retention", 10, 16},
                    {"uncertain.effect_horizon", 11, 40},
                    {"uncertain", 11, 3}};
    route.lease = 1s;
    route.retention.key = 1h;
    route.uncertain.effect_horizon = 0ms;
    route.wait = 1h;
    std::vector<std::pair<int, int>> places;
    for (const Finding& finding : check_routes({route}))
        places.emplace_back(finding.line, finding.column);
    EXPECT_THAT(places, testing::UnorderedElementsAre(testing::Pair(9, 12), testing::Pair(10, 16),
                                                      testing::Pair(11, 40), testing::Pair(7, 5),
                                                      testing::Pair(7, 5)));
}

}  // namespace
}  // namespace pawl::policy
