// SPDX-License-Identifier: Apache-2.0
// What good files mean. Broken ones are in broken_test.cpp.
#include "surface/config/load.hpp"

#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/policy/check.hpp"
#include "core/policy/compiled_route.hpp"
#include "surface/config/describe.hpp"

namespace pawl::config {
namespace {

using namespace std::chrono_literals;
using policy::Route;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Loaded load(std::string_view text, const Environment& environment = {}) {
    auto loaded = load_config(text, environment);
    if (!loaded)
        for (const policy::Finding& finding : loaded.error())
            ADD_FAILURE() << shown("file", finding);
    return loaded ? *std::move(loaded) : Loaded{};
}

constexpr std::string_view kSmall = R"(
routes:
  - match: POST /orders
    upstream: http://127.0.0.1:3000
    key: { header: Idempotency-Key }
    caller: { header: X-User }
    declares_outcome: true
    uncertain: { effect_horizon: 60s }
)";

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

constexpr std::string_view kFull = R"(listen: 0.0.0.0:80
admin: "[::1]:9000"
admin_token: { file: /run/secrets/pawl }
store: { kind: sqlite, path: /var/lib/pawl/pawl.db }
body_folder: /var/tmp
loops: 4
node: shop-1
tenant: shop
drain: 45s
dev: true
log: { level: debug }
limits:
  connections_max: 100
  waiters_per_key_max: 5
  cache_bytes_max: 1MiB
  body_disk_bytes_max: 2MiB
  unresolved_per_caller_max: 6
  unresolved_per_tenant_max: 7
  waiters_per_tenant_max: 8
  stored_bytes_per_tenant_max: 9GiB
default_upstream: https://shop.example
routes:
  - match: POST /orders/{id}/pay
    name: pay-order
    was: pay
    host: shop.example
    host_rewrite: backend:3000
    upstream: http://[::1]:3000/
    key: { json: $.request.id, required: false, derive: [caller, $.cart], window: 5s, format: "[0-9]+" }
    caller: public
    fingerprint: { json: canonical, include: [$.a, $.b], exclude: $.b.sent_at }
    profile: ietf
    strategy: strict
    tier: side
    on_repeat: { current: "GET {location}" }
    uncertain:
      probe: GET /orders/by/{operation_key}
      close: POST /orders/close/{operation_key}
      effect_horizon: 90s
    retention: { result: 2h, key: forever, refused: 5m }
    wait: 3s
    lease: 15s
    hold_max: 5m
    rerunnable: true
    upstream_remembers: 24h
    transactional: false
    declares_outcome: true
    keep_encodings: true
    replay_headers: [X-Order-Number, Content-Disposition]
    body_bytes_max: 64KiB
    answer_bytes_max: 2MiB
  - match: "*   /files/*"
    protect: false
    upstream: demo
  - match: POST /carts
    upstream: demo
    key: { derive: [caller, body] }
    fingerprint: raw
  - match: PUT /carts
    upstream: demo
    key: { derive: [caller, body], window: 3s }
    fingerprint: automatic
)";

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

TEST(Load, TheEnvironmentComesBeforeTheFile) {
    const Environment environment{{"PAWL_LISTEN", "0.0.0.0:1"},
                                  {"PAWL_ADMIN", "127.0.0.1:2"},
                                  {"PAWL_STORE_PATH", "/tmp/x.db"},
                                  {"PAWL_LOG_LEVEL", "warn"},
                                  {"PAWL_LIMITS_CACHE_BYTES_MAX", "2MiB"},
                                  {"PAWL_ADMIN_TOKEN", "s3cret"},
                                  {"PAWL_LOOPS", "2"},
                                  {"PAWL_DEFAULT_UPSTREAM", "http://a:1"}};
    const Loaded loaded =
        load(std::string("listen: 127.0.0.1:9999\n") + std::string(kSmall), environment);
    EXPECT_THAT(loaded.warnings, IsEmpty());
    EXPECT_EQ(loaded.config.listen, (Address{"0.0.0.0", 1}));
    EXPECT_EQ(loaded.config.admin, (Address{"127.0.0.1", 2}));
    EXPECT_EQ(loaded.config.store.path, "/tmp/x.db");
    EXPECT_EQ(loaded.config.log_level, LogLevel::warn);
    EXPECT_EQ(loaded.config.limits.cache_bytes_max, 2U << 20);
    EXPECT_EQ(loaded.config.admin_token.value, "s3cret");
    EXPECT_EQ(loaded.config.loops, 2);
    EXPECT_EQ(loaded.config.default_upstream, (policy::Upstream{"a", 1, false, false}));
}

