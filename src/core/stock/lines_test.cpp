// SPDX-License-Identifier: Apache-2.0
#include "core/stock/lines.hpp"

#include <gtest/gtest.h>

#include "core/stock/level.hpp"

namespace pawl::stock {
namespace {

Line goods(std::string code, std::int64_t quantity) {
    return {{Kind::goods, std::move(code)}, quantity};
}

TEST(Lines, AreSortedAndTheirDuplicatesMerged) {
    const auto lines = merged({goods("B", 1), goods("A", 2), goods("B", 3)});
    ASSERT_TRUE(lines);
    EXPECT_EQ(*lines, (std::vector{goods("A", 2), goods("B", 4)}));
}

TEST(Lines, OrdersOfTheSameSkusHaveTheSameOrder) {
    EXPECT_EQ(*merged({goods("A", 1), goods("B", 1)}), *merged({goods("B", 1), goods("A", 1)}));
}

TEST(Lines, AVoucherIsNotTheGoodsOfItsName) {
    const auto lines = merged({{{Kind::voucher, "A"}, 1}, goods("A", 1), goods("Z", 1)});
    ASSERT_TRUE(lines);
    ASSERT_EQ(lines->size(), 3U);
    EXPECT_EQ(lines->back().sku.kind, Kind::voucher);
}

TEST(Lines, SkusDifferInEveryByte) {
    EXPECT_EQ(merged({goods("a", 1), goods("A", 1), goods("{A}", 1), goods("A ", 1)})->size(), 4U);
}

TEST(Lines, LimitsHoldAtTheLimitAndNotBeyond) {
    EXPECT_FALSE(merged({}));
    EXPECT_FALSE(merged({goods("", 1)}));
    EXPECT_FALSE(merged({goods("A\n", 1)}));
    EXPECT_FALSE(merged({goods("A\x7f", 1)}));
    EXPECT_TRUE(merged({goods(std::string(kSkuBytesMax, 'A'), 1)}));
    EXPECT_FALSE(merged({goods(std::string(kSkuBytesMax + 1, 'A'), 1)}));
    EXPECT_FALSE(merged({goods("A", 0)}));
    EXPECT_TRUE(merged({goods("A", kQuantityMax)}));
    EXPECT_FALSE(merged({goods("A", kQuantityMax + 1)}));
    EXPECT_FALSE(merged({goods("A", kQuantityMax), goods("A", 1)}));
    EXPECT_TRUE(merged(std::vector(kLinesMax, goods("A", 1))));
    EXPECT_FALSE(merged(std::vector(kLinesMax + 1, goods("A", 1))));
}

TEST(Lines, KindsAreNamedAsInRequests) {
    for (const auto* name : {"goods", "voucher"}) EXPECT_EQ(name_of(kind_from(name).value()), name);
    EXPECT_EQ(kind_from("coupon"), std::nullopt);
}

}  // namespace
}  // namespace pawl::stock
