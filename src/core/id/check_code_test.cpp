// SPDX-License-Identifier: Apache-2.0
// R-CHECKCODE.
#include <cctype>
#include <set>

#include <gtest/gtest.h>

#include "core/id/check_code.hpp"

namespace pawl::id {
namespace {

const std::vector<std::string> kFields{"shop-1", "order"};
constexpr Layout kLayout;
const Id kId = pack(kLayout, {1'764'000'000'123, {3, 7}, 42});

std::string letters() { return "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; }

TEST(CheckCode, IsFiveCharactersWithoutTheOnesThatAreMistaken) {
    std::set<char> seen;
    for (int i = 0; i < 2'000; ++i) {
        const std::string code = check_code(kFields, i);
        ASSERT_EQ(code.size(), kCheckCodeLength);
        seen.insert(code.begin(), code.end());
    }
    const std::string all = letters();
    EXPECT_EQ(seen, std::set<char>(all.begin(), all.end()));
}

// Each part is preceded by its length as eight bytes. Made with:
//   for p in pawl.check_code.1 shop-1 order 1764000000123; do
//       printf %016x ${#p} | xxd -r -p; printf %s "$p"
//   done | sha256sum                                  and the first 25 bits of that in base 32
TEST(CheckCode, IsWhatTheRuleGives) { EXPECT_EQ(check_code(kFields, 1'764'000'000'123), "BAP94"); }

TEST(CheckCode, IsOfTheFieldsAndTheTime) {
    const std::string code = check_code(kFields, 1'764'000'000'123);
    EXPECT_NE(check_code(kFields, 1'764'000'000'124), code);
    EXPECT_NE(check_code(std::vector<std::string>{"shop-1order"}, 1'764'000'000'123), code);
    EXPECT_NE(check_code(std::vector<std::string>{"shop-1", "order", ""}, 1'764'000'000'123), code);
    EXPECT_NE(check_code({}, 1'764'000'000'123), code);
}

TEST(CheckedId, IsReadBackAndSmallLettersToo) {
    const std::string text = to_checked_text(kId, kLayout, kFields);
    EXPECT_EQ(text, to_text(kId) + "-" + check_code(kFields, 1'764'000'000'123));
    EXPECT_EQ(parse_checked_id(text, kLayout, kFields), kId);
    std::string small = text;
    for (char& c : small) c = static_cast<char>(std::tolower(c));
    EXPECT_EQ(parse_checked_id(small, kLayout, kFields), kId);
}

TEST(CheckedId, AnotherCodeOrAnotherIdIsNotFound) {
    const std::string text = to_checked_text(kId, kLayout, kFields);
    for (std::size_t i = text.find('-') + 1; i < text.size(); ++i) {
        std::string bad = text;
        bad[i] = bad[i] == '7' ? '8' : '7';
        const auto id = parse_checked_id(bad, kLayout, kFields);
        ASSERT_FALSE(id) << bad;
        EXPECT_EQ(id.error().code, Code::not_found);
    }
    const Id other = pack(kLayout, {1'764'000'000'124, {3, 7}, 42});
    const std::string code = text.substr(text.find('-'));
    EXPECT_EQ(parse_checked_id(to_text(other) + code, kLayout, kFields).error().code,
              Code::not_found);
    EXPECT_FALSE(parse_checked_id(text, kLayout, std::vector<std::string>{"shop-2", "order"}));
}

TEST(CheckedId, WhatIsNotOfTheFormIsRefused) {
    const std::string text = to_checked_text(kId, kLayout, kFields);
    for (const std::string& bad :
         {std::string(), to_text(kId), to_text(kId) + "-", text + "0",
          text.substr(0, text.size() - 1), to_text(kId) + "-IIIII", to_text(kId) + "-LLLLL",
          to_text(kId) + "-OOOOO", to_text(kId) + "-UUUUU", std::string("-00000"),
          std::string("0-00000"), "-" + text, "x" + text}) {
        const auto id = parse_checked_id(bad, kLayout, kFields);
        ASSERT_FALSE(id) << bad;
        EXPECT_EQ(id.error().code, Code::request_invalid) << bad;
    }
}

}  // namespace
}  // namespace pawl::id
