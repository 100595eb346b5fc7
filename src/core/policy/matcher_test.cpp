// SPDX-License-Identifier: Apache-2.0
// Which route a request finds. The requests of one test run against one set of routes; the route is named by
// its number.
#include "core/policy/matcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::policy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

Matcher matcher_of(const std::vector<Matcher::Pattern>& patterns) {
    Matcher matcher;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        const auto added = matcher.add(patterns[i], i);
        EXPECT_TRUE(added) << patterns[i].path << ": " << (added ? "" : added.error().text);
    }
    return matcher;
}

int found(const Matcher& matcher, std::string_view method, std::string_view target,
          std::string_view host = "h") {
    const auto route = matcher.find(method, host, target);
    return route ? static_cast<int>(*route) : -1;
}

TEST(Matcher, LiteralBeforeParameterBeforeRest) {
    const Matcher matcher = matcher_of({{"POST", "/*", ""},
                                        {"POST", "/orders/{id}", ""},
                                        {"POST", "/orders/bulk", ""},
                                        {"POST", "/orders/*", ""},
                                        {"POST", "/", ""}});
    EXPECT_EQ(found(matcher, "POST", "/orders/bulk"), 2);
    EXPECT_EQ(found(matcher, "POST", "/orders/7"), 1);
    EXPECT_EQ(found(matcher, "POST", "/orders/7/pay"), 3);
    EXPECT_EQ(found(matcher, "POST", "/else"), 0);
    EXPECT_EQ(found(matcher, "POST", "/"), 4);
}

TEST(Matcher, ALiteralThatLeadsNowhereGivesWayToTheParameter) {
    const Matcher matcher =
        matcher_of({{"POST", "/a/b/c", ""}, {"POST", "/{x}/b/d", ""}, {"POST", "/{x}/*", ""}});
    EXPECT_EQ(found(matcher, "POST", "/a/b/c"), 0);
    EXPECT_EQ(found(matcher, "POST", "/a/b/d"), 1);
    EXPECT_EQ(found(matcher, "POST", "/a/b/e"), 2);
    EXPECT_EQ(found(matcher, "POST", "/a"), -1);
}

TEST(Matcher, TheOwnMethodBeforeAny) {
    const Matcher matcher =
        matcher_of({{"*", "/orders", ""}, {"POST", "/orders", ""}, {"GET", "/{x}", ""}});
    EXPECT_EQ(found(matcher, "POST", "/orders"), 1);
    EXPECT_EQ(found(matcher, "PUT", "/orders"), 0);
    EXPECT_EQ(found(matcher, "GET", "/orders"), 0) << "the path decides before the method";
    EXPECT_EQ(found(matcher, "GET", "/other"), 2);
    EXPECT_EQ(found(matcher, "post", "/other"), -1) << "methods have a case";
}

TEST(Matcher, AnotherMethodOnTheLiteralDoesNotHideTheParameter) {
    const Matcher matcher = matcher_of({{"POST", "/orders/bulk", ""}, {"GET", "/orders/{id}", ""}});
    EXPECT_EQ(found(matcher, "GET", "/orders/bulk"), 1);
}

TEST(Matcher, TheOwnHostBeforeAnyAndPortsCaseAndTheFinalDotDoNotCount) {
    const Matcher matcher =
        matcher_of({{"POST", "/o", ""}, {"POST", "/o", "shop.example"}, {"POST", "/o", "[::1]"}});
    EXPECT_EQ(found(matcher, "POST", "/o", "shop.example"), 1);
    EXPECT_EQ(found(matcher, "POST", "/o", "Shop.EXAMPLE.:8080"), 1);
    EXPECT_EQ(found(matcher, "POST", "/o", "[::1]:8080"), 2);
    EXPECT_EQ(found(matcher, "POST", "/o", "other.example"), 0);
    EXPECT_EQ(found(matcher, "POST", "/o", ""), 0);
}

