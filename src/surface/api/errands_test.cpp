// SPDX-License-Identifier: Apache-2.0
// What a person sees of events and refunds, and what a word about them does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "engine/calls/late_payment_fixture.hpp"
#include "surface/api/errand_metrics.hpp"
#include "surface/api/errands.hpp"
#include "surface/api/saga_view.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using store::SagaState;
using testing::ElementsAre;
using testing::HasSubstr;

class Nobody final : public gateway::Asker {
  public:
    Task<effect::Found> ask(http::Target, http::Request, MonotonicTime) override {
        co_return effect::Found{};
    }
};

class RefusingSink final : public stream::Sink {
  public:
    explicit RefusingSink(bool& refuses) : refuses_(refuses) {}
    std::size_t batch_max() const override { return 1; }
    std::size_t parallel_max() const override { return 1; }
    Task<std::vector<stream::Delivered>> deliver(std::vector<stream::Event> events) override {
        stream::Delivered word;
        if (refuses_) word = {stream::Delivered::Kind::refused, "the receiver answered 422", {}};
        co_return std::vector(events.size(), word);
    }

  private:
    bool& refuses_;
};

class ErrandsTest : public testing::Test, public engine::LatePayments {
  protected:
    ErrandsTest() {
        std::vector<stream::SinkPlan> plans;
        plans.push_back({{.sink = "shop", .from_the_beginning = true, .limits = {.tries_max = 2}},
                         std::make_unique<RefusingSink>(refuses)});
        relays.emplace(hand.loop, flows, std::move(plans));
        desk.emplace(ErrandDesk{hand.loop, flows, flows, flows, *relays, runner,
                                [this](const std::string& line) { log.push_back(line); }});
    }
    static Query query(std::vector<std::pair<std::string, std::string>> parameters = {}) {
        return {"", std::move(parameters)};
    }
    static json::object document(const http::Response& response) {
        return json::parse(response.body).as_object();
    }
    http::Response word_about_saga(const std::string& number, const std::string& outcome) {
        auto asked = parse_saga_word(json::serialize(json::object{
            {"saga", number}, {"outcome", outcome}, {"reason", "paid by hand"}, {"by", "ann"}}));
        asked->word.from = "127.0.0.1";
        return hand.run(move_saga(*desk, std::move(*asked)));
    }
    void give_to_person() {
        const store::SagaRow row = saga();
        store::SagaMove move{.number = row.number, .tries = row.tries};
        move.to = SagaState::needs_attention;
        move.tries_after = row.tries;
        move.said = "its service answered 422";
        move.claim.bytes[0] = 7;
        ASSERT_TRUE(hand.run(flows.move(move)).value());
    }

    bool refuses = true;
    Nobody nobody;
    engine::SagaFigures figures;
    engine::SagaRunner runner{hand.loop, flows, flows, nobody, figures, {}};
    std::optional<stream::Relays> relays;
    std::vector<std::string> log;
    std::optional<ErrandDesk> desk;
};

TEST_F(ErrandsTest, ParkedRowsAreShownWithTheirReasonAndGoOutAgain) {
    pay_too_late("7301", "T1");
    TaskGroup group(hand.loop);
    group.spawn(relays->run());
    hand.run_for(10s);
    const json::object before = document(hand.run(list_outbox(*desk, query())));
    const json::object sink = before.at("sinks").as_array().at(0).as_object();
    EXPECT_EQ(sink.at("sink"), "shop");
    EXPECT_EQ(sink.at("standing"), "working");
    EXPECT_EQ(sink.at("parked"), 1);
    const json::object row = before.at("parked").as_array().at(0).as_object();
    EXPECT_EQ(row.at("id"), "7301");
    EXPECT_EQ(row.at("tries"), 2);
    EXPECT_EQ(row.at("said"), "the receiver answered 422");

    const std::string figures_text = hand.run(errand_metrics(&*desk));
    for (const std::string line :
         {"outbox_parked{sink=\"shop\"} 1", "outbox_refused_total{sink=\"shop\"} 2",
          "outbox_sent_total{sink=\"shop\"} 0", "outbox_sink_working{sink=\"shop\"} 1",
          "sagas_needing_attention 0", "saga_calls_total 0"})
        EXPECT_THAT(figures_text, HasSubstr("\n" + line + "\n"));
    EXPECT_EQ(hand.run(errand_metrics(nullptr)), "");

    refuses = false;
    auto asked = parse_sink_word(R"({"sink":"shop","reason":"mended","by":"ann"})");
    asked->word.from = "127.0.0.1";
    const http::Response redriven = hand.run(redrive(*desk, *asked));
    EXPECT_EQ(document(redriven).at("rows"), 1);
    EXPECT_THAT(log, ElementsAre("1 parked events of sink shop sent again by ann from 127.0.0.1: "
                                 "mended"));
    hand.run_for(10s);
    const json::object after = document(hand.run(list_outbox(*desk, query({{"sink", "shop"}}))));
    EXPECT_TRUE(after.at("parked").as_array().empty());
    EXPECT_EQ(after.at("sinks").as_array().at(0).at("unsent"), 0);
    relays->stop();
    hand.run_for(1s);
}

