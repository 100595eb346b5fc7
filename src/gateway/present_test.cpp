// SPDX-License-Identifier: Apache-2.0
// R-REPLAY, rulings 3: `current`.
#include "gateway/present.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

namespace pawl::gateway {
namespace {

using effect::Found;
using effect::Kind;

class Present : public testing::Test {
  protected:
    Present() {
        route.name = "orders";
        route.method = "POST";
        route.path = "/shops/{shop}/orders";
        route.upstream = {"127.0.0.1", 3000, false, false};
        route.key.source = policy::KeyRule::Source::header;
        route.on_repeat = policy::OnRepeat::current;
        route.read = "GET {location}";
        head.method = "POST";
        head.target = "/shops/7/orders";
        head.headers = {{"Host", "shop.example"},
                        {"Authorization", "Bearer t"},
                        {"Cookie", "s=1"},
                        {"Idempotency-Key", "k/1"},
                        {"Content-Type", "application/json"},
                        {"Content-Length", "2"},
                        {"If-Match", "\"1\""},
                        {"Range", "bytes=0-1"},
                        {"Pawl-Fence", "9"},
                        {"Connection", "close"}};
        ended.verdict = Verdict::replayed;
        ended.state = record::State::completed;
        ended.settled.emplace();
        answer(201, "/orders/1");
    }
    void answer(int status, std::string location) {
        record::Answer kept;
        kept.status = status;
        if (!location.empty()) kept.headers = {{"Location", std::move(location)}};
        ended.settled->status = status;
        ended.answer = std::make_shared<const record::Answer>(std::move(kept));
    }
    std::optional<http::Request> reading() {
        auto compiled = policy::compile(route);
        EXPECT_TRUE(compiled);
        return reading_of(*compiled, ended, head, {"10.0.0.9", false, ""}, {{"shop", "7"}}, "k/1");
    }
    std::string target() {
        const auto request = reading();
        return request ? request->head.target : "none";
    }
    Asked asked() { return {"Idempotency-Key", "k/1", sha256("k"), &route, false}; }
    static Found found(int status, std::string body = "{}") {
        Found found;
        found.kind = Kind::answered;
        found.answer.status = status;
        found.answer.body = std::move(body);
        found.answer.headers = {{"Content-Type", "application/json"},
                                {"Content-Length", "2"},
                                {"ETag", "\"2\""},
                                {"Idempotent-Replayed", "false"},
                                {"Pawl-Outcome", "applied"}};
        return found;
    }

