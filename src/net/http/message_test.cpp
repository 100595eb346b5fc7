// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http/forwarding.hpp"
#include "net/http/message.hpp"

namespace pawl::http {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Message, LooksUpNamesWithoutCaseAndKeepsEveryLineInOrder) {
    Headers headers{
        {"Set-Cookie", "a=1; Expires=Sun, 06 Nov 1994"}, {"X", "1"}, {"set-cookie", "b=2"}};
    EXPECT_THAT(values_of(headers, "SET-COOKIE"),
                ElementsAre("a=1; Expires=Sun, 06 Nov 1994", "b=2"));
    EXPECT_EQ(first_of(headers, "x"), "1");
    EXPECT_EQ(first_of(headers, "y"), "");
    remove_all(headers, "SET-cookie");
    EXPECT_THAT(headers, ElementsAre(Pair("X", "1")));
}

TEST(Forwarding, TakesOutHopByHopLinesAndThoseNamedByConnection) {
    Headers headers{{"Connection", "close, X-Hop ,,keep-alive"},
                    {"Keep-Alive", "timeout=5"},
                    {"x-hop", "1"},
                    {"Transfer-Encoding", "chunked"},
                    {"Trailer", "X"},
                    {"Upgrade", "h2c"},
                    {"Content-Length", "5"},
                    {"Link", "</a>; rel=next"},
                    {"Link", "</b>; rel=prev"}};
    remove_hop_by_hop(headers);
    EXPECT_THAT(headers, ElementsAre(Pair("Content-Length", "5"), Pair("Link", "</a>; rel=next"),
                                     Pair("Link", "</b>; rel=prev")));
}

TEST(Forwarding, AConnectionLineCannotRemoveWhatGivesAMessageItsMeaning) {
    Headers headers{{"Connection", "Host, Authorization, Idempotency-Key"},
                    {"Host", "a"},
                    {"Authorization", "b"},
                    {"Idempotency-Key", "k"}};
    remove_hop_by_hop(headers);
    EXPECT_EQ(headers.size(), 3U);
}

TEST(Forwarding, WritesTheAuthorityOfATarget) {
    EXPECT_EQ(authority_of({"a.example", 80, false}), "a.example");
    EXPECT_EQ(authority_of({"a.example", 80, true}), "a.example:80");
    EXPECT_EQ(authority_of({"a.example", 443, true}), "a.example");
    EXPECT_EQ(authority_of({"::1", 8080, false}), "[::1]:8080");
}

}  // namespace
}  // namespace pawl::http
