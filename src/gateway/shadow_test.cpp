// SPDX-License-Identifier: Apache-2.0
// What a shadow makes of requests as they stream by.
#include "gateway/shadow.hpp"

#include <gtest/gtest.h>

#include "gateway/keying.hpp"
#include "runtime/task/system_loop.hpp"

namespace pawl::gateway {
namespace {

struct Sent {
    std::vector<std::string> pieces{R"({"sku":)", R"("A"})"};
    std::optional<std::string> key = "k1";
    int status = 201;
    bool whole = true;
    std::string path = "/orders";
    std::string client = "10.0.0.1";
    http::Headers more{};
};

class ShadowTest : public testing::Test {
  protected:
    static policy::Route plain() {
        policy::Route route;
        route.name = "orders";
        route.method = "POST";
        route.path = "/orders/*";
        route.upstream = {.host = "127.0.0.1", .port = 1};
        route.protect = false;
        route.shadow = true;
        route.key.source = policy::KeyRule::Source::header;
        route.body_bytes_max = 100;
        return route;
    }
    void serve(policy::Route route) {
        auto table = policy::RouteTable::build({std::move(route)});
        ASSERT_TRUE(table) << table.error().text;
        routes_ = std::make_shared<const Routes>(std::move(*table), std::nullopt);
    }
    // What the shadow makes of one request.
    ShadowSeen pass(Sent sent, Result<std::string> caller = std::string("ada")) {
        ShadowRequest request{routes_,           &routes_->table.routes().front(),  "shop",
                              std::move(caller), {"POST", sent.path, 1, sent.more}, sent.client};
        request.head.headers.emplace_back("Content-Type", "application/json");
        if (sent.key) request.head.headers.emplace_back("Idempotency-Key", *sent.key);
        const auto watcher = watch_in_shadow(desk_, system_.loop(), std::move(request));
        for (const std::string& piece : sent.pieces) watcher->body(piece);
        watcher->ended(sent.whole, sent.status, {});
        const std::array<std::uint64_t, kShadowSeenCount> before = counts();
        system_.context().restart();
        system_.context().poll();
        const auto after = counts();
        for (int i = 0; i < kShadowSeenCount; ++i)
            if (after[static_cast<std::size_t>(i)] != before[static_cast<std::size_t>(i)])
                return static_cast<ShadowSeen>(i);
        ADD_FAILURE() << "nothing was noted";
        return ShadowSeen::not_judged;
    }
    std::array<std::uint64_t, kShadowSeenCount> counts() {
        const auto found = book_.routes().find("orders");
        return found == book_.routes().end() ? std::array<std::uint64_t, kShadowSeenCount>{}
                                             : found->second.counts;
    }

    void SetUp() override { serve(plain()); }

    SystemLoop system_;
    ShadowBook book_;
    ShadowDesk desk_{system_.loop(), book_};
    std::shared_ptr<const Routes> routes_;
};

using enum ShadowSeen;

TEST_F(ShadowTest, RepeatsAreKnownByTheirKeyAndTheirBytes) {
    EXPECT_EQ(pass({}), first);
    EXPECT_EQ(pass({}), replay);
    EXPECT_EQ(pass({.pieces = {R"({"sku":"A"})"}}), replay) << "however the bytes came";
    EXPECT_EQ(pass({.pieces = {R"({"sku":"B"})"}}), mismatch);
    EXPECT_EQ(pass({.path = "/orders/7"}), mismatch);
    EXPECT_EQ(pass({.key = "k2"}), first);
    EXPECT_EQ(pass({}, std::string("bob")), first) << "another caller's key";
}

// R-VERSION
TEST_F(ShadowTest, EachVersionIsOneOperationAndOneInTheBodyIsNotSeen) {
    policy::Route route = plain();
    route.version = {policy::VersionRule::Source::header, "Pawl-Version", ""};
    serve(route);
    const auto version = [](std::string stamp, std::string piece = "one") {
        return Sent{.pieces = {std::move(piece)}, .more = {{"Pawl-Version", std::move(stamp)}}};
    };
    EXPECT_EQ(pass(version("1")), first);
    EXPECT_EQ(pass(version("2", "corrected")), first);
    EXPECT_EQ(pass(version("02", "corrected")), replay);
    EXPECT_EQ(pass(version("2", "other")), mismatch);
    route.version = {policy::VersionRule::Source::json, "", "$.revision"};
    serve(route);
    EXPECT_EQ(pass({}), not_judged);
}

TEST_F(ShadowTest, WhatWouldBeRefusedIsCountedSo) {
    EXPECT_EQ(pass({.key = std::nullopt}), key_missing);
    EXPECT_EQ(pass({.key = ""}), key_invalid);
    EXPECT_EQ(pass({}, std::unexpected(Error{Code::caller_unknown, {}, {}, {}})), caller_unknown);
}

TEST_F(ShadowTest, ABodyAtTheBoundIsJudgedAndOneBeyondIsNot) {
    EXPECT_EQ(pass({.pieces = {std::string(99, 'x'), "x"}}), first);
    EXPECT_EQ(pass({.pieces = {std::string(100, 'x'), "x"}}), not_judged);
    EXPECT_EQ(pass({.key = "cut", .whole = false}), not_judged);
}

TEST_F(ShadowTest, TheAnswerDecidesWhatARepeatWouldMeet) {
    EXPECT_EQ(pass({.key = "busy", .status = 429}), first);
    EXPECT_EQ(pass({.key = "busy"}), first);
    EXPECT_EQ(pass({.key = "lost", .status = 0}), first);
    EXPECT_EQ(pass({.key = "lost"}), uncertain);
    EXPECT_EQ(pass({.key = "broken", .status = 500}), first);
    EXPECT_EQ(pass({.key = "broken"}), uncertain);
}

TEST_F(ShadowTest, WithoutAKeyEqualRequestsOfOneCallerAreOne) {
    policy::Route route = plain();
    route.key = {};
    serve(route);
    EXPECT_EQ(pass({}), first);
    EXPECT_EQ(pass({}), natural);
    EXPECT_EQ(pass({.pieces = {"another"}}), first);
    EXPECT_EQ(pass({.client = "10.0.0.2"}), first) << "another anonymous client";
    EXPECT_EQ(pass({.more = {{"Pawl-Repeat", "intended"}}}), first);
}

TEST_F(ShadowTest, AKeyInsideTheBodyIsNotJudged) {
    policy::Route route = plain();
    route.key.source = policy::KeyRule::Source::json;
    route.key.json_path = "$.id";
    serve(route);
    EXPECT_EQ(pass({}), not_judged);
}

}  // namespace
}  // namespace pawl::gateway