TEST_F(ErrandsTest, ASinkThatThereIsNotIsTold) {
    EXPECT_EQ(hand.run(list_outbox(*desk, query({{"sink", "shp"}}))).status, 404);
    EXPECT_EQ(hand.run(redrive(*desk, *parse_sink_word(R"({"sink":"shp","reason":"r"})"))).status,
              404);
    EXPECT_TRUE(log.empty());
}

TEST_F(ErrandsTest, OnlyASinkThatIsNotConfiguredIsDropped) {
    auto asked = parse_sink_word(R"({"sink":"shop","reason":"r"})");
    EXPECT_EQ(hand.run(drop_sink(*desk, *asked)).status, 409);
    asked->sink = "former";
    EXPECT_EQ(hand.run(drop_sink(*desk, *asked)).status, 200);
    EXPECT_THAT(log, ElementsAre(HasSubstr("sink former dropped by someone")));
}

TEST_F(ErrandsTest, ASagaThatNeedsAPersonIsSentAgainOrSkipped) {
    for (const bool skips : {false, true}) {
        const std::string id = skips ? "7302" : "7301";
        if (!skips) pay_too_late(id, "T" + id);
        give_to_person();
        const http::Response response = word_about_saga("1", skips ? "skip" : "retry");
        ASSERT_EQ(response.status, 200) << response.body;
        EXPECT_EQ(saga().state, skips ? SagaState::done : SagaState::running);
        EXPECT_EQ(saga().tries, 0U);
        EXPECT_EQ(saga().said, std::string(skips ? "skipped" : "sent again") +
                                   " by ann from 127.0.0.1: paid by hand");
        EXPECT_THAT(log.back(), HasSubstr("saga 1 (refund of order 7301)"));
    }
}

TEST_F(ErrandsTest, ASagaThatWaitsForNobodyIsLeftAlone) {
    pay_too_late("7301", "T1");
    EXPECT_EQ(word_about_saga("1", "skip").status, 409);
    EXPECT_EQ(saga().state, SagaState::running);
    EXPECT_EQ(word_about_saga("2", "skip").status, 404);
    EXPECT_TRUE(log.empty());
}

TEST_F(ErrandsTest, SagasAreListedByStateAndPageByPage) {
    for (int i = 1; i <= 3; ++i) pay_too_late(std::to_string(i), "T" + std::to_string(i));
    const auto listed = [&](std::vector<std::pair<std::string, std::string>> parameters) {
        const json::object found =
            document(hand.run(list_sagas(*desk, query(std::move(parameters)))));
        std::string text;
        for (const json::value& one : found.at("sagas").as_array())
            text += std::string(one.at("saga").as_string()) + " ";
        return text + (found.at("more").as_bool() ? "more" : "end");
    };
    EXPECT_EQ(listed({}), "1 2 3 end");
    EXPECT_EQ(listed({{"limit", "2"}}), "1 2 more");
    EXPECT_EQ(listed({{"after", "2"}}), "3 end");
    EXPECT_EQ(listed({{"state", "all"}}), "1 2 3 end");
    EXPECT_EQ(listed({{"state", "needs_attention"}}), "end");
    give_to_person();
    EXPECT_EQ(listed({{"state", "needs_attention"}}), "1 end");
    EXPECT_EQ(listed({{"state", "running"}}), "2 3 end");
    EXPECT_EQ(listed({{"state", "running"}, {"limit", "1"}}), "2 more");
    EXPECT_EQ(listed({{"state", "open"}}), "1 2 3 end");
    EXPECT_EQ(listed({{"state", "open"}, {"after", "1"}, {"limit", "1"}}), "2 more");
    ASSERT_EQ(word_about_saga("1", "skip").status, 200);
    EXPECT_EQ(listed({{"state", "open"}}), "2 3 end");
    EXPECT_EQ(listed({{"state", "done"}}), "1 end");
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{
             {"limit", "0"}, {"limit", "1001"}, {"limit", "x"}, {"after", "-1"}, {"state", "x"}})
        EXPECT_EQ(hand.run(list_sagas(*desk, query({{name, value}}))).status, 400) << value;
}

