// SPDX-License-Identifier: Apache-2.0
#include "core/policy/write_counts.hpp"

#include <gtest/gtest.h>

#include "core/policy/path.hpp"

namespace pawl::policy {
namespace {

TEST(PathTemplate, WhatNamesOneThingIsAParameter) {
    const std::vector<std::pair<std::string, std::string>> rows{
        {"/orders", "/orders"},
        {"/", "/"},
        {"/orders/17/pay", "/orders/{id}/pay"},
        {"/orders/17/items/4", "/orders/{id}/items/{id2}"},
        {"/o/550e8400-e29b-41d4-a716-446655440000", "/o/{id}"},
        {"/o/ORD-2026-0017?x=1", "/o/{id}"},
        {"/o/dGhpcyBpcyBhIHRva2Vu1", "/o/{id}"},
        {"/api/v1/oauth2/token", "/api/v1/oauth2/token"},
        {"/customer-registrations", "/customer-registrations"},
        {"//orders/./17/", "/orders/{id}"},
        {"/orders/%31%37", "/orders/{id}"},
    };
    for (const auto& [target, path] : rows) {
        EXPECT_EQ(path_template(target), path) << target;
        EXPECT_TRUE(parse_pattern(path)) << path;
    }
}

TEST(PathTemplate, WhatNoPatternCanSayHasNone) {
    std::string deep;
    for (std::size_t i = 0; i <= kSegmentsMax; ++i) deep += "/a";
    for (const std::string& target :
         {std::string("*"), std::string("/a{b}"), std::string("/a%22b"), std::string("/%0a"),
          std::string("/a%3Fb"), std::string("/a%23b"), deep,
          "/" + std::string(kWriteTemplateLengthMax, 'a')})
        EXPECT_FALSE(path_template(target)) << target;
    EXPECT_TRUE(path_template(deep.substr(2)));
    EXPECT_TRUE(path_template("/" + std::string(kWriteTemplateLengthMax - 1, 'a')));
}

TEST(WriteCounts, CountsByMethodAndShape) {
    WriteCounts counts;
    counts.add("POST", "/orders/1", true, "");
    counts.add("POST", "/orders/2", false, "");
    counts.add("PUT", "/orders/2", false, "files");
    counts.add("POST", "/a{b}", false, "");
    const auto list = counts.list();
    ASSERT_EQ(list.size(), 2);
    EXPECT_EQ(list[0].method + " " + list[0].path, "POST /orders/{id}");
    EXPECT_EQ(list[0].count, 2);
    EXPECT_EQ(list[0].with_key, 1);
    EXPECT_EQ(list[1].route, "files");
    EXPECT_EQ(counts.not_listed(), 1);
    EXPECT_EQ(counts.total(), 4);
    WriteCounts sum;
    sum.add(counts);
    sum.add(counts);
    EXPECT_EQ(sum.list()[0].count, 4);
    EXPECT_EQ(sum.list()[0].with_key, 2);
    EXPECT_EQ(sum.total(), 8);
}

TEST(WriteCounts, HoldsSoManyShapesAndNotOneMore) {
    WriteCounts counts;
    const auto word = [](std::size_t i) {
        std::string letters;
        for (; letters.size() < 3; i /= 26) letters += static_cast<char>('a' + i % 26);
        return "/" + letters;
    };
    for (std::size_t i = 0; i < kWriteTemplatesMax; ++i) counts.add("POST", word(i), false, "");
    EXPECT_EQ(counts.list().size(), kWriteTemplatesMax);
    EXPECT_EQ(counts.not_listed(), 0);
    counts.add("POST", word(kWriteTemplatesMax), false, "");
    counts.add("POST", word(0), false, "");
    EXPECT_EQ(counts.list().size(), kWriteTemplatesMax);
    EXPECT_EQ(counts.list()[0].count, 2);
    EXPECT_EQ(counts.not_listed(), 1);
    counts.add(std::string(21, 'X'), word(0), false, "");
    EXPECT_EQ(counts.not_listed(), 2);
}

}  // namespace
}  // namespace pawl::policy
