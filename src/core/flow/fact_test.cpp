// SPDX-License-Identifier: Apache-2.0
// Facts: never refused, applied once, whatever comes before or after them.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"

namespace pawl::flow {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kMinute = 60'000;

TEST(Fact, ARepeatGetsTheFirstResultInEveryState) {
    World world = order_world();
    EXPECT_EQ(world.send(payment("T1")), "applied paid");
    EXPECT_EQ(world.send(payment("T1")), "repeat 2");
    world.send("ship");
    EXPECT_EQ(world.send(payment("T1")), "repeat 2") << "checked before `late`";
    EXPECT_THAT(world.sagas, IsEmpty());
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{8, 0, 2}));
}

TEST(Fact, ASecondPaymentIsRefundedOnceHoweverOftenItIsTold) {
    World world = order_world();
    world.send(payment("T1"));
    EXPECT_EQ(world.send(payment("T2")), "compensated paid");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(world.send(payment("T2")), "repeat 3");
    EXPECT_THAT(world.types(), ElementsAre("order.paid", "duplicate_payment"));
    ASSERT_EQ(world.sagas.size(), 1U);
    EXPECT_EQ(world.sagas.begin()->second.values,
              (Texts{{"provider", "wx"}, {"transaction_id", "T2"}, {"amount", "12.5"}}));
    EXPECT_EQ(world.entity().state, "paid");
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{8, 0, 2}));
    ASSERT_EQ(world.entity().facts.size(), 1U);
    EXPECT_EQ(world.entity().facts[0].values[1].second, "T1")
        << "what a refund of the order reverses";
}

TEST(Fact, MoneyForACancelledOrderIsRefundedAndTheOrderStaysCancelled) {
    World world = order_world();
    world.send("cancel");
    for (int i = 0; i < 3; ++i) world.send(payment("T1"));
    EXPECT_EQ(world.entity().state, "cancelled");
    EXPECT_EQ(world.sagas.size(), 1U);
    EXPECT_THAT(world.types(), ElementsAre("order.cancelled", "late_payment"));
}

TEST(Fact, MoneyWithoutStockEndsTheOrderAndRefundsInOneCommit) {
    World world = order_world(1);
    EXPECT_EQ(world.send(payment("T1")), "branched cancelled");
    EXPECT_EQ(world.sagas.size(), 1U);
    EXPECT_EQ(world.levels[sku("A")], (stock::Level{1, 0, 0}));
    EXPECT_THAT(world.types(), ElementsAre("order.out_of_stock"));
    EXPECT_EQ(world.send(payment("T1")), "repeat 2");
}

TEST(Fact, AnAmountThatDiffersIsForAPersonAndBlocksNothing) {
    World world = order_world();
    EXPECT_EQ(world.send(payment("T1", "12.49")), "attention");
    EXPECT_EQ(world.send(payment("T1", "much")), "attention");
    EXPECT_EQ(world.send(payment("T1", "12.50 USD")), "attention");
    EXPECT_EQ(world.attention.size(), 3U);
    EXPECT_EQ(world.entity().version, 1U);
    EXPECT_EQ(world.send(payment("T1")), "applied paid") << "what was not applied never blocks";
}

TEST(Fact, ForAPersonSaysWhatItIsAboutAndWhatWasJudged) {
    World world = order_world();
    world.send(payment("T1", "12.49"));
    const Arbitration& told = world.attention.at(0);
    ASSERT_TRUE(told.event);
    EXPECT_EQ(told.event->values.at("amount"), "12.49");
    ASSERT_EQ(told.about.size(), 1U);
    EXPECT_EQ(told.about[0].values, (Texts{{"provider", "wx"}, {"transaction_id", "T1"}}));
    world.send(payment("T1"));
    EXPECT_TRUE(world.facts.contains(told.about[0].key)) << "the same that the event itself takes";
    // Nor does a value that is no amount hide which payment it is.
    World other = order_world();
    other.send(payment("T1", "much"));
    EXPECT_EQ(other.attention.at(0).about, told.about);
}

