// SPDX-License-Identifier: Apache-2.0
// `uncertain: { callback: … }`: where its secret comes from, and what is no secret.
#include <unistd.h>

#include <fstream>

#include "surface/config/config_fixture.hpp"

namespace pawl::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string file(std::string_view callback) {
    return "routes:\n  - match: POST /o\n    upstream: demo\n    key: { header: K }\n    "
           "caller: { header: U }\n    uncertain: { callback: " +
           std::string(callback) + ", effect_horizon: 60s }\n";
}

std::vector<std::string> said_of(std::string_view callback, const Environment& environment = {}) {
    return said(file(callback), environment);
}

TEST(CallbackSetting, TakesItsSecretFromTheEnvironmentAndShowsItNowhere) {
    const Environment environment{{"PAWL_ORDERS", "twenty-four bytes, so it"}};
    auto loaded = load_config(file("{ secret: { env: PAWL_ORDERS } }"), environment);
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    EXPECT_TRUE(loaded->warnings.empty()) << shown("f", loaded->warnings.front());
    ASSERT_TRUE(read_secrets(loaded->config));
    EXPECT_EQ(loaded->config.routes[0].uncertain.callback->value, "twenty-four bytes, so it");
    const std::string shown = describe(loaded->config);
    EXPECT_THAT(shown, HasSubstr("callback: { secret: { env: PAWL_ORDERS } }"));
    EXPECT_THAT(shown, testing::Not(HasSubstr("twenty-four")));
    EXPECT_TRUE(load_config(shown, environment));
}

TEST(CallbackSetting, ASecretHasTwentyFourBytesAndNotOneLess) {
    for (const std::size_t size :
         {policy::kCallbackSecretBytesMin - 1, policy::kCallbackSecretBytesMin}) {
        auto loaded = load_config(file("{ secret: { env: PAWL_ORDERS } }"),
                                  {{"PAWL_ORDERS", std::string(size, 's')}});
        ASSERT_TRUE(loaded);
        const Status read = read_secrets(loaded->config);
        EXPECT_EQ(read.has_value(), size == policy::kCallbackSecretBytesMin);
        if (!read)
            EXPECT_EQ(read.error().text,
                      "`uncertain.callback.secret of POST /o` has fewer than 24 bytes");
    }
}

TEST(CallbackSetting, AFileHoldsItInItsFirstLine) {
    const std::string path = testing::TempDir() + "callback-secret-" + std::to_string(getpid());
    std::ofstream(path) << "the first line of this file\nthe second\n";
    auto loaded = load_config(file("{ secret: { file: \"" + path + "\" } }"), {});
    ASSERT_TRUE(loaded);
    ASSERT_TRUE(read_secrets(loaded->config));
    EXPECT_EQ(loaded->config.routes[0].uncertain.callback->value, "the first line of this file");
    unlink(path.c_str());
    loaded = load_config(file("{ secret: { file: \"" + path + "\" } }"), {});
    ASSERT_TRUE(loaded);
    EXPECT_FALSE(read_secrets(loaded->config));
}

TEST(CallbackSetting, WhatIsNoSecretIsRefused) {
    EXPECT_THAT(said_of("true"),
                ElementsAre("f:6:28: error: `callback` is a single value; write `callback: { "
                            "secret: { file: /run/secrets/… } }`"));
    EXPECT_THAT(said_of("{ secret: hunter2 }"),
                ElementsAre(HasSubstr("`secret` stands in the file itself")));
    EXPECT_THAT(said_of("{ url: x }"), testing::Contains(HasSubstr("`url` is not known in")));
    EXPECT_THAT(said_of("{ secret: { env: PAWL_NOT_SET } }"),
                ElementsAre(HasSubstr("the variable PAWL_NOT_SET is not set")));
}

}  // namespace
}  // namespace pawl::config
