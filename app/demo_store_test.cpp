// SPDX-License-Identifier: Apache-2.0
#include "app/demo_store.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace pawl::app {
namespace {

TEST(DemoStore, BeginsEmptyBesideOthersAndGoesWithAllItHolds) {
    std::filesystem::path folder;
    {
        DemoStore one;
        DemoStore other;
        const auto path = one.begin();
        ASSERT_TRUE(path);
        EXPECT_NE(*path, other.begin().value());
        folder = std::filesystem::path(*path).parent_path();
        EXPECT_TRUE(std::filesystem::is_empty(folder));
        std::ofstream(*path) << "x";
        std::ofstream(*path + "-wal") << "x";
    }
    EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace pawl::app
