// SPDX-License-Identifier: Apache-2.0
#include "sim/run/seeds.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace pawl::sim {
namespace {

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

SeedSet seed_set(std::uint64_t count) {
    return {from_environment("PAWL_SEED_FIRST", 1), from_environment("PAWL_SEEDS", count)};
}

std::vector<std::uint64_t> regression_seeds(std::string_view kind) {
    std::vector<std::uint64_t> seeds;
    std::ifstream file(PAWL_REGRESSION_SEEDS);
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::uint64_t seed = 0;
        std::string word;
        if (words >> seed >> word && word == kind) seeds.push_back(seed);
    }
    return seeds;
}

Report run_seed(std::uint64_t seed, StoreKind store) {
    return Stage(draw_scenario(seed, store)).run();
}

}  // namespace pawl::sim
