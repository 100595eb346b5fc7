// SPDX-License-Identifier: Apache-2.0
#include "core/policy/read_request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::policy {
namespace {

using testing::HasSubstr;

std::optional<std::string> target_of(std::string_view text, const ReadNames& names) {
    const auto request = ReadRequest::parse(text, "/shops/{shop}/orders/{id}");
    EXPECT_TRUE(request) << text;
    return request ? request->target(names) : std::nullopt;
}

TEST(ReadRequest, NamesAreFilledInPercentEncoded) {
    const ReadNames names{{{"shop", "s 1"}, {"id", "../x?"}}, "k/1", "", {}};
    EXPECT_EQ(target_of("GET /shops/{shop}/orders/{id}?key={key}", names),
              "/shops/s%201/orders/..%2Fx%3F?key=k%2F1");
    EXPECT_EQ(target_of("GET /settings", names), "/settings");
}

// The matcher leaves these two escaped, because undone they would be other paths.
TEST(ReadRequest, AnEscapedSlashOfTheRequestStaysOne) {
    const ReadNames names{{{"shop", "a%2Fb%25c%zz"}}, "", "", {}};
    EXPECT_EQ(target_of("GET /shops/{shop}", names), "/shops/a%2Fb%25c%25zz");
}

TEST(ReadRequest, AParameterThatTheRequestDoesNotHaveIsNoTarget) {
    EXPECT_EQ(target_of("GET /shops/{shop}", {}), std::nullopt);
}

TEST(ReadRequest, ALocationIsFollowedOnItsOwnServiceOnly) {
    const auto at = [](std::string location) {
        return target_of("GET {location}",
                         {{}, "", std::move(location), {"shop.example", "127.0.0.1:3000"}});
    };
    EXPECT_EQ(at("/orders/7?x=1#top"), "/orders/7?x=1");
    EXPECT_EQ(at("/orders/{7}"), "/orders/{7}") << "its word, and no template";
    EXPECT_EQ(at("http://SHOP.example/orders/7"), "/orders/7");
    EXPECT_EQ(at("HTTPS://127.0.0.1:3000/orders/7"), "/orders/7");
    for (const std::string_view elsewhere :
         {"", "orders/7", "//evil.example/x", "http://evil.example/x", "http://shop.example.evil/x",
          "http://shop.example@evil/x", "http://127.0.0.1:3001/x", "ftp://shop.example/x",
          "http://shop.example", "http://shop.example//x", "/a b", "/a\r\nX: 1", "/a\x7f"})
        EXPECT_EQ(at(std::string(elsewhere)), std::nullopt) << elsewhere;
}

TEST(ReadRequest, SaysWhatItNeeds) {
    const auto needs = [](std::string_view text) {
        const auto request = ReadRequest::parse(text, "/orders/{id}");
        return std::pair{request->needs_key(), request->needs_location()};
    };
    EXPECT_EQ(needs("GET /orders/{id}"), (std::pair{false, false}));
    EXPECT_EQ(needs("GET /by-key/{key}"), (std::pair{true, false}));
    EXPECT_EQ(needs("GET {location}"), (std::pair{false, true}));
}

TEST(ReadRequest, MistakesAreToldApart) {
    struct Row {
        std::string_view text, said;
    };
    for (const Row& row : {
             Row{"", "does not read"},
             Row{"/orders/{id}", "does not read"},
             Row{"POST /orders/{id}", "does not read"},
             Row{"get /orders/{id}", "does not read"},
             Row{"GET  /orders", "does not read"},
             Row{"GET /a b", "does not read"},
             Row{"GET orders", "is not a path"},
             Row{"GET //orders", "is not a path"},
             Row{"GET ", "is not a path"},
             Row{"GET /o/{name}", "`{name}` is not known here; write {id}, {key} or {location}"},
             Row{"GET /o/{id", "`{id` is not known"},
             Row{"GET /o{", "`{` is not known"},
             Row{"GET /o}", "cannot have"},
             Row{"GET /o#x", "cannot have"},
             Row{"GET /o\x7f", "cannot have"},
             Row{"GET /at{location}", "a whole path"},
             Row{"GET {location}/x", "is not a path"},
         }) {
        const auto request = ReadRequest::parse(row.text, "/orders/{id}");
        ASSERT_FALSE(request) << row.text;
        EXPECT_THAT(request.error().text, HasSubstr(row.said)) << row.text;
    }
}

}  // namespace
}  // namespace pawl::policy
