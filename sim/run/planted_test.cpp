// SPDX-License-Identifier: Apache-2.0
// Each planted bug is found by an auditor within a few seeds. The program is built with the bugs compiled in
// or has nothing to show.
#include <gtest/gtest.h>

#include "runtime/plant/planted.hpp"
#include "sim/run/seeds.hpp"
#include "sim/shop/shop_seeds.hpp"

namespace pawl::sim {
namespace {

#ifdef PAWL_PLANTED_BUGS

constexpr std::uint64_t kSeedsPerBug = 100;

class Planted : public testing::TestWithParam<int> {
  protected:
    ~Planted() override { plant(Plant::none); }
};

TEST_P(Planted, BugIsFound) {
    const auto bug = static_cast<Plant>(GetParam());
    plant(bug);
    const SeedSet set = seed_set(kSeedsPerBug);
    for (std::uint64_t i = 0; i < kSeedsPerBug; ++i) {
        const std::vector<Finding> findings =
            GetParam() < kFirstFlowPlant ? run_seed(set.first + i, StoreKind::memory).findings
                                         : run_shop_seed(set.first + i, StoreKind::memory).findings;
        if (findings.empty()) continue;
        fmt::print("{}: {} after {} seeds: {}\n", name_of(bug), findings.front().invariant, i + 1,
                   findings.front().text);
        return;
    }
    FAIL() << name_of(bug) << " was not found in " << kSeedsPerBug << " seeds";
}

std::string name_of_case(const testing::TestParamInfo<int>& param) {
    return std::string(name_of(static_cast<Plant>(param.param)));
}

INSTANTIATE_TEST_SUITE_P(Every, Planted, testing::Range(1, kPlantCount), name_of_case);

#else

TEST(Planted, NoBugIsCompiledIn) {
    EXPECT_FALSE(kPlantsCompiledIn);
    for (int i = 0; i < kPlantCount; ++i) EXPECT_FALSE(is_planted(static_cast<Plant>(i)));
}

#endif

}  // namespace
}  // namespace pawl::sim
