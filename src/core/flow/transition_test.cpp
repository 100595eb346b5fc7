// SPDX-License-Identifier: Apache-2.0
// What requests and deadlines do to an order, and what is refused.
#include "core/flow/transition.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kMinute = 60'000;

std::vector<std::string> running(const Entity& entity) {
    std::vector<std::string> lines;
    for (const timer::Running& one : entity.deadlines)
        lines.push_back(one.name + " " + std::to_string((one.due_ms - kStart) / kMinute));
    return lines;
}

TEST(Transition, AnOrderGoesItsWayAndEveryVersionIsOneRowOfHistory) {
    World world = order_world();
    EXPECT_EQ(world.send("begin_payment"), "applied paying");
    EXPECT_EQ(world.send("reserve"), "applied reserved");
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{8, 2, 0}));
    EXPECT_EQ(world.send(payment("T1")), "applied paid");
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{8, 0, 2}));
    EXPECT_EQ(world.send("ship"), "applied shipped");
    EXPECT_EQ(world.send(Event{.name = "deliver", .sender = Sender::callback}),
              "applied delivered");
    EXPECT_THAT(world.types(), ElementsAre("order.paid", "order.shipped", "order.delivered"));
    ASSERT_EQ(world.history.size(), 6U);
    for (std::size_t i = 0; i < world.history.size(); ++i)
        EXPECT_EQ(world.history[i].second.version, i + 1);
    EXPECT_EQ(world.entity().version, 6U);
    EXPECT_THAT(world.entity().deadlines, IsEmpty());
    EXPECT_THAT(world.sagas, IsEmpty());
}

TEST(Transition, AnIllegalJumpIsRefusedAndChangesNothing) {
    World world = order_world();
    const Entity before = world.entity();
    EXPECT_EQ(world.send("ship"), "refused transition_refused");
    EXPECT_EQ(world.entity(), before);
    EXPECT_EQ(world.history.size(), 1U);
}

TEST(Transition, AnEventThatHasHappenedIsRefusedAndNamesTheFirst) {
    World world = order_world();
    world.send("begin_payment");
    const Decision decision =
        transition(world.machine, world.entity(), {.name = "begin_payment", .caller = "bob"});
    const auto& refusal = std::get<Refusal>(decision);
    EXPECT_EQ(refusal.reason, Reason::transition_refused);
    EXPECT_EQ(refusal.judged_on, 2U);
    ASSERT_TRUE(refusal.winner);
    EXPECT_EQ(refusal.winner->by, "ann");
    EXPECT_EQ(refusal.winner->version, 2U);
    EXPECT_EQ(refusal.winner->at_ms, kStart);
}

TEST(Transition, ANoopMayBeAnsweredWithTheEntityAsItIs) {
    Definition flow = order_flow();
    named(flow.events, "begin_payment").noop = Noop::ok;
    World world(flow);
    world.create(new_order());
    world.send("begin_payment");
    EXPECT_EQ(world.send("begin_payment"), "present");
    EXPECT_EQ(world.entity().version, 2U);
}

TEST(Transition, IfMatchHoldsOnlyForTheVersionItNames) {
    World world = order_world();
    EXPECT_EQ(world.send({.name = "begin_payment", .caller = "a", .if_match = 2}),
              "refused version_conflict");
    EXPECT_EQ(world.send({.name = "begin_payment", .caller = "a", .if_match = 1}),
              "applied paying");
}

TEST(Transition, OnlyThoseWhoMaySendAnEventDo) {
    World world = order_world();
    EXPECT_EQ(world.send("pay"), "refused forbidden") << "a customer says that he has paid";
    EXPECT_EQ(world.send("expire"), "refused forbidden");
    EXPECT_EQ(world.send({.name = "ship", .sender = Sender::callback}), "refused forbidden");
    EXPECT_EQ(world.send({.name = "ship", .sender = Sender::timer}), "refused forbidden");
    EXPECT_EQ(world.send("nothing"), "refused not_found");
    EXPECT_EQ(world.send("create"), "refused not_found");
    Definition flow = order_flow();
    named(flow.events, "begin_payment").allow = {"role cashier"};
    World closed(flow);
    closed.create(new_order());
    EXPECT_EQ(closed.send("begin_payment"), "refused forbidden");
    EXPECT_EQ(closed.send({.name = "begin_payment", .roles = {"cashier"}}), "applied paying");
}

