// SPDX-License-Identifier: Apache-2.0
#include "core/record/stamp.hpp"

#include <gtest/gtest.h>

namespace pawl::record {
namespace {

std::string canonical(std::string_view text) {
    const Result<Stamp> stamp = parse_stamp(text);
    return stamp ? stamp->canonical : std::string(name_of(stamp.error().code));
}

// Below, at or above zero, as memcmp.
int order(std::string_view a, std::string_view b) {
    const std::strong_ordering found = compare(*parse_stamp(a), *parse_stamp(b));
    return found < 0 ? -1 : found > 0 ? 1 : 0;
}

TEST(Stamp, IntegersLoseLeadingZerosAndNothingElse) {
    EXPECT_EQ(canonical("0"), "0");
    EXPECT_EQ(canonical("000"), "0");
    EXPECT_EQ(canonical("007"), "7");
    EXPECT_EQ(canonical("18446744073709551616"), "18446744073709551616");
    EXPECT_EQ(parse_stamp("7")->kind, StampKind::integer);
}

// Rulings 1: 200 digits.
TEST(Stamp, TwoHundredCharactersAreTakenAndOneMoreIsNot) {
    const std::string longest(kStampLengthMax, '9');
    EXPECT_EQ(canonical(longest), longest);
    EXPECT_EQ(canonical(longest + "9"), "version_invalid");
    EXPECT_EQ(canonical("0" + longest), "version_invalid");
}

TEST(Stamp, IntegersCompareByLengthThenDigits) {
    EXPECT_LT(order("9", "10"), 0);
    EXPECT_LT(order("9007199254740992", "9007199254740993"), 0);  // 2^53 and one more
    EXPECT_GT(order("9007199254740993", "9007199254740992"), 0);
    EXPECT_EQ(order("0010", "10"), 0);
    EXPECT_LT(order(std::string(199, '9'), "1" + std::string(199, '0')), 0);
}

TEST(Stamp, TimesComeToUtc) {
    EXPECT_EQ(canonical("2026-11-29T14:47:32Z"), "2026-11-29T14:47:32");
    EXPECT_EQ(canonical("2026-11-29t14:47:32z"), "2026-11-29T14:47:32");
    EXPECT_EQ(canonical("2026-11-29T14:47:32+00:00"), "2026-11-29T14:47:32");
    EXPECT_EQ(canonical("2026-11-29T14:47:32-00:00"), "2026-11-29T14:47:32");
    EXPECT_EQ(canonical("2026-11-29T00:15:00+05:45"), "2026-11-28T18:30:00");
    EXPECT_EQ(canonical("2026-12-31T23:30:00-01:00"), "2027-01-01T00:30:00");
    EXPECT_EQ(canonical("2024-03-01T00:00:00+23:59"), "2024-02-29T00:01:00");
    EXPECT_EQ(canonical("2023-03-01T00:00:00+00:01"), "2023-02-28T23:59:00");
    EXPECT_EQ(parse_stamp("2026-11-29T14:47:32Z")->kind, StampKind::time);
}

TEST(Stamp, FractionsKeepEveryDigitButTrailingZeros) {
    EXPECT_EQ(canonical("2026-11-29T14:47:32.5Z"), "2026-11-29T14:47:32.5");
    EXPECT_EQ(canonical("2026-11-29T14:47:32.500Z"), "2026-11-29T14:47:32.5");
    EXPECT_EQ(canonical("2026-11-29T14:47:32.000Z"), "2026-11-29T14:47:32");
    EXPECT_EQ(canonical("2026-11-29T14:47:32.0100000000000000000000000001Z"),
              "2026-11-29T14:47:32.0100000000000000000000000001");
}

TEST(Stamp, TimesCompareExactly) {
    EXPECT_EQ(order("2026-11-29T14:47:32.50+01:00", "2026-11-29T13:47:32.5Z"), 0);
    EXPECT_LT(order("2026-11-29T14:47:32Z", "2026-11-29T14:47:32.000000000000000000001Z"), 0);
    EXPECT_LT(order("2026-11-29T14:47:32.45Z", "2026-11-29T14:47:32.5Z"), 0);
    EXPECT_LT(order("2026-11-29T14:47:32.5Z", "2026-11-29T14:47:33Z"), 0);
    EXPECT_LT(order("2026-11-29T23:59:59-05:00", "2026-11-30T05:00:00Z"), 0);
}

TEST(Stamp, ALeapSecondLiesBetweenItsNeighbours) {
    EXPECT_EQ(canonical("2016-12-31T23:59:60Z"), "2016-12-31T23:59:60");
    EXPECT_EQ(canonical("2017-01-01T01:59:60.5+02:00"), "2016-12-31T23:59:60.5");
    EXPECT_EQ(canonical("1990-12-31T15:59:60-08:00"), "1990-12-31T23:59:60");  // RFC 3339, 5.8
    EXPECT_LT(order("2016-12-31T23:59:59.999Z", "2016-12-31T23:59:60Z"), 0);
    EXPECT_LT(order("2016-12-31T23:59:60.999Z", "2017-01-01T00:00:00Z"), 0);
    for (const std::string_view none :
         {"2016-12-31T23:58:60Z", "2016-12-31T22:59:60Z", "2016-12-30T23:59:60Z",
          "2016-12-31T23:59:60+01:00", "2016-12-31T23:59:61Z"})
        EXPECT_EQ(canonical(none), "version_invalid") << none;
}

TEST(Stamp, TheYearsEndAtFourDigits) {
    EXPECT_EQ(canonical("0000-01-01T00:00:00Z"), "0000-01-01T00:00:00");
    EXPECT_EQ(canonical("9999-12-31T23:59:59.9Z"), "9999-12-31T23:59:59.9");
    EXPECT_EQ(canonical("0000-01-01T00:00:00+00:01"), "version_invalid");
    EXPECT_EQ(canonical("9999-12-31T23:59:59-00:01"), "version_invalid");
}

TEST(Stamp, AnythingElseIsRefused) {
    for (const std::string_view text : {
             "",
             " ",
             "-1",
             "+1",
             "1.0",
             "1e3",
             " 1",
             "1 ",
             "0x10",
             "\xd9\xa1",
             "v1",
             "true",
             "2026-11-29",
             "2026-11-29T14:47Z",
             "2026-11-29T14:47:32",
             "2026-11-29 14:47:32Z",
             "2026-11-29T14:47:32.Z",
             "2026-11-29T14:47:32,5Z",
             "2026-11-29T14:47:32+0100",
             "2026-11-29T14:47:32+01",
             "2026-11-29T14:47:32+24:00",
             "2026-11-29T14:47:32+01:60",
             "2026-11-29T14:47:32ZZ",
             "2026-13-01T00:00:00Z",
             "2026-00-01T00:00:00Z",
             "2026-02-30T00:00:00Z",
             "2026-11-29T24:00:00Z",
             "2026-11-29T14:60:00Z",
             "26-11-29T14:47:32Z",
             "02026-11-29T14:47:32Z",
             "-001-11-29T14:47:32Z",
             "2026-1-29T14:47:32Z",
             "2026-11-29T14:47:32+-1:00",
             "2026-11-29.5Z",
             "2026-11-29T14:47:32.5",
         })
        EXPECT_EQ(canonical(text), "version_invalid") << text;
}

// Rulings 1: stamped and unstamped never mix on one key, nor do two kinds.
TEST(Stamp, OrdersRequestsOfOneKeyAndRefusesThoseThatDoNotMix) {
    const std::optional<Stamp> none;
    const std::optional<Stamp> one = parse_stamp("1").value();
    const std::optional<Stamp> two = parse_stamp("2").value();
    const std::optional<Stamp> time = parse_stamp("2026-11-30T00:00:00Z").value();
    EXPECT_EQ(order_of(none, none), std::partial_ordering::equivalent);
    EXPECT_EQ(order_of(one, one), std::partial_ordering::equivalent);
    EXPECT_EQ(order_of(one, two), std::partial_ordering::less);
    EXPECT_EQ(order_of(two, one), std::partial_ordering::greater);
    for (const auto& [a, b] : {std::pair{none, one}, std::pair{one, none}, std::pair{one, time}})
        EXPECT_EQ(order_of(a, b), std::partial_ordering::unordered);
}

}  // namespace
}  // namespace pawl::record
