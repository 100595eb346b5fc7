// SPDX-License-Identifier: Apache-2.0
// R-KEY: how a key is carried. Field cases 16, X7 and X8.
#include "core/key/key_syntax.hpp"

#include <gtest/gtest.h>

namespace pawl::key {
namespace {

Code refusal(const std::vector<std::string_view>& lines) {
    const auto key = key_from_header(lines);
    return key ? Code::internal : key.error().code;
}

// field case X8: browsers send the quoted form
TEST(KeyHeader, QuotedAndBareFormDenoteOneKey) {
    EXPECT_EQ(key_from_header({"abc"}), "abc");
    EXPECT_EQ(key_from_header({"\"abc\""}), "abc");
    EXPECT_EQ(key_from_header({" \t\"abc\" "}), "abc");
    EXPECT_EQ(key_from_header({"  abc\t"}), "abc");
    EXPECT_EQ(key_from_header({R"("a\"b\\c")"}), R"(a"b\c)");
    EXPECT_EQ(key_from_header({R"(a"b\c)"}), R"(a"b\c)");
    EXPECT_EQ(key_from_header({"a,b;c=d"}), "a,b;c=d");
}

TEST(KeyHeader, CaseStaysDistinct) {
    EXPECT_NE(key_from_header({"abc"}).value(), key_from_header({"Abc"}).value());
}

TEST(KeyHeader, NoLineIsMissingAndAnEmptyOneIsInvalid) {
    EXPECT_EQ(refusal({}), Code::key_missing);
    for (const char* empty : {"", " ", "\"\"", " \"\" "})
        EXPECT_EQ(refusal({empty}), Code::key_invalid) << empty;
}

TEST(KeyHeader, SeveralLinesAreRefusedEvenWhenEqual) {
    EXPECT_EQ(refusal({"a", "a"}), Code::key_invalid);
    EXPECT_EQ(refusal({"a", ""}), Code::key_invalid);
    // what an intermediary makes of two lines
    EXPECT_EQ(refusal({"a, a"}), Code::key_invalid);
    EXPECT_EQ(refusal({"\"a\", \"a\""}), Code::key_invalid);
}

TEST(KeyHeader, MalformedQuotingIsRefused) {
    for (const char* text : {"\"", "\"abc", "\"abc\\\"", "\"abc\\", "\"a\\bc\"", "\"abc\"x",
                             "\"abc\";p=1", "\"a\"b\""})
        EXPECT_EQ(refusal({text}), Code::key_invalid) << text;
}

TEST(KeyHeader, OnlyVisibleAsciiIsTaken) {
    for (int byte = 0; byte < 256; ++byte) {
        const std::string bare = std::string("a") + static_cast<char>(byte) + "z";
        const bool visible = byte > 0x20 && byte < 0x7F;
        EXPECT_EQ(key_from_header({bare}).has_value(), visible) << byte;
        if (byte != '"' && byte != '\\') {
            const std::string quoted = '"' + bare + '"';
            EXPECT_EQ(key_from_header({quoted}).has_value(), visible) << byte;
        }
    }
}

// field case 16: one answer for every over-long key, decided before any store is asked
TEST(KeyHeader, TheLimitIs255BytesAfterDecoding) {
    const std::string longest(kKeyBytesMax, 'k');
    EXPECT_EQ(key_from_header({longest}), longest);
    EXPECT_EQ(key_from_header({'"' + longest + '"'}), longest);
    std::string escapes;
    for (std::size_t i = 0; i < kKeyBytesMax; ++i) escapes += "\\\"";
    EXPECT_EQ(key_from_header({'"' + escapes + '"'}), std::string(kKeyBytesMax, '"'));

    EXPECT_EQ(refusal({longest + "k"}), Code::key_invalid);
    EXPECT_EQ(refusal({'"' + longest + "k\""}), Code::key_invalid);
    EXPECT_EQ(refusal({'"' + escapes + "\\\"\""}), Code::key_invalid);
    std::string noise;
    for (std::size_t i = 0; i < 8192; ++i) noise += static_cast<char>('!' + (i * 7919) % 90);
    const auto one_letter = key_from_header({std::string(8192, 'k')});
    const auto random = key_from_header({noise});
    ASSERT_FALSE(one_letter || random);
    EXPECT_EQ(one_letter.error().text, random.error().text);
}

TEST(KeyHeader, ARefusalNeverShowsTheKey) {
    for (const std::string& text :
         {std::string("secret key"), std::string("\"secret"), std::string(300, 's') + "secret"}) {
        const auto key = key_from_header({text});
        ASSERT_FALSE(key);
        EXPECT_FALSE(key.error().text.contains("secret"));
        EXPECT_FALSE(key.error().text.empty());
    }
}

// field case X7: 128 emoji are 512 bytes, not 128 characters and not 256 code units
TEST(KeyText, TheLimitCountsBytes) {
    std::string emoji;
    for (int i = 0; i < 63; ++i) emoji += "\U0001F600";
    EXPECT_EQ(key_from_text(emoji + "abc"), emoji + "abc");  // 255 bytes
    const auto over = key_from_text(emoji + "\U0001F600");   // 256 bytes
    ASSERT_FALSE(over);
    EXPECT_EQ(over.error().code, Code::key_invalid);
    for (int i = 63; i < 128; ++i) emoji += "\U0001F600";
    EXPECT_FALSE(key_from_text(emoji));
}

// field case 7: what looks false is a key like any other; only nothing is nothing
TEST(KeyText, AnyBytesAreTakenAsTheyAre) {
    for (const std::string& text :
         {std::string("0"), std::string("false"), std::string("null"), std::string(" a "),
          std::string("\0", 1), std::string("\xff\x00", 2)})
        EXPECT_EQ(key_from_text(text), text);
    const auto empty = key_from_text("");
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().code, Code::key_invalid);
}

}  // namespace
}  // namespace pawl::key
