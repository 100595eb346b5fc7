// SPDX-License-Identifier: Apache-2.0
// What a person sees of the list, what a word about an entry does, and by which figures an alarm calls him.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"
#include "runtime/task/hand_loop_fixture.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/port/direct_flows.hpp"
#include "surface/api/attention_list.hpp"
#include "surface/api/attention_metrics.hpp"

namespace pawl::api {
namespace {

namespace json = boost::json;
using store::ClosedAs;
using testing::HasSubstr;

TEST(AttentionWord, SaysWhoWhyAndAs) {
    const auto word = parse_close(R"({"number":"17","by":"ann","reason":"paid back"})");
    ASSERT_TRUE(word);
    EXPECT_EQ(word->number, 17U);
    EXPECT_EQ(word->as, ClosedAs::settled) << "what is not said";
    EXPECT_EQ(parse_close(R"({"number":"17","by":"ann","reason":"r","as":"left"})")->as,
              ClosedAs::left);
    EXPECT_EQ(parse_close(R"({"number":"17","by":"ann","reason":"r","as":"settled"})")->as,
              ClosedAs::settled);
    for (const char* body :
         {"", "{}", R"({"number":17,"by":"a","reason":"r"})",
          R"({"number":"x","by":"a","reason":"r"})", R"({"number":"1","reason":"r"})",
          R"({"number":"1","by":"a"})", R"({"number":"1","by":"a","reason":"r","as":"taken"})",
          R"({"number":"1","by":"a","reason":"r","as":""})",
          R"({"number":"1","by":"a","reason":"r","force":true})"})
        EXPECT_FALSE(parse_close(body)) << body;
}

class AttentionDesk : public testing::Test {
  protected:
    // A payment that differs, of an order that is there.
    void differs(const std::string& transaction) {
        flow::Fact fact{sha256(transaction), "pay", {{"transaction_id", transaction}}, {}, {}};
        commit(flow::Arbitration{.kind = flow::Arbitration::Kind::attention,
                                 .reason = "amount_mismatch: `amount` is not same",
                                 .event = flow::payment(transaction, "99"),
                                 .about = {fact}});
    }
    void commit(flow::Arbitration told) {
        ASSERT_TRUE(hand.run(flows.commit({{"acme", "order", {}, "B1"}, std::move(told)})));
    }
    json::array entries() {
        return hand.run(list_attention(flows, 0, 100)).value().at("entries").as_array();
    }
    json::array closed(std::uint64_t after = 0, std::size_t limit = 100) {
        return hand.run(list_closed(flows, after, limit)).value().at("entries").as_array();
    }
    Result<json::object> close(const std::string& number, std::string by, ClosedAs as) {
        return hand.run(close_attention(&flows, {std::stoull(number), std::move(by), "seen", as}));
    }
    std::string number_of(std::size_t at) {
        return std::string(entries().at(at).at("number").as_string());
    }
    std::string figures() { return hand.run(attention_metrics(&flows, &counted, hand.loop)); }

    HandLoop hand;
    store::MemoryShelf shelf{hand.clock};
    store::MemoryFlows flows_shelf{shelf};
    store::DirectFlows flows{flows_shelf};
    engine::FactFigures counted;
};

TEST_F(AttentionDesk, AnEntryShowsWhatWasJudgedAndWhatItIsAbout) {
    differs("T1");
    const json::object entry = entries().at(0).as_object();
    EXPECT_EQ(entry.at("event").at("name"), "pay");
    EXPECT_EQ(entry.at("event").at("sender"), "callback");
    EXPECT_EQ(entry.at("event").at("values").at("amount"), "99");
    EXPECT_EQ(entry.at("about").at(0).at("transaction_id"), "T1");
}

TEST_F(AttentionDesk, WhatIsClosedSaysByWhomWhenHowAndWhy) {
    differs("T1");
    differs("T2");
    EXPECT_TRUE(closed().empty());
    ASSERT_TRUE(close(number_of(0), "ann", ClosedAs::settled));
    hand.run_for(std::chrono::seconds(2));
    ASSERT_TRUE(close(number_of(0), "bob", ClosedAs::left));
    const json::array all = closed();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].at("closed").at("by"), "bob") << "the latest closed first";
    EXPECT_EQ(all[0].at("closed").at("as"), "left");
    EXPECT_EQ(all[1].at("closed").at("by"), "ann");
    EXPECT_EQ(all[1].at("closed").at("as"), "settled");
    EXPECT_EQ(all[1].at("closed").at("reason"), "seen");
    EXPECT_NE(all[0].at("closed").at("at"), all[1].at("closed").at("at"));
    EXPECT_EQ(all[1].at("event").at("values").at("transaction_id"), "T1");
    EXPECT_EQ(closed(0, 1).size(), 1U);
    EXPECT_EQ(closed(std::stoull(all[0].at("number").as_string().c_str())).at(0), all[1]);
}

