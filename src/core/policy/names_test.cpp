// SPDX-License-Identifier: Apache-2.0
#include "core/policy/names.hpp"

#include <gtest/gtest.h>

#include "core/policy/outcome.hpp"

namespace pawl::policy {
namespace {

TEST(Names, EveryNameIsReadBackToItsChoice) {
    for (const std::string_view name : profile_names())
        EXPECT_EQ(name_of(*profile_from(name)), name);
    for (const std::string_view name : strategy_names())
        EXPECT_EQ(name_of(*strategy_from(name)), name);
    for (const std::string_view name : tier_names()) EXPECT_EQ(name_of(*tier_from(name)), name);
    for (const std::string_view name : on_repeat_names())
        EXPECT_EQ(name_of(*on_repeat_from(name)), name);
    EXPECT_EQ(profile_names().size(), static_cast<std::size_t>(kProfileCount));
}

TEST(Names, AreThoseOfTheDesign) {
    EXPECT_EQ(name_of(Profile::strict_money), "strict-money");
    EXPECT_EQ(name_of(Profile::acp_2026_04_17), "acp-2026-04-17");
    EXPECT_EQ(name_of(CallerRule::Source::open), "public");
    EXPECT_EQ(name_of(CallerRule::Source::mtls), "mtls");
    EXPECT_EQ(name_of(FingerprintRule::Mode::automatic), "automatic");
    EXPECT_EQ(name_of(OutcomeClass::complete), "complete");
    EXPECT_EQ(name_of(OutcomeClass::release), "release");
    EXPECT_EQ(name_of(OutcomeClass::uncertain), "uncertain");
}

TEST(Names, OthersAreNotRead) {
    for (const std::string_view name : {"", "Strict", "strict_money", "strict ", "fast"}) {
        EXPECT_FALSE(profile_from(name)) << name;
        EXPECT_FALSE(strategy_from(name)) << name;
        EXPECT_FALSE(tier_from(name)) << name;
        EXPECT_FALSE(on_repeat_from(name)) << name;
    }
}

// rulings 9
TEST(Tier, HasItsTimeOut) {
    EXPECT_EQ(timeout_of(Tier::core), 500ms);
    EXPECT_EQ(timeout_of(Tier::normal), 2s);
    EXPECT_EQ(timeout_of(Tier::side), 5s);
}

}  // namespace
}  // namespace pawl::policy