TEST(Load, AWrongVariableIsAnErrorThatNamesIt) {
    const auto loaded = load_config(kSmall, {{"PAWL_LISTEN", "here"},
                                             {"PAWL_LIMITS_CONNECTIONS_MAX", "7x"},
                                             {"PAWL_ADMIN_TOKEN", ""},
                                             {"PAWL_NODE", ""}});
    ASSERT_FALSE(loaded);
    std::vector<std::string> lines;
    for (const policy::Finding& finding : loaded.error()) lines.push_back(shown("f", finding));
    EXPECT_THAT(
        lines, ElementsAre(
                   "f: error: the variable PAWL_ADMIN_TOKEN is empty; unset it",
                   "f: error: the variable PAWL_LIMITS_CONNECTIONS_MAX: `7x` is not a whole number "
                   "from 1 to "
                   "1000000",
                   "f: error: the variable PAWL_LISTEN: `here` is not an address and a port; write "
                   "`127.0.0.1:8080`",
                   "f: error: the variable PAWL_NODE: the value is empty; write one, or remove the "
                   "setting"));
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

TEST(Load, TheVariablesOfTheProcessAreThoseThatBeginWithPawl) {
    ASSERT_EQ(::setenv("PAWL_TENANT", "a=b", 1), 0);
    const Environment environment = environment_of_process();
    ASSERT_EQ(::unsetenv("PAWL_TENANT"), 0);
    EXPECT_THAT(environment, testing::Contains(testing::Pair("PAWL_TENANT", "a=b")));
    for (const auto& [name, value] : environment) EXPECT_TRUE(name.starts_with("PAWL_")) << name;
}

TEST(Load, AVariableThatOverridesNothingIsWarnedOf) {
    const Loaded loaded = load(kSmall, {{"PAWL_STORE_PTH", "x"}, {"PAWL_EDITOR", "vi"}});
    ASSERT_EQ(loaded.warnings.size(), 2U);
    EXPECT_EQ(shown("f", loaded.warnings[0]),
              "f: warning: the variable PAWL_EDITOR overrides nothing; unset it");
    EXPECT_EQ(
        shown("f", loaded.warnings[1]),
        "f: warning: the variable PAWL_STORE_PTH overrides nothing; did you mean PAWL_STORE_PATH?");
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

TEST(Describe, LoadsToTheSameConfiguration) {
    for (const std::string_view text : {kSmall, kFull}) {
        const std::string once = describe(load(text).config);
        EXPECT_EQ(describe(load(once).config), once);
        EXPECT_EQ(load(once).config.routes.size(), load(text).config.routes.size());
    }
}

TEST(Describe, NeverShowsASecret) {
    const Loaded loaded = load(kSmall, {{"PAWL_ADMIN_TOKEN", "s3cret"}});
    EXPECT_THAT(describe(loaded.config), HasSubstr("# admin_token: from the environment"));
    EXPECT_THAT(describe(loaded.config), testing::Not(HasSubstr("s3cret")));
}

TEST(Describe, QuotesWhatCouldBeReadAsSomethingElse) {
    Config config = default_config();
    config.store.path = "a\" b: {c} # d\\e";
    config.node = "true";
    const Config again = load(describe(config)).config;
    EXPECT_EQ(again.store.path, config.store.path);
    EXPECT_EQ(again.node, "true");
}

TEST(DefaultConfig, LoadsFromItsOwnDescriptionAndProtectsTheDemonstration) {
    const Config config = default_config();
    EXPECT_FALSE(policy::has_errors(policy::check_routes(config.routes)));
    EXPECT_EQ(describe(load(describe(config)).config), describe(config));
    const auto table = policy::RouteTable::build(config.routes);
    ASSERT_TRUE(table);
    const policy::CompiledRoute* found = table->find("POST", "127.0.0.1:8080", "/orders");
    ASSERT_NE(found, nullptr);
    EXPECT_TRUE(found->protects("POST"));
    EXPECT_TRUE(found->route.upstream.demo);
}

TEST(Dev, WaitsForNoHorizon) {
    Config config = default_config();
    enter_dev(config);
    EXPECT_TRUE(config.dev);
    EXPECT_EQ(config.routes.at(0).uncertain.effect_horizon, 0ms);
}

class FileOnDisk : public testing::Test {
  protected:
    void SetUp() override {
        path_ = testing::TempDir() + "pawl_secret_" + std::to_string(::getpid());
    }
    void TearDown() override { std::filesystem::remove(path_); }
    void write(std::string_view text) { std::ofstream(path_, std::ios::binary) << text; }
    std::string path_;
};

TEST_F(FileOnDisk, ItsFirstLineIsTheSecret) {
    write("abc\r\nmore\n");
    Config config;
    config.admin_token.file = path_;
    ASSERT_TRUE(read_secrets(config));
    EXPECT_EQ(config.admin_token.value, "abc");
    write("other");
    ASSERT_TRUE(read_secrets(config));
    EXPECT_EQ(config.admin_token.value, "abc") << "what the environment gave stays";
}

TEST_F(FileOnDisk, AMissingOrEmptyOneIsAnError) {
    Config config;
    EXPECT_TRUE(read_secrets(config)) << "none is configured";
    config.admin_token.file = path_;
    EXPECT_FALSE(read_secrets(config));
    write("");
    EXPECT_FALSE(read_secrets(config));
    write(std::string(4096, 'x'));
    EXPECT_TRUE(read_secrets(config));
    config.admin_token.value.clear();
    write(std::string(4097, 'x'));
    EXPECT_FALSE(read_secrets(config));
}

TEST_F(FileOnDisk, APipeThatIsNamedMakesNobodyWait) {
    ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
    const std::string fault = " is a pipe, a folder or a device; name a regular file";
    Config config;
    config.admin_token.file = path_;
    EXPECT_EQ(read_secrets(config).error().text,
              "the file `" + path_ + "` of `admin_token`" + fault);
    for (const std::string name : {"ca", "certificate", "key"}) {
        config = Config{};
        policy::UpstreamTrust trust;
        (name == "ca" ? trust.ca : name == "key" ? trust.key : trust.certificate).file = path_;
        config.upstream_tls = std::make_shared<const policy::UpstreamTrust>(trust);
        const Status read = read_secrets(config);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().text,
                  "the file `" + path_ + "` of `upstream_tls." + name + "`" + fault);
        EXPECT_EQ(read.error().place, "upstream_tls." + name);
    }
}

TEST_F(FileOnDisk, AConfigurationFileIsReadWhole) {
    write(kSmall);
    const auto loaded = load_config_file(path_, {});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->config.routes.size(), 1U);
    const auto missing = load_config_file(path_ + ".none", {});
    ASSERT_FALSE(missing);
    EXPECT_EQ(shown("x", missing.error().at(0)),
              "x: error: the file cannot be read; look at its name and rights");
    EXPECT_FALSE(load_config_file(testing::TempDir(), {})) << "a folder";
    const std::string pipe = path_ + ".pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const auto waiting = load_config_file(pipe, {});
    std::filesystem::remove(pipe);
    ASSERT_FALSE(waiting);
    EXPECT_EQ(waiting.error().front().what, "the file is a pipe, a folder or a device");
}

}  // namespace
}  // namespace pawl::config
