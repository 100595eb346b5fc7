// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/id/id.hpp"

namespace pawl::id {
namespace {

using Kind = key::JsonValue::Kind;

TEST(IdText, IsDigitsAndNothingElse) {
    EXPECT_EQ(to_text(1), "1");
    EXPECT_EQ(parse_id("1"), 1);
    EXPECT_EQ(parse_id("9223372036854775807"), 9'223'372'036'854'775'807);
    EXPECT_EQ(to_text(9'223'372'036'854'775'807), "9223372036854775807");
    for (const std::string_view bad :
         {"", "0", "-1", "+1", "01", " 1", "1 ", "1.0", "1e3", "0x1", "1_000",
          "9223372036854775808", "12345678901234567890", "\xef\xbc\x91"}) {
        const auto id = parse_id(bad);
        ASSERT_FALSE(id) << bad;
        EXPECT_EQ(id.error().code, Code::request_invalid);
    }
}

struct Row {
    std::string_view text;
    bool taken;
    std::string_view why;
};

TEST(IdInJson, NumbersAreTakenUnlessADoubleCanHavePrintedThem) {
    const std::vector<Row> rows{
        {"1", true, "small"},
        {"9007199254740991", true, "2^53 - 1"},
        {"9007199254740992", false, "2^53, and what becomes of 2^53 + 1"},
        {"9007199254740993", true, "2^53 + 1: no double"},
        {"9007199254740994", false, "a double"},
        {"132091394064384001", true, "an exact integer"},
        {"132091394064384000", false, "the double beside it"},
        {"1152921504606847000", false, "2^60 as JavaScript prints it"},
        {"1152921504606846976", false, "2^60 as C prints it"},
        {"1152921504606847001", true, "its neighbour, exact"},
        {"9223372036854775807", true, "2^63 - 1: no double"},
        {"9223372036854775000", false, "the last double below 2^63 as JavaScript prints it"},
        {"9223372036854775001", true, "its neighbour, exact"},
        {"9223372036854776000", false, "2^63 as JavaScript prints it: too large"},
        {"1.0", false, "a fraction"},
        {"1e3", false, "an exponent"},
        {"1.152921504606847e18", false, "2^60 as Python prints it"},
        {"-1", false, "negative"},
    };
    for (const Row& row : rows)
        EXPECT_EQ(id_in_json({Kind::number, std::string(row.text)}).has_value(), row.taken)
            << row.text << ": " << row.why;
}

TEST(IdInJson, TextsAreTakenAsTheyAre) {
    EXPECT_EQ(id_in_json({Kind::string, "1152921504606847000"}), 1'152'921'504'606'847'000);
    EXPECT_FALSE(id_in_json({Kind::string, ""}));
    EXPECT_FALSE(id_in_json({Kind::literal, "true"}));
    EXPECT_FALSE(id_in_json({Kind::composite, "[1]"}));
    const auto rounded = id_in_json({Kind::number, "1152921504606847000"});
    ASSERT_FALSE(rounded);
    EXPECT_NE(rounded.error().text.find("\"1152921504606847000\""), std::string::npos);
}

// Whatever id goes through a double, and however it is printed then, is not taken for an id.
TEST(IdInJson, NoIdComesBackAsItsNeighbour) {
    for (Id id = 132'091'394'064'380'000; id < 132'091'394'064'390'000; ++id) {
        const auto rounded = static_cast<Id>(static_cast<double>(id));
        ASSERT_FALSE(id_in_json({Kind::number, to_text(rounded)})) << id;
        const auto taken = id_in_json({Kind::number, to_text(id)});
        ASSERT_TRUE(!taken || *taken == id);
    }
}

}  // namespace
}  // namespace pawl::id