TEST_F(ErrandsTest, WhatRunsIsCountedWithTheAgeOfTheOldest) {
    const auto counted = [&](const std::string& line) {
        EXPECT_THAT(hand.run(errand_metrics(&*desk)), HasSubstr("\n" + line));
    };
    counted("sagas_running 0\n");
    counted("sagas_running_oldest_seconds 0\n");
    pay_too_late("7301", "T1");
    hand.run_for(90s + 500ms);
    pay_too_late("7302", "T2");
    counted("sagas_running 2\n");
    counted("sagas_running_oldest_seconds 90");
    give_to_person();
    counted("sagas_running 1\n");
    counted("sagas_running_oldest_seconds 0");
    counted("sagas_needing_attention 1\n");
}

TEST_F(ErrandsTest, OneThatCannotBeReadIsListedAndCountedAndMovedByNobody) {
    for (int i = 1; i <= 2; ++i) pay_too_late(std::to_string(i), "T" + std::to_string(i));
    ASSERT_TRUE(shelf.damage("flow_saga", 0));
    const json::object found = document(hand.run(list_sagas(*desk, query({{"state", "open"}}))));
    const json::array rows = found.at("sagas").as_array();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].at("saga"), "1");
    EXPECT_EQ(rows[0].at("state"), "damaged");
    EXPECT_EQ(rows[1].at("state"), "running");
    EXPECT_THAT(hand.run(errand_metrics(&*desk)), HasSubstr("\nsagas_needing_attention 1\n"));
    const http::Response moved = word_about_saga("1", "skip");
    EXPECT_EQ(moved.status, 409);
    EXPECT_THAT(moved.body, HasSubstr("cannot be read"));
}

TEST_F(ErrandsTest, AnOrderShowsWhatBecameOfItsRefund) {
    pay_too_late("7301", "T1");
    pay_too_late("7302", "T2");
    give_to_person();
    const auto shown = [&](const std::string& id) {
        const auto steps = hand.run(flows.history({"acme", "order", id, {}}, 0, 99)).value();
        return hand.run(sagas_of(flows, steps)).value();
    };
    const json::array first = shown("7301");
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0].at("saga"), "1");
    EXPECT_EQ(first[0].at("state"), "needs_attention");
    EXPECT_EQ(first[0].at("said"), "its service answered 422");
    EXPECT_EQ(shown("7302").at(0).at("state"), "running");
    EXPECT_TRUE(shown("17").empty());
}

TEST(ErrandWords, WhatCouldBeHalfUnderstoodIsRefused) {
    for (const char* body :
         {"", "[]", "{}", R"({"sink":"a"})", R"({"reason":"r"})", R"({"sink":"a","reason":""})",
          R"({"sink":"a","reason":"r","force":true})", R"({"sink":1,"reason":"r"})"})
        EXPECT_FALSE(parse_sink_word(body)) << body;
    for (const char* body :
         {R"({"saga":"1","outcome":"retry"})", R"({"saga":1,"outcome":"retry","reason":"r"})",
          R"({"saga":"0","outcome":"retry","reason":"r"})",
          R"({"saga":"x","outcome":"retry","reason":"r"})",
          R"({"saga":"1","outcome":"done","reason":"r"})"})
        EXPECT_FALSE(parse_saga_word(body)) << body;
    EXPECT_TRUE(parse_saga_word(R"({"saga":"1","outcome":"skip","reason":"r"})")->skips);
}

}  // namespace
}  // namespace pawl::api
