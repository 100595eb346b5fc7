// SPDX-License-Identifier: Apache-2.0
// What a token is taken for, row by row. Tokens are signed here with HS256; the signatures of RS256 and ES256 are
// tested where they are verified (runtime/codec).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/caller/callers.hpp"
#include "core/caller/jwt_names.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::caller {
namespace {

constexpr std::string_view kSecret = "a secret of thirty-two bytes, 32";
constexpr std::int64_t kNow = 1'800'000'000'000;

std::string signed_token(std::string_view header, std::string_view payload,
                         std::string_view secret = kSecret) {
    const std::string said = to_base64url(header) + "." + to_base64url(payload);
    return said + "." + to_base64url(hmac_sha256(secret, said).view());
}

constexpr std::string_view kHeader = R"({"alg":"HS256","typ":"JWT"})";
std::string token(std::string_view payload) { return signed_token(kHeader, payload); }

JwtRule rule() {
    JwtRule rule;
    rule.algorithm = JwtRule::Algorithm::hs256;
    rule.secret = kSecret;
    rule.skew = std::chrono::seconds(30);
    return rule;
}

Result<std::string> ask(const std::string& token, const JwtRule& with = rule()) {
    return caller_in_jwt(token, with, kNow);
}

TEST(Jwt, ASignedTokenInTimeNamesItsCaller) {
    EXPECT_EQ(ask(token(R"({"sub":"ada","exp":1800000001})")), "ada");
    EXPECT_EQ(ask(token(R"({"sub":"Ä \u00e4","exp":1800000001.5})")), "Ä ä");
    const auto number = ask(token(R"({"sub":7,"exp":1800000001})"));
    ASSERT_FALSE(number) << "7, 7.0 and \"7\" may be three to the issuer";
    EXPECT_EQ(number.error().text, "The token does not hold a name, as a text, in `sub`.");
    EXPECT_EQ(ask(token(R"({"sub":"7","exp":1800000001})")), "7");
}

struct Row {
    std::string_view name;
    std::string token;
    std::string_view said;
};

TEST(Jwt, EveryOtherTokenIsRefusedAndSaysWhy) {
    const std::string good = token(R"({"sub":"ada","exp":1800000001})");
    const std::vector<Row> rows{
        {"empty", "", "is not a signed JSON Web Token"},
        {"one part", "abc", "is not a signed JSON Web Token"},
        {"four parts", good + ".x", "is not a signed JSON Web Token"},
        {"padding", good + "=", "is not a signed JSON Web Token"},
        {"alphabet", "+" + good, "is not a signed JSON Web Token"},
        {"too long",
         token(R"({"exp":1800000001,"sub":")" + std::string(kTokenBytesMax, 'x') + "\"}"),
         "is not a signed JSON Web Token"},
        {"none",
         to_base64url(R"({"alg":"none"})") + "." +
             to_base64url(R"({"sub":"ada","exp":1800000001})") + ".",
         "is not signed with HS256"},
        {"other algorithm", signed_token(R"({"alg":"HS384"})", R"({"sub":"ada","exp":1800000001})"),
         "is not signed with HS256"},
        {"case of the algorithm",
         signed_token(R"({"alg":"hs256"})", R"({"sub":"ada","exp":1800000001})"),
         "is not signed with HS256"},
        {"no algorithm", signed_token("{}", R"({"sub":"ada","exp":1800000001})"),
         "is not signed with HS256"},
        {"algorithm twice",
         signed_token(R"({"alg":"none","alg":"HS256"})", R"({"sub":"ada","exp":1800000001})"),
         "does not hold the JSON it should"},
        {"crit",
         signed_token(R"({"alg":"HS256","crit":["b64"],"b64":false})",
                      R"({"sub":"ada","exp":1800000001})"),
         "asks for extensions (`crit`) that are not known here"},
        {"other secret",
         signed_token(kHeader, R"({"sub":"ada","exp":1800000001})", "another secret"),
         "is not signed by whom this route trusts"},
        {"changed", good.substr(0, good.size() - 4) + "AAAA",
         "is not signed by whom this route trusts"},
        {"no exp", token(R"({"sub":"ada"})"), "does not say until when it is good (`exp`)"},
        {"exp as text", token(R"({"sub":"ada","exp":"1800000001"})"),
         "does not say until when it is good (`exp`)"},
        {"exp with an exponent", token(R"({"sub":"ada","exp":18e8})"),
         "does not say until when it is good (`exp`)"},
        {"exp out of range", token(R"({"sub":"ada","exp":253402300800})"),
         "does not say until when it is good (`exp`)"},
        {"negative exp", token(R"({"sub":"ada","exp":-1})"),
         "does not say until when it is good (`exp`)"},
        {"exp twice", token(R"({"sub":"ada","exp":1,"exp":1800000001})"),
         "does not hold the JSON it should"},
        {"expired", token(R"({"sub":"ada","exp":1799999970})"), "has expired"},
        {"not yet", token(R"({"sub":"ada","exp":1800000100,"nbf":1800000031})"),
         "is not good yet (`nbf`)"},
        {"nbf as text", token(R"({"sub":"ada","exp":1800000100,"nbf":"0"})"),
         "is not good yet (`nbf`)"},
        {"no sub", token(R"({"exp":1800000001})"), "does not hold a name, as a text, in `sub`"},
        {"empty sub", token(R"({"sub":"","exp":1800000001})"),
         "does not hold a name, as a text, in `sub`"},
        {"null sub", token(R"({"sub":null,"exp":1800000001})"),
         "does not hold a name, as a text, in `sub`"},
        {"list as sub", token(R"({"sub":["ada"],"exp":1800000001})"),
         "does not hold a name, as a text, in `sub`"},
        {"long sub", token(R"({"exp":1800000001,"sub":")" + std::string(513, 'x') + "\"}"),
         "does not hold a name, as a text, in `sub`"},
        {"no object", token("[1]"), "does not say until when it is good (`exp`)"},
        {"no JSON", token("exp"), "does not hold the JSON it should"},
    };
    for (const Row& row : rows) {
        const auto caller = ask(row.token);
        ASSERT_FALSE(caller) << row.name;
        EXPECT_EQ(caller.error().code, Code::caller_unknown) << row.name;
        EXPECT_EQ(caller.error().text, "The token " + std::string(row.said) + ".") << row.name;
    }
}

