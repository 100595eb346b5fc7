// SPDX-License-Identifier: Apache-2.0
// The table of rulings 12, row by row; what a status means is in outcome_test.
#include <gtest/gtest.h>

#include "core/policy/compiled_route.hpp"
#include "core/policy/profile.hpp"

namespace pawl::policy {
namespace {

using namespace std::chrono_literals;

TEST(Profile, EachHasItsRow) {
    using Mode = FingerprintRule::Mode;
    for (const auto& [profile, identity, dialect, unkeyed, mode, result, key] :
         {std::tuple(Profile::strict_money, IdentityForm::operation, Dialect::problem, false,
                     Mode::automatic, 24h, 400 * 24h),
          std::tuple(Profile::ietf, IdentityForm::operation, Dialect::problem, false,
                     Mode::automatic, 24h, 400 * 24h),
          std::tuple(Profile::stripe_v1, IdentityForm::key_alone, Dialect::stripe, true, Mode::raw,
                     24h, 24h),
          std::tuple(Profile::acp_2026_04_17, IdentityForm::path, Dialect::acp, false,
                     Mode::automatic, 24h, 30 * 24h)}) {
        const ProfileRow& row = profile_row(profile);
        EXPECT_EQ(row.profile, profile);
        EXPECT_EQ(row.identity, identity);
        EXPECT_EQ(row.dialect, dialect);
        EXPECT_EQ(row.runs_without_key, unkeyed);
        EXPECT_EQ(row.fingerprint, mode);
        EXPECT_EQ(row.result, result);
        EXPECT_EQ(row.key, key);
    }
}

TEST(Profile, OnlyAHeaderThatIsNotRequiredLetsARequestPassWithoutAKey) {
    Route route;
    route.method = "POST";
    route.path = "/pay";
    route.profile = Profile::stripe_v1;
    route.key.source = KeyRule::Source::header;
    route.key.required = false;
    const auto passes = compile(route);
    ASSERT_TRUE(passes);
    EXPECT_TRUE(passes->runs_without_key);
    EXPECT_FALSE(passes->natural_key) << "what runs unprotected has no natural key";
    route.key.required = true;
    EXPECT_FALSE(compile(route)->runs_without_key);
    route.key.required = false;
    route.profile = Profile::strict_money;
    EXPECT_FALSE(compile(route)->runs_without_key);
    EXPECT_TRUE(compile(route)->natural_key);
}

}  // namespace
}  // namespace pawl::policy
