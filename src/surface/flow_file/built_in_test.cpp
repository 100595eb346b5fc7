// SPDX-License-Identifier: Apache-2.0
// The flows that come with Pawl: they load without a finding, and this is what each state does with each event.
#include <functional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/deeds.hpp"
#include "core/flow/world_fixture.hpp"
#include "surface/flow_file/built_in.hpp"
#include "surface/flow_file/load.hpp"

namespace pawl::flow_file {
namespace {

using flow::Event;
using flow::kStart;
using flow::Sender;
using flow::World;

flow::Definition loaded(const std::string& name) {
    const auto read = load_flow_file(std::string(PAWL_FLOWS) + "/" + name + ".yaml");
    if (!read) {
        for (const auto& one : read.error()) ADD_FAILURE() << one.line << ": " << one.what;
        return flow::order_flow();
    }
    for (const auto& one : read->warnings) ADD_FAILURE() << one.line << ": " << one.what;
    return read->definition;
}

// What the fields of these flows are, by their names.
std::string text_of(const std::string& field) {
    static const std::map<std::string, std::string> kTexts{{"amount", "12.50"},
                                                           {"currency", "EUR"},
                                                           {"start", "2026-05-01T10:00:00Z"},
                                                           {"end", "2026-05-01T11:00:00Z"}};
    const auto at = kTexts.find(field);
    return at == kTexts.end() ? field + "-1" : at->second;
}

Event creation(const flow::Definition& definition) {
    Event event{.caller = "ann"};
    for (const flow::Field& field : definition.fields)
        event.values[field.name] = text_of(field.name);
    if (definition.items) event.items = {{flow::sku("A"), 2}};
    return event;
}

Event fact(std::string name, std::string transaction) {
    return {.name = std::move(name),
            .values = {{"provider", "wx"},
                       {"account", "m-7"},
                       {"out_trade_no", "B1"},
                       {"transaction_id", transaction},
                       {"refund_number", transaction},
                       {"amount", "12.50"},
                       {"currency", "EUR"},
                       {"merchant", "merchant-1"}},
            .sender = Sender::callback};
}

// What a refund of the first payment takes.
const flow::Texts kPaid{{"provider", "wx"},
                        {"account", "m-7"},
                        {"transaction_id", "T1"},
                        {"amount", "12.50"},
                        {"currency", "EUR"}};

Event scan() {
    const std::vector<std::string> seen{"box-1", std::to_string(kStart), "n"};
    return {.name = "pack",
            .values = {{"token", flow::scan_token({"packing", "pack", seen}, "")},
                       {"ts_ms", std::to_string(kStart)},
                       {"nonce", "n"}},
            .caller = "ann"};
}

// One event, sent to a fresh entity that stands in this state and has been paid if the state says so.
std::string answer(const flow::Definition& definition, const std::string& state,
                   const flow::EventRule& rule) {
    World world(definition);
    world.levels[flow::sku("A")] = {10, 0, 0};
    world.create(creation(definition));
    flow::Entity& entity = world.entity();
    entity.state = state;
    const std::string paid = definition.name == "payment" ? "paid" : "pay";
    if (const flow::EventRule* pay = world.machine.event(paid)) {
        const Event money = fact(paid, "T1");
        const auto values = flow::read_values(world.machine, *pay, money);
        entity.facts = flow::facts_of({world.machine, entity, money, *pay, *values}, state);
    }
    entity.deadlines = {{"due", kStart, kStart, 0}};
    const std::size_t sagas = world.sagas.size();
    std::string told;
    if (rule.external)
        told = world.send(fact(rule.name, rule.reverses.empty() ? "T2" : "T1"));
    else if (world.machine.is_of_a_deadline(rule))
        told = world.fire("due", rule.name);
    else if (rule.token)
        told = world.send(scan());
    else
        told = world.send({.name = rule.name, .caller = "ann", .roles = {"support"}});
    const auto rest = told.find(' ');
    if (told.starts_with("applied ")) told = told.substr(rest + 1);
    if (told.starts_with("compensated "))
        return world.sagas.size() > sagas ? "refunds" : "compensated";
    if (told == "refused transition_refused") told = "-";
    // A timer that cannot lead on is a no-op that nobody is told of.
    if (world.machine.is_of_a_deadline(rule) && told == "attention") told = "-";
    return world.sagas.size() > sagas ? told + "+saga" : told;
}

void expect_table(const std::string& name, const std::string& table) {
    const flow::Definition definition = loaded(name);
    std::istringstream lines(table);
    std::string head;
    std::getline(lines, head);
    std::istringstream columns(head);
    std::vector<std::string> states;
    for (std::string state; columns >> state;) states.push_back(state);
    ASSERT_EQ(states.size(), definition.states.size());
    std::size_t rows = 0;
    for (std::string line; std::getline(lines, line); ++rows) {
        std::istringstream cells(line);
        std::string event;
        cells >> event;
        for (const std::string& state : states) {
            std::string expected;
            cells >> expected;
            EXPECT_EQ(answer(definition, state, flow::named(definition.events, event)), expected)
                << event << " in " << state;
        }
    }
    EXPECT_EQ(rows, definition.events.size());
}

TEST(BuiltIn, AreCompiledInAsTheyStandInTheirFiles) {
    ASSERT_EQ(built_in().size(), 4U);
    for (const BuiltIn& one : built_in()) {
        const auto compiled = load_flow(one.text);
        ASSERT_TRUE(compiled) << one.name;
        EXPECT_EQ(compiled->definition, loaded(std::string(one.name)));
        EXPECT_EQ(compiled->definition.name, one.name);
    }
}

TEST(BuiltIn, OrderAnswersEveryEventInEveryState) {
    expect_table("order",
                 R"(created paying reserved paid shipped delivered refunded cancelled
begin_payment paying    -         -         -           -           -           -           -
reserve       -         reserved  -         -           -           -           -           -
pay           paid      paid      paid      refunds refunds refunds refunds refunds
cancel        cancelled cancelled cancelled -           -           -           -           -
expire        cancelled cancelled cancelled -           -           -           -           -
escalate      -         -         -         paid        -           -           -           -
ship          -         -         -         shipped     -           -           -           -
deliver       parked    parked    parked    parked      delivered   ignored     ignored     ignored
close         -         -         -         -           delivered   -           -           -
refund        -         -         -         refunded+saga refunded+saga -       -           -)");
}

TEST(BuiltIn, PaymentAnswersEveryEventInEveryState) {
    expect_table("payment",
                 R"(       init       processing success   failed     refunding refunded  closed
begin    processing -          -         -          -         -         -
paid     success+saga success+saga refunds success+saga refunds refunds refunds
failed   failed     failed     ignored   ignored    ignored   ignored   ignored
closed   closed     closed     ignored   closed     ignored   ignored   ignored
refunded parked     parked     refunded  parked     refunded  ignored   ignored
refund   -          -          refunding+saga -     -         -         -
give_up  closed     closed     -         closed     -         -         -
escalate -          -          -         -          refunding -         -)");
}

TEST(BuiltIn, BookingAnswersEveryEventInEveryState) {
    expect_table("booking",
                 R"(       created   reserved  paid      confirmed cancelled
reserve  reserved  -         -         -         -
pay      paid      paid      refunds refunds refunds
confirm  -         -         confirmed -         -
cancel   cancelled cancelled cancelled+saga cancelled+saga -
expire   cancelled cancelled -         -         -
escalate -         -         paid      -         -)");
}

TEST(BuiltIn, PackingAnswersEveryEventInEveryState) {
    expect_table("packing",
                 R"(     waiting pending packed
arrive pending present -
pack   -       packed  -)");
}

// Stock, courier, bill and coupon, once each under fifty copies of one notification.
TEST(BuiltIn, FiftyCopiesOfAPaymentStartItsFollowersOnce) {
    World world(loaded("payment"));
    world.create(creation(world.machine.definition()));
    world.send("begin");
    for (int i = 0; i < 50; ++i) world.send(fact("paid", "T1"));
    ASSERT_EQ(world.sagas.size(), 1U);
    EXPECT_EQ(world.machine.saga("fulfil")->steps.size(), 4U);
    EXPECT_EQ(world.send(fact("failed", "T0")), "ignored");
    EXPECT_EQ(world.entity().state, "success");
}

TEST(BuiltIn, ARefundIsKeyedByTheMoneyThatItReverses) {
    World world(loaded("order"));
    world.levels[flow::sku("A")] = {10, 0, 0};
    world.create(creation(world.machine.definition()));
    world.send(fact("pay", "T1"));
    EXPECT_EQ(world.send({.name = "refund", .caller = "ann"}), "refused forbidden");
    EXPECT_EQ(world.send({.name = "refund", .caller = "sue", .roles = {"support"}}),
              "applied refunded");
    EXPECT_EQ(world.levels[flow::sku("A")], (stock::Level{10, 0, 0}));
    ASSERT_EQ(world.sagas.size(), 1U);
    EXPECT_EQ(world.sagas.begin()->second.values, kPaid);
    // Authorised, captured, refunded; the provider tells of the money once more.
    EXPECT_EQ(world.send(fact("pay", "T1")), "repeat 2");
    EXPECT_EQ(world.sagas.size(), 1U);
}

TEST(BuiltIn, ARefundOfAnotherPaymentLeavesThePaymentItsMoney) {
    World world(loaded("payment"));
    world.create(creation(world.machine.definition()));
    world.send(fact("paid", "T1"));
    EXPECT_EQ(world.send(fact("paid", "T2")), "compensated success");
    EXPECT_EQ(world.send(fact("refunded", "T2")), "ignored") << "the second payment's";
    EXPECT_EQ(world.send(fact("refunded", "T3")), "attention") << "nobody told of it";
    EXPECT_EQ(world.entity().state, "success");
    EXPECT_EQ(world.send(fact("refunded", "T1")), "applied refunded");
}

TEST(BuiltIn, WhoAsksForARefundDoesNotSayHowMuch) {
    const std::vector<std::tuple<std::string, std::string, std::string>> rows{
        {"order", "pay", "refund"}, {"booking", "pay", "cancel"}, {"payment", "paid", "refund"}};
    for (const auto& [name, pay, refund] : rows) {
        World world(loaded(name));
        world.levels[flow::sku("A")] = {10, 0, 0};
        world.create(creation(world.machine.definition()));
        world.send(fact(pay, "T1"));
        const std::size_t begun = world.sagas.size();
        const std::vector<std::pair<std::string, std::string>> sums{
            {"5000", "USD"}, {"0", "EUR"}, {"-7", "EUR"}, {"12.50", "USD"}};
        for (const auto& [amount, currency] : sums)
            EXPECT_EQ(world.send({.name = refund,
                                  .values = {{"amount", amount}, {"currency", currency}},
                                  .caller = "sue",
                                  .roles = {"support"}}),
                      "refused amount_mismatch")
                << name << " " << amount;
        EXPECT_EQ(world.sagas.size(), begun);
        EXPECT_TRUE(world.send({.name = refund, .caller = "sue", .roles = {"support"}})
                        .starts_with("applied"));
        std::size_t refunds = 0;
        for (const auto& [key, saga] : world.sagas) {
            if (saga.name != "refund") continue;
            auto paid = kPaid;
            if (name == "payment") paid.insert(paid.begin() + 2, {"out_trade_no", "B1"});
            EXPECT_EQ(saga.values, paid) << name;
            ++refunds;
        }
        EXPECT_EQ(refunds, 1U) << name;
    }
}

// Money that no payment can match is said to be wrong before anybody pays.
TEST(BuiltIn, WhatNobodyCouldPayIsNotCreated) {
    for (const auto* name : {"order", "booking", "payment"}) {
        const auto told = [&](const std::string& field, const std::string& value) {
            World world(loaded(name));
            Event event = creation(world.machine.definition());
            event.values[field] = value;
            return world.create(event);
        };
        EXPECT_EQ(told("amount", "0"), "refused guard_refused") << name;
        EXPECT_EQ(told("amount", "0.001").substr(0, 7), "created") << name;
        for (const auto* amount : {"-7", "12.50 USD", "12.50 EUR", "0.0000001"})
            EXPECT_EQ(told("amount", amount), "refused field_invalid") << name << " " << amount;
        EXPECT_EQ(told("currency", "euro"), "refused field_invalid") << name;
    }
    World world(loaded("booking"));
    Event backwards = creation(world.machine.definition());
    std::swap(backwards.values["start"], backwards.values["end"]);
    EXPECT_EQ(world.create(backwards), "refused field_invalid");
}

TEST(BuiltIn, TheOrdersDeadlinesRunSideBySide) {
    World world(loaded("order"));
    world.create(creation(world.machine.definition()));
    const auto& deadlines = world.entity().deadlines;
    ASSERT_EQ(deadlines.size(), 2U);
    EXPECT_EQ(deadlines[0].due_ms, kStart + 15 * 60'000);
    EXPECT_EQ(deadlines[1].due_ms, kStart + 30 * 60'000);
    EXPECT_EQ(timer::earliest_ms(deadlines), kStart + 15 * 60'000);
}

TEST(BuiltIn, OfTenBookingsOfOneSlotOneIsReserved) {
    World world(loaded("booking"));
    int reserved = 0;
    for (int i = 0; i < 10; ++i) {
        Event event = creation(world.machine.definition());
        event.values["token"] = event.values["order"] = std::to_string(i);
        const std::string id = std::to_string(i + 1);
        EXPECT_EQ(world.create(event, id), "created created");
        reserved += world.send("reserve", id) == "applied reserved" ? 1 : 0;
    }
    EXPECT_EQ(reserved, 1);
    EXPECT_EQ(world.send(fact("pay", "T7"), "7"), "branched cancelled") << "money for a lost slot";
    EXPECT_EQ(world.sagas.size(), 1U);
}

}  // namespace
}  // namespace pawl::flow_file
