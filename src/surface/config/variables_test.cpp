// SPDX-License-Identifier: Apache-2.0
// Settings from the environment: they come before the file, and none is lost in silence.
#include "surface/config/config_fixture.hpp"

namespace pawl::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Variables, TheEnvironmentComesBeforeTheFile) {
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

TEST(Variables, AWrongVariableIsAnErrorThatNamesIt) {
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

TEST(Variables, TheVariablesOfTheProcessAreThoseThatBeginWithPawl) {
    ASSERT_EQ(::setenv("PAWL_TENANT", "a=b", 1), 0);
    const Environment environment = environment_of_process();
    ASSERT_EQ(::unsetenv("PAWL_TENANT"), 0);
    EXPECT_THAT(environment, testing::Contains(testing::Pair("PAWL_TENANT", "a=b")));
    for (const auto& [name, value] : environment) EXPECT_TRUE(name.starts_with("PAWL_")) << name;
}

TEST(Variables, AVariableThatOverridesNothingIsWarnedOf) {
    const Loaded loaded = load(kSmall, {{"PAWL_STORE_PTH", "x"}, {"PAWL_EDITOR", "vi"}});
    ASSERT_EQ(loaded.warnings.size(), 2U);
    EXPECT_EQ(shown("f", loaded.warnings[0]),
              "f: warning: the variable PAWL_EDITOR overrides nothing; unset it");
    EXPECT_EQ(
        shown("f", loaded.warnings[1]),
        "f: warning: the variable PAWL_STORE_PTH overrides nothing; did you mean PAWL_STORE_PATH?");
}

}  // namespace
}  // namespace pawl::config