TEST(Transition, DeadlinesBeginAndEndWithTheirStates) {
    World world = order_world();
    EXPECT_THAT(running(world.entity()), ElementsAre("created 15", "unpaid 30"));
    world.now_ms += 10 * kMinute;
    world.send("begin_payment");
    EXPECT_THAT(running(world.entity()), ElementsAre("paying 55"));
    world.send("reserve");
    EXPECT_THAT(running(world.entity()), ElementsAre("reserved 70"));
}

TEST(Transition, ADeadlineFiresWhenItIsDueAndNotBefore) {
    World world = order_world();
    world.now_ms += 15 * kMinute - 1;
    EXPECT_EQ(world.fire("created", "expire"), "ignored");
    EXPECT_EQ(world.fire("paying", "expire"), "ignored") << "it does not run";
    world.now_ms += 1;
    EXPECT_EQ(world.fire("created", "expire"), "applied cancelled");
    EXPECT_EQ(world.fire("created", "expire"), "ignored");
    EXPECT_THAT(world.types(), ElementsAre("order.expired"));
}

TEST(Transition, ToStayRestartsNoDeadlineAndFiresOnce) {
    World world = order_world();
    world.send(payment("T1"));
    world.now_ms += 72 * 60 * kMinute;
    EXPECT_EQ(world.fire("paid", "escalate"), "applied paid");
    EXPECT_THAT(world.types(), ElementsAre("order.paid", "order.escalated"));
    EXPECT_THAT(world.entity().deadlines, IsEmpty());
    EXPECT_EQ(world.fire("paid", "escalate"), "ignored");
}

TEST(Transition, ARenewedDeadlineIsOneWriteAndAStaleTimerDoesNothing) {
    World world = order_world();
    const Entity stale = world.entity();
    world.now_ms += 10 * kMinute;
    const auto renewed = renewal(world.machine, world.entity(), "created", world.now_ms);
    const Judgement judged = judge(world.found("1", "", nullptr), std::get<Renewal>(renewed));
    world.apply(std::get<Write>(judged));
    EXPECT_THAT(running(world.entity()), ElementsAre("created 25", "unpaid 30"));
    EXPECT_EQ(world.entity().version, 1U);
    EXPECT_EQ(world.history.size(), 1U);
    world.now_ms = kStart + 15 * kMinute;
    EXPECT_EQ(world.fire("created", "expire"), "ignored");
    // A worker that had read the order before the renewal.
    const Decision late = transition(
        world.machine, stale,
        {.name = "expire", .sender = Sender::timer, .deadline = "created", .now_ms = world.now_ms},
        {.probed = Probed::unpaid});
    const Judgement lost =
        judge(world.found("1", "", nullptr), std::get<Bundle>(late), {}, world.now_ms, {});
    EXPECT_EQ(std::get<Lost>(lost).why, Lost::Why::not_due);
}

TEST(Transition, OnlyTheDeadlineOfThePresentStateIsRenewed) {
    World world = order_world();
    const auto refused = [&](std::string_view deadline) {
        return std::get<Refusal>(renewal(world.machine, world.entity(), deadline, kStart)).reason;
    };
    EXPECT_EQ(refused("unpaid"), Reason::transition_refused);
    EXPECT_EQ(refused("paying"), Reason::not_found);
}

TEST(Transition, ADeadlineIsRenewedByThoseWhomItAllows) {
    Definition flow = order_flow();
    named(flow.states, "created").renewed_by = {"role desk"};
    World world(flow);
    world.create(new_order());
    const auto asked_by = [&](const std::vector<std::string>& roles) {
        return renewal(world.machine, world.entity(), "created", kStart, roles);
    };
    EXPECT_TRUE(std::holds_alternative<Renewal>(asked_by({"clerk", "desk"})));
    for (const auto& roles : {std::vector<std::string>{}, {"clerk"}}) {
        const Refusal refusal = std::get<Refusal>(asked_by(roles));
        EXPECT_EQ(refusal.reason, Reason::forbidden);
        EXPECT_EQ(refusal.text, "`created` is not yours to renew");
    }
}

