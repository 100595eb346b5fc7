// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effect/upstream_head.hpp"

namespace pawl::effect {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

http::RequestHead client_head() {
    return {"POST",
            "/orders?x=%2F",
            1,
            {{"host", "shop.example"},
             {"Content-Type", "application/json"},
             {"idempotency-key", "k1"},
             {"Pawl-Fence", "999"},
             {"PAWL-HLC", "1"},
             {"pawl-operation-key", "forged"},
             {"Connection", "keep-alive, X-Hop, Idempotency-Key"},
             {"X-Hop", "1"},
             {"TE", "trailers"},
             {"Transfer-Encoding", "chunked"},
             {"Expect", "100-continue"},
             {"Accept-Encoding", "gzip"},
             {"X-Forwarded-For", "10.0.0.1"},
             {"X-Forwarded-Proto", "https"},
             {"X-Gray-Id", "blue"}}};
}

const http::Target kTarget{"upstream.internal", 8080, false};
const http::Peer kPeer{"192.0.2.7", false, ""};

Dispatch dispatch() {
    Dispatch value{record::Fence{65537}, "op_ref", {}, "", "00-abc-def-01"};
    value.derived_key.bytes.fill(0xab);
    return value;
}

TEST(UpstreamHead, KeepsTheClientsKeyAndStripsWhatClientsMayNotSay) {
    http::RequestHead head = upstream_head(client_head(), kTarget, kPeer, {}, 12);
    add_dispatch(head, {}, dispatch());
    EXPECT_EQ(head.target, "/orders?x=%2F");
    EXPECT_THAT(
        head.headers,
        ElementsAre(Pair("host", "shop.example"), Pair("Content-Type", "application/json"),
                    Pair("idempotency-key", "k1"), Pair("X-Gray-Id", "blue"),
                    Pair("X-Forwarded-For", "10.0.0.1, 192.0.2.7"),
                    Pair("X-Forwarded-Proto", "http"), Pair("X-Forwarded-Host", "shop.example"),
                    Pair("Accept-Encoding", "identity"), Pair("Content-Length", "12"),
                    Pair("Pawl-Operation-Key", testing::StartsWith("abab")),
                    Pair("Pawl-Fence", "65537"), Pair("Pawl-Operation-Ref", "op_ref"),
                    Pair("traceparent", "00-abc-def-01")));
}

TEST(UpstreamHead, AnotherHostGoesUpAndTheClientsIsTold) {
    const http::RequestHead head =
        upstream_head(client_head(), kTarget, kPeer, {.host = "backend:3000"}, 12);
    EXPECT_THAT(http::values_of(head.headers, "Host"), ElementsAre("backend:3000"));
    EXPECT_THAT(http::values_of(head.headers, "X-Forwarded-Host"), ElementsAre("shop.example"));
}

TEST(UpstreamHead, ARerunnableRouteSendsTheDerivedKeyOnly) {
    const UpstreamRules rules{.rerunnable = true};
    http::RequestHead head = upstream_head(client_head(), kTarget, kPeer, rules, 12);
    add_dispatch(head, rules, dispatch());
    const auto keys = http::values_of(head.headers, "Idempotency-Key");
    ASSERT_EQ(keys.size(), 1U);
    EXPECT_EQ(keys.front(), http::first_of(head.headers, "Pawl-Operation-Key"));
    EXPECT_EQ(keys.front().size(), 64U);
}

// R-VERSION
TEST(UpstreamHead, TheVersionIsSaidByPawlAndByNobodyElse) {
    http::RequestHead head = client_head();
    head.headers.emplace_back("Pawl-Version", "007");
    head.headers.emplace_back("pawl_version", "8");
    http::RequestHead sent = upstream_head(head, kTarget, kPeer, {.rerunnable = true}, 0);
    EXPECT_THAT(http::values_of(sent.headers, "Pawl-Version"), IsEmpty());
    add_dispatch(sent, {.rerunnable = true}, {});
    EXPECT_THAT(http::values_of(sent.headers, "Pawl-Version"), IsEmpty());
    Dispatch dispatch;
    dispatch.version = "7";
    add_dispatch(sent, {.rerunnable = true}, dispatch);
    EXPECT_THAT(http::values_of(sent.headers, "Pawl-Version"), ElementsAre("7"));
    EXPECT_THAT(http::values_of(sent.headers, "pawl_version"), IsEmpty());
}

TEST(UpstreamHead, KeepsEncodingsWhereTheRouteSaysSo) {
    const auto head = upstream_head(client_head(), kTarget, kPeer, {.keep_encodings = true}, 0);
    EXPECT_THAT(http::values_of(head.headers, "accept-encoding"), ElementsAre("gzip"));
}

TEST(UpstreamHead, FramesOnlyWhatHasOrAnnouncesContent) {
    http::RequestHead head = client_head();
    EXPECT_EQ(http::first_of(upstream_head(head, kTarget, kPeer, {}, 0).headers, "content-length"),
              "0");
    head.method = "DELETE";
    EXPECT_THAT(
        http::values_of(upstream_head(head, kTarget, kPeer, {}, 0).headers, "content-length"),
        IsEmpty());
    EXPECT_EQ(http::first_of(upstream_head(head, kTarget, kPeer, {}, 3).headers, "content-length"),
              "3");
}

TEST(UpstreamHead, AnOldClientWithoutHostGetsTheTargets) {
    http::RequestHead head{"POST", "/", 0, {}};
    EXPECT_EQ(http::first_of(upstream_head(head, kTarget, kPeer, {}, 0).headers, "host"),
              "upstream.internal:8080");
}

TEST(UpstreamHead, ReadsTheUpstreamsWordAndDistrustsContradictions) {
    EXPECT_EQ(declared_in({}), std::nullopt);
    EXPECT_EQ(declared_in({{"pawl-outcome", " Applied "}}), Declared::applied);
    EXPECT_EQ(declared_in({{"Pawl-Outcome", "not-applied"}}), Declared::not_applied);
    EXPECT_EQ(declared_in({{"Pawl-Outcome", "unknown"}}), Declared::unknown);
    EXPECT_EQ(declared_in({{"Pawl-Outcome", "perhaps"}}), Declared::unknown);
    EXPECT_EQ(declared_in({{"Pawl-Outcome", "perhaps"}, {"Pawl-Outcome", "applied"}}),
              Declared::unknown);
    EXPECT_EQ(declared_in({{"Pawl-Outcome", "applied"}, {"Pawl-Outcome", "not-applied"}}),
              Declared::unknown);
    EXPECT_EQ(declared_in({{"Pawl-Outcome", "applied"}, {"Pawl-Outcome", "applied"}}),
              Declared::applied);
}

}  // namespace
}  // namespace pawl::effect