    policy::Route route;
    http::RequestHead head;
    Ended ended;
};

TEST_F(Present, AsksTheServiceWithTheRepeatsOwnLines) {
    const auto request = reading();
    ASSERT_TRUE(request);
    EXPECT_EQ(request->head.method, "GET");
    EXPECT_EQ(request->head.target, "/orders/1");
    EXPECT_EQ(request->head.headers, (http::Headers{{"Host", "shop.example"},
                                                    {"Authorization", "Bearer t"},
                                                    {"Cookie", "s=1"},
                                                    {"X-Forwarded-For", "10.0.0.9"},
                                                    {"X-Forwarded-Proto", "http"},
                                                    {"X-Forwarded-Host", "shop.example"},
                                                    {"Accept-Encoding", "identity"}}));
    EXPECT_TRUE(request->body.empty());
}

TEST_F(Present, TheHostIsTheRoutesWhereItRewritesIt) {
    route.host_rewrite = "inner.example";
    EXPECT_EQ(http::values_of(reading()->head.headers, "Host"),
              (std::vector<std::string_view>{"inner.example"}));
    answer(201, "http://inner.example/orders/2");
    EXPECT_EQ(target(), "/orders/2");
    answer(201, "http://shop.example/orders/2");
    EXPECT_EQ(target(), "none");
}

TEST_F(Present, ReadsByPathAndKeyToo) {
    route.read = "GET /shops/{shop}/by-key/{key}";
    answer(201, "");
    EXPECT_EQ(target(), "/shops/7/by-key/k%2F1");
}

TEST_F(Present, ARefusalAndAResultThatNamesNoPlaceAreRepeatedAsTheyWere) {
    answer(399, "/orders/1");
    EXPECT_EQ(target(), "/orders/1");
    answer(400, "/orders/1");
    EXPECT_EQ(target(), "none");
    answer(201, "");
    EXPECT_EQ(target(), "none");
    answer(201, "http://elsewhere.example/orders/1");
    EXPECT_EQ(target(), "none");
}

// The thing outlives the answer that it was given with.
TEST_F(Present, WhatIsNoLongerKeptIsReadAllTheSame) {
    route.read = "GET /shops/{shop}/by-key/{key}";
    ended.verdict = Verdict::expired;
    ended.answer = nullptr;
    EXPECT_EQ(target(), "/shops/7/by-key/k%2F1");
    ended.settled->status = 402;
    EXPECT_EQ(target(), "none");
    ended.settled->status = 201;
    route.read = "GET {location}";
    EXPECT_EQ(target(), "none");
}

TEST_F(Present, OnlyWhatTookEffectIsRead) {
    for (const Verdict verdict :
         {Verdict::first, Verdict::released, Verdict::unavailable, Verdict::in_progress,
          Verdict::uncertain, Verdict::mismatch, Verdict::rule_changed, Verdict::stale,
          Verdict::version_invalid, Verdict::limited}) {
        ended.verdict = verdict;
        EXPECT_EQ(target(), "none") << name_of(verdict);
    }
    ended.verdict = Verdict::replayed;
    route.on_repeat = policy::OnRepeat::replay;
    EXPECT_EQ(target(), "none");
}

TEST_F(Present, WhatIsShownIsPassedOnAndMarked) {
    const Reply reply = reply_with_present(ended, asked(), found(200, "now"));
    EXPECT_EQ(reply.response.status, 200);
    EXPECT_EQ(reply.response.body, "now");
    EXPECT_EQ(reply.response.headers, (http::Headers{{"Content-Type", "application/json"},
                                                     {"ETag", "\"2\""},
                                                     {"Idempotent-Replayed", "true"},
                                                     {"Pawl-Result-Source", "current"},
                                                     {"Idempotency-Key", "k/1"}}));
    EXPECT_EQ(reply.seen, Seen::replay);
    EXPECT_FALSE(reply.problem);
}

TEST_F(Present, WhatIsNotShownIsATypedAnswerThatSaysItTookEffect) {
    struct Row {
        int read;
        int status;
        std::string_view code;
        Seen seen;
    };
    for (const Row& row :
         {Row{401, 401, "forbidden", Seen::expired}, Row{403, 403, "forbidden", Seen::expired},
          Row{404, 410, "result_expired", Seen::expired},
          Row{410, 410, "result_expired", Seen::expired}, Row{199, 503, "unavailable", Seen::error},
          Row{300, 503, "unavailable", Seen::error}, Row{400, 503, "unavailable", Seen::error},
          Row{429, 503, "unavailable", Seen::error}, Row{500, 503, "unavailable", Seen::error}}) {
        const Reply reply = reply_with_present(ended, asked(), found(row.read, "theirs"));
        EXPECT_EQ(reply.response.status, row.status) << row.read;
        EXPECT_EQ(reply.seen, row.seen) << row.read;
        EXPECT_EQ(reply.response.body.find("theirs"), std::string::npos);
        const auto document = boost::json::parse(reply.response.body).as_object();
        EXPECT_EQ(document.at("code").as_string(), row.code) << row.read;
        EXPECT_FALSE(document.at("safe_new_key").as_bool());
        EXPECT_NE(document.at("detail").as_string().find("took effect"), std::string::npos);
    }
    for (const Kind kind : {Kind::not_sent, Kind::no_answer}) {
        Found none;
        none.kind = kind;
        EXPECT_EQ(reply_with_present(ended, asked(), none).response.status, 503);
    }
}

}  // namespace
}  // namespace pawl::gateway