TEST(Transition, StampsOnlyGoUp) {
    World world = order_world();
    world.send(payment("T1"));
    const auto escalate = [&](std::string_view stamp) {
        Event event{.name = "ship", .caller = "ann", .stamp = record::parse_stamp(stamp).value()};
        return world.send(event);
    };
    world.entity().marks.push_back(
        {"ship", record::parse_stamp("9007199254740993").value(), 0, "", 0});
    EXPECT_EQ(escalate("9007199254740992"), "refused stale_version");
    EXPECT_EQ(escalate("9007199254740993"), "refused stale_version");
    EXPECT_EQ(escalate("2026-01-01T00:00:00Z"), "refused version_invalid");
    EXPECT_EQ(escalate("9007199254740994"), "applied shipped");
}

TEST(Transition, ReserveThatFindsNoStockStaysWithItsRemainingTime) {
    World world = order_world(1);
    world.send("begin_payment");
    world.now_ms += kMinute;
    EXPECT_EQ(world.send("reserve"), "refused out_of_stock");
    EXPECT_EQ(world.entity().state, "paying");
    EXPECT_THAT(running(world.entity()), ElementsAre("paying 45"));
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{1, 0, 0}));
}

TEST(Transition, CancelReleasesWhatIsReserved) {
    World world = order_world();
    world.send("begin_payment");
    world.send("reserve");
    EXPECT_EQ(world.send("cancel"), "applied cancelled");
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{10, 0, 0}));
    EXPECT_EQ(world.send("cancel"), "refused transition_refused");
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{10, 0, 0}));
}

TEST(Transition, MovesStandInOneOrderWithTheirDuplicatesMerged) {
    World world(order_flow());
    for (const auto* code : {"A", "B"}) world.levels[sku(code)] = {10, 0, 0};
    world.create(new_order({{sku("B"), 1}, {sku("A"), 1}, {sku("B"), 2}}));
    world.send("begin_payment");
    world.send("reserve");
    const auto& moves = world.writes.back().reservations;
    ASSERT_EQ(moves.size(), 2U);
    EXPECT_EQ(moves[0].sku.code, "A");
    EXPECT_EQ(moves[1].change, (stock::Change{-3, 3, 0}));
}

// Ten reserved, seven confirmed by a part, the rest released.
TEST(Transition, APartOfTheStockMovesWhenTheEventSaysSo) {
    Definition flow = order_flow();
    EventRule invoice = event("invoice", {"reserved"}, "same");
    invoice.transitions[0].stock = stock::Action::confirm;
    flow.events.push_back(invoice);
    World world(flow);
    world.levels[sku("A")] = {10, 0, 0};
    world.create(new_order({{sku("A"), 10}}));
    world.send("begin_payment");
    world.send("reserve");
    const auto part = [&](std::string code, std::int64_t n) {
        return world.send(
            {.name = "invoice", .items = {{sku(std::move(code)), n}}, .caller = "ann"});
    };
    EXPECT_EQ(part("A", 7), "applied reserved");
    EXPECT_EQ(part("A", 4), "refused field_invalid");
    EXPECT_EQ(part("B", 1), "refused field_invalid");
    EXPECT_EQ(part("A", 0), "refused field_invalid");
    EXPECT_EQ(world.send("cancel"), "applied cancelled");
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{3, 0, 7}));
}

TEST(Transition, ACreationThatIsRefusedLeavesNothing) {
    Definition flow = order_flow();
    flow.create.transitions[0].stock = stock::Action::reserve;
    flow.create.transitions[0].require = {{"currency", Guard::Kind::one_of, {"EUR", "USD"}}};
    World world(flow);
    EXPECT_EQ(world.create(new_order()), "refused out_of_stock");
    Event other = new_order();
    other.values["currency"] = "GBP";
    EXPECT_EQ(world.create(other), "refused guard_refused");
    other.values.erase("currency");
    EXPECT_EQ(world.create(other), "refused field_invalid");
    other = new_order({});
    EXPECT_EQ(world.create(other), "refused field_invalid");
    other = new_order();
    other.values["colour"] = "red";
    EXPECT_EQ(world.create(other), "refused field_invalid");
    other = new_order();
    other.values["amount"] = "much";
    EXPECT_EQ(world.create(other), "refused field_invalid");
    EXPECT_THAT(world.entities, IsEmpty());
    world.levels[sku("A")] = {2, 0, 0};
    EXPECT_EQ(world.create(new_order()), "created created");
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{0, 2, 0}));
}

