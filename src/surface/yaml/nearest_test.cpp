// SPDX-License-Identifier: Apache-2.0
#include "surface/yaml/nearest.hpp"

#include <gtest/gtest.h>

namespace pawl::yaml {
namespace {

TEST(Nearest, FindsTheSlip) {
    const std::vector<std::string> known{"listen", "limits",       "upstream_remembers",
                                         "key",    "strict-money", "PAWL_STORE_PATH"};
    EXPECT_EQ(nearest("lisen", known), "listen");
    EXPECT_EQ(nearest("lsiten", known), "listen");
    EXPECT_EQ(nearest("Limits", known), "limits");
    EXPECT_EQ(nearest("kye", known), "key");
    EXPECT_EQ(nearest("upstream-remembers", known), "upstream_remembers");
    EXPECT_EQ(nearest("strict_money", known), "strict-money");
    EXPECT_EQ(nearest("PAWL_STORE_PTH", known), "PAWL_STORE_PATH");
}

TEST(Nearest, GuessesNothingFarAway) {
    const std::vector<std::string> known{"listen", "key"};
    for (const std::string& name : {std::string("colour"), std::string("abc"), std::string(),
                                    std::string("x"), std::string(65, 'k')})
        EXPECT_EQ(nearest(name, known), std::nullopt) << name;
    EXPECT_EQ(nearest("key", {}), std::nullopt);
}

}  // namespace
}  // namespace pawl::yaml
