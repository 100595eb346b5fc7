// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "runtime/codec/digest.hpp"
#include "runtime/codec/text.hpp"
#include "runtime/result/error.hpp"

namespace pawl {
namespace {

TEST(Digest, IsSha256) {
    // FIPS 180-4, the example of the one-block message "abc"
    EXPECT_EQ(to_hex(sha256("abc").view()),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Digest, PartsNeverRunIntoEachOther) {
    EXPECT_NE(sha256_parts("t", {"a", "bc"}), sha256_parts("t", {"ab", "c"}));
    EXPECT_NE(sha256_parts("t", {"a", ""}), sha256_parts("t", {"a"}));
    EXPECT_NE(sha256_parts("t", {"a"}), sha256_parts("u", {"a"}));
}

TEST(Digest, AStreamGivesWhatTheWholeGives) {
    DigestStream stream;
    stream.add("a");
    stream.add("");
    stream.add("bc");
    EXPECT_EQ(stream.finish(), sha256("abc"));
}

TEST(Text, HexadecimalGoesBothWays) {
    const std::string bytes("\x00\xff\x10", 3);
    EXPECT_EQ(to_hex(bytes), "00ff10");
    EXPECT_EQ(from_hex("00FF10"), bytes);
    EXPECT_EQ(from_hex("0"), std::nullopt);
    EXPECT_EQ(from_hex("0g"), std::nullopt);
}

TEST(Text, CaseIsIgnoredInLettersOfAsciiOnly) {
    EXPECT_TRUE(equal_ignoring_case("Content-Type", "cOnTENT-tYPE"));
    EXPECT_TRUE(equal_ignoring_case("", ""));
    EXPECT_FALSE(equal_ignoring_case("a", "ab"));
    EXPECT_FALSE(equal_ignoring_case("a", "b"));
    EXPECT_FALSE(equal_ignoring_case("@[", "`{"));
    EXPECT_FALSE(equal_ignoring_case("\xc4", "\xe4"));
}

TEST(Text, TimesAreWrittenInUtc) {
    EXPECT_EQ(to_rfc3339(wall_time(0)), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(to_rfc3339(wall_time(1'795'963'652'123)), "2026-11-29T14:47:32.123Z");
}

TEST(Text, WhatIsNotUtf8IsReplacedByteByByte) {
    EXPECT_EQ(to_utf8("caf\xc3\xa9"), "caf\xc3\xa9");
    EXPECT_EQ(to_utf8("a\xff"
                      "b\xc3"),
              "a\xef\xbf\xbd"
              "b\xef\xbf\xbd");
    EXPECT_EQ(to_utf8("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a lone surrogate
}

TEST(Base64, GoesBothWays) {
    const std::string bytes("\x00\xff\x10g", 4);
    for (std::size_t size = 0; size <= bytes.size(); ++size)
        EXPECT_EQ(from_base64(to_base64(bytes.substr(0, size))), bytes.substr(0, size));
    EXPECT_EQ(to_base64("foob"), "Zm9vYg==");  // RFC 4648, section 10
}

TEST(Base64, TakesNothingButItself) {
    for (const char* text :
         {"Zg", "Zg=", "Z===", "Zm9v\n", " Zg==", "Zg==Zg==", "Zg=a", "Zm-v", "Zh==", "Zm9="})
        EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

TEST(ErrorTable, EveryCodeHasANameAndAnHttpStatusOfItsOwnKind) {
    for (int i = 0; i < kCodeCount; ++i) {
        const CodeRow& row = row_of(static_cast<Code>(i));
        EXPECT_FALSE(row.name.empty());
        EXPECT_GE(row.http_status, 400);
        EXPECT_GT(row.exit_code, 0);
    }
}

}  // namespace
}  // namespace pawl
