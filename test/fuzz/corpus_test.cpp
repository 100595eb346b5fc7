// SPDX-License-Identifier: Apache-2.0
// Every fuzz target takes every input of its corpus: what once broke something, and what is known to be odd.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

extern "C" {
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): the list is one line per target
#define PAWL_FUZZ_TARGET(name) int name##_input(const std::uint8_t* bytes, std::size_t size);
#include "fuzz_targets.inc"
#undef PAWL_FUZZ_TARGET
}

namespace {

struct Target {
    const char* name;
    int (*take)(const std::uint8_t*, std::size_t);
};
constexpr Target kTargets[] = {
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): the same list once more
#define PAWL_FUZZ_TARGET(name) {#name, name##_input},
#include "fuzz_targets.inc"
#undef PAWL_FUZZ_TARGET
};

class FuzzCorpus : public testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, IsTakenWhole) {
    int taken = 0;
    const auto folder = std::filesystem::path(PAWL_CORPUS) / GetParam().name;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        SCOPED_TRACE(file.path().filename());
        std::ifstream stream(file.path(), std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(stream), {});
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as libFuzzer hands bytes over
        EXPECT_EQ(
            GetParam().take(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0);
        ++taken;
    }
    EXPECT_GT(taken, 0) << "no corpus in " << folder;
}

INSTANTIATE_TEST_SUITE_P(All, FuzzCorpus, testing::ValuesIn(kTargets),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