TEST(Matcher, ARouteOfTheHostThatDoesNotFitLeavesTheRequestToAnyHost) {
    const Matcher matcher = matcher_of({{"POST", "/o", "shop.example"}, {"POST", "/p", ""}});
    EXPECT_EQ(found(matcher, "POST", "/p", "shop.example"), 1);
    EXPECT_EQ(found(matcher, "POST", "/o", "other.example"), -1);
}

TEST(Matcher, QueryAndFragmentAreNotPath) {
    const Matcher matcher = matcher_of({{"POST", "/orders", ""}});
    EXPECT_EQ(found(matcher, "POST", "/orders?a=/b/c"), 0);
    EXPECT_EQ(found(matcher, "POST", "/orders#x"), 0);
}

// field case X6; a spelling that the upstream reads as the protected path must find the protected route
TEST(Matcher, OtherSpellingsOfAPathFindItsRoute) {
    const Matcher matcher = matcher_of({{"POST", "/orders/a-b", ""}, {"POST", "/orders", ""}});
    for (const std::string_view target :
         {"/orders", "/%6frders", "/%6Frders", "//orders", "/orders/", "/orders//", "/./orders",
          "/x/../orders", "/x/%2e%2E/orders", "/%2e/orders", "/../orders", "/orders/.",
          "/orders/x/.."})
        EXPECT_EQ(found(matcher, "POST", target), 1) << target;
    for (const std::string_view target :
         {"/orders/a-b", "/orders/a%2Db", "/orders/a%2db", "/orders/%61-b"})
        EXPECT_EQ(found(matcher, "POST", target), 0) << target;
}

// field case X6
TEST(Matcher, AnEncodedSlashIsNotASlash) {
    const Matcher matcher =
        matcher_of({{"POST", "/a/b", ""}, {"POST", "/{one}", ""}, {"POST", "/x%2fy", ""}});
    EXPECT_EQ(found(matcher, "POST", "/a%2Fb"), 1);
    EXPECT_EQ(found(matcher, "POST", "/x%2Fy"), 2);
    EXPECT_EQ(found(matcher, "POST", "/x%252Fy"), 1) << "an encoded escape is not an escape";
}

TEST(Matcher, BrokenEscapesAreTakenAsTheyStand) {
    const Matcher matcher = matcher_of({{"POST", "/{x}", ""}});
    for (const std::string_view target : {"/%", "/%2", "/%zz", "/a%"})
        EXPECT_EQ(found(matcher, "POST", target), 0) << target;
}

TEST(Matcher, AnAbsoluteTargetIsReadAndItsAuthorityIsTheHost) {
    const Matcher matcher = matcher_of({{"POST", "/orders", "shop.example"}, {"POST", "/", ""}});
    EXPECT_EQ(found(matcher, "POST", "http://shop.example:80/orders?x", "other"), 0);
    EXPECT_EQ(found(matcher, "POST", "http://me@shop.example/orders", "other"), 0);
    EXPECT_EQ(found(matcher, "POST", "http://other.example/orders", "shop.example"), -1);
    EXPECT_EQ(found(matcher, "POST", "http://other.example"), 1);
}

TEST(Matcher, OtherTargetsFindNothing) {
    const Matcher matcher = matcher_of({{"*", "/*", ""}, {"*", "/", ""}});
    for (const std::string_view target : {"*", "", "shop.example:443", "orders"})
        EXPECT_EQ(found(matcher, "OPTIONS", target), -1) << target;
}

TEST(Matcher, RestNeedsSomethingBelow) {
    const Matcher matcher = matcher_of({{"GET", "/files/*", ""}});
    EXPECT_EQ(found(matcher, "GET", "/files/a"), 0);
    EXPECT_EQ(found(matcher, "GET", "/files/a/b/c"), 0);
    EXPECT_EQ(found(matcher, "GET", "/files/"), 0);
    EXPECT_EQ(found(matcher, "GET", "/files"), -1);
}

