// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gateway/keying.hpp"

namespace pawl::gateway {
namespace {

using policy::KeyRule;

policy::CompiledRoute compiled(policy::Route route) {
    route.name = route.name.empty() ? "POST /orders" : route.name;
    route.method = "POST";
    route.path = "/orders";
    auto made = policy::compile(std::move(route));
    EXPECT_TRUE(made) << (made ? "" : made.error().text);
    return *std::move(made);
}

policy::Route header_route() {
    policy::Route route;
    route.key.source = KeyRule::Source::header;
    return route;
}

http::Request request(http::Headers headers, std::string body = "{}",
                      std::string target = "/orders") {
    http::Request request;
    request.head.method = "POST";
    request.head.target = std::move(target);
    request.head.headers = std::move(headers);
    request.head.headers.emplace_back("Content-Type", "application/json");
    request.body = std::move(body);
    return request;
}

class Keying : public testing::Test {
  protected:
    Result<Keyed> key(const policy::CompiledRoute& route, const http::Request& asked,
                      const std::string& caller = "") {
        return key_of(route, asked, "", caller, client_, entropy_);
    }
    Digest identity(const policy::CompiledRoute& route, const http::Request& asked,
                    const std::string& caller = "") {
        const auto keyed = key(route, asked, caller);
        EXPECT_TRUE(keyed) << (keyed ? "" : keyed.error().text);
        return keyed ? keyed->identity : Digest{};
    }
    std::string client_ = "192.0.2.1";
    SeededEntropy entropy_{1};
};

// R-KEY
TEST_F(Keying, QuotedAndBareKeysAreOneAndTheLineIsKeptAsSent) {
    const auto route = compiled(header_route());
    const auto quoted = key(route, request({{"Idempotency-Key", "\"k1\""}}));
    const auto bare = key(route, request({{"idempotency-key", "k1"}}));
    ASSERT_TRUE(quoted && bare);
    EXPECT_EQ(quoted->identity, bare->identity);
    EXPECT_EQ(quoted->line, "\"k1\"");
    EXPECT_EQ(quoted->label, "k1");
    EXPECT_EQ(quoted->window.count(), 0);
}

// Two anonymous clients that send alike are not one: neither is answered the other's result.
TEST_F(Keying, AnonymousClientsAreToldApartByWhereAndAsWhatTheyCome) {
    policy::Route route;
    const auto made = compiled(route);
    ASSERT_TRUE(made.natural_key);
    const auto one = identity(made, request({{"Cookie", "a=1"}}));
    EXPECT_EQ(one, identity(made, request({{"Cookie", "a=1"}})));
    EXPECT_NE(one, identity(made, request({{"Cookie", "a=2"}})));
    EXPECT_NE(one, identity(made, request({{"Cookie", "a=1"}, {"User-Agent", "x"}})));
    client_ = "192.0.2.2";
    EXPECT_NE(one, identity(made, request({{"Cookie", "a=1"}})));
}

TEST_F(Keying, APartOfAKeyThatComesTwiceIsRefused) {
    policy::Route route;
    route.key.source = KeyRule::Source::derived;
    route.key.derive = {"caller", "header:X-Cart"};
    route.key.window = {};
    const auto made = compiled(route);
    EXPECT_TRUE(key(made, request({{"X-Cart", "1"}})));
    EXPECT_EQ(key(made, request({{"X-Cart", "1"}, {"X-Cart", "2"}})).error().code,
              Code::key_invalid);
}

// Each spelling that finds the route is one path, and another host or way of knowing callers another operation.
TEST_F(Keying, WithoutTheRoutesNameAnIdentityHasThePathAsItIsMatchedAndTheHost) {
    policy::Route route = header_route();
    route.profile = policy::Profile::acp_2026_04_17;
    const auto of = [&](std::string target) {
        return identity(compiled(route),
                        request({{"Idempotency-Key", "k"}}, "{}", std::move(target)));
    };
    const auto one = of("/checkout/7/complete");
    for (const std::string_view spelling :
         {"/checkout/7/complete/", "//checkout/7/complete", "/checkout/./7/x/../complete?q=1",
          "/checkout/%37/complete"})
        EXPECT_EQ(of(std::string(spelling)), one) << spelling;
    EXPECT_NE(of("/checkout/8/complete"), one);
    EXPECT_NE(of("/checkout/7%2Fcomplete"), one);
    route.host = "b.example";
    EXPECT_NE(of("/checkout/7/complete"), one);
    route.profile = policy::Profile::stripe_v1;
    const auto stripe = of("/a");
    EXPECT_EQ(of("/b"), stripe) << "the key is the caller's, whatever it is sent to";
    route.caller = {policy::CallerRule::Source::api_key, "partners"};
    EXPECT_NE(of("/a"), stripe);
}

// R-SCOPE, field case 13
TEST_F(Keying, AnotherCallersKeyIsAnotherOperation) {
    const auto route = compiled(header_route());
    const auto asked = request({{"Idempotency-Key", "1"}});
    EXPECT_NE(identity(route, asked, "a"), identity(route, asked, "b"));
    EXPECT_NE(identity(route, asked, "a"), identity(route, asked, ""));
}

TEST_F(Keying, AnotherTenantsKeyIsAnotherOperation) {
    const auto route = compiled(header_route());
    const auto asked = request({{"Idempotency-Key", "k1"}});
    const auto one = key_of(route, asked, "acme", "ada", client_, entropy_);
    const auto other = key_of(route, asked, "zeta", "ada", client_, entropy_);
    ASSERT_TRUE(one && other);
    EXPECT_NE(one->identity, other->identity);
}

TEST_F(Keying, AMissingKeyIsRefusedWhereItIsRequired) {
    const auto route = compiled(header_route());
    const auto missing = key(route, request({}));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, Code::key_missing);
    EXPECT_EQ(check_key_in_head(route.route, request({}).head).error().code, Code::key_missing);
    EXPECT_EQ(check_key_in_head(route.route, request({{"Idempotency-Key", ""}}).head).error().code,
              Code::key_invalid);
}

TEST_F(Keying, AKeyInTheBodyIsFoundAtItsPath) {
    policy::Route route;
    route.key.source = KeyRule::Source::json;
    route.key.json_path = "$.request.id";
    const auto made = compiled(route);
    EXPECT_EQ(identity(made, request({}, R"({"request":{"id":"a"},"n":1})")),
              identity(made, request({}, R"({"n":2,"request":{"id":"a"}})")));
    const auto missing = key(made, request({}, "{}"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, Code::key_missing);
    EXPECT_EQ(key(made, request({}, "{")).error().code, Code::request_invalid);
}

// R-FINGERPRINT-GUARD, field case 26 (b)
TEST_F(Keying, ADoubleClickWithoutAKeyIsOneOperationAndASecondOneOnPurposePasses) {
    policy::Route route = header_route();
    route.key.required = false;
    const auto made = compiled(route);
    const auto click = request({}, R"({"cart":7})");
    EXPECT_EQ(identity(made, click, "u"), identity(made, click, "u"));
    EXPECT_EQ(key(made, click)->window, policy::kNaturalKeyWindow);
    EXPECT_NE(identity(made, click, "u"), identity(made, click, "v"));
    EXPECT_NE(identity(made, click, "u"), identity(made, request({}, R"({"cart":8})"), "u"));
    const auto meant = request({{"Pawl-Repeat", "intended"}}, R"({"cart":7})");
    EXPECT_NE(identity(made, meant, "u"), identity(made, click, "u"));
    EXPECT_NE(identity(made, meant, "u"), identity(made, meant, "u"));
}

// field case 26 (c)
TEST_F(Keying, AKeyDerivedFromBusinessFieldsHoldsWhateverHeadersAreSent) {
    policy::Route route;
    route.key.source = KeyRule::Source::derived;
    route.key.derive = {"caller", "$.cart", "$.version"};
    const auto made = compiled(route);
    const auto one = request({{"Idempotency-Key", "a"}}, R"({"cart":7,"version":1,"at":1})");
    const auto two = request({{"Idempotency-Key", "b"}}, R"({"version":1,"cart":7,"at":2})");
    EXPECT_EQ(identity(made, one, "u"), identity(made, two, "u"));
    EXPECT_NE(identity(made, one, "u"),
              identity(made, request({}, R"({"cart":7,"version":2})"), "u"));
    EXPECT_NE(identity(made, request({}, R"({"cart":"7","version":1})"), "u"),
              identity(made, one, "u"));
    EXPECT_EQ(key(made, request({}, R"({"cart":7})")).error().code, Code::key_missing);
}

// protocol, "renaming needs `was:`"
TEST_F(Keying, ARenamedRouteKeepsItsKeys) {
    policy::Route renamed = header_route();
    renamed.name = "create-order";
    renamed.was = "POST /orders";
    const auto asked = request({{"Idempotency-Key", "k"}});
    EXPECT_EQ(identity(compiled(renamed), asked), identity(compiled(header_route()), asked));
    renamed.was.clear();
    EXPECT_NE(identity(compiled(renamed), asked), identity(compiled(header_route()), asked));
}

// rulings 12: `key: { derive: [caller, body], window: 3s }`
TEST_F(Keying, ADerivedKeyWithAWindowIsAGuardAndWithoutOneIsLasting) {
    policy::Route route;
    route.key.source = KeyRule::Source::derived;
    route.key.derive = {"caller", "body"};
    route.key.window = std::chrono::seconds{3};
    const auto guard = compiled(route);
    EXPECT_EQ(key(guard, request({}))->window, std::chrono::seconds{3});
    const auto meant = request({{"Pawl-Repeat", "intended"}});
    EXPECT_NE(identity(guard, meant), identity(guard, request({})));
    route.key.window = {};
    const auto lasting = compiled(route);
    EXPECT_EQ(key(lasting, request({}))->window.count(), 0);
    EXPECT_EQ(identity(lasting, meant), identity(lasting, request({})));
}

TEST_F(Keying, AJsonKeyIsAStringOrAWholeNumberAndNullIsNone) {
    policy::Route route;
    route.key.source = KeyRule::Source::json;
    route.key.json_path = "$.id";
    const auto made = compiled(route);
    EXPECT_TRUE(key(made, request({}, R"({"id":7})")));
    EXPECT_EQ(key(made, request({}, R"({"id":null})")).error().code, Code::key_missing);
    for (const char* bad :
         {R"({"id":7.0})", R"({"id":true})", R"({"id":[]})", R"({"id":{}})", R"({"id":1e2})"})
        EXPECT_EQ(key(made, request({}, bad)).error().code, Code::key_invalid) << bad;
}

TEST_F(Keying, AnotherHostIsAnotherRequestUnderTheSameKeyAndAnotherClickWithoutOne) {
    const auto at = [](std::string host) {
        return request({{"Idempotency-Key", "k1"}, {"Host", std::move(host)}});
    };
    policy::Route route = header_route();
    auto made = compiled(route);
    const auto one = key(made, at("a.example"));
    const auto two = key(made, at("b.example"));
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->identity, two->identity);
    EXPECT_NE(one->fingerprint, two->fingerprint);
    EXPECT_EQ(one->fingerprint, key(made, at("A.example:81"))->fingerprint);
    route.host_rewrite = "inner.example";
    made = compiled(route);
    EXPECT_EQ(key(made, at("a.example"))->fingerprint, key(made, at("b.example"))->fingerprint);

    const auto natural = compiled(policy::Route{});
    ASSERT_TRUE(natural.natural_key);
    EXPECT_NE(identity(natural, at("a.example")), identity(natural, at("b.example")));
    EXPECT_EQ(identity(natural, at("a.example")), identity(natural, at("a.EXAMPLE:80")));
}

// Its identity is stored for the key's retention: no release may move it.
TEST_F(Keying, ADerivedKeyOfTheBodyStaysWhatItWasBeforeHostsTookPart) {
    policy::Route route;
    route.key = {.source = KeyRule::Source::derived, .derive = {"body"}, .window = {}};
    const auto by_host = compiled(route);
    route.host = "a.example";
    const auto of_one_host = compiled(route);
    EXPECT_EQ(identity(by_host, request({{"Host", "a.example"}})),
              identity(of_one_host, request({{"Host", "a.example"}})));
}

// R-VERSION
TEST_F(Keying, TheVersionIsNoPartOfTheNameAndIsRefusedBeforeTheBodyIsRead) {
    policy::Route route = header_route();
    route.version = {policy::VersionRule::Source::header, "Pawl-Version", ""};
    const auto made = compiled(route);
    const auto of = [&](std::string_view version) {
        return request({{"Idempotency-Key", "k1"}, {"Pawl-Version", std::string(version)}});
    };
    const auto one = key(made, of("1"));
    const auto two = key(made, of("2"));
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->identity, two->identity);
    EXPECT_EQ(one->fingerprint, two->fingerprint);
    EXPECT_EQ(two->stamp->canonical, "2");
    EXPECT_FALSE(key(made, request({{"Idempotency-Key", "k1"}}))->stamp);
    EXPECT_EQ(key(made, of("x")).error().code, Code::version_invalid);
    EXPECT_EQ(check_key_in_head(made.route, of("x").head).error().code, Code::version_invalid);
    EXPECT_TRUE(check_key_in_head(made.route, of("7").head));
}

}  // namespace
}  // namespace pawl::gateway
