// SPDX-License-Identifier: Apache-2.0
// R-TRIPLE.
#include <gtest/gtest.h>

#include <limits>

#include "core/id/triple_id.hpp"

namespace pawl::id {
namespace {

constexpr std::string_view kTrace = "4bf92f3577b34da6a3ce929d0e0e4736";

TEST(TripleId, IsTraceOrderAndTime) {
    EXPECT_EQ(triple_id(kTrace, "SO-2026.0042", 1'764'000'000'123),
              "4bf92f3577b3_SO-2026.0042_1764000000123");
    EXPECT_EQ(parse_triple_id("4bf92f3577b3_SO-2026.0042_1764000000123"),
              (Triple{"4bf92f3577b3", "SO-2026.0042", 1'764'000'000'123}));
}

TEST(TripleId, KeepsTheEndOfALongOrderNumber) {
    EXPECT_EQ(triple_id(kTrace, "20-characters-fit-it", 1), "4bf92f3577b3_20-characters-fit-it_1");
    EXPECT_EQ(triple_id(kTrace, "x21-characters-fit-it", 1), "4bf92f3577b3_21-characters-fit-it_1");
}

TEST(TripleId, IsAlwaysOfTheFormAndNeverLongerThan64) {
    const std::string order = "a_b/\xe8\xae\xa2\xe5\x8d\x95 \n" + std::string(100, '_');
    for (const std::string_view trace : {std::string_view(), kTrace, std::string_view("ZZ_\xff")}) {
        for (const std::int64_t at :
             {std::int64_t{-5}, std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}) {
            for (const std::string& number : {std::string(), order, order.substr(0, 9)}) {
                const std::string text = triple_id(trace, number, at);
                EXPECT_LE(text.size(), kTripleLengthMax);
                const auto read = parse_triple_id(text);
                ASSERT_TRUE(read) << text;
                EXPECT_EQ(triple_id(read->trace, read->order, read->at_ms), text);
            }
        }
    }
    EXPECT_EQ(triple_id("ABCDEF", "", 0), "abcdef000000__0");
}

TEST(TripleId, WhatIsNotOfTheFormIsNone) {
    for (const std::string_view bad :
         {"", "__", "4bf92f3577b3_a", "4bf92f3577b_a_1", "4bf92f3577b3a_a_1", "4BF92F3577B3_a_1",
          "4bf92f3577bg_a_1", "4bf92f3577b3_a b_1", "4bf92f3577b3_a_", "4bf92f3577b3_a_x",
          "4bf92f3577b3_a_-1", "4bf92f3577b3_a_-0", "4bf92f3577b3_a_01", "4bf92f3577b3_a_1_2",
          "4bf92f3577b3_a_9223372036854775808", "4bf92f3577b3_x21-characters-are-it_1"})
        EXPECT_FALSE(parse_triple_id(bad)) << bad;
}

}  // namespace
}  // namespace pawl::id