TEST_F(AttentionDesk, AnEntityShowsItsOwnOldestFirst) {
    differs("T1");
    differs("T2");
    ASSERT_TRUE(close(number_of(0), "ann", ClosedAs::settled));
    const auto own = hand.run(entries_of(flows, {"acme", "order", "17", "B1"})).value();
    ASSERT_EQ(own.entries.size(), 2U);
    EXPECT_EQ(own.entries[0].at("closed").at("by"), "ann");
    EXPECT_FALSE(own.entries[1].as_object().contains("closed"));
    EXPECT_FALSE(own.more);
    const std::vector<store::FlowSubject> others{{"other", "order", "17", "B1"},
                                                 {"acme", "booking", "17", "B1"},
                                                 {"acme", "order", "17", "B2"},
                                                 {"acme", "order", "17", {}}};
    for (const store::FlowSubject& other : others)
        EXPECT_TRUE(hand.run(entries_of(flows, other)).value().entries.empty());
}

TEST_F(AttentionDesk, OfTooManyTheOldestAreLeftOut) {
    for (int i = 0; i < 201; ++i) differs("T" + std::to_string(i));
    const auto own = hand.run(entries_of(flows, {"acme", "order", "17", "B1"})).value();
    EXPECT_TRUE(own.more);
    ASSERT_EQ(own.entries.size(), 200U);
    EXPECT_EQ(own.entries[0].at("event").at("values").at("transaction_id"), "T1");
    EXPECT_EQ(own.entries[199].at("event").at("values").at("transaction_id"), "T200");
}

TEST_F(AttentionDesk, AWordIsTakenOnceAndTheSecondIsToldWhatNotToDo) {
    differs("T1");
    differs("T2");
    const std::string first = number_of(0);
    const auto closed = close(first, "ann", ClosedAs::settled);
    ASSERT_TRUE(closed);
    EXPECT_EQ(closed->at("as"), "settled");
    EXPECT_TRUE(close(first, "ann", ClosedAs::settled));
    const auto other = close(first, "bob", ClosedAs::settled);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, Code::conflict);
    EXPECT_THAT(other.error().text, HasSubstr("Somebody else"));
    EXPECT_EQ(entries().size(), 1U);
    EXPECT_EQ(close("99", "ann", ClosedAs::settled).error().code, Code::not_found);
}

TEST_F(AttentionDesk, AnAlarmHasAFigureWhoeverToldIt) {
    EXPECT_THAT(figures(), HasSubstr("\nattention_open 0\n"));
    EXPECT_THAT(figures(), HasSubstr("\nsecond_payments_total 0\n"));
    commit({.kind = flow::Arbitration::Kind::attention,
            .reason = "`probe_payment` gave up",
            .event = flow::Event{.name = "expire", .sender = flow::Sender::timer}});
    hand.run_for(std::chrono::minutes(5) + std::chrono::milliseconds(1));  // the store is ahead
    counted.second_payments.add();
    EXPECT_THAT(figures(), HasSubstr("\nattention_open 1\n"));
    EXPECT_THAT(figures(), HasSubstr("\nattention_oldest_seconds 300\n"));
    EXPECT_THAT(figures(), HasSubstr("\nsecond_payments_total 1\n"));
    ASSERT_TRUE(close(number_of(0), "ann", ClosedAs::settled));
    EXPECT_THAT(figures(), HasSubstr("\nattention_open 0\n"));
    EXPECT_THAT(figures(), HasSubstr("\nattention_oldest_seconds 0\n"));
    EXPECT_EQ(hand.run(attention_metrics(nullptr, nullptr, hand.loop)), "");
}

}  // namespace
}  // namespace pawl::api
