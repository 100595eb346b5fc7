// SPDX-License-Identifier: Apache-2.0
// What a saga takes: of a refund, the money that was paid, whoever asks for it and whatever he says.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/money.hpp"
#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// The order of the documentation, which support may refund once it is paid.
Definition refunding_flow() {
    Definition flow = order_flow();
    flow.states.push_back({"refunded", true, {}, {compensated("pay"), ignored("deliver")}});
    EventRule refund = event("refund", {"paid"}, "refunded");
    refund.transitions[0].saga = "refund";
    flow.events.push_back(refund);
    return flow;
}

World paid_order(Definition flow = refunding_flow(), std::string amount = "12.5") {
    World world(std::move(flow));
    world.levels[sku("A")] = {10, 0, 0};
    world.create(new_order());
    Event paid = payment("T1", std::move(amount));
    paid.values["currency"] = "EUR";
    EXPECT_EQ(world.send(paid), "applied paid");
    return world;
}

Event refund(Given values = {}) {
    return {.name = "refund", .values = std::move(values), .caller = "sue"};
}

Texts only_saga(const World& world) {
    EXPECT_EQ(world.sagas.size(), 1U);
    return world.sagas.empty() ? Texts{} : world.sagas.begin()->second.values;
}

Refusal told(World& world, const Event& event) {
    Event now = event;
    now.now_ms = world.now_ms;
    const Decision decision = transition(world.machine, world.entity(), now);
    const auto* refusal = std::get_if<Refusal>(&decision);
    return refusal == nullptr ? Refusal{.text = "not refused"} : *refusal;
}

TEST(Saga, ARefundTakesWhatWasPaid) {
    World world = paid_order();
    EXPECT_EQ(world.send(refund()), "applied refunded");
    EXPECT_EQ(only_saga(world), (Texts{{"provider", "wx"},
                                       {"transaction_id", "T1"},
                                       {"amount", "12.5"},
                                       {"currency", "EUR"}}));
}

TEST(Saga, WhoAsksForARefundDoesNotSayHowMuch) {
    World world = paid_order();
    for (const auto* amount : {"5000", "0", "-7", "12.49", "12.51", "12.50 USD"})
        EXPECT_EQ(world.send(refund({{"amount", amount}})), "refused amount_mismatch") << amount;
    EXPECT_EQ(world.send(refund({{"amount", "12.50"}, {"currency", "USD"}})),
              "refused amount_mismatch");
    EXPECT_THAT(world.sagas, IsEmpty());
    EXPECT_EQ(world.entity().state, "paid");
    EXPECT_EQ(world.send(refund({{"amount", "12.50"}, {"currency", "EUR"}})), "applied refunded")
        << "the amount that was paid, said again";
}

TEST(Saga, TheRefusalNamesBothAmounts) {
    World world = paid_order();
    const Refusal refusal = told(world, refund({{"amount", "5000"}, {"currency", "USD"}}));
    EXPECT_EQ(refusal.reason, Reason::amount_mismatch);
    EXPECT_THAT(refusal.text, HasSubstr("5000 USD"));
    EXPECT_THAT(refusal.text, HasSubstr("12.50 EUR"));
}

// A flow that takes any amount: what came counts, not what was asked for.
TEST(Saga, ARefundTakesWhatCameWhereTheFlowTakesAnyAmount) {
    Definition flow = refunding_flow();
    named(flow.events, "pay").transitions[0].require.clear();
    World world = paid_order(flow, "20");
    EXPECT_EQ(world.send(refund()), "applied refunded");
    EXPECT_EQ(*told_in(only_saga(world), "amount"), "20");
}

// An event's own field is nobody's leave to choose the money.
TEST(Saga, AnAmountThatTheEventDeclaresIsComparedWithWhatWasPaid) {
    Definition flow = refunding_flow();
    named(flow.events, "refund").fields = {{"amount", FieldType::money, false},
                                           {"transaction_id", FieldType::text, false}};
    World world = paid_order(flow);
    EXPECT_EQ(world.send(refund({{"amount", "5"}})), "refused amount_mismatch");
    EXPECT_THAT(told(world, refund({{"amount", "5"}})).text, HasSubstr("12.5"));
    EXPECT_EQ(world.send(refund({{"transaction_id", "T9"}})), "refused guard_refused");
    EXPECT_EQ(world.send(refund({{"amount", "12.50"}})), "applied refunded");
    EXPECT_EQ(*told_in(only_saga(world), "transaction_id"), "T1");
}

TEST(Saga, WhatOnlyTheRequestKnowsIsTakenFromIt) {
    Definition flow = refunding_flow();
    named(flow.events, "refund").fields = {{"reason", FieldType::text}};
    named(flow.events, "refund").transitions[0].saga = "goodwill";
    flow.sagas.push_back(
        {"goodwill", "POST http://pay/goodwill", {"transaction_id", "reason"}, {}});
    World world = paid_order(flow);
    EXPECT_EQ(world.send(refund({{"reason", "broken"}})), "applied refunded");
    EXPECT_EQ(*told_in(only_saga(world), "reason"), "broken");
}

