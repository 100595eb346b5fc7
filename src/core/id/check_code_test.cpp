// SPDX-License-Identifier: Apache-2.0
// R-CHECKCODE.
#include <cctype>
#include <set>

#include <gtest/gtest.h>

#include "core/id/check_code.hpp"

namespace pawl::id {
namespace {

const std::vector<std::string> kFields{"shop-1", "order"};
constexpr Id kId = 251'376'383'287'521'322;

std::string letters() { return "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; }

TEST(CheckCode, IsFiveCharactersWithoutTheOnesThatAreMistaken) {
    std::set<char> seen;
    for (int i = 1; i <= 2'000; ++i) {
        const std::string code = check_code(kFields, i);
        ASSERT_EQ(code.size(), kCheckCodeLength);
        seen.insert(code.begin(), code.end());
    }
    const std::string all = letters();
    EXPECT_EQ(seen, std::set<char>(all.begin(), all.end()));
}

// Each part is preceded by its length as eight bytes. Made with:
//   for p in pawl.check_code.1 shop-1 order 251376383287521322; do
//       printf %016x ${#p} | xxd -r -p; printf %s "$p"
//   done | sha256sum                                  and the first 25 bits of that in base 32
TEST(CheckCode, IsWhatTheRuleGives) { EXPECT_EQ(check_code(kFields, kId), "M4YPN"); }

TEST(CheckCode, IsOfTheFieldsAndTheId) {
    const std::string code = check_code(kFields, kId);
    EXPECT_NE(check_code(kFields, kId + 1), code) << "a neighbour of the same millisecond";
    EXPECT_NE(check_code(std::vector<std::string>{"shop-1order"}, kId), code);
    EXPECT_NE(check_code(std::vector<std::string>{"shop-1", "order", ""}, kId), code);
    EXPECT_NE(check_code({}, kId), code);
}

TEST(CheckedId, IsReadBackAndSmallLettersToo) {
    const std::string text = to_checked_text(kId, kFields);
    const std::string code = check_code(kFields, kId);
    EXPECT_EQ(text, to_text(kId) + "-" + code);
    EXPECT_EQ(parse_written_id(text), (WrittenId{kId, code}));
    std::string small = text;
    for (char& c : small) c = static_cast<char>(std::tolower(c));
    EXPECT_EQ(parse_written_id(small), (WrittenId{kId, code}));
    EXPECT_TRUE(fits({kId, code}, kFields));
}

TEST(CheckedId, TheIdAloneHasNoCode) {
    EXPECT_EQ(parse_written_id(to_text(kId)), (WrittenId{kId, ""}));
}

TEST(CheckedId, LettersThatAreTakenForDigitsAreReadAsThose) {
    for (const char* written : {"-0110O", "-oilo0", "-OLIOo"})
        EXPECT_EQ(parse_written_id(to_text(kId) + written), (WrittenId{kId, "01100"})) << written;
}

TEST(CheckedId, AnotherCodeOrAnotherIdDoesNotFit) {
    const std::string code = check_code(kFields, kId);
    for (std::size_t i = 0; i < code.size(); ++i) {
        std::string bad = code;
        bad[i] = bad[i] == '7' ? '8' : '7';
        EXPECT_FALSE(fits({kId, bad}, kFields)) << bad;
    }
    EXPECT_FALSE(fits({kId, code}, std::vector<std::string>{"shop-2", "order"}));
    EXPECT_FALSE(fits({kId, ""}, kFields));
}

// A person's slips: one digit wrong, or two neighbours changed places, anywhere in the id.
TEST(CheckedId, AnySlipInTheDigitsIsFound) {
    const std::string digits = to_text(kId);
    const std::string code = check_code(kFields, kId);
    std::set<std::string> slips;
    for (std::size_t at = 0; at < digits.size(); ++at) {
        for (char digit = '0'; digit <= '9'; ++digit)
            slips.insert(std::string(digits).replace(at, 1, 1, digit));
        std::string turned = digits;
        std::swap(turned[at], turned[(at + 1) % digits.size()]);
        slips.insert(turned);
    }
    slips.erase(digits);
    ASSERT_GT(slips.size(), 9 * digits.size());
    for (const std::string& slip : slips) {
        const auto read = parse_written_id(slip + "-" + code);
        EXPECT_TRUE(!read || !fits(*read, kFields)) << slip;
    }
}

TEST(CheckedId, WhatIsNotOfTheFormIsRefused) {
    const std::string text = to_checked_text(kId, kFields);
    for (const std::string& bad :
         {std::string(), to_text(kId) + "-", text + "0", text.substr(0, text.size() - 1),
          to_text(kId) + "-UUUUU", to_text(kId) + "-0000 ", to_text(kId) + "-0-000",
          std::string("-00000"), std::string("0-00000"), "-" + text, "x" + text}) {
        const auto id = parse_written_id(bad);
        ASSERT_FALSE(id) << bad;
        EXPECT_EQ(id.error().code, Code::request_invalid) << bad;
    }
}

}  // namespace
}  // namespace pawl::id
