// SPDX-License-Identifier: Apache-2.0
#include "sim/shop/shop_stage.hpp"

#include <gtest/gtest.h>

#include "sim/shop/shop_seeds.hpp"

namespace pawl::sim {
namespace {

TEST(ShopStage, OneSeedIsOneRun) {
    for (const StoreKind store : {StoreKind::memory, StoreKind::sqlite}) {
        const ShopReport once = run_shop_seed(11, store);
        const ShopReport again = run_shop_seed(11, store);
        EXPECT_EQ(once.trace_hash, again.trace_hash);
        EXPECT_EQ(once.trace_events, again.trace_events);
        EXPECT_NE(once.trace_hash, run_shop_seed(12, store).trace_hash);
    }
}

TEST(ShopStage, WhereNothingGoesWrongNobodyHasToLook) {
    ShopScenario scenario = draw_shop_scenario(3, StoreKind::memory);
    scenario.dose = calm_shop_dose();
    const ShopReport report = ShopStage(scenario).run();
    EXPECT_TRUE(report.findings.empty()) << describe(std::vector{report}, StoreKind::memory);
    EXPECT_GT(report.made, 0U);
    for (const ShopRare rare : {ShopRare::found_its_own, ShopRare::gave_up_asking,
                                ShopRare::undecided, ShopRare::amount_differs})
        EXPECT_EQ(report.rarities.of(rare), 0) << name_of(rare);
}

}  // namespace
}  // namespace pawl::sim