// Money that nobody has told of may be anybody's.
TEST(Saga, ARequestDoesNotSayWhichPaymentGoesBack) {
    Definition flow = refunding_flow();
    EventRule& asked = named(flow.events, "refund");
    asked.transitions[0].from = {"created", "paid"};
    asked.fields = {{"provider", FieldType::text}, {"transaction_id", FieldType::text}};
    World world(flow);
    world.create(new_order());
    EXPECT_EQ(world.send(refund({{"provider", "wx"}, {"transaction_id", "T9"}})),
              "refused guard_refused");
    EXPECT_THAT(world.sagas, IsEmpty());
    EXPECT_EQ(world.entity().state, "created");
}

// Two orders, and a provider that tells both of the same payment.
World orders_of_one_payment() {
    Definition flow = refunding_flow();
    named(flow.events, "pay").unique = {{{"provider", "out_trade_no", "transaction_id"}, {}}};
    flow.probes[0].facts.emplace_back("out_trade_no", "$.out_trade_no");
    World world(flow);
    world.levels[sku("A")] = {10, 0, 0};
    world.create(new_order());
    world.create(new_order(), "2");
    return world;
}

Event payment_of(std::string id) {
    Event paid = payment("T1");
    paid.values["out_trade_no"] = "B" + id;
    return paid;
}

TEST(Saga, ThatAnotherEntityHasBegunIsForAPerson) {
    World world = orders_of_one_payment();
    for (const auto* id : {"1", "2"}) EXPECT_EQ(world.send("cancel", id), "applied cancelled");
    EXPECT_EQ(world.send(payment_of("1")), "compensated cancelled");
    EXPECT_EQ(world.send(payment_of("2"), "2"), "attention") << "nothing goes back for this one";
    EXPECT_EQ(world.sagas.size(), 1U);
    EXPECT_EQ(world.entity("2").version, 2U);
    EXPECT_THAT(world.attention.at(0).reason, HasSubstr("`refund` of the same was begun by 1"));
    EXPECT_EQ(world.attention.at(0).about.size(), 1U);
    EXPECT_EQ(world.send(payment_of("1")), "repeat 3");
}

TEST(Saga, ThatAnotherEntityHasBegunIsRefusedToARequest) {
    World world = orders_of_one_payment();
    for (const auto* id : {"1", "2"}) EXPECT_EQ(world.send(payment_of(id), id), "applied paid");
    EXPECT_EQ(world.send(refund()), "applied refunded");
    EXPECT_EQ(world.send(refund(), "2"), "refused duplicate_request");
    EXPECT_EQ(world.sagas.size(), 1U);
    EXPECT_EQ(world.entity("2").state, "paid");
}

TEST(Saga, WhatARequestSaysOfItsEntityHasToBeSo) {
    World world = paid_order();
    EXPECT_EQ(world.send({.name = "ship", .values = {{"amount", "3"}}, .caller = "ann"}),
              "refused amount_mismatch");
    EXPECT_EQ(world.send({.name = "ship", .values = {{"amount", "12.5"}}, .caller = "ann"}),
              "applied shipped");
}

TEST(Saga, MoneyThatComesTooLateGoesBackAsItCame) {
    World world = paid_order();
    Event second = payment("T2", "99.90");
    second.values["currency"] = "USD";
    EXPECT_EQ(world.send(second), "compensated paid");
    EXPECT_EQ(*told_in(only_saga(world), "amount"), "99.90");
    EXPECT_EQ(*told_in(only_saga(world), "currency"), "USD");
}

TEST(Saga, OfMoneyThatSaysNotHowMuchItIsNobodyElseSaysIt) {
    World world = paid_order();
    Event second = payment("T2");
    second.values.erase("amount");
    EXPECT_EQ(world.send(second), "compensated paid");
    EXPECT_EQ(only_saga(world), (Texts{{"provider", "wx"}, {"transaction_id", "T2"}}));
}

TEST(Saga, MoneyGoesBackWithItsAmountWhereTheFlowHasNoFieldForIt) {
    Definition flow = refunding_flow();
    std::erase_if(flow.fields, [](const Field& one) { return one.name == "currency"; });
    World world(flow);
    world.create({.values = {{"amount", "12.50"}}, .items = {{sku("A"), 2}}, .caller = "ann"});
    Event paid = payment("T1");
    paid.values["currency"] = "EUR";
    EXPECT_EQ(world.send(paid), "branched cancelled") << "there is no stock";
    EXPECT_EQ(*told_in(only_saga(world), "currency"), "EUR");
}

// Taken for a repeat of the first one, it would stay where it is for ever.
TEST(Saga, ASecondPaymentThatDoesNotSayWhichOneItIsIsNotTheFirstOne) {
    World world = paid_order();
    Event nameless = payment("T2");
    nameless.values.erase("transaction_id");
    EXPECT_EQ(world.send(nameless), "attention");
    EXPECT_THAT(world.sagas, IsEmpty());
}

}  // namespace
}  // namespace pawl::flow
