// SPDX-License-Identifier: Apache-2.0
#include "store/port/damage.hpp"

#include <gmock/gmock.h>

namespace pawl::store {
namespace {

TEST(DamageBook, TellsEachRowOnce) {
    DamageBook book;
    EXPECT_TRUE(book.news().empty());
    book.met("flow_entity", "order 1");
    book.met("flow_entity", "order 1");
    book.met("flow_saga", "order 1");
    EXPECT_EQ(book.rows().value(), 2);
    EXPECT_THAT(book.news(), testing::ElementsAre(DamagedRow{"flow_entity", "order 1"},
                                                  DamagedRow{"flow_saga", "order 1"}));
    book.met("flow_saga", "order 1");
    EXPECT_TRUE(book.news().empty());
    EXPECT_EQ(book.rows().value(), 2);
}

TEST(DamageBook, NamesSoManyAndCountsTheRest) {
    DamageBook book;
    for (std::size_t row = 0; row < kDamagedRowsNamed; ++row)
        book.met("flow_step", std::to_string(row));
    EXPECT_EQ(book.news().size(), kDamagedRowsNamed);
    book.met("flow_step", "one more");
    EXPECT_TRUE(book.news().empty());
    book.met("flow_step", "0");
    EXPECT_EQ(book.rows().value(), static_cast<std::int64_t>(kDamagedRowsNamed) + 1);
}

}  // namespace
}  // namespace pawl::store
