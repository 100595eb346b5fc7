// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/flow/flow_fixture.hpp"
#include "engine/calls/http_inquiry.hpp"
#include "runtime/task/hand_loop_fixture.hpp"

namespace pawl::engine {
namespace {

using flow::Probed;

class OneAnswer final : public gateway::Asker {
  public:
    Task<effect::Found> ask(http::Target target_, http::Request request_, MonotonicTime) override {
        ++asked;
        target = std::move(target_);
        request = std::move(request_);
        co_return answer;
    }
    int asked = 0;
    effect::Found answer;
    http::Target target;
    http::Request request;
};

class HttpInquiryTest : public testing::Test {
  protected:
    HttpInquiryTest() {
        entity.id = "7301";
        entity.flow = "order";
        entity.business_key = "B 1/2";
    }
    Finding ask(int status, std::string body) {
        asker.answer.kind = effect::Kind::answered;
        asker.answer.answer.status = status;
        asker.answer.answer.body = std::move(body);
        return ask();
    }
    Finding ask() { return hand.run(inquiry.ask(probe, entity, hand.loop.now())); }

    HandLoop hand;
    OneAnswer asker;
    HttpInquiry inquiry{asker, std::make_shared<const Services>(
                                   Services{{"pay", {.host = "10.0.0.9", .port = 9000}}})};
    flow::Probe probe = flow::order_flow().probes[0];
    flow::Entity entity;
};

TEST_F(HttpInquiryTest, AsksForTheOrderAndNamesThePayment) {
    const Finding found =
        ask(200, R"({"paid":true,"provider":"wx","transaction_id":9007199254740993})");
    EXPECT_EQ(asker.target.host, "10.0.0.9");
    EXPECT_EQ(asker.request.head.method, "GET");
    EXPECT_EQ(asker.request.head.target, "/orders/B%201%2F2");
    EXPECT_EQ(found.probed, Probed::paid);
    EXPECT_EQ(found.facts,
              (flow::Given{{"provider", "wx"}, {"transaction_id", "9007199254740993"}}));
}

TEST_F(HttpInquiryTest, ATextThatSaysNothingIsNoFact) {
    for (const char* empty : {"", " ", "\\t\\n"}) {
        const Finding found = ask(200, R"({"paid":true,"provider":" wx ","transaction_id":")" +
                                           std::string(empty) + "\"}");
        EXPECT_EQ(found.probed, Probed::paid);
        EXPECT_EQ(found.facts, (flow::Given{{"provider", "wx"}})) << empty;
    }
}

TEST_F(HttpInquiryTest, UnpaidIsWhatSaysSo) {
    EXPECT_EQ(ask(200, R"({"paid":false})").probed, Probed::unpaid);
    EXPECT_TRUE(ask(200, R"({"paid":false,"provider":"wx"})").facts.empty());
}

TEST_F(HttpInquiryTest, WhatSaysNothingClearIsUnknown) {
    for (const char* body :
         {"", "{}", "[]", "not json", R"({"paid":null})", R"({"paid":"true"})", R"({"paid":1})",
          R"({"paid":{}})", R"({"paid":true,"paid":false})", R"({"paid":true)"})
        EXPECT_EQ(ask(200, body).probed, Probed::unknown) << body;
    for (const int status : {100, 204, 301, 302, 400, 401, 404, 409, 410, 429, 500, 503})
        EXPECT_EQ(ask(status, status == 204 ? "" : R"({"paid":false})").probed, Probed::unknown)
            << status;
    asker.answer.kind = effect::Kind::no_answer;
    EXPECT_EQ(ask().probed, Probed::unknown);
    asker.answer.kind = effect::Kind::not_sent;
    EXPECT_EQ(ask().probed, Probed::unknown);
}

TEST_F(HttpInquiryTest, ABodyBeyondTheBoundIsNotRead) {
    const auto body = [](std::size_t size) {
        std::string text = R"({"paid":true})";
        return text + std::string(size - text.size(), ' ');
    };
    EXPECT_EQ(ask(200, body(kProbeAnswerBytesMax)).probed, Probed::paid);
    EXPECT_EQ(ask(200, body(kProbeAnswerBytesMax + 1)).probed, Probed::unknown);
    asker.answer.answer.body_kept = false;
    EXPECT_EQ(ask(200, R"({"paid":true})").probed, Probed::unknown);
}

TEST_F(HttpInquiryTest, TextsAndNumbersAreComparedToo) {
    probe.paid = "$.state == SUCCESS";
    EXPECT_EQ(ask(200, R"({"state":"SUCCESS"})").probed, Probed::paid);
    EXPECT_EQ(ask(200, R"({"state":"NOTPAY"})").probed, Probed::unpaid);
    EXPECT_EQ(ask(200, R"({"state":1})").probed, Probed::unknown);
    for (const char* quoted : {"$.state == \"SUCCESS\"", "$.state == 'SUCCESS'"}) {
        probe.paid = quoted;
        EXPECT_EQ(ask(200, R"({"state":"SUCCESS"})").probed, Probed::paid) << quoted;
    }
    probe.paid = "$.order.code == 1";
    EXPECT_EQ(ask(200, R"({"order":{"code":1.0}})").probed, Probed::paid);
    EXPECT_EQ(ask(200, R"({"order":{"code":9007199254740993}})").probed, Probed::unpaid);
    EXPECT_EQ(ask(200, R"({"code":1})").probed, Probed::unknown);
}

TEST_F(HttpInquiryTest, AnAddressThatCannotBeMadeIsNotAsked) {
    entity.business_key.clear();
    EXPECT_EQ(ask(200, R"({"paid":false})").probed, Probed::unknown);
    EXPECT_EQ(asker.asked, 0);
}

}  // namespace
}  // namespace pawl::engine
