// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/callback/amount.hpp"

namespace pawl::callback {
namespace {

std::string decimal(std::string_view text, std::string_view currency = "CNY") {
    const auto amount = Amount::in_decimal(text, currency);
    return amount ? amount->money_text() : "none";
}
std::string minor(std::string_view text, std::string_view currency, int decimals) {
    const auto amount = Amount::in_minor_units(text, currency, decimals);
    return amount ? amount->money_text() : "none";
}

TEST(Amount, IsReadExactlyFromDecimalText) {
    EXPECT_EQ(decimal("88.88"), "88.88 CNY");
    EXPECT_EQ(decimal("88.80"), "88.80 CNY");
    EXPECT_EQ(decimal("88"), "88.00 CNY");
    EXPECT_EQ(decimal("0.01"), "0.01 CNY");
    EXPECT_EQ(decimal("0.10"), "0.10 CNY");
    EXPECT_EQ(decimal("0"), "0.00 CNY");
    EXPECT_EQ(decimal("0.00"), "0.00 CNY");
    EXPECT_EQ(decimal("1.1", "usd"), "1.10 USD");
    EXPECT_EQ(decimal("1e2"), "100.00 CNY") << "JSON may spell it so";
    EXPECT_EQ(decimal("1.5E+1"), "15.00 CNY");
    EXPECT_EQ(decimal("15e-1"), "1.50 CNY");
    EXPECT_EQ(decimal("0.1"), decimal("0.10000000000000000000")) << "zeros say nothing";
    EXPECT_EQ(decimal("100.00", "JPY"), "100 JPY") << "which has no smaller unit";
    EXPECT_EQ(decimal("0.125", "EUR"), "0.125 EUR") << "what was said beyond it stays";
    EXPECT_EQ(decimal("9007199254740993", "JPY"), "none") << "16 digits";
    EXPECT_EQ(decimal("90071992547409.93"), "none");
    EXPECT_EQ(decimal("9007199254740.93"), "9007199254740.93 CNY") << "beyond a double's cents";
}

TEST(Amount, IsReadExactlyFromMinorUnits) {
    EXPECT_EQ(minor("8888", "CNY", 2), "88.88 CNY");
    EXPECT_EQ(minor("1", "CNY", 2), "0.01 CNY");
    EXPECT_EQ(minor("100", "jpy", 0), "100 JPY");
    EXPECT_EQ(minor("1500", "KWD", 3), "1.500 KWD");
    EXPECT_EQ(minor("0", "CNY", 2), "0.00 CNY");
    EXPECT_EQ(minor("1.0", "CNY", 2), "0.01 CNY") << "a whole number all the same";
    EXPECT_EQ(minor("1e2", "CNY", 2), "1.00 CNY");
    EXPECT_EQ(minor("1.5", "CNY", 2), "none");
    EXPECT_EQ(minor("15e-1", "CNY", 2), "none");
}

TEST(Amount, WhatIsNoAmountIsNone) {
    for (const std::string_view bad :
         {"",     "-1", "+1",    "-0",    " 1",       "1 ",  "1.",  ".5",
          "01",   "00", "1,5",   "1_000", "0x1",      "1e",  "1e+", "1e100",
          "1e99", "e1", "1.2.3", "NaN",   "Infinity", "1\n", "١"}) {
        EXPECT_EQ(decimal(bad), "none") << bad;
        EXPECT_EQ(minor(bad, "CNY", 2), "none") << bad;
    }
    for (const std::string_view bad : {"", "CN", "CNYX", "C1Y", "C Y", "¥"})
        EXPECT_EQ(decimal("1", bad), "none") << bad;
}

TEST(Amount, HasItsBounds) {
    EXPECT_EQ(minor("999999999999999", "CNY", 2), "9999999999999.99 CNY");
    EXPECT_EQ(minor("1000000000000000", "CNY", 2), "10000000000000.00 CNY")
        << "one digit, kept as 1e13";
    EXPECT_EQ(minor("1000000000000001", "CNY", 2), "none");
    EXPECT_EQ(decimal("999999999999999"), "999999999999999.00 CNY");
    EXPECT_EQ(decimal("1e14"), "100000000000000.00 CNY");
    EXPECT_EQ(decimal("1e15"), "none");
    EXPECT_EQ(decimal("0.000001"), "0.000001 CNY");
    EXPECT_EQ(decimal("0.0000001"), "none");
    EXPECT_EQ(decimal("0." + std::string(5'000, '0') + "1"), "none");
    EXPECT_EQ(decimal("1" + std::string(5'000, '0')), "none");
    EXPECT_EQ(decimal("0e-99"), "0.00 CNY");
}

TEST(Amount, EqualsByValueAndCurrency) {
    EXPECT_EQ(Amount::in_decimal("88.80", "CNY"), Amount::in_minor_units("8880", "cny", 2));
    EXPECT_NE(Amount::in_decimal("88.80", "CNY"), Amount::in_decimal("88.81", "CNY"));
    EXPECT_NE(Amount::in_decimal("88.80", "CNY"), Amount::in_decimal("88.80", "HKD"));
}

TEST(Amount, IsGivenInMinorUnits) {
    EXPECT_EQ(Amount::in_decimal("88.8", "CNY")->minor_units(2), 8880);
    EXPECT_EQ(Amount::in_decimal("88.8", "CNY")->minor_units(1), 888);
    EXPECT_EQ(Amount::in_decimal("88.8", "CNY")->minor_units(0), std::nullopt);
    EXPECT_EQ(Amount::in_decimal("999999999999999", "CNY")->minor_units(2), std::nullopt);
}

TEST(Amount, CurrenciesHaveTheirDecimals) {
    EXPECT_EQ(iso_decimals("CNY"), 2);
    EXPECT_EQ(iso_decimals("jpy"), 0);
    EXPECT_EQ(iso_decimals("KWD"), 3);
    EXPECT_EQ(iso_decimals(""), 2);
}

}  // namespace
}  // namespace pawl::callback