TEST(Matcher, ParametersComeDecodedAndInOrder) {
    const Matcher matcher = matcher_of({{"POST", "/{shop}/orders/{id}", ""}});
    PathParameters parameters{{"stale", "x"}};
    ASSERT_TRUE(matcher.find("POST", "h", "/caf%c3%a9//orders/7%2f8?x=1", &parameters));
    EXPECT_THAT(parameters, ElementsAre(Pair("shop", "caf\xc3\xa9"), Pair("id", "7%2F8")));
}

TEST(Matcher, EqualPatternsAreTwinsWhateverTheirParametersAreCalled) {
    Matcher matcher = matcher_of({{"POST", "/orders/{id}", ""}, {"PUT", "/orders/{id}", ""}});
    EXPECT_TRUE(matcher.twins().empty());
    ASSERT_TRUE(matcher.add({"POST", "/orders/{order}", ""}, 2));
    ASSERT_EQ(matcher.twins().size(), 1U);
    EXPECT_EQ(matcher.twins()[0].first, 0U);
    EXPECT_EQ(matcher.twins()[0].second, 2U);
    EXPECT_EQ(found(matcher, "POST", "/orders/1"), 0);
    ASSERT_TRUE(matcher.add({"POST", "/orders/{id}", "shop.example"}, 3));
    EXPECT_EQ(matcher.twins().size(), 1U) << "another host is another route";
}

std::string deep(std::size_t segments, std::string_view tail = "") {
    std::string path;
    for (std::size_t i = 0; i < segments; ++i) path += "/s";
    return path.append(tail);
}

TEST(Matcher, ThirtyTwoSegmentsAreTakenAndOneMoreIsNot) {
    Matcher matcher;
    EXPECT_TRUE(matcher.add({"POST", deep(kSegmentsMax), ""}, 0));
    EXPECT_FALSE(matcher.add({"POST", deep(kSegmentsMax + 1), ""}, 1));
    EXPECT_EQ(found(matcher, "POST", deep(kSegmentsMax)), 0);
    EXPECT_EQ(found(matcher, "POST", deep(kSegmentsMax + 1)), -1);
}

TEST(Matcher, DeepTargetsAreReadToTheirEnd) {
    const Matcher matcher = matcher_of({{"POST", "/s/*", ""}, {"POST", "/s/s", ""}});
    EXPECT_EQ(found(matcher, "POST", deep(5000)), 0);
    std::string back = deep(100);
    for (int i = 0; i < 98; ++i) back += "/..";
    EXPECT_EQ(found(matcher, "POST", back), 1);
}

// Each node is visited once: without that, this search would take 2^32 steps.
TEST(Matcher, BacktrackingIsBoundedByTheNumberOfNodes) {
    Matcher matcher;
    std::string literal;
    std::string parameter;
    for (std::size_t i = 0; i + 1 < kSegmentsMax; ++i) {
        ASSERT_TRUE(matcher.add({"POST", parameter + "/s/end", ""}, i));
        ASSERT_TRUE(matcher.add({"POST", literal + "/{p}/end", ""}, 100 + i));
        literal += "/s";
        parameter += "/{p" + std::to_string(i) + "}";
    }
    EXPECT_EQ(found(matcher, "POST", deep(kSegmentsMax)), -1);
}

TEST(Matcher, WrongPatternsAreRefusedWithWhatToWrite) {
    struct Row {
        std::string method, path, said;
    };
    const std::vector<Row> rows{{"post", "/a", "capitals"},
                                {"", "/a", "not a method"},
                                {"POST", "orders", "begin with `/`"},
                                {"POST", "", "begin with `/`"},
                                {"POST", "/a/", "empty segment"},
                                {"POST", "//a", "empty segment"},
                                {"POST", "/a/*/b", "last segment"},
                                {"POST", "/a*", "whole segment"},
                                {"POST", "/{a}b", "whole segment"},
                                {"POST", "/{}", "not a parameter"},
                                {"POST", "/{a-b}", "not a parameter"},
                                {"POST", "/{a[}", "not a parameter"},
                                {"POST", "/{a~}", "not a parameter"},
                                {"P{T", "/a", "not a method"},
                                {"POST", "/a\x7f", "control character"},
                                {"POST", "/{a}/{a}", "stands twice"},
                                {"POST", "/a b", "blank"},
                                {"POST", "/a?b", "`?`"},
                                {"POST", "/a/../b", "dot segment"},
                                {"POST", "/%2e", "dot segment"}};
    for (const Row& row : rows) {
        Matcher matcher;
        const auto added = matcher.add({row.method, row.path, ""}, 0);
        ASSERT_FALSE(added) << row.method << " " << row.path;
        EXPECT_THAT(added.error().text, HasSubstr(row.said));
        EXPECT_EQ(added.error().code, Code::config_invalid);
    }
}

