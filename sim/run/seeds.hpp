// SPDX-License-Identifier: Apache-2.0
// Sets of seeds. How many, and from which on, may be said from outside:
//
//   PAWL_SEEDS=1000 PAWL_SEED_FIRST=5001 sim_seeds
#pragma once

#include <functional>

#include "sim/run/stage.hpp"

namespace pawl::sim {

struct SeedSet {
    std::uint64_t first = 1;
    std::uint64_t count = 0;
};
// `count` unless the environment says otherwise.
SeedSet seed_set(std::uint64_t count);

// Seeds that failed once, one a line in sim/regression_seeds.txt: the number, the kind of run (memory, sqlite,
// shop, shop-sqlite), then what they found.
std::vector<std::uint64_t> regression_seeds(std::string_view kind);

Report run_seed(std::uint64_t seed, StoreKind store);
using Summary = SummaryOf<Report>;

}  // namespace pawl::sim
