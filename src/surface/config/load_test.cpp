// SPDX-License-Identifier: Apache-2.0
// What good files mean. Broken ones are in the tests called broken.
#include "surface/config/config_fixture.hpp"

namespace pawl::config {
namespace {

using namespace std::chrono_literals;
using policy::Route;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Load, WhatIsNotWrittenHasItsDefault) {
    const Loaded loaded = load(kSmall);
    EXPECT_THAT(loaded.warnings, IsEmpty());
    const Config& config = loaded.config;
    EXPECT_EQ(config.listen, (Address{"127.0.0.1", 8080}));
    EXPECT_EQ(config.admin, (Address{"127.0.0.1", 8081}));
    EXPECT_EQ(config.store.path, "pawl.db");
    EXPECT_EQ(config.loops, 0);
    EXPECT_FALSE(config.default_upstream);
    EXPECT_FALSE(config.dev);
    ASSERT_EQ(config.routes.size(), 1U);
    const Route& route = config.routes[0];
    EXPECT_EQ(route.name, "POST /orders");
    EXPECT_EQ(route.wait, 10s);
    EXPECT_EQ(route.lease, 30s);
    EXPECT_EQ(route.hold_max, 10min);
    EXPECT_EQ(route.retention.result, 24h);
    EXPECT_EQ(route.retention.key, 400 * 24h);
    EXPECT_EQ(route.body_bytes_max, 8U << 20);
    EXPECT_EQ(route.profile, policy::Profile::strict_money);
    EXPECT_EQ(route.fingerprint.mode, policy::FingerprintRule::Mode::automatic);
    EXPECT_TRUE(route.key.required);
    EXPECT_EQ(route.line, 3);
    EXPECT_EQ(route.column, 5);
}

TEST(Load, EverySettingIsRead) {
    const Config config = load(kFull).config;
    EXPECT_EQ(config.listen, (Address{"0.0.0.0", 80}));
    EXPECT_EQ(config.admin, (Address{"::1", 9000}));
    EXPECT_EQ(config.admin_token.file, "/run/secrets/pawl");
    EXPECT_EQ(config.store.path, "/var/lib/pawl/pawl.db");
    EXPECT_EQ(config.body_folder, "/var/tmp");
    EXPECT_EQ(config.loops, 4);
    EXPECT_EQ(config.node, "shop-1");
    EXPECT_EQ(config.tenant, "shop");
    EXPECT_EQ(config.drain, 45s);
    EXPECT_TRUE(config.dev);
    EXPECT_EQ(config.log_level, LogLevel::debug);
    EXPECT_EQ(config.limits.connections_max, 100U);
    EXPECT_EQ(config.limits.waiters_per_key_max, 5U);
    EXPECT_EQ(config.limits.unresolved_per_caller_max, 6U);
    EXPECT_EQ(config.limits.unresolved_per_tenant_max, 7U);
    EXPECT_EQ(config.limits.waiters_per_tenant_max, 8U);
    EXPECT_EQ(config.limits.stored_bytes_per_tenant_max, std::size_t{9} << 30);
    EXPECT_EQ(config.limits.cache_bytes_max, 1U << 20);
    EXPECT_EQ(config.limits.body_disk_bytes_max, 2U << 20);
    EXPECT_EQ(config.default_upstream, (policy::Upstream{"shop.example", 443, true, false}));
    ASSERT_EQ(config.routes.size(), 4U);
    EXPECT_FALSE(config.routes[1].protect);
    EXPECT_EQ(config.routes[1].method, "*");
    EXPECT_EQ(config.routes[1].path, "/files/*");
    EXPECT_TRUE(config.routes[1].upstream.demo);
}

TEST(Load, EverySettingOfARouteIsRead) {
    const Route route = load(kFull).config.routes.at(0);
    EXPECT_EQ(route.method, "POST");
    EXPECT_EQ(route.path, "/orders/{id}/pay");
    EXPECT_EQ(route.name, "pay-order");
    EXPECT_EQ(route.was, "pay");
    EXPECT_EQ(route.host, "shop.example");
    EXPECT_EQ(route.host_rewrite, "backend:3000");
    EXPECT_EQ(route.upstream, (policy::Upstream{"::1", 3000, false, false}));
    EXPECT_EQ(route.key.source, policy::KeyRule::Source::json);
    EXPECT_EQ(route.key.json_path, "$.request.id");
    EXPECT_FALSE(route.key.required);
    EXPECT_THAT(route.key.derive, ElementsAre("caller", "$.cart"));
    EXPECT_EQ(route.key.window, 5s);
    EXPECT_EQ(route.key.format, "[0-9]+");
    EXPECT_EQ(route.caller.source, policy::CallerRule::Source::open);
    EXPECT_EQ(route.fingerprint.mode, policy::FingerprintRule::Mode::canonical);
    EXPECT_THAT(route.fingerprint.include, ElementsAre("$.a", "$.b"));
    EXPECT_THAT(route.fingerprint.exclude, ElementsAre("$.b.sent_at"));
    EXPECT_EQ(route.profile, policy::Profile::ietf);
    EXPECT_EQ(route.tier, policy::Tier::side);
    EXPECT_EQ(route.uncertain.probe, "GET /orders/by/{operation_key}");
    EXPECT_EQ(route.uncertain.close, "POST /orders/close/{operation_key}");
    EXPECT_EQ(route.uncertain.effect_horizon, 90s);
    EXPECT_EQ(route.retention.result, 2h);
    EXPECT_EQ(route.retention.key, std::nullopt);
    EXPECT_EQ(route.retention.refused, 5min);
    EXPECT_EQ(route.on_repeat, policy::OnRepeat::current);
    EXPECT_EQ(route.read, "GET {location}");
    EXPECT_EQ(route.wait, 3s);
    EXPECT_EQ(route.lease, 15s);
    EXPECT_EQ(route.hold_max, 5min);
    EXPECT_EQ(route.upstream_remembers, 24h);
    EXPECT_TRUE(route.rerunnable());
    EXPECT_TRUE(route.declares_outcome);
    EXPECT_TRUE(route.keep_encodings);
    EXPECT_THAT(route.replay_headers, ElementsAre("X-Order-Number", "Content-Disposition"));
    EXPECT_EQ(route.body_bytes_max, 64U << 10);
    EXPECT_EQ(route.answer_bytes_max, 2U << 20);
}

TEST(LoadConfig, WhatARouteDoesNotSayItsProfileDoes) {
    const auto route_of = [](std::string_view rest) {
        const auto loaded = load_config(
            "routes:\n  - match: POST /p\n    upstream: demo\n    caller: { header: U }\n" +
                std::string(rest),
            {});
        EXPECT_TRUE(loaded) << shown("f", loaded.error().front());
        return loaded->config.routes.front();
    };
    using Source = policy::KeyRule::Source;
    const policy::Route stripe = route_of("    profile: stripe-v1\n");
    EXPECT_EQ(stripe.key.source, Source::header);
    EXPECT_FALSE(stripe.key.required);
    EXPECT_EQ(stripe.fingerprint.mode, policy::FingerprintRule::Mode::raw);
    EXPECT_EQ(stripe.retention.key, 24h);
    const policy::Route acp =
        route_of("    profile: acp-2026-04-17\n    retention: { result: 1h }\n");
    EXPECT_EQ(acp.key.source, Source::header);
    EXPECT_TRUE(acp.key.required);
    EXPECT_EQ(acp.retention.result, 1h);
    EXPECT_EQ(acp.retention.key, 30 * 24h);
    const policy::Route own = route_of(
        "    profile: stripe-v1\n    key: { header: K, required: true }\n    fingerprint: "
        "automatic\n");
    EXPECT_EQ(own.key.header, "K");
    EXPECT_TRUE(own.key.required);
    EXPECT_EQ(own.fingerprint.mode, policy::FingerprintRule::Mode::automatic);
}

TEST(Load, ARouteInShadowIsReadAndShownAsOne) {
    const Loaded loaded = load(
        "routes:\n  - match: POST /o\n    upstream: demo\n    protect: shadow\n"
        "    key: { header: K }\n    caller: { header: U }\n    uncertain: { effect_horizon: 5s "
        "}\n");
    const policy::Route& route = loaded.config.routes.at(0);
    EXPECT_FALSE(route.protect);
    EXPECT_TRUE(route.shadow);
    EXPECT_EQ(route.key.header, "K");
    const Config again = load(describe(loaded.config)).config;
    EXPECT_TRUE(again.routes.at(0).shadow);
    EXPECT_EQ(describe(again), describe(loaded.config));
    const auto half =
        load_config("routes:\n  - match: POST /o\n    upstream: demo\n    protect: half\n", {});
    ASSERT_FALSE(half);
    EXPECT_EQ(shown("f", half.error().front()),
              "f:4:14: error: `protect`: `half` is not known; write one of true, false, shadow");
}

TEST(Load, ADerivedKeyLastsUnlessAWindowIsWritten) {
    const Config config = load(kFull).config;
    EXPECT_EQ(config.routes.at(2).key.window, 0ms);
    EXPECT_EQ(config.routes.at(2).fingerprint.mode, policy::FingerprintRule::Mode::raw);
    EXPECT_EQ(config.routes.at(3).key.window, 3s);
}

TEST(Load, AVersionIsReadFromAHeaderOrFromTheBody) {
    const auto version_in = [](std::string_view value) {
        const Loaded loaded =
            load(std::string(kSmall) +
                 "    upstream_remembers: 24h\n    version: " + std::string(value) + "\n");
        EXPECT_THAT(loaded.warnings, IsEmpty());
        EXPECT_EQ(describe(load(describe(loaded.config)).config), describe(loaded.config));
        return loaded.config.routes.at(0).version;
    };
    using Source = policy::VersionRule::Source;
    const auto header = version_in("{ header: Pawl-Version }");
    EXPECT_EQ(header.source, Source::header);
    EXPECT_EQ(header.header, "Pawl-Version");
    const auto json = version_in("{ json: $.revision }");
    EXPECT_EQ(json.source, Source::json);
    EXPECT_EQ(json.json_path, "$.revision");
    EXPECT_FALSE(load(kSmall).config.routes.at(0).has_versions());
}

TEST(Load, TheExampleOfTheDocumentationNeedsOnlyItsCallerChanged) {
    const Loaded loaded = load(R"(
listen: 0.0.0.0:8080
admin: 127.0.0.1:8081
store: { kind: sqlite, path: pawl.db }        # postgres, mysql, redis, hybrid
routes:
  - match: POST /orders
    upstream: http://127.0.0.1:3000
    key: { header: Idempotency-Key, required: true }
    caller: { header: X-User }
    fingerprint: { json: canonical, exclude: [$.sent_at] }
    profile: strict-money
    strategy: strict
    uncertain: { close: "POST /orders/close/{operation_key}", effect_horizon: 60s }
    wait: 10s
    retention: { result: 24h, key: 400d }
)");
    EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST(Load, TheAdminPortIsOpenToOthersOnlyWithAToken) {
    const std::string text = "admin: 0.0.0.0:8081\n" + std::string(kSmall);
    EXPECT_FALSE(load_config(text, {}));
    EXPECT_TRUE(load_config(text, {{"PAWL_ADMIN_TOKEN", "s3cret"}}));
    EXPECT_TRUE(load_config("admin_token: { file: /x }\n" + text, {}));
}

TEST(Load, TwoFreePortsAreNotTheSameAddress) {
    EXPECT_TRUE(load_config("listen: 127.0.0.1:0\nadmin: 127.0.0.1:0\n" + std::string(kSmall), {}));
}

TEST(Load, ADefaultUpstreamAloneIsEnoughToServe) {
    const Loaded loaded = load("default_upstream: http://a:1\n");
    EXPECT_TRUE(loaded.config.routes.empty());
    EXPECT_EQ(describe(load(describe(loaded.config)).config), describe(loaded.config));
}

TEST(Load, AHundredFindingsAreShownAndTheRestIsCounted) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "zzz" + std::to_string(i) + ": x\n";
    const auto hundred = load_config(text, {});
    ASSERT_FALSE(hundred);
    EXPECT_EQ(hundred.error().size(), 100U);
    const auto more = load_config(text + "zzz: x\nyyy: x\n", {});
    ASSERT_FALSE(more);
    ASSERT_EQ(more.error().size(), 101U);
    EXPECT_EQ(shown("f", more.error().back()), "f: error: 2 more are not shown; mend these first");
}

TEST(Load, WarningsComeWithTheConfiguration) {
    const Loaded loaded = load(
        "routes:\n  - { match: POST /a, upstream: demo, key: { header: K }, caller: public }\n");
    std::vector<std::string> lines;
    for (const policy::Finding& finding : loaded.warnings) lines.push_back(shown("f", finding));
    EXPECT_THAT(lines,
                testing::UnorderedElementsAre(HasSubstr("f:2:67: warning: all callers share"),
                                              HasSubstr("f:2:5: warning: an unknown outcome"),
                                              HasSubstr("f:2:5: warning: nobody can say")));
}

}  // namespace
}  // namespace pawl::config