TEST(Matcher, MethodsMayHaveHyphensAndParametersAnyWordCharacter) {
    const Matcher matcher =
        matcher_of({{"VERSION-CONTROL", "/{Order_Id2}", ""}, {"X_Y", "/a", ""}});
    EXPECT_EQ(found(matcher, "VERSION-CONTROL", "/x"), 0);
    EXPECT_EQ(found(matcher, "X_Y", "/a"), 1);
}

TEST(Matcher, EscapesAreReadInBothCases) {
    const Matcher matcher = matcher_of({{"POST", "/o+J", ""}});
    for (const std::string_view target : {"/o%2bJ", "/o%2BJ", "/%6F+%4a", "/%6f+%4A"})
        EXPECT_EQ(found(matcher, "POST", target), 0) << target;
    for (const std::string_view target :
         {"/o%2gJ", "/o%g2J", "/o%2/J", "/o%2:J", "/o%2@J", "/o%2-J", "/o%2`J"})
        EXPECT_EQ(found(matcher, "POST", target), -1) << target;
}

TEST(Paths, EndAtTheFirstQuestionMarkOrHash) {
    for (const std::string_view target : {"/orders/7", "/orders/7?x=1", "/orders/7#x",
                                          "/orders/7?x#y?z", "/orders/7#x?y", "/orders/7?"})
        EXPECT_EQ(path_of(target), "/orders/7") << target;
    EXPECT_EQ(path_of("/orders%3F7%23"), "/orders%3F7%23");
    EXPECT_EQ(path_of(""), "");
    EXPECT_EQ(path_of("?x"), "");
}

TEST(Paths, CrossWhenNeitherIsTheMoreSpecificOne) {
    const auto cross = [](std::string_view a, std::string_view b) {
        return patterns_cross(parse_pattern(a).value(), parse_pattern(b).value());
    };
    EXPECT_TRUE(cross("/a/{x}", "/{y}/b"));
    EXPECT_TRUE(cross("/{y}/b", "/a/{x}"));
    EXPECT_TRUE(cross("/a/*", "/{y}/b"));
    EXPECT_FALSE(cross("/a/{x}", "/a/b"));
    EXPECT_FALSE(cross("/a/{x}", "/a/*"));
    EXPECT_FALSE(cross("/a/{x}", "/{y}/b/c"));
    EXPECT_FALSE(cross("/a/{x}", "/b/{x}"));
    EXPECT_FALSE(cross("/a", "/a"));
    EXPECT_FALSE(cross("/", "/*"));
    EXPECT_FALSE(cross("/a/{x}", "/{y}"));
    EXPECT_FALSE(cross("/{y}", "/a/{x}"));
    EXPECT_FALSE(cross("/{x}/a", "/{x}/a"));
    EXPECT_FALSE(cross("/{x}/a", "/{x}/{y}"));
    EXPECT_FALSE(cross("/{x}/{y}", "/{x}/a"));
    EXPECT_FALSE(cross("/*", "/a/b"));
    EXPECT_TRUE(cross("/{x}/b", "/a/*"));
}

TEST(Methods, SafeOnesTakeNoRecord) {
    for (const std::string_view method : {"GET", "HEAD", "OPTIONS", "TRACE"})
        EXPECT_TRUE(is_safe_method(method));
    for (const std::string_view method : {"POST", "PUT", "DELETE", "PATCH", "get", "MKCOL"})
        EXPECT_FALSE(is_safe_method(method));
}

}  // namespace
}  // namespace pawl::policy
