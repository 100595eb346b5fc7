// SPDX-License-Identifier: Apache-2.0
// `callers:` and what routes say of it.
#include "surface/config/config_fixture.hpp"
#include "surface/config/read_callers.hpp"

namespace pawl::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kHash =
    "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";

std::string file(std::string_view callers, std::string_view caller) {
    return std::string(callers) +
           "\nroutes:\n  - match: POST /o\n    upstream: demo\n    key: { header: K }\n    "
           "caller: " +
           std::string(caller) + "\n    uncertain: { close: \"POST /c/{operation_key}\" }\n";
}

TEST(Callers, AFileMayNameSeveralWays) {
    const Environment environment{{"PAWL_JWT", std::string(32, 's')},
                                  {"PAWL_PARTNERS", "sixteen bytes ok"}};
    auto loaded = load_config(file("callers:\n  main:\n    jwt: { algorithm: HS256, key: { env: "
                                   "PAWL_JWT }, audience: shop, skew: 5s }\n"
                                   "  partners:\n    api_key:\n      secret: { env: PAWL_PARTNERS "
                                   "}\n      keys: [{ caller: acme, hash: " +
                                       std::string(kHash) + " }]",
                                   "{ jwt: main }"),
                              environment);
    ASSERT_TRUE(loaded) << shown("f", loaded.error().front());
    EXPECT_TRUE(loaded->warnings.empty());
    const auto callers = callers_of(loaded->config);
    ASSERT_TRUE(callers);
    const caller::JwtRule& rule = callers->issuers.at("main").rule;
    EXPECT_EQ(rule.secret, std::string(32, 's'));
    EXPECT_EQ(rule.audience, "shop");
    EXPECT_EQ(rule.skew, std::chrono::seconds(5));
    EXPECT_EQ(callers->issuers.at("main").header, "Authorization");
    EXPECT_EQ(callers->api_keys.at("partners").header, "X-Api-Key");
    const std::string shown = describe(loaded->config);
    EXPECT_THAT(shown, testing::Not(HasSubstr("ssss"))) << "no secret is shown";
    const auto again = load_config(shown, environment);
    ASSERT_TRUE(again) << config::shown("f", again.error().front());
    EXPECT_EQ(describe(again->config), shown) << "what is in effect can be loaded";
}

TEST(Callers, EachMistakeHasItsPlaceAndItsRemedy) {
    EXPECT_THAT(said(file("", "{ jwt: main }")),
                ElementsAre("f:6:13: error: `callers` has no `main` with `jwt`; add `callers: { "
                            "main: { jwt: … } }`"));
    EXPECT_THAT(
        said(file("callers: [a]", "{ header: U }")),
        ElementsAre("f:1:10: error: `callers` is a list; write `callers: { main: { jwt: … } }`"));
    EXPECT_THAT(said(file("callers:\n  main: { jwt: { key: abc } }", "{ header: U }")),
                ElementsAre(HasSubstr("`algorithm` is missing"),
                            HasSubstr("`key` stands in the file itself")));
    EXPECT_THAT(
        said(file("callers:\n  main: { jwt: { algorithm: none, key: { file: a, env: PAWL_A } } }",
                  "{ header: U }")),
        ElementsAre(HasSubstr("`none` is not known"), HasSubstr("`key` needs one source")));
    EXPECT_THAT(said(file("callers:\n  main: { jwt: { algorithm: RS256, key: { env: PAWL_A } } }",
                          "{ header: U }")),
                ElementsAre(HasSubstr("the variable PAWL_A is not set")));
    EXPECT_THAT(said(file("callers:\n  p: { api_key: { secret: { file: s }, keys: [{ caller: a, "
                          "hash: 12 }, {}] } }",
                          "{ header: U }")),
                testing::Contains(HasSubstr("the hash of a key has 64 hexadecimal digits")));
    for (const auto& [skew, said_of_it] :
         {std::pair{"5m", 0}, std::pair{"300001ms", 1}, std::pair{"1d", 1}})
        EXPECT_THAT(
            said(file(std::string("callers:\n  main: { jwt: { algorithm: RS256, key: { file: a "
                                  "}, skew: ") +
                          skew + " } }",
                      "{ header: U }")),
            testing::AllOf(testing::SizeIs(said_of_it),
                           testing::Each(HasSubstr("after they have expired; write at most "
                                                   "5m"))));
    EXPECT_THAT(said(file("callers:\n  main: { }", "{ header: U }")),
                ElementsAre(HasSubstr("`main` needs one way of knowing its callers")));
    EXPECT_THAT(said(file("callers:\n  mian: { jwt: { algorithm: RS256, key: { file: a } } }",
                          "{ jwt: main }")),
                ElementsAre(HasSubstr("did you mean `mian`?")));
    EXPECT_THAT(said(file("", "{ mtls: subject }")),
                ElementsAre(HasSubstr("clients are not asked for certificates")));
    EXPECT_THAT(said(file("tls: { certificate: a }", "{ header: U }")),
                ElementsAre(HasSubstr("`tls` needs a certificate and its key")));
}

TEST(Callers, AKeyThatDoesNotFitIsRefusedWhenItIsRead) {
    Config config;
    config.callers.jwt["main"].key.value = "no key";
    EXPECT_THAT(callers_of(config).error().text, HasSubstr("`callers.main.jwt`: it is no PEM"));
    config.callers.jwt["main"].algorithm = caller::JwtRule::Algorithm::hs256;
    config.callers.jwt["main"].key.value = std::string(31, 's');
    EXPECT_THAT(callers_of(config).error().text, HasSubstr("at least 32 bytes"));
    config.callers.jwt["main"].key.value = std::string(32, 's');
    EXPECT_TRUE(callers_of(config));
    config.callers.api_keys["p"].secret.value = std::string(15, 's');
    EXPECT_THAT(callers_of(config).error().text, HasSubstr("fewer than 16 bytes"));
    config.callers.api_keys["p"].secret.value = std::string(16, 's');
    EXPECT_TRUE(callers_of(config));
}

}  // namespace
}  // namespace pawl::config
