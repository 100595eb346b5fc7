// SPDX-License-Identifier: Apache-2.0
// What is in effect, shown as a file; and what is in effect without one.
#include "core/policy/check.hpp"
#include "core/policy/compiled_route.hpp"
#include "surface/config/config_fixture.hpp"

namespace pawl::config {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

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

}  // namespace
}  // namespace pawl::config
