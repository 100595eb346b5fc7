// SPDX-License-Identifier: Apache-2.0
// R-REPLAY: which lines a repeat gets.
#include "core/policy/replay_headers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::policy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// field case X13
TEST(ReplayHeaders, LocationETagAndLinkReturnAndPerExchangeLinesDoNot) {
    const HeaderLines received{{"Date", "Sun, 29 Nov 2026 14:00:00 GMT"},
                               {"Location", "/orders/7"},
                               {"X-Request-Id", "r-1"},
                               {"ETag", "\"3\""},
                               {"Set-Cookie", "s=1"},
                               {"Link", "</orders/7/items>; rel=\"items\""},
                               {"Content-Type", "application/json"},
                               {"Server", "upstream"}};
    EXPECT_THAT(replay_headers(received, {}),
                ElementsAre(Pair("Location", "/orders/7"), Pair("ETag", "\"3\""),
                            Pair("Link", "</orders/7/items>; rel=\"items\""),
                            Pair("Content-Type", "application/json")));
}

// field cases 21 and X11
TEST(ReplayHeaders, EqualNamesStayOnLinesOfTheirOwnInOrderAndByteForByte) {
    const HeaderLines received{{"link", "</a>; rel=\"x, y\""},
                               {"Content-Disposition", "attachment; filename=\"a, b.pdf\""},
                               {"Set-Cookie", "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT"},
                               {"Set-Cookie", "b=2"},
                               {"LINK", "  </b>,</c>"}};
    EXPECT_THAT(replay_headers(received, {"Content-Disposition"}),
                ElementsAre(Pair("link", "</a>; rel=\"x, y\""),
                            Pair("Content-Disposition", "attachment; filename=\"a, b.pdf\""),
                            Pair("LINK", "  </b>,</c>")));
}

// field case 19
TEST(ReplayHeaders, FramingAndHopByHopLinesAreNeverStored) {
    HeaderLines received;
    const std::vector<std::string> names{"Transfer-Encoding", "Content-Length",  "Connection",
                                         "Keep-Alive",        "Trailer",         "TE",
                                         "Upgrade",           "proxy-connection"};
    for (const std::string& name : names) received.emplace_back(name, "x");
    EXPECT_THAT(replay_headers(received, names), IsEmpty()) << "not even when the route adds them";
}

TEST(ReplayHeaders, LinesThatConnectionNamesAreHopByHop) {
    const HeaderLines received{{"Connection", "close, ,\t etag \t,"},
                               {"Connection", ""},
                               {"ETag", "\"1\""},
                               {"Location", "/x"}};
    EXPECT_THAT(replay_headers(received, {}), ElementsAre(Pair("Location", "/x")));
}

TEST(ReplayHeaders, TheRoutesOwnNamesCompareWithoutCase) {
    const HeaderLines received{{"x-order-number", "7"}, {"X-Other", "8"}};
    EXPECT_THAT(replay_headers(received, {"X-Order-Number"}),
                ElementsAre(Pair("x-order-number", "7")));
}

TEST(ReplayHeaders, AnEmptyValueIsALineToo) {
    EXPECT_THAT(replay_headers({{"Content-Language", ""}}, {}),
                ElementsAre(Pair("Content-Language", "")));
}

TEST(ReplayHeaders, WhatIsNeverStoredHasAReason) {
    for (const std::string_view name :
         {"Set-Cookie", "set-cookie", "SET-COOKIE2", "Date", "WWW-Authenticate", "Authorization",
          "Proxy-Authenticate", "Access-Control-Allow-Origin", "access-control-", "RateLimit",
          "RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "traceparent", "X-B3-TraceId",
          "Server-Timing", "Pawl-Operation", "Idempotent-Replayed"})
        EXPECT_TRUE(never_stored(name)) << name;
    for (const std::string_view name :
         {"Content-Type", "ETag", "Access-Control", "RateLimits", "X-Order", "Pawl", ""})
        EXPECT_FALSE(never_stored(name)) << name;
}

TEST(FieldName, IsOneOrMoreTokenCharacters) {
    for (const std::string_view name : {"X-Order", "a", "x_1", "!#$%&'*+-.^_`|~"})
        EXPECT_TRUE(is_field_name(name)) << name;
    for (const std::string_view name : {"", "X Order", "X:", "X\r\n", "\xc3\xa4", "a(b)"})
        EXPECT_FALSE(is_field_name(name)) << name;
}

}  // namespace
}  // namespace pawl::policy