TEST(Transition, AnEventSetsOnlyTheFieldsThatItMay) {
    Definition flow = order_flow();
    named(flow.events, "ship").set = {"currency"};
    World world(flow);
    world.levels[sku("A")] = {10, 0, 0};
    world.create(new_order());
    world.send(payment("T1"));
    Event ship{.name = "ship", .values = {{"currency", "USD"}, {"amount", "1"}}, .caller = "a"};
    EXPECT_EQ(world.send(ship), "refused amount_mismatch") << "it would be told and not done";
    ship.values["amount"] = "12.5";
    EXPECT_EQ(world.send(ship), "applied shipped");
    EXPECT_EQ(world.entity().fields.at("currency").text, "USD");
    EXPECT_EQ(world.entity().fields.at("amount").text, "12.50");
}

TEST(Transition, WhatLostItsVersionIsJudgedAgainOnTheNewOne) {
    World world = order_world();
    world.before_commit = [&] { world.send("begin_payment"); };
    EXPECT_EQ(world.send("reserve"), "applied reserved");
    World other = order_world();
    other.before_commit = [&] { other.send("begin_payment"); };
    EXPECT_EQ(other.send("cancel"), "applied cancelled");
    EXPECT_EQ(other.entity().version, 3U);
}

World reserved_of_two() {
    World world(order_flow());
    world.levels[sku("A")] = {10, 0, 0};
    world.levels[sku("B")] = {10, 0, 0};
    world.create(new_order({{sku("A"), 2}, {sku("B"), 3}}));
    world.send("begin_payment");
    EXPECT_EQ(world.send("reserve"), "applied reserved");
    return world;
}

// Nothing leaves a final state: what it holds, nobody would give back.
TEST(Transition, APartOfWhatIsReservedDoesNotEndTheOrder) {
    World world = reserved_of_two();
    Event cancel{.name = "cancel", .items = {{sku("A"), 2}}, .caller = "ann"};
    EXPECT_EQ(world.send(cancel), "refused field_invalid");
    cancel.items = {{sku("A"), 1}, {sku("B"), 3}};
    EXPECT_EQ(world.send(cancel), "refused field_invalid");
    EXPECT_EQ(world.entity().state, "reserved");
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{8, 2, 0}));
    cancel.items = {{sku("A"), 2}, {sku("B"), 3}};
    EXPECT_EQ(world.send(cancel), "applied cancelled") << "all of it, named";
    EXPECT_EQ(world.levels[sku("B")], (stock::Level{10, 0, 0}));
}

TEST(Transition, WhatIsStillReservedGoesBackWhenTheOrderEnds) {
    Definition flow = order_flow();
    EventRule hand_over = event("hand_over", {"reserved"}, "delivered");
    hand_over.transitions[0].stock = stock::Action::confirm;
    EventRule drop = event("drop", {"reserved"}, "delivered");
    flow.events.push_back(hand_over);
    flow.events.push_back(drop);
    for (const auto* name : {"hand_over", "drop"}) {
        World world(flow);
        world.levels[sku("A")] = {10, 0, 0};
        world.levels[sku("B")] = {10, 0, 0};
        world.create(new_order({{sku("A"), 2}, {sku("B"), 3}}));
        world.send("begin_payment");
        world.send("reserve");
        Event end{.name = name, .caller = "ann"};
        const bool sells = end.name == "hand_over";
        if (sells) end.items = {{sku("A"), 1}};
        EXPECT_EQ(world.send(end), "applied delivered");
        EXPECT_EQ(world.levels[sku("A")],
                  sells ? (stock::Level{9, 0, 1}) : (stock::Level{10, 0, 0}));
        EXPECT_EQ(world.levels[sku("B")], (stock::Level{10, 0, 0}));
    }
}

}  // namespace
}  // namespace pawl::flow
