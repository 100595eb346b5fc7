// SPDX-License-Identifier: Apache-2.0
#include "core/policy/compiled_route.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::policy {
namespace {

using testing::HasSubstr;

Route orders() {
    Route route;
    route.name = "create-order";
    route.method = "POST";
    route.path = "/orders";
    route.upstream = {"127.0.0.1", 3000, false, false};
    route.key.source = KeyRule::Source::header;
    return route;
}

std::vector<KeyPart::Kind> kinds_of(const CompiledRoute& made) {
    std::vector<KeyPart::Kind> kinds;
    for (const KeyPart& part : made.key_parts) kinds.push_back(part.kind);
    return kinds;
}

TEST(CompiledRoute, ARequiredHeaderNeedsNoNaturalKey) {
    const auto made = compile(orders());
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->natural_key);
    EXPECT_FALSE(made->key_path);
    EXPECT_TRUE(made->key_parts.empty());
    EXPECT_TRUE(made->key_format.takes("anything"));
}

// R-FINGERPRINT-GUARD
TEST(CompiledRoute, WithoutAKeySourceRequestsOfOneCallerAreHeldTogetherByMethodPathAndBody) {
    using Kind = KeyPart::Kind;
    Route route = orders();
    route.key.source = KeyRule::Source::none;
    auto made = compile(route);
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->natural_key);
    EXPECT_THAT(kinds_of(*made),
                testing::ElementsAre(Kind::caller, Kind::method, Kind::path, Kind::body));

    route.key.window = 0ms;
    made = compile(route);
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->natural_key) << "a window of 0 switches the guard off";
}

TEST(CompiledRoute, AKeyThatIsNotRequiredHasTheGuardBesideIt) {
    Route route = orders();
    route.key.required = false;
    route.key.derive = {"caller", "$.cart"};
    const auto made = compile(route);
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->natural_key);
    EXPECT_EQ(made->key_parts.size(), 2U);
}

TEST(CompiledRoute, ADerivedKeyIsAGuardOnlyWithAWindow) {
    Route route = orders();
    route.key.source = KeyRule::Source::derived;
    route.key.derive = {"caller", "body", "method", "path", "$.cart.id", "header:X-Cart"};
    route.key.window = 0ms;
    auto made = compile(route);
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->natural_key);
    ASSERT_EQ(made->key_parts.size(), 6U);
    EXPECT_EQ(made->key_parts[4].json.steps.size(), 2U);
    EXPECT_EQ(made->key_parts[5].header, "X-Cart");
    route.key.window = 3s;
    made = compile(route);
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->natural_key);
}

TEST(CompiledRoute, PathsFormatsAndProbesAreParsed) {
    Route route = orders();
    route.key.source = KeyRule::Source::json;
    route.key.json_path = "$.id";
    route.key.format = "[0-9]+";
    route.fingerprint.exclude = {"$.sent_at"};
    route.uncertain.probe = "GET /orders/by/{operation_key}";
    route.uncertain.close = "POST /orders/close/{operation_key}";
    const auto made = compile(route);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->key_path->text, "$.id");
    EXPECT_FALSE(made->key_format.takes("x"));
    EXPECT_EQ(made->fingerprint.json.exclude.size(), 1U);
    EXPECT_EQ(made->probe->method(), "GET");
    EXPECT_EQ(made->close->method(), "POST");
}

// Rulings 8: what was recorded before hosts took part is compared under its own rule.
TEST(CompiledRoute, TheHostTakesPartWhereTheUpstreamIsToldItAndTheRouteNamesNone) {
    const auto by_host = compile(orders());
    EXPECT_TRUE(by_host->fingerprint.host);
    EXPECT_FALSE(by_host->fingerprint_without_host.host);
    for (const bool rewritten : {false, true}) {
        Route route = orders();
        (rewritten ? route.host_rewrite : route.host) = "shop.example";
        const auto made = compile(route);
        EXPECT_FALSE(made->fingerprint.host);
        EXPECT_NE(made->fingerprint_digest, by_host->fingerprint_digest);
        // What was recorded the other way is compared that way.
        EXPECT_TRUE(made->rule_named(by_host->fingerprint_digest)->host);
        EXPECT_FALSE(by_host->rule_named(made->fingerprint_digest)->host);
        EXPECT_TRUE(made->rule_named(made->fingerprint_digest));
    }
    EXPECT_FALSE(by_host->rule_named(sha256("another rule")));
}

TEST(CompiledRoute, WhereTheVersionAndThePresentStateAreReadIsParsed) {
    Route route = orders();
    route.version = {VersionRule::Source::json, "", "$.revision"};
    route.on_repeat = OnRepeat::current;
    route.read = "GET {location}";
    const auto made = compile(route);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->version_path->text, "$.revision");
    EXPECT_TRUE(made->read->needs_location());
    EXPECT_FALSE(compile(orders())->version_path);
    EXPECT_FALSE(compile(orders())->read);
    route.read = "POST /x";
    EXPECT_FALSE(compile(route));
    route = orders();
    route.version = {VersionRule::Source::json, "", "revision"};
    EXPECT_FALSE(compile(route));
}

