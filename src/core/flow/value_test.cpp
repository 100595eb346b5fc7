// SPDX-License-Identifier: Apache-2.0
#include "core/flow/value.hpp"

#include <gtest/gtest.h>

#include "core/flow/limits.hpp"

namespace pawl::flow {
namespace {

Value value(FieldType type, std::string_view text) { return parse_value(type, text).value(); }
Value money(std::string_view text) { return value(FieldType::money, text); }
Value integer(std::string_view text) { return value(FieldType::integer, text); }

TEST(Value, MoneyIsComparedAsANumberAndKeptAsItWasWritten) {
    EXPECT_TRUE(same(money("12.50"), money("12.5")));
    EXPECT_EQ(money("12.50").text, "12.50");
    EXPECT_TRUE(same(money("0"), money("-0.00")));
    EXPECT_TRUE(same(money("012"), money("12")));
    EXPECT_FALSE(same(money("12.5"), money("125")));
    EXPECT_FALSE(same(money("0.1"), money("0.10000000000000000000001")));
    EXPECT_FALSE(same(money("1"), money("-1")));
}

TEST(Value, MoneyOfAnotherCurrencyIsNotTheSameAndHasNoOrder) {
    EXPECT_TRUE(same(money("12.50 EUR"), money("12.5 EUR")));
    EXPECT_EQ(compare(money("12.50 EUR"), money("1 USD")), std::partial_ordering::unordered);
    EXPECT_EQ(compare(money("12.50 EUR"), money("12.50")), std::partial_ordering::unordered);
}

TEST(Value, MoneyHasAnOrder) {
    EXPECT_TRUE(compare(money("9.99"), money("10")) < 0);
    EXPECT_TRUE(compare(money("-9.99"), money("-10")) > 0);
    EXPECT_TRUE(compare(money("-1"), money("0.5")) < 0);
    EXPECT_TRUE(compare(money("1.05"), money("1.5")) < 0);
}

TEST(Value, WhatIsNoAmountIsRefused) {
    for (const auto* text : {"", "-", ".5", "5.", "1e3", "1,000", "12.50EUR", "12.50 eur",
                             "12.50 EURO", "12.50  EUR", "+1", "1 ", " 1", "--1", "1.2.3"})
        EXPECT_FALSE(parse_value(FieldType::money, text)) << text;
}

TEST(Value, IntegersAreExactAtEverySize) {
    EXPECT_FALSE(same(integer("9007199254740992"), integer("9007199254740993")));
    EXPECT_TRUE(compare(integer("9007199254740992"), integer("9007199254740993")) < 0);
    EXPECT_TRUE(compare(integer("-5"), integer("3")) < 0);
    for (const auto* text : {"", "-", "-0", "01", "1.0", "1e3", "0x1", "+1"})
        EXPECT_FALSE(parse_value(FieldType::integer, text)) << text;
}

TEST(Value, LimitsHoldAtTheLimitAndNotBeyond) {
    EXPECT_TRUE(parse_value(FieldType::integer, "-" + std::string(kIntegerDigitsMax, '9')));
    EXPECT_FALSE(parse_value(FieldType::integer, std::string(kIntegerDigitsMax + 1, '9')));
    EXPECT_TRUE(parse_value(FieldType::money, std::string(kMoneyDigitsMax, '9')));
    EXPECT_FALSE(parse_value(FieldType::money, std::string(kMoneyDigitsMax + 1, '9')));
    EXPECT_TRUE(parse_value(FieldType::text, std::string(kTextBytesMax, 'x')));
    EXPECT_FALSE(parse_value(FieldType::text, std::string(kTextBytesMax + 1, 'x')));
}

TEST(Value, TimesAreInstantsWhoseTextsSortAsTheyDo) {
    const Value a = value(FieldType::time, "2026-05-01T12:00:00+02:00");
    EXPECT_EQ(a.text, "2026-05-01T10:00:00Z");
    EXPECT_TRUE(same(a, value(FieldType::time, "2026-05-01T10:00:00.000Z")));
    EXPECT_TRUE(compare(a, value(FieldType::time, "2026-05-01T10:00:00.5Z")) < 0);
    EXPECT_FALSE(parse_value(FieldType::time, "2026-05-01"));
    EXPECT_FALSE(parse_value(FieldType::time, "17")) << "a stamp, but no time";
}

TEST(Value, BooleansAndTextsAreEqualOrNot) {
    const Value yes = value(FieldType::boolean, "true");
    EXPECT_TRUE(same(yes, yes));
    EXPECT_EQ(compare(yes, value(FieldType::boolean, "false")), std::partial_ordering::unordered);
    EXPECT_FALSE(parse_value(FieldType::boolean, "yes"));
    EXPECT_FALSE(same(value(FieldType::text, "a"), value(FieldType::text, "A")));
    EXPECT_EQ(compare(value(FieldType::text, "1"), integer("1")), std::partial_ordering::unordered);
}

}  // namespace
}  // namespace pawl::flow
