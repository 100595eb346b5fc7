// SPDX-License-Identifier: Apache-2.0
// R-VERSION: where the stamp comes from, and what the answer says of it.
#include "gateway/version.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::gateway {
namespace {

using testing::HasSubstr;

policy::CompiledRoute route_with(std::string header, std::string json) {
    policy::Route route;
    route.method = "POST";
    route.path = "/orders";
    using Source = policy::VersionRule::Source;
    const Source source = !header.empty() ? Source::header : Source::json;
    route.version = {header.empty() && json.empty() ? Source::none : source, header, json};
    auto compiled = policy::compile(std::move(route));
    EXPECT_TRUE(compiled);
    return *std::move(compiled);
}

// What the stamp is, "none", or what is wrong with it.
std::string in_head(std::vector<std::string> lines) {
    http::RequestHead head;
    for (std::string& line : lines) head.headers.emplace_back("Pawl-Version", std::move(line));
    const auto route = route_with("Pawl-Version", "");
    const auto stamp = version_of(route, head, "not even JSON");
    EXPECT_EQ(check_version_in_head(route.route, head).has_value(), stamp.has_value());
    if (!stamp) return std::string(name_of(stamp.error().code)) + ": " + stamp.error().text;
    return *stamp ? (*stamp)->canonical : "none";
}
std::string in_body(std::string_view body) {
    const auto stamp = version_of(route_with("", "$.order.revision"), {}, body);
    if (!stamp) return std::string(name_of(stamp.error().code)) + ": " + stamp.error().text;
    return *stamp ? (*stamp)->canonical : "none";
}

TEST(Version, ComesFromOneHeaderLine) {
    EXPECT_EQ(in_head({"7"}), "7");
    EXPECT_EQ(in_head({"007"}), "7");
    EXPECT_EQ(in_head({"9007199254740993"}), "9007199254740993");
    EXPECT_EQ(in_head({"2026-11-30T01:00:00.250+01:00"}), "2026-11-30T00:00:00.25");
    EXPECT_EQ(in_head({}), "none");
    EXPECT_THAT(in_head({"7", "7"}),
                HasSubstr("version_invalid: Send the header Pawl-Version once"));
    for (const std::string_view wrong : {"", "-1", "1.0", "1e3", "v2", "2026-11-30", "1, 2"})
        EXPECT_THAT(
            in_head({std::string(wrong)}),
            testing::AllOf(HasSubstr("version_invalid: "), HasSubstr("Write it at Pawl-Version")))
            << wrong;
}

TEST(Version, HasTwoHundredCharactersAtMost) {
    EXPECT_EQ(in_head({std::string(200, '9')}), std::string(200, '9'));
    EXPECT_THAT(in_head({std::string(201, '9')}), HasSubstr("longer than 200"));
}

TEST(Version, ComesFromTheBodyByItsExactDigits) {
    EXPECT_EQ(in_body(R"({"order":{"revision":9007199254740993}})"), "9007199254740993");
    EXPECT_EQ(in_body(R"({"order":{"revision":"9007199254740992"}})"), "9007199254740992");
    EXPECT_EQ(in_body(R"({"order":{"revision":)" + std::string(200, '8') + "}}"),
              std::string(200, '8'));
    EXPECT_EQ(in_body(R"({"order":{"revision":"2026-11-30T00:00:00Z"}})"), "2026-11-30T00:00:00");
    EXPECT_EQ(in_body(R"({"order":{"revision":null}})"), "none");
    EXPECT_EQ(in_body(R"({"order":{}})"), "none");
    EXPECT_THAT(in_body("nothing"), HasSubstr("request_invalid"));
    for (const std::string_view wrong : {"-1", "1.0", "1e3", "true", "{}", "[1]", R"("")"})
        EXPECT_THAT(in_body(fmt::format(R"({{"order":{{"revision":{}}}}})", wrong)),
                    testing::AllOf(HasSubstr("version_invalid: "),
                                   HasSubstr("Write it at $.order.revision")))
            << wrong;
}

TEST(Version, IsNotReadWhereTheRouteHasNone) {
    http::RequestHead head;
    head.headers = {{"Pawl-Version", "nonsense"}};
    const auto route = route_with("", "");
    EXPECT_TRUE(check_version_in_head(route.route, head));
    const auto stamp = version_of(route, head, "");
    ASSERT_TRUE(stamp);
    EXPECT_FALSE(*stamp);
}

TEST(Version, TheDecisionFollowsFromHowItEnded) {
    const auto decision_of = [](Verdict verdict, bool superseded = false) {
        Ended ended;
        ended.verdict = verdict;
        ended.superseded = superseded;
        http::Response response;
        response.headers = {{"Pawl-Version-Decision", "9"}};
        add_version_decision(response, ended);
        return std::string(http::first_of(response.headers, "Pawl-Version-Decision"));
    };
    EXPECT_EQ(decision_of(Verdict::first), "1");
    EXPECT_EQ(decision_of(Verdict::first, true), "2");
    for (const Verdict verdict : {Verdict::replayed, Verdict::stale, Verdict::expired})
        EXPECT_EQ(decision_of(verdict, true), "0") << name_of(verdict);
    for (const Verdict verdict :
         {Verdict::released, Verdict::unavailable, Verdict::in_progress, Verdict::uncertain,
          Verdict::mismatch, Verdict::rule_changed, Verdict::version_invalid, Verdict::limited})
        EXPECT_EQ(decision_of(verdict), "") << name_of(verdict);
}

}  // namespace
}  // namespace pawl::gateway
