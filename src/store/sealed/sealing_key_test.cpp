// SPDX-License-Identifier: Apache-2.0
#include "store/sealed/sealing_key.hpp"

#include <gtest/gtest.h>

#include <set>

namespace pawl::store {
namespace {

const Digest kOne = sha256("one");
const Digest kOther = sha256("other");

SealingKey key(char digit) {
    return SealingKey::parse(std::string(2 * kSealingKeyBytes, digit)).value();
}

record::Answer answer(std::string body = "four corners of a secret") {
    return {.status = 201,
            .headers = {{"Location", "/orders/secret"}, {"Content-Type", "text/plain"}},
            .body = std::move(body)};
}

TEST(SealingKey, IsSixtyFourHexadecimalDigits) {
    EXPECT_TRUE(SealingKey::parse(std::string(64, '0')));
    for (const std::string& bad : {std::string(63, '0'), std::string(65, '0'), std::string(66, '0'),
                                   std::string(64, 'g'), std::string()}) {
        const auto refused = SealingKey::parse(bad);
        ASSERT_FALSE(refused) << bad;
        EXPECT_EQ(refused.error().code, Code::config_invalid);
        EXPECT_NE(refused.error().text.find("openssl rand -hex 32"), std::string::npos);
    }
}

TEST(SealingKey, IsNamedWithoutBeingTold) {
    EXPECT_EQ(key('1').id().size(), 16U);
    EXPECT_EQ(key('1').id(), key('1').id());
    EXPECT_NE(key('1').id(), key('2').id());
    EXPECT_EQ(std::string(64, '1').find(key('1').id()), std::string::npos);
}

TEST(SealedAnswer, ShowsItsStatusAndNothingElse) {
    const record::Answer sealed = key('1').seal(answer(), kOne, {7});
    EXPECT_EQ(sealed.status, 201);
    EXPECT_EQ(sealed_under(sealed), key('1').id());
    ASSERT_EQ(sealed.headers.size(), 1U);
    EXPECT_EQ(sealed.body.find("secret"), std::string::npos);
    EXPECT_EQ(sealed.body.find("Location"), std::string::npos);
    EXPECT_EQ(key('1').open(sealed, kOne, {7}), answer());
    EXPECT_FALSE(sealed_under(answer()));
    EXPECT_FALSE(sealed_under({}));
}

TEST(SealedAnswer, OfEveryKindComesBackAsItWas) {
    record::Answer unkept = answer();
    unkept.body.clear();
    unkept.body_kept = false;
    record::Answer bare;
    bare.status = 204;
    for (const record::Answer& given : {unkept, bare, answer(""), answer(std::string("\0\xff", 2)),
                                        answer(std::string(1 << 20, 'x'))})
        EXPECT_EQ(key('1').open(key('1').seal(given, kOne, {7}), kOne, {7}), given);
}

// R4: never another caller's answer.
TEST(SealedAnswer, OpensForItsOwnRecordAndFenceOnly) {
    const record::Answer sealed = key('1').seal(answer(), kOne, {7});
    EXPECT_FALSE(key('1').open(sealed, kOther, {7}));
    EXPECT_FALSE(key('1').open(sealed, kOne, {8}));
    EXPECT_FALSE(key('1').open(sealed, kOne, {7ULL << 56}));
    EXPECT_FALSE(key('2').open(sealed, kOne, {7}));
}

TEST(SealedAnswer, ThatWasChangedOrCutShortDoesNotOpen) {
    const record::Answer sealed = key('1').seal(answer(), kOne, {7});
    for (std::size_t at = 0; at < sealed.body.size(); ++at) {
        record::Answer changed = sealed;
        changed.body[at] = static_cast<char>(changed.body[at] ^ 1);
        EXPECT_FALSE(key('1').open(changed, kOne, {7})) << at;
        changed.body = sealed.body.substr(0, at);
        EXPECT_FALSE(key('1').open(changed, kOne, {7})) << at;
    }
}

// A completion that is sent again is the same completion, and one that differs in anything shares nothing with it:
// a pair of key and nonce is never used for two contents.
TEST(SealedAnswer, IsTheSameForTheSameAndSharesNothingWithAnyOther) {
    EXPECT_EQ(key('1').seal(answer(), kOne, {7}), key('1').seal(answer(), kOne, {7}));
    std::set<std::string> marks;
    int made = 0;
    record::Answer moved = answer();
    moved.headers.pop_back();
    record::Answer other_status = answer();
    other_status.status = 202;
    for (const record::Answer& given :
         {answer(), answer("another"), answer(""), moved, other_status})
        for (const Digest& identity : {kOne, kOther})
            for (const std::uint64_t fence : {7U, 8U})
                for (const char digit : {'1', '2'}) {
                    marks.insert(key(digit).seal(given, identity, {fence}).body.substr(0, 32));
                    ++made;
                }
    EXPECT_EQ(marks.size(), static_cast<std::size_t>(made));
}

TEST(SealingKeys, FindPreviousOnes) {
    const SealingKeys keys{key('1'), {key('2'), key('3')}};
    for (const char digit : {'1', '2', '3'}) {
        ASSERT_NE(keys.find(key(digit).id()), nullptr);
        EXPECT_EQ(keys.find(key(digit).id())->id(), key(digit).id());
    }
    EXPECT_EQ(keys.find(key('4').id()), nullptr);
    EXPECT_EQ(SealingKeys{}.find(""), nullptr);
}

}  // namespace
}  // namespace pawl::store