// field case 12: another rule is another digest, so that a record is compared under its own
TEST(CompiledRoute, TheDigestOfTheFingerprintRuleFollowsTheRule) {
    const Digest plain = compile(orders())->fingerprint_digest;
    EXPECT_EQ(compile(orders())->fingerprint_digest, plain);
    Route route = orders();
    route.fingerprint.exclude = {"$.sent_at"};
    EXPECT_NE(compile(route)->fingerprint_digest, plain);
    route = orders();
    route.fingerprint.mode = FingerprintRule::Mode::raw;
    const Digest raw = compile(route)->fingerprint_digest;
    EXPECT_NE(raw, plain);
    route.fingerprint.mode = FingerprintRule::Mode::canonical;
    EXPECT_NE(compile(route)->fingerprint_digest, plain);
    EXPECT_NE(compile(route)->fingerprint_digest, raw);
}

TEST(CompiledRoute, EveryBrokenPartIsAnError) {
    const auto error_of = [](auto change) {
        Route route = orders();
        change(route);
        const auto made = compile(route);
        return made ? std::string("no error") : std::string(name_of(made.error().code));
    };
    EXPECT_EQ(error_of([](Route& r) {
                  r.key.source = KeyRule::Source::json;
                  r.key.json_path = "id";
              }),
              "config_invalid");
    EXPECT_EQ(error_of([](Route& r) { r.key.derive = {"bodies"}; }), "config_invalid");
    EXPECT_EQ(error_of([](Route& r) { r.key.derive = {"$["}; }), "config_invalid");
    EXPECT_EQ(error_of([](Route& r) { r.key.derive = {"header:"}; }), "config_invalid");
    EXPECT_EQ(error_of([](Route& r) { r.key.format = "["; }), "config_invalid");
    EXPECT_EQ(error_of([](Route& r) { r.fingerprint.include = {"x"}; }), "config_invalid");
    EXPECT_EQ(error_of([](Route& r) { r.fingerprint.exclude = {"x"}; }), "config_invalid");
    EXPECT_EQ(error_of([](Route& r) { r.uncertain.probe = "x"; }), "config_invalid");
    EXPECT_EQ(error_of([](Route& r) { r.uncertain.close = "x"; }), "config_invalid");
}

// field case 18
TEST(CompiledRoute, SafeMethodsNeverTakeARecord) {
    Route route = orders();
    route.method = "*";
    const auto made = compile(route);
    ASSERT_TRUE(made);
    for (const std::string_view method : {"POST", "PUT", "DELETE", "PATCH"})
        EXPECT_TRUE(made->protects(method));
    for (const std::string_view method : {"GET", "HEAD", "OPTIONS"})
        EXPECT_FALSE(made->protects(method));
    route.protect = false;
    EXPECT_FALSE(compile(route)->protects("POST"));
}

// field case 5
TEST(CompiledRoute, ClassifiesAsItsProfileAndItsUpstreamSay) {
    Route route = orders();
    EXPECT_EQ(compile(route)->classify({AnswerKind::answered, 504, {}}), OutcomeClass::uncertain);
    EXPECT_EQ(compile(route)->classify({AnswerKind::not_sent, 0, {}}), OutcomeClass::release);
    route.transactional = true;
    EXPECT_EQ(compile(route)->classify({AnswerKind::answered, 504, {}}), OutcomeClass::release);
    route.profile = Profile::ietf;
    EXPECT_EQ(compile(route)->classify({AnswerKind::answered, 504, {}}), OutcomeClass::complete);
}

TEST(RouteTable, FindsTheRouteOfARequest) {
    Route pay = orders();
    pay.name = "pay";
    pay.path = "/orders/{id}/pay";
    const auto table = RouteTable::build({orders(), pay});
    ASSERT_TRUE(table);
    EXPECT_EQ(table->routes().size(), 2U);
    PathParameters parameters;
    const CompiledRoute* found = table->find("POST", "h", "/orders/7/pay?x", &parameters);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->route.name, "pay");
    EXPECT_THAT(parameters, testing::ElementsAre(testing::Pair("id", "7")));
    EXPECT_EQ(table->find("GET", "h", "/orders"), nullptr);
}

TEST(RouteTable, TwoRoutesForTheSameRequestsAreRefused) {
    Route twin = orders();
    twin.name = "twin";
    const auto table = RouteTable::build({orders(), twin});
    ASSERT_FALSE(table);
    EXPECT_THAT(table.error().text, HasSubstr("`create-order` and `twin`"));
    Route broken = orders();
    broken.path = "orders";
    EXPECT_FALSE(RouteTable::build({broken}));
    broken.path = "/orders";
    broken.key.format = "[";
    EXPECT_FALSE(RouteTable::build({broken}));
    EXPECT_TRUE(RouteTable::build({}));
}

}  // namespace
}  // namespace pawl::policy
