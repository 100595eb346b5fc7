// SPDX-License-Identifier: Apache-2.0
// Where a route stands: its name, method, path, host and upstream, and what other routes say about them.
#include "core/policy/check_fixture.hpp"

namespace pawl::policy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Mistake> place_rows() {
    return {
        {"no_name", [](Route& r) { r.name = ""; }, "error: the route has no name"},
        {"name_too_long", [](Route& r) { r.name = std::string(121, 'n'); },
         "error: `name` has 121 bytes"},
        {"name_with_newline", [](Route& r) { r.name = "a\nb"; },
         "error: `name` holds a control character"},
        {"was_is_present", [](Route& r) { r.was = r.name; }, "error: `was` is the present name"},
        {"method_small", [](Route& r) { r.method = "post"; }, "error: `post` is not a method"},
        {"path_relative", [](Route& r) { r.path = "orders"; },
         "error: the path `orders` does not begin"},
        {"host_with_port", [](Route& r) { r.host = "shop.example:80"; },
         "error: `shop.example:80` is not a host name"},
        {"host_in_capitals", [](Route& r) { r.host = "Shop"; }, "error: `Shop` is not a host name"},
        {"host_rewrite_url", [](Route& r) { r.host_rewrite = "http://a"; },
         "error: `http://a` is not a host"},
        {"no_upstream", [](Route& r) { r.upstream = {}; },
         "error: `create-order` names no upstream"},
        {"protected_get", [](Route& r) { r.method = "GET"; },
         "error: GET changes nothing and takes no record"},
        {"protected_head", [](Route& r) { r.method = "HEAD"; }, "error: HEAD changes nothing"},
    };
}

std::vector<Mistake> word_rows() {
    return {
        {"name_with_delete", [](Route& r) { r.name = "a\x7f"; }, "error: `name` holds a control"},
        {"host_with_slash", [](Route& r) { r.host = "a/b"; }, "error: `a/b` is not a host name"},
        {"host_with_brace", [](Route& r) { r.host = "a{"; }, "error: `a{` is not a host name"},
        {"host_with_dot_last", [](Route& r) { r.host = "a."; }, "error: `a.` is not a host name"},
        {"host_open_bracket", [](Route& r) { r.host = "[::1"; },
         "error: `[::1` is not a host name"},
        {"host_empty_bracket", [](Route& r) { r.host = "[]"; }, "error: `[]` is not a host name"},
        {"host_bracketed_name", [](Route& r) { r.host = "[shop]"; },
         "error: `[shop]` is not a host"},
        {"host_rewrite_control", [](Route& r) { r.host_rewrite = "a\r"; },
         "error: `a\r` is not a host"},
    };
}

INSTANTIATE_TEST_SUITE_P(Places, CheckFinds, testing::ValuesIn(place_rows()), name_of_mistake);
INSTANTIATE_TEST_SUITE_P(Words, CheckFinds, testing::ValuesIn(word_rows()), name_of_mistake);

TEST(Check, NamesBelongToOneRoute) {
    Route other = good_route();
    other.path = "/others";
    other.line = 20;
    EXPECT_THAT(said(check_routes({good_route(), other})),
                ElementsAre("error: the name `create-order` is taken by the route in line 7"));
    other.name = "other";
    other.was = "create-order";
    EXPECT_THAT(said(check_routes({good_route(), other})),
                ElementsAre("error: `create-order` is still the name of the route in line 7"));
    Route first = good_route();
    first.was = other.was = "old";
    EXPECT_THAT(said(check_routes({first, other})),
                ElementsAre("error: the route in line 7 was called `old` too"));
}

TEST(Check, EqualPatternsAreRefusedAndCrossingOnesWarnedOf) {
    Route other = good_route();
    other.name = "other";
    other.line = 20;
    auto findings = check_routes({good_route(), other});
    EXPECT_THAT(said(findings),
                ElementsAre("error: the route in line 7 answers to the same requests"));
    EXPECT_EQ(findings[0].line, 20);
    other.host = "shop.example";
    EXPECT_THAT(said(check_routes({good_route(), other})), IsEmpty());
    Route first = good_route();
    first.path = "/{shop}/orders";
    other.path = "/admin/{what}";
    EXPECT_THAT(said(check_routes({first, other})),
                ElementsAre(HasSubstr("some requests fit this route and the one in line 7")));
    other.method = "PUT";
    EXPECT_THAT(said(check_routes({first, other})), IsEmpty());
    other.method = "*";
    EXPECT_EQ(check_routes({first, other}).size(), 1U);
    first.host = "other.example";
    EXPECT_THAT(said(check_routes({first, other})), IsEmpty());
}

TEST(Check, TwoThousandRoutesAreTakenAndOneMoreIsNot) {
    std::vector<Route> routes;
    for (std::size_t i = 0; i < kRoutesMax; ++i) {
        routes.push_back(good_route());
        routes.back().name = routes.back().path = "/orders/" + std::to_string(i);
    }
    EXPECT_THAT(said(check_routes(routes)), IsEmpty());
    routes.push_back(good_route());
    EXPECT_THAT(said(check_routes(routes)), ElementsAre("error: there are 2001 routes"));
}

}  // namespace
}  // namespace pawl::policy
