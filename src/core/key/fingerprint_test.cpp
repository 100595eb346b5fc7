// SPDX-License-Identifier: Apache-2.0
// R-FPR: what must be equal for a repeat to be a repeat. Field cases 8, 10, 12, 15, X5 and X6.
#include "core/key/fingerprint.hpp"

#include <gtest/gtest.h>

#include "runtime/codec/text.hpp"

namespace pawl::key {
namespace {

Digest of(std::string_view body, std::string_view type = "application/json",
          std::string_view target = "/orders", std::string_view method = "POST",
          const FingerprintRule& rule = {}) {
    const auto digest = fingerprint(rule, {method, target, type, body});
    EXPECT_TRUE(digest);
    return digest.value_or(Digest{});
}

JsonPath path(std::string_view text) { return *parse_json_path(text); }

// field case 10
TEST(Fingerprint, MemberOrderAndWhiteSpaceDoNotMatterButArrayOrderDoes) {
    const Digest first = of(R"({"sku":"A","qty":1})");
    EXPECT_EQ(of(R"({"qty":1,"sku":"A"})"), first);
    EXPECT_EQ(of(" {\n\t\"qty\" : 1 , \"sku\":\"A\" }\r\n"), first);
    EXPECT_EQ(of(R"({"o":{"a":1,"b":[1,2]}})"), of(R"({"o":{"b":[1,2],"a":1}})"));
    EXPECT_NE(of(R"({"o":[1,2]})"), of(R"({"o":[2,1]})"));
}

// field case X5
TEST(Fingerprint, NumbersCompareByValueAndAmountsThatDifferNeverMeet) {
    EXPECT_EQ(of("1"), of("1.0"));
    EXPECT_EQ(of("1"), of("1e0"));
    EXPECT_EQ(of("1e20"), of("100000000000000000000.0"));
    EXPECT_EQ(of("-0"), of("0"));
    EXPECT_NE(of("9007199254740992"), of("9007199254740993"));
    EXPECT_NE(of("0.1"), of("0.10000000000000001"));
    EXPECT_NE(of("1"), of("\"1\""));
}

// field case 12: an envelope that grows with each attempt
TEST(Fingerprint, ExcludedMembersMayDifferAndNothingElse) {
    FingerprintRule rule;
    rule.json.exclude = {path("$.id")};
    const auto rpc = [&rule](std::string_view body) {
        return of(body, "application/json", "/rpc", "POST", rule);
    };
    const Digest first = rpc(R"({"id":1,"method":"pay","params":{"amount":5}})");
    EXPECT_EQ(rpc(R"({"id":2,"method":"pay","params":{"amount":5}})"), first);
    EXPECT_NE(rpc(R"({"id":1,"method":"pay","params":{"amount":6}})"), first);
}

// field cases 8 and 15
TEST(Fingerprint, MethodTargetAndBodyAreApart) {
    EXPECT_NE(of("{}", "application/json", "/invoices"),
              of("{}", "application/json", "/invoices/7/pay"));
    EXPECT_NE(of("", "", "/get?name=x", "POST"), of("", "", "/?getname=x", "POST"));
    EXPECT_NE(of("", "", "/a", "POST"), of("", "", "/a", "PUT"));
    EXPECT_NE(of("b", "", "/a", "POST"), of("", "", "/ab", "POST"));
    EXPECT_NE(of("", "", "T/a", "POS"), of("", "", "/a", "POST"));
}

TEST(Fingerprint, TheMediaTypeCountsOnlyThroughTheFormOfTheBody) {
    EXPECT_EQ(of("{}", "application/json"), of("{ }", "application/problem+JSON; charset=utf-8"));
    EXPECT_EQ(of("a=1", "text/plain"), of("a=1", "application/x-www-form-urlencoded"));
    EXPECT_NE(of("{}", "application/json"), of("{}", "text/plain"));
    EXPECT_NE(of("{}", "text/plain"), of("{ }", "text/plain"));
}

TEST(Fingerprint, ABodyThatOnlyClaimsToBeJsonIsTakenRawUnlessJsonIsDemanded) {
    EXPECT_EQ(of("{,", "application/json"), of("{,", "text/plain"));
    EXPECT_EQ(of("", "application/json"), of("", ""));
    EXPECT_NE(of("{\"a\":1,\"a\":2}"), of("{\"a\":2,\"a\":1}"));
    const FingerprintRule strict{BodyForm::canonical, {}};
    const auto refused = fingerprint(strict, {"POST", "/", "application/json", "{\"a\":1,}"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::request_invalid);
    EXPECT_EQ(of("{ }", "text/plain", "/", "POST", strict), of("{}", "application/json", "/"));
    EXPECT_FALSE(fingerprint(strict, {"POST", "/", "application/json", ""}));
    const FingerprintRule raw{BodyForm::raw, {}};
    EXPECT_NE(of("{ }", "application/json", "/", "POST", raw),
              of("{}", "application/json", "/", "POST", raw));
    EXPECT_EQ(of("{ }", "application/json", "/", "POST", raw), of("{ }", "text/plain", "/"));
}

TEST(Fingerprint, StaysWhatItWasInEveryRelease) {
    EXPECT_EQ(to_hex(of(R"({"qty":10,"sku":"A"})").view()),
              "200dc3b104d828001fe43a96dfc9b4ce88066d95de4d77e4f91e3cab19191d25");
    EXPECT_EQ(to_hex(of("a=1", "", "/a%2fb").view()),
              "6ca0f485fb926d813bad6dea8b950752b35d1f5b93ea69d91f18f6df9bd769b1");
    EXPECT_EQ(to_hex(digest_of({}).view()),
              "d31c8d9a699915f49880633e934c53f7fec225ba8ee436a01918d0d9eb187154");
}

// field case X6
// A route that names no host serves several, told apart by the service behind it.
TEST(Fingerprint, TheHostCountsWhereTheRuleSaysSoByItsNameAlone) {
    FingerprintRule rule;
    rule.host = true;
    const auto at = [&rule](std::string_view host) {
        return fingerprint(rule, {"POST", "/orders", "", "b", host}).value();
    };
    EXPECT_EQ(at("Shop.Example:8080"), at("shop.example"));
    EXPECT_NE(at("shop.example"), at("shop.example.evil"));
    EXPECT_NE(at("shop.example"), at(""));
    EXPECT_EQ(at("[::1]:80"), at("[::1]"));
    EXPECT_NE(at("[::1]:80"), at("[::2]:80"));
    EXPECT_NE(at("shop.example"), of("b", ""));
    EXPECT_EQ(to_hex(at("shop.example").view()),
              "5f18148659c0de412186f344a5e7e82cb46b895bcd29cc5514c551fb0dd9322a");
    EXPECT_EQ(to_hex(digest_of(rule).view()),
              "0fccb57dff6b56a6b4ca2ec2fe407ce538028a0be076966233ca192c95df1e1a");
    rule.host = false;
    EXPECT_EQ(at("shop.example"), of("b", ""));
    EXPECT_EQ(host_name("[::1"), "[::1");
}

TEST(Target, UnreservedCharactersAreDecodedAndHexIsUpperCase) {
    EXPECT_EQ(normalise_target("/a%2Db"), "/a-b");
    EXPECT_EQ(normalise_target("/a%2db"), "/a-b");
    EXPECT_EQ(normalise_target("/%7e%7E~"), "/~~~");
    EXPECT_EQ(normalise_target("/%41%7a%30%5F%2E"), "/Az0_.");
    EXPECT_EQ(normalise_target("/a%2fb"), "/a%2Fb");
    EXPECT_NE(normalise_target("/a%2Fb"), normalise_target("/a/b"));
    EXPECT_EQ(normalise_target("/a?q=%c3%a9&r=+%20"), "/a?q=%C3%A9&r=+%20");
}

TEST(Target, WhatIsNoEscapeStaysAsItIsAndNothingIsDecodedTwice) {
    for (const char* text :
         {"", "/", "%", "/%", "/%2", "/%g0", "/%0g", "/%%", "/a//b/../c?x=1&x=2"})
        EXPECT_EQ(normalise_target(text), text);
    EXPECT_EQ(normalise_target("/%2541"), "/%2541");
    EXPECT_EQ(normalise_target("/%%41"), "/%A");
}

TEST(ContentType, JsonIsApplicationJsonAndEverySuffix) {
    for (const char* type :
         {"application/json", "Application/JSON", " \tapplication/json\t ;charset=utf-8",
          "application/problem+json", "application/vnd.api+JSON;v=1", "model/gltf+json"})
        EXPECT_TRUE(is_json(type)) << type;
    for (const char* type :
         {"", "json", "text/plain", "text/json", "application/jsonl", "application/json-seq",
          "application/x-json", "+json", "/+json", "application/+json", "text/plain; a=+json"})
        EXPECT_FALSE(is_json(type)) << type;
}

TEST(FingerprintRuleDigest, FollowsTheMeaningOfTheRule) {
    const FingerprintRule plain;
    FingerprintRule excluding;
    excluding.json.exclude = {path("$.a"), path("$.b[0]")};
    FingerprintRule including;
    including.json.include = {path("$.a"), path("$.b[0]")};
    FingerprintRule respelled;
    respelled.json.exclude = {path("$['b'][0]"), path("$[\"a\"]"), path("$.a")};
    FingerprintRule named;
    named.json.exclude = {path("$.a"), path("$.b['0']")};
    EXPECT_EQ(digest_of(excluding), digest_of(respelled));
    EXPECT_NE(digest_of(excluding), digest_of(plain));
    EXPECT_NE(digest_of(excluding), digest_of(including));
    EXPECT_NE(digest_of(excluding), digest_of(named));
    EXPECT_NE(digest_of({BodyForm::raw, {}}), digest_of({BodyForm::canonical, {}}));
    EXPECT_NE(digest_of({BodyForm::canonical, {}}), digest_of(plain));
}

// Stored with records: a rule of before hosts took part has the digest that it had then.
TEST(FingerprintRuleDigest, FollowsTheHostAndLeavesEarlierRulesAsTheyWere) {
    FingerprintRule rule;
    rule.host = true;
    EXPECT_NE(digest_of(rule), digest_of(FingerprintRule{}));
    rule.host = false;
    EXPECT_EQ(digest_of(rule), digest_of(FingerprintRule{}));  // whose value is pinned above
}

}  // namespace
}  // namespace pawl::key
