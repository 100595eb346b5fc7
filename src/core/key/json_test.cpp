// SPDX-License-Identifier: Apache-2.0
// Canonical JSON: what is equal, what is not, what is refused. Field cases 10 and X5.
#include "core/key/json.hpp"

#include <gtest/gtest.h>

namespace pawl::key {
namespace {

std::string canonical(std::string_view text) {
    auto out = canonical_json(text);
    return out ? *std::move(out) : "refused: " + out.error().text;
}

std::string refusal(std::string_view text) {
    const auto out = canonical_json(text);
    if (out) return "taken: " + *out;
    EXPECT_EQ(out.error().code, Code::request_invalid);
    return out.error().text;
}

// field case X5 and rulings 12: by mathematical value at full precision
TEST(CanonicalNumber, IsTheMathematicalValue) {
    for (const char* one : {"1", "1.0", "1e0", "1E0", "1e+0", "1e-0", "10e-1", "0.1e1", "0.01e2",
                            "1.000", "100e-2", "0.0000000001e10", "1e000000000000000000000000000"})
        EXPECT_EQ(canonical(one), "1") << one;
    for (const char* zero :
         {"0", "-0", "0.0", "-0.00", "0e5", "0E-5", "-0e99999999999999999999999"})
        EXPECT_EQ(canonical(zero), "0") << zero;
    EXPECT_EQ(canonical("100"), "1e2");
    EXPECT_EQ(canonical("100000000000000000000.0"), canonical("1e20"));
    EXPECT_EQ(canonical("-12.50"), "-125e-1");
    EXPECT_EQ(canonical("0.05"), "5e-2");
    EXPECT_EQ(canonical("1020.0304"), "10200304e-4");
    EXPECT_EQ(canonical("12345678901234567890"), "1234567890123456789e1");
}

TEST(CanonicalNumber, NothingIsRoundedToADouble) {
    EXPECT_NE(canonical("9007199254740992"), canonical("9007199254740993"));
    EXPECT_NE(canonical("0.1"), canonical("0.1000000000000000055511151231257827"));
    EXPECT_NE(canonical("1e400"), canonical("1e401"));
    EXPECT_NE(canonical("1e-400"), canonical("0"));
    EXPECT_NE(canonical("1"), canonical("-1"));
    EXPECT_NE(canonical("1"), canonical("\"1\""));
    const std::string digits(100'000, '7');
    EXPECT_EQ(canonical(digits), digits);
    EXPECT_NE(canonical(digits), canonical(digits + "." + digits));
}

TEST(CanonicalNumber, AHugeExponentTakesNoMoreRoomThanItsDigits) {
    EXPECT_EQ(canonical("1e999999999999999999"), "1e999999999999999999");
    EXPECT_EQ(canonical("10e999999999999999999"), "1e1000000000000000000");
    EXPECT_EQ(canonical("0.1e-999999999999999999"), "1e-1000000000000000000");
    EXPECT_EQ(canonical("1e-000000000000000000000007"), "1e-7");
    EXPECT_EQ(refusal("1e1000000000000000000"),
              "Not valid JSON at byte 0: a number's exponent is beyond all measure.");
    EXPECT_TRUE(refusal("[1e-1000000000000000000]").contains("byte 1"));
}

TEST(CanonicalNumber, MalformedOnesAreRefused) {
    for (const char* text : {"-", "+1", ".5", "1.", "1.e1", "1e", "1e+", "01", "-01", "00", "1.2.3",
                             "0x1", "1_0", "--1", "NaN", "Infinity", "-Infinity", "1e1.5", "1 2"})
        EXPECT_FALSE(canonical_json(text)) << text;
}

TEST(CanonicalString, IsEscapedAfterRfc8785) {
    EXPECT_EQ(canonical(R"("\u0061\/\u000a\u0008\u0009\u000C\u000d\u0022\u005c")"),
              R"("a/\n\b\t\f\r\"\\")");
    EXPECT_EQ(canonical(R"("\b\t\n\f\r\"\\\/")"), R"("\b\t\n\f\r\"\\/")");
    EXPECT_EQ(canonical(R"("\u0000\u001F\u007f")"), "\"\\u0000\\u001f\x7f\"");
    EXPECT_EQ(canonical(R"("\u00e9\u20AC\uD83D\ude00")"), "\"\u00e9\u20ac\U0001F600\"");
    EXPECT_EQ(canonical("\"\u00e9\u20ac\U0001F600\""), "\"\u00e9\u20ac\U0001F600\"");
    EXPECT_EQ(canonical("\"</script>\""), "\"</script>\"");
    EXPECT_EQ(canonical(R"("")"), R"("")");
    // RFC 8785, 3.2.2, the string of the example
    EXPECT_EQ(canonical(R"("\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/")"),
              "\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"");
}

TEST(CanonicalString, UnicodeFormsStayDistinct) {
    EXPECT_NE(canonical("\"\u00e9\""), canonical("\"e\u0301\""));
}

TEST(CanonicalString, LoneSurrogatesAndBadEscapesAreRefused) {
    for (const char* text : {R"("\ud800")",
                             R"("\udc00")",
                             R"("\ud800x")",
                             R"("\ud800\n")",
                             R"("\ud800\u0041")",
                             R"("\ud800\ud800")",
                             R"("\ud800\ue000")",
                             R"("\ud800\u12")",
                             R"("\udc00\ud800")",
                             R"("\u12")",
                             R"("\u12g4")",
                             R"("\U0041")",
                             R"("\x41")",
                             R"("\a")",
                             R"("\)",
                             R"("\")",
                             R"("\u)",
                             R"("\ud800\)",
                             "\"",
                             "\"abc",
                             "'a'"})
        EXPECT_FALSE(canonical_json(text)) << text;
}

TEST(CanonicalString, InvalidUtf8IsRefusedWhereverItStands) {
    const std::vector<std::string> sequences = {"\x80",
                                                "\xbf",
                                                "\xc0\x80",
                                                "\xc1\xbf",
                                                "\xc2",
                                                "\xc2\x20",
                                                "\xe0\x80\x80",
                                                "\xe0\x9f\xbf",
                                                "\xe1\x80",
                                                "\xe1\x80\x20",
                                                "\xf1\x80\x80\x20",
                                                "\xf1\x80\x20\x80",
                                                "\xf1\x20\x80\x80",
                                                "\xed\xa0\x80",
                                                "\xed\xbf\xbf",
                                                "\xf0\x80\x80\x80",
                                                "\xf0\x8f\xbf\xbf",
                                                "\xf4\x90\x80\x80",
                                                "\xf5\x80\x80\x80",
                                                "\xf1\x80\x80",
                                                "\xfe",
                                                "\xff"};
    for (const std::string& sequence : sequences) {
        for (std::size_t before = 0; before < 10; ++before) {
            const std::string text = '"' + std::string(before, 'a') + sequence + "a\"";
            EXPECT_FALSE(canonical_json(text)) << before;
            EXPECT_FALSE(canonical_json("{" + text + ":1}")) << before;
        }
    }
    for (const char* cut : {"\"\xc2", "\"\xe1\x80", "\"\xf1\x80\x80", "\"\xf1"})
        EXPECT_FALSE(canonical_json(cut)) << cut;
    for (const char* valid : {"\u0080", "\u07ff", "\u0800", "\xed\x9f\xbf", "\ue000", "\uffff",
                              "\U00010000", "\U0010FFFF"})
        EXPECT_EQ(canonical('"' + std::string(valid) + '"'), '"' + std::string(valid) + '"');
}

TEST(CanonicalString, BareControlCharactersAreRefusedWhereverTheyStand) {
    EXPECT_FALSE(canonical_json("\"\t\""));
    for (int byte = 0; byte < 0x20; ++byte)
        for (std::size_t before = 0; before < 10; ++before) {
            const std::string text = '"' + std::string(before, '~') + static_cast<char>(byte) +
                                     std::string(9, ' ') + '"';
            EXPECT_EQ(refusal(text), "Not valid JSON at byte " + std::to_string(before + 1) +
                                         ": a control character stands bare in a string.");
        }
}

// field case 10
TEST(CanonicalObject, MembersAreOrdered) {
    EXPECT_EQ(canonical(R"({"sku":"A","qty":1})"), R"({"qty":1,"sku":"A"})");
    EXPECT_EQ(canonical(" { \"b\" : [ 1 , { } , [ ] ] ,\r\n\t\"a\" : null } "),
              R"({"a":null,"b":[1,{},[]]})");
    EXPECT_EQ(canonical(R"({"b":{"d":1,"c":{"f":true,"e":false}},"a":2})"),
              R"({"a":2,"b":{"c":{"e":false,"f":true},"d":1}})");
    EXPECT_EQ(canonical(R"({"aa":1,"a":2,"":3})"), R"({"":3,"a":2,"aa":1})");
    EXPECT_EQ(canonical(R"({"a\u0000":1,"a":2})"), R"({"a":2,"a\u0000":1})");
    EXPECT_EQ(canonical(R"({"longprefix-b":1,"longprefix-a":2,"longprefi":3})"),
              R"({"longprefi":3,"longprefix-a":2,"longprefix-b":1})");
    EXPECT_EQ(canonical("[3,1,2]"), "[3,1,2]");
}

TEST(CanonicalObject, OrderIsThatOfUtf16CodeUnits) {
    // RFC 8785, 3.2.3, the example: the emoji's first unit D83D comes before FB33
    EXPECT_EQ(
        canonical("{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":"
                  "6,\"\\u00f6\":7}"),
        "{\"\\r\":2,\"1\":4,\"\u0080\":6,\"\u00f6\":7,\"\u20ac\":1,\"\U0001F600\":5,\"\ufb33\":3}");
    EXPECT_EQ(canonical("{\"12345678\uE000\":1,\"12345678\U0010FFFF\":2,\"12345678\uD7FF\":3}"),
              "{\"12345678\uD7FF\":3,\"12345678\U0010FFFF\":2,\"12345678\uE000\":1}");
    // as decoded, not as escaped: 0A comes before 20, although a backslash does not
    EXPECT_EQ(canonical(R"({" ":1,"\n":2})"), R"({"\n":2," ":1})");
}

TEST(CanonicalObject, DuplicateMembersAreRefused) {
    for (const char* text :
         {R"({"a":1,"a":1})", R"({"a":1,"b":2,"a":3})", R"({"b":1,"a":2,"b":3})",
          R"({"a":1,"\u0061":2})", R"({"\n":1,"\u000a":2})", R"([{"x":{"a":1,"a":2}}])",
          R"({"":1,"":2})", R"({"longer than eight":1,"b":1,"longer than eight":1})"})
        EXPECT_TRUE(refusal(text).contains("a name stands twice in one object")) << text;
    EXPECT_TRUE(refusal(R"({"b":1,"a":2,"b":3})").contains("byte 13"));
    EXPECT_EQ(canonical(R"({"a":{"a":1},"b":{"a":1}})"), R"({"a":{"a":1},"b":{"a":1}})");
}

TEST(CanonicalJson, MalformedTextsAreRefusedWithTheirOffset) {
    for (const char* text : {"",
                             " ",
                             "{",
                             "}",
                             "[",
                             "]",
                             "[1",
                             "[1,",
                             "[1,]",
                             "[,1]",
                             "[1 2]",
                             "{\"a\"",
                             "{\"a\":",
                             "{\"a\":1",
                             "{\"a\":1,",
                             "{\"a\":1,}",
                             "{,}",
                             "{\"a\" 1}",
                             "{a:1}",
                             "{1:2}",
                             "{\"a\":}",
                             "{\"a\":1 \"b\":2}",
                             "[1}",
                             "{\"a\":1]",
                             "tru",
                             "True",
                             "nul",
                             "nulll",
                             "falsey",
                             "undefined",
                             "1,",
                             "{}{}",
                             "[] x",
                             "/**/1",
                             "\xef\xbb\xbf{}",
                             "\v1",
                             "\"a\" \"b\""})
        EXPECT_FALSE(canonical_json(text)) << text;
    EXPECT_EQ(refusal(R"({"a":1,})"), "Not valid JSON at byte 7: a string is expected here.");
    EXPECT_EQ(refusal("[1] x"), "Not valid JSON at byte 4: text follows the value.");
    EXPECT_EQ(refusal(""), "Not valid JSON at byte 0: a value is missing at the end.");
    EXPECT_FALSE(canonical_json(std::string_view("1\0", 2)));
    EXPECT_FALSE(canonical_json(std::string_view("\0", 1)));
}

TEST(CanonicalJson, DepthIsBoundedAtTheLimit) {
    const auto nested = [](int depth, const char* open, const char* close) {
        std::string text;
        for (int i = 0; i < depth; ++i) text += open;
        text += "1";
        for (int i = 0; i < depth; ++i) text += close;
        return text;
    };
    EXPECT_EQ(canonical(nested(kJsonDepthMax, "[", "]")), nested(kJsonDepthMax, "[", "]"));
    EXPECT_EQ(canonical(nested(kJsonDepthMax, "{\"a\":", "}")),
              nested(kJsonDepthMax, "{\"a\":", "}"));
    EXPECT_TRUE(refusal(nested(kJsonDepthMax + 1, "[", "]")).contains("nested deeper than 64"));
    EXPECT_TRUE(
        refusal(nested(kJsonDepthMax + 1, "{\"a\":", "}")).contains("nested deeper than 64"));
    EXPECT_FALSE(canonical_json(std::string(1'000'000, '[')));
}

}  // namespace
}  // namespace pawl::key