// A person pays back what came with another amount, and says so: the machine must not do it again.
TEST(Fact, ThatAPersonHasSettledMovesNothingAnyMore) {
    World world = order_world();
    EXPECT_EQ(world.send(payment("T1", "12.49")), "attention");
    world.settle_latest();
    EXPECT_EQ(world.send(payment("T1", "12.49")), "repeat 0");
    EXPECT_EQ(world.send(payment("T1", "much")), "repeat 0");
    EXPECT_EQ(world.send(payment("T1")), "repeat 0");
    EXPECT_EQ(world.entity().state, "created");
    EXPECT_EQ(world.send("cancel"), "applied cancelled");
    EXPECT_EQ(world.send(payment("T1")), "repeat 0") << "it would be refunded a second time";
    EXPECT_THAT(world.sagas, IsEmpty());
    EXPECT_EQ(world.attention.size(), 1U);
    EXPECT_EQ(world.send(payment("T2")), "compensated cancelled") << "another payment is another";
}

TEST(Fact, ThatAProbeFindsAndAPersonHasSettledStopsNothing) {
    World world = order_world();
    world.probe = Probed::paid;
    world.probe_facts = payment("T1", "12.49").values;
    EXPECT_EQ(world.send("cancel"), "attention");
    EXPECT_EQ(world.attention.at(0).event->name, "pay");
    EXPECT_EQ(world.attention.at(0).event->sender, Sender::probe);
    EXPECT_EQ(world.attention.at(0).event->values, world.probe_facts);
    world.settle_latest();
    EXPECT_EQ(world.send("cancel"), "applied cancelled");
    EXPECT_EQ(world.attention.size(), 1U);
}

// Nobody can say of it that it is taken; only that he has seen to it.
TEST(Fact, ThatAProbeFindsWithoutANameStopsNothingOnceAPersonHasSettledIt) {
    World world = order_world();
    world.probe = Probed::paid;
    world.probe_facts = {{"provider", "wx"}};
    EXPECT_EQ(world.send("cancel"), "attention");
    EXPECT_THAT(world.attention.at(0).about, IsEmpty());
    EXPECT_EQ(world.send("cancel"), "attention");
    world.settle_latest();
    EXPECT_EQ(world.send("begin_payment"), "applied paying");
    EXPECT_EQ(world.send("cancel"), "attention") << "he had not seen this payment";
    world.settle_latest();
    EXPECT_EQ(world.send("cancel"), "applied cancelled");
    EXPECT_EQ(world.send(payment("T1")), "compensated cancelled");
}

TEST(Fact, ADeadlineGoesOnOncePersonHasSettledWhatNobodyCouldSay) {
    World world = order_world();
    world.probe = Probed::unknown;
    world.now_ms += 15 * kMinute;
    while (world.fire("created", "expire") == "later")
        world.now_ms = world.entity().deadlines.at(0).next_ms;
    ASSERT_EQ(world.attention.size(), 1U) << "the probe gave up";
    const auto again = [&] {
        world.now_ms = world.entity().deadlines.at(0).next_ms;
        return world.fire("created", "expire");
    };
    EXPECT_EQ(again(), "attention");
    world.settle_latest();
    EXPECT_EQ(again(), "applied cancelled");
}

// An order that is opened again, and still has the money of its first round.
TEST(Fact, ThatAProbeFindsAndThatTookEffectBeforeIsForAPerson) {
    Definition flow = order_flow();
    flow.events.push_back(event("reopen", {"paid"}, "created"));
    World world(flow);
    world.levels[sku("A")] = {10, 0, 0};
    world.create(new_order());
    world.send(payment("T1"));
    EXPECT_EQ(world.send("reopen"), "applied created");
    world.probe = Probed::paid;
    world.probe_facts = payment("T1").values;
    EXPECT_EQ(world.send("cancel"), "attention");
    EXPECT_EQ(world.entity().state, "created");
    EXPECT_EQ(world.attention.at(0).event->values, world.probe_facts);
    world.probe_facts = payment("T2").values;
    EXPECT_EQ(world.send("cancel"), "refused, applied paid") << "another payment";
}

TEST(Fact, ThatAProbeFindsAndThatGoesBackStopsNothing) {
    Definition flow = order_flow();
    Transition& pay = named(flow.events, "pay").transitions[0];
    pay.from = {"paying", "reserved"};
    named(flow.states, "created").late = {compensated("pay")};
    World world(flow);
    world.create(new_order());
    world.probe = Probed::paid;
    world.probe_facts = payment("T1").values;
    EXPECT_EQ(world.send("cancel"), "refused, compensated created");
    EXPECT_EQ(world.send("cancel"), "applied cancelled");
    EXPECT_EQ(world.sagas.size(), 1U);
    EXPECT_THAT(world.attention, IsEmpty());
}