// Names go into header lines, logs and terminals.
TEST(Jwt, ControlBytesNameNobody) {
    for (const std::string_view name :
         {R"(a\r\nX-Admin: 1)", R"(ada\u0000)", R"(a\tda)", R"(\u001b[2J)", R"(ada\u007f)"}) {
        const auto caller = ask(token(R"({"exp":1800000001,"sub":")" + std::string(name) + "\"}"));
        ASSERT_FALSE(caller) << name;
        EXPECT_EQ(caller.error().code, Code::caller_unknown) << name;
    }
    JwtRule by_tenant = rule();
    const std::string said = token(R"({"exp":1800000001,"sub":"ada","org":"a\ncme"})");
    EXPECT_EQ(ask(said), "ada");
    EXPECT_FALSE(name_in_jwt(said, by_tenant, "org", kNow));
}

TEST(Jwt, LimitsHoldOnTheirEdges) {
    EXPECT_TRUE(ask(token(R"({"sub":"ada","exp":1799999971})"))) << "30 s of skew";
    EXPECT_TRUE(ask(token(R"({"sub":"ada","exp":1800000001,"nbf":1800000030})")));
    EXPECT_TRUE(ask(token(R"({"exp":1800000001,"sub":")" + std::string(512, 'x') + "\"}")));
}

TEST(Jwt, IssuerAudienceAndClaimAreHeldToTheRule) {
    JwtRule strict = rule();
    strict.issuer = "https://id.example";
    strict.audience = "shop";
    strict.claim = "account";
    const auto with = [](std::string_view rest) {
        return token(R"({"account":"a-1","exp":1800000001,)" + std::string(rest) + "}");
    };
    EXPECT_EQ(ask(with(R"("iss":"https://id.example","aud":"shop")"), strict), "a-1");
    EXPECT_EQ(ask(with(R"("iss":"https://id.example","aud":["other","shop"])"), strict), "a-1");
    EXPECT_FALSE(ask(with(R"("iss":"https://id.example/","aud":"shop")"), strict));
    EXPECT_FALSE(ask(with(R"("aud":"shop")"), strict));
    EXPECT_FALSE(ask(with(R"("iss":"https://id.example")"), strict));
    EXPECT_FALSE(ask(with(R"("iss":"https://id.example","aud":["other",["shop"]])"), strict));
    EXPECT_FALSE(ask(with(R"("iss":"https://id.example","aud":{"0":"shop"})"), strict));
    EXPECT_FALSE(
        ask(token(R"({"sub":"ada","exp":1800000001,"iss":"https://id.example","aud":"shop"})"),
            strict));
}

TEST(JwtNames, AreATextOrTheTextsOfAList) {
    const auto names = [](std::string_view roles) {
        return names_in_jwt(
            token(fmt::format(R"({{"sub":"ada","exp":1800000001,"roles":{}}})", roles)), rule(),
            "roles", kNow);
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(names(R"("packer")"), Names{"packer"});
    EXPECT_EQ(names(R"(["packer",7,null,"support"])"), (Names{"packer", "support"}));
    for (const std::string_view none : {"[]", "null", "7", "{\"packer\":true}"})
        EXPECT_EQ(names(none), Names{}) << none;
    EXPECT_EQ(names_in_jwt(token(R"({"exp":1800000001})"), rule(), "roles", kNow), Names{});
    EXPECT_FALSE(names_in_jwt(token(R"({"roles":"packer","exp":1})"), rule(), "roles", kNow))
        << "a token that has expired says nothing";
    std::string many = "[\"r0\"";
    for (std::size_t i = 1; i <= kNamesMax; ++i) many += fmt::format(",\"r{}\"", i);
    EXPECT_EQ(names(many + "]")->size(), kNamesMax);
}

TEST(TokenIn, TakesWhatFollowsBearer) {
    EXPECT_EQ(token_in("authorization", "Bearer a.b.c"), "a.b.c");
    EXPECT_EQ(token_in("Authorization", "bearer   a.b.c"), "a.b.c");
    EXPECT_EQ(token_in("X-Token", "a.b.c"), "a.b.c");
    for (const std::string_view other :
         {"", "Bearer", "Bearer ", "Bearera.b.c", "Basic YTpi", "a.b.c"})
        EXPECT_EQ(token_in("Authorization", other), "") << other;
}

}  // namespace
}  // namespace pawl::caller
