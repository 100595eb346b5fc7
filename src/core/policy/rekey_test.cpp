// SPDX-License-Identifier: Apache-2.0
#include "core/policy/rekey.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::policy {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Route orders() {
    Route route;
    route.name = "orders";
    route.method = "POST";
    route.path = "/orders";
    route.upstream = {.host = "127.0.0.1", .port = 1};
    route.key.source = KeyRule::Source::header;
    route.caller = {CallerRule::Source::header, "X-User"};
    return route;
}

std::vector<std::string> said(const std::function<void(Route&)>& change) {
    Route next = orders();
    change(next);
    std::vector<std::string> lines;
    for (const Finding& one : rekeyed({orders()}, {next})) {
        EXPECT_EQ(one.severity, Severity::warning);
        EXPECT_FALSE(one.remedy.empty());
        lines.push_back(one.what);
    }
    return lines;
}

TEST(Rekey, AnotherWayOfKnowingTenantsMakesOtherNames) {
    EXPECT_THAT(said([](Route& route) {
                    route.tenant = TenantRule{TenantRule::Source::header, "X-Tenant", ""};
                }),
                ElementsAre("`tenant` of `orders` was `the file's` and is `header X-Tenant`"));
    EXPECT_THAT(said([](Route& route) {
                    route.tenant = TenantRule{TenantRule::Source::jwt, "main", "org"};
                }),
                ElementsAre(HasSubstr("is `jwt main org`")));
    EXPECT_THAT(
        said([](Route& route) { route.tenant = TenantRule{TenantRule::Source::host, "", ""}; }),
        ElementsAre(HasSubstr("is `host`")));
}

TEST(Rekey, WhatNoNameIsMadeOfMayChange) {
    EXPECT_THAT(said([](Route&) {}), IsEmpty());
    EXPECT_THAT(said([](Route& route) {
                    route.wait = 1s;
                    route.path = "/v2/orders";
                    route.host = "shop.example";
                    route.upstream.port = 2;
                    route.profile = Profile::ietf;
                    route.key.required = false;
                    route.key.format = "[0-9]+";
                }),
                IsEmpty());
}

TEST(Rekey, EachPartOfANameIsSeen) {
    EXPECT_THAT(said([](Route& route) { route.profile = Profile::stripe_v1; }),
                testing::Contains("`profile` of `orders` was `strict-money` and is `stripe-v1`"));
    EXPECT_THAT(said([](Route& route) { route.caller.name = "X-Account"; }),
                ElementsAre("`caller` of `orders` was `header X-User` and is `header X-Account`"));
    EXPECT_THAT(said([](Route& route) { route.caller = {}; }), ElementsAre(HasSubstr("`caller`")));
    EXPECT_THAT(
        said([](Route& route) { route.key.header = "X-Key"; }),
        ElementsAre("`key` of `orders` was `header Idempotency-Key` and is `header X-Key`"));
    EXPECT_THAT(said([](Route& route) {
                    route.key.source = KeyRule::Source::json;
                    route.key.json_path = "$.id";
                }),
                ElementsAre(HasSubstr("is `$.id`")));
}

TEST(Rekey, AFormerFingerprintRuleMayLiveOnInAnotherRoute) {
    const auto raw = [](Route& route) { route.fingerprint.mode = FingerprintRule::Mode::raw; };
    EXPECT_THAT(said(raw), ElementsAre(HasSubstr("no route keeps the former one")));
    Route next = orders();
    raw(next);
    Route keeps = orders();
    keeps.name = "carts";
    keeps.path = "/carts";
    EXPECT_THAT(rekeyed({orders()}, {next, keeps}), IsEmpty());
}

TEST(Rekey, ARenamedRouteSaysWasOrLosesItsRecords) {
    EXPECT_THAT(said([](Route& route) { route.name = "create-order"; }),
                ElementsAre("the route was called `orders` and is called `create-order`"));
    EXPECT_THAT(said([](Route& route) {
                    route.name = "create-order";
                    route.was = "orders";
                }),
                IsEmpty());
    EXPECT_THAT(said([](Route& route) {
                    route.name = "create-order";
                    route.path = "/elsewhere";
                }),
                ElementsAre("the protected route `orders` is not in the file any more"))
        << "another route";
    // `was` goes when nobody needs the former name any more.
    Route before = orders();
    before.was = "former";
    EXPECT_THAT(rekeyed({before}, {orders()}),
                ElementsAre(testing::Field(&Finding::what,
                                           "`name` of `orders` was `former` and is `orders`")));
}

TEST(Rekey, WhatWasNotProtectedHasNoRecords) {
    Route before = orders();
    before.protect = false;
    Route next = orders();
    next.key.header = "X-Key";
    EXPECT_THAT(rekeyed({before}, {next}), IsEmpty());
    EXPECT_THAT(rekeyed({}, {next}), IsEmpty());
}

TEST(Rekey, WhatIsNotProtectedAnyMoreIsSeen) {
    const auto off = [](Route& route) { route.protect = false; };
    EXPECT_THAT(said(off), ElementsAre("`protect` of `orders` was `true` and is `false`"));
    EXPECT_THAT(said([&](Route& route) {
                    off(route);
                    route.shadow = true;
                }),
                ElementsAre("`protect` of `orders` was `true` and is `shadow`"));
    EXPECT_THAT(said([&](Route& route) {
                    off(route);
                    route.name = "passed on";
                }),
                ElementsAre(HasSubstr("is `false`")))
        << "the same requests under another name";
    EXPECT_THAT(said([&](Route& route) {
                    off(route);
                    route.path = "/v2/orders";
                }),
                ElementsAre(HasSubstr("is `false`")))
        << "the same name for other requests";
    const auto gone = rekeyed({orders()}, {});
    ASSERT_EQ(gone.size(), 1);
    EXPECT_EQ(gone[0].what, "the protected route `orders` is not in the file any more");
    EXPECT_THAT(gone[0].remedy, HasSubstr("run again"));
}

TEST(Rekey, AMethodThatNothingProtectsAnyMoreIsSeen) {
    const auto put = [](Route& route) { route.method = "PUT"; };
    EXPECT_THAT(said(put), ElementsAre("`orders` was for POST and is for PUT: POST /orders is "
                                       "protected by no route any more"));
    EXPECT_THAT(said([](Route& route) { route.method = "*"; }), IsEmpty());
    Route any = orders();
    any.method = "*";
    EXPECT_THAT(rekeyed({any}, {orders()}),
                ElementsAre(testing::Field(&Finding::what, HasSubstr("was for * and"))));
    Route next = orders();
    put(next);
    Route keeps = orders();
    keeps.name = "created";
    EXPECT_THAT(rekeyed({orders()}, {next, keeps}),
                ElementsAre(testing::Field(&Finding::what, HasSubstr("by `created` from now on"))));
}

TEST(Rekey, AFindingPointsAtItsLine) {
    Route next = orders();
    next.line = 7;
    next.places = {{"key", 9, 10}};
    next.key.header = "X-Key";
    const auto findings = rekeyed({orders()}, {next});
    ASSERT_EQ(findings.size(), 1);
    EXPECT_EQ(findings[0].line, 9);
    EXPECT_EQ(findings[0].column, 10);
}

}  // namespace
}  // namespace pawl::policy