TEST(Fact, ThatIsTakenIsNotToldToAPersonAgain) {
    World world = order_world();
    world.send(payment("T1"));
    EXPECT_EQ(world.send(payment("T1", "much")), "repeat 2");
    world.create(new_order(), "2");
    EXPECT_EQ(world.send(payment("T1", "much"), "2"), "attention");
    EXPECT_THAT(world.attention.back().about, IsEmpty()) << "it is another order's, and stays so";
}

TEST(Fact, ATransactionOfAnotherOrderIsForAPerson) {
    World world = order_world();
    world.create(new_order(), "2");
    world.send(payment("T1"), "1");
    EXPECT_EQ(world.send(payment("T1"), "2"), "attention");
    EXPECT_EQ(world.entity("2").state, "created");
}

TEST(Fact, ThatComesBeforeItsOrderWaitsAndIsAppliedWithIt) {
    World world(order_flow());
    world.levels[sku("A")] = {10, 0, 0};
    EXPECT_EQ(world.send(payment("T1")), "parked");
    EXPECT_EQ(world.create(new_order()), "created created");
    EXPECT_EQ(world.entity().state, "paid");
    EXPECT_THAT(world.waiting, IsEmpty());
}

// Both come at once: whichever commits second finds the other.
TEST(Fact, AndItsOrderNeverMissEachOther) {
    World fact_second(order_flow());
    fact_second.levels[sku("A")] = {10, 0, 0};
    fact_second.before_commit = [&] { fact_second.create(new_order()); };
    EXPECT_EQ(fact_second.send(payment("T1")), "applied paid");
    World order_second(order_flow());
    order_second.levels[sku("A")] = {10, 0, 0};
    order_second.before_commit = [&] { order_second.send(payment("T1")); };
    order_second.create(new_order());
    EXPECT_EQ(order_second.entity().state, "paid");
    EXPECT_THAT(order_second.waiting, IsEmpty());
}

TEST(Fact, ThatComesTooEarlyIsAppliedWhenItBecomesPossible) {
    World world = order_world();
    const Event deliver{.name = "deliver", .sender = Sender::callback};
    EXPECT_EQ(world.send(deliver), "parked");
    world.send(payment("T1"));
    EXPECT_EQ(world.waiting.size(), 1U) << "it waits on";
    world.send("ship");
    EXPECT_EQ(world.entity().state, "delivered");
    EXPECT_THAT(world.waiting, IsEmpty());
}

TEST(Fact, ThatCanNeverBecomePossibleDoesNotWait) {
    World world = order_world();
    const Event deliver{.name = "deliver", .sender = Sender::callback};
    world.send(deliver);
    world.send("cancel");
    EXPECT_THAT(world.waiting, IsEmpty()) << "the cancelled order ignored it";
    EXPECT_EQ(world.send(deliver), "ignored");
}

// Timeout against payment, both having read the same version: one of them happens.
TEST(Fact, PaidOrTimedOutAndNeverBoth) {
    World timer_first = order_world();
    timer_first.now_ms += 15 * kMinute;
    timer_first.before_commit = [&] { timer_first.fire("created", "expire"); };
    EXPECT_EQ(timer_first.send(payment("T1")), "compensated cancelled");
    World payment_first = order_world();
    payment_first.now_ms += 15 * kMinute;
    payment_first.before_commit = [&] { payment_first.send(payment("T1")); };
    EXPECT_EQ(payment_first.fire("created", "expire"), "ignored");
    EXPECT_EQ(payment_first.entity().state, "paid");
    EXPECT_THAT(payment_first.sagas, IsEmpty());
}

TEST(Fact, TheProbeFindsThatTheMoneyIsIn) {
    World world = order_world();
    world.probe = Probed::paid;
    world.probe_facts = {{"provider", "wx"}, {"transaction_id", "T1"}, {"amount", "12.50"}};
    EXPECT_EQ(world.send("cancel"), "refused, applied paid");
    EXPECT_EQ(world.send(payment("T1")), "repeat 2") << "the callback of the same money";
    World timed = order_world();
    timed.probe = Probed::paid;
    timed.probe_facts = world.probe_facts;
    timed.now_ms += 15 * kMinute;
    EXPECT_EQ(timed.fire("created", "expire"), "applied paid");
}

TEST(Fact, WhatTheProbeFindsIsComparedWithTheOrder) {
    World world = order_world();
    world.probe = Probed::paid;
    world.probe_facts = {{"provider", "wx"}, {"transaction_id", "T1"}, {"amount", "1"}};
    world.now_ms += 15 * kMinute;
    EXPECT_EQ(world.fire("created", "expire"), "attention");
    EXPECT_EQ(world.entity().state, "created");
    const timer::Running& running = world.entity().deadlines.front();
    EXPECT_EQ(running.next_ms, world.now_ms + timer::kAskBase.count());
    EXPECT_EQ(world.fire("created", "expire"), "attention") << "it waits for a person";
    world.settle_latest();
    EXPECT_EQ(world.fire("created", "expire"), "applied cancelled");
}

// Applied without its name, it would be refunded when the provider reports it by name.
TEST(Fact, ThatDoesNotSayWhichOneItIsIsForAPerson) {
    World world = order_world();
    world.probe = Probed::paid;
    world.probe_facts = {{"provider", "wx"}, {"amount", "12.50"}};
    world.now_ms += 15 * kMinute;
    EXPECT_EQ(world.fire("created", "expire"), "attention");
    EXPECT_EQ(world.entity().state, "created");
    Event nameless = payment("T1");
    nameless.values.erase("transaction_id");
    EXPECT_EQ(world.send(nameless), "attention");
    EXPECT_EQ(world.send(payment("T1")), "applied paid");
    EXPECT_THAT(world.sagas, IsEmpty());
}

TEST(Fact, ForAStateThatTheFlowHasNoMoreIsForAPersonAndARequestIsRefused) {
    World world = order_world();
    world.entity().state = "of an earlier file";
    EXPECT_EQ(world.send("cancel"), "refused transition_refused");
    EXPECT_EQ(world.send(payment("T1")), "attention");
    world.now_ms += 15 * kMinute;
    EXPECT_EQ(world.fire("created", "expire"), "attention");
}

TEST(Fact, AProbeThatCannotSayIsAskedAgainUntilItGivesUp) {
    World world = order_world();
    world.probe = Probed::unknown;
    EXPECT_EQ(world.send("cancel"), "refused undecided");
    world.now_ms += 15 * kMinute;
    EXPECT_EQ(world.fire("created", "expire"), "later");
    const timer::Running& running = world.entity().deadlines.front();
    EXPECT_EQ(running.next_ms, world.now_ms + timer::kAskBase.count());
    EXPECT_EQ(running.asked, 1U);
    EXPECT_EQ(world.entity().version, 1U);
    world.now_ms = running.due_ms + std::chrono::milliseconds(kGiveUp).count();
    EXPECT_EQ(world.fire("created", "expire"), "attention");
    EXPECT_EQ(world.send("cancel"), "refused undecided") << "a person has the say, or the provider";
    EXPECT_EQ(world.entity().deadlines.front().asked, 2U) << "and the provider is asked on";
    world.probe = Probed::unpaid;
    EXPECT_EQ(world.fire("created", "expire"), "applied cancelled");
}

// A declined try, a success, the declined one's late report: paid stays paid.
TEST(Fact, AStaleStampIsAcknowledgedAndNotApplied) {
    Definition flow = order_flow();
    named(flow.events, "deliver").transitions[0].to = "same";
    World world(flow);
    world.levels[sku("A")] = {10, 0, 0};
    world.create(new_order());
    world.send(payment("T1"));
    world.send("ship");
    Event delivered{.name = "deliver", .sender = Sender::callback};
    delivered.stamp = record::parse_stamp("5").value();
    EXPECT_EQ(world.send(delivered), "applied shipped");
    delivered.stamp = record::parse_stamp("4").value();
    EXPECT_EQ(world.send(delivered), "ignored");
}

// Of another payment it is another sum of money, which would be nobody's.
TEST(Fact, AStaleStampOfAnotherPaymentIsForAPerson) {
    World world = order_world();
    Event paid = payment("T1");
    paid.stamp = record::parse_stamp("5").value();
    world.send(paid);
    paid = payment("T2");
    paid.stamp = record::parse_stamp("4").value();
    EXPECT_EQ(world.send(paid), "attention");
    EXPECT_THAT(world.sagas, IsEmpty());
    paid = payment("T1");
    paid.stamp = record::parse_stamp("4").value();
    EXPECT_EQ(world.send(paid), "repeat 2") << "the same one is known";
}

TEST(Fact, ARequestForAnEntityThatIsNotThereIsRefused) {
    World world(order_flow());
    EXPECT_EQ(world.send("cancel"), "refused not_found");
    EXPECT_EQ(world.send({.name = "pay", .caller = "ann"}), "refused forbidden");
    EXPECT_THAT(world.waiting, IsEmpty());
}

}  // namespace
}  // namespace pawl::flow
