// SPDX-License-Identifier: Apache-2.0
// Facts are acknowledged whatever comes, deadlines decide by the store's clock, and what must be asked is asked.
#include <gmock/gmock.h>

#include "engine/engine_fixture.hpp"

namespace pawl::engine {
namespace {

class Facts : public EngineTest {
  protected:
    void SetUp() override { stock_up(10); }
};

TEST_F(Facts, APaymentIsAppliedOnceHoweverOftenItIsReported) {
    say(creation("B1"));
    EXPECT_EQ(say(payment("B1", "T1")), "applied paid");
    EXPECT_EQ(say(payment("B1", "T1")), "repeated");
    EXPECT_EQ(level(), (stock::Level{9, 0, 1}));
    EXPECT_EQ(version("B1"), 2U);
}

// Field case 29: the notification comes before the order; it waits, and is applied when the order is there.
TEST_F(Facts, AFactWithoutAnOrderWaitsAndIsAppliedWithIt) {
    EXPECT_EQ(say(payment("B1", "T1")), "parked");
    EXPECT_EQ(waiting(), 1U);
    EXPECT_EQ(say(creation("B1")), "applied created");
    settle();
    EXPECT_EQ(state("B1"), "paid");
    EXPECT_EQ(waiting(), 0U);
    EXPECT_EQ(desk_.figures().woken, 1U);
}

TEST_F(Facts, AnEarlyFactWaitsForItsState) {
    say(creation("B1"));
    EXPECT_EQ(say(fact("B1", "deliver")), "parked");
    say(payment("B1", "T1"));
    settle();
    EXPECT_EQ(waiting(), 1U);
    EXPECT_EQ(say(request("B1", "ship")), "applied shipped");
    settle();
    EXPECT_EQ(state("B1"), "delivered");
    EXPECT_EQ(waiting(), 0U);
}

TEST_F(Facts, WhatDiffersGoesToAPerson) {
    say(creation("B1"));
    const auto other = send(payment("B1", "T1", "99.99"));
    EXPECT_EQ(told(other), "attention");
    EXPECT_EQ(attention(), 1U);
    EXPECT_EQ(state("B1"), "created");
    EXPECT_EQ(say(payment("B1", "T1")), "applied paid") << "it never blocks a later one";
}

// Whoever signs is believed: what cannot be laid to the flow is kept for people.
TEST_F(Facts, ANotificationIsNeverRefused) {
    say(creation("B1"));
    EXPECT_EQ(say(fact("B1", "no_such_event")), "attention");
    EXPECT_EQ(say(fact("B1", "ship")), "attention") << "no callback's business";
    EXPECT_EQ(say(fact("B9", "no_such_event")), "attention");
    EXPECT_EQ(attention(), 3U);
    Sent anonymous = fact("", "pay");
    anonymous.subject.flow = "parcel";
    EXPECT_EQ(told(run(committer_.keep_for_people(anonymous, "no order is named"))), "attention");
    EXPECT_EQ(attention(), 4U);
}

TEST_F(Facts, ACallbackIsRememberedWithItsEffect) {
    say(creation("B1"));
    Sent sent = keyed(payment("B1", "T1"), "wx/1");
    sent.acknowledgement = record::Answer{.status = 204};
    const auto first = send(sent);
    EXPECT_EQ(told(first), "applied paid");
    EXPECT_EQ(first->answer->status, 204);
    const auto again = send(sent);
    EXPECT_EQ(told(again), "repeated");
    EXPECT_EQ(again->verdict->outcome, record::Outcome::replay);
    EXPECT_EQ(again->answer->status, 204);
    // And so is one that waits.
    Sent early = keyed(payment("B2", "T2"), "wx/2");
    early.acknowledgement = record::Answer{.status = 204};
    EXPECT_EQ(say(early), "parked");
    EXPECT_EQ(say(early), "repeated");
    EXPECT_EQ(waiting(), 1U);
}

// Field cases 27, 35 and X21: money for a cancelled order is refunded once, and the order stays cancelled.
TEST_F(Facts, MoneyForACancelledOrderIsRefundedOnce) {
    say(creation("B1"));
    EXPECT_EQ(say(request("B1", "cancel")), "applied cancelled");
    EXPECT_EQ(say(payment("B1", "T1")), "applied cancelled");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(say(payment("B1", "T1")), "repeated");
    std::size_t refunds = 0;
    for (const store::FlowStep& step : history("B1")) refunds += step.sagas.size();
    EXPECT_EQ(refunds, 1U);
    EXPECT_EQ(state("B1"), "cancelled");
    EXPECT_EQ(level(), (stock::Level{10, 0, 0}));
}

// Field case X17: a failure that is reported late changes nothing.
TEST_F(Facts, PaidStaysPaid) {
    say(creation("B1"));
    say(payment("B1", "T1"));
    EXPECT_EQ(say(payment("B1", "T2")), "applied paid") << "compensated: the state stays";
    EXPECT_EQ(history("B1").back().history.type, "duplicate_payment");
    EXPECT_EQ(history("B1").back().sagas.size(), 1U);
}

TEST_F(Facts, ManyOthersDoNotMakeAFactContended) {
    say(creation("B1"));
    server_.set_carry_plan([&, left = 10](std::uint64_t) mutable -> std::optional<Fault> {
        if (left-- > 0) meddle("B1");
        return {};
    });
    EXPECT_EQ(say(payment("B1", "T1")), "applied paid");
}

// Field case 35, the sister: the timeout asks the provider before it cancels.
TEST_F(Facts, ATimeoutThatFindsThePaymentAppliesIt) {
    say(creation("B1"));
    hand_.pass(15min);
    inquiry_.finding = {flow::Probed::paid,
                        {{"provider", "wx"}, {"transaction_id", "T1"}, {"amount", "12.50"}}};
    EXPECT_EQ(say(timer("B1", "created", "expire")), "applied paid");
    EXPECT_EQ(say(payment("B1", "T1")), "repeated") << "the lost notification comes after all";
    EXPECT_EQ(level(), (stock::Level{9, 0, 1}));
}

TEST_F(Facts, ARequestThatFindsThePaymentIsToldSo) {
    say(creation("B1"));
    inquiry_.finding = {flow::Probed::paid,
                        {{"provider", "wx"}, {"transaction_id", "T1"}, {"amount", "12.50"}}};
    const auto cancelled = send(keyed(request("B1", "cancel"), "k1"));
    EXPECT_EQ(told(cancelled), "applied paid transition_refused");
    EXPECT_EQ(cancelled->answer->status, 409);
    EXPECT_EQ(say(keyed(request("B1", "cancel"), "k1")), "repeated");
}

TEST_F(Facts, AProbeThatCannotSayLeavesTheRequestToBeSentAgain) {
    say(creation("B1"));
    inquiry_.finding = {flow::Probed::unknown};
    const Sent sent = keyed(request("B1", "cancel"), "k1");
    const auto refused = send(sent);
    EXPECT_EQ(told(refused), "refused undecided");
    inquiry_.finding = {flow::Probed::unpaid};
    EXPECT_EQ(say(sent), "applied cancelled");
}

// What was found out about one version says nothing about the next one.
TEST_F(Facts, AnEntityThatMovesWhileItIsAskedIsAskedAgain) {
    say(creation("B1"));
    inquiry_.while_asked = [&] {
        if (inquiry_.asked == 1) meddle("B1");
    };
    EXPECT_EQ(say(request("B1", "cancel")), "applied cancelled");
    EXPECT_EQ(inquiry_.asked, 2);
    EXPECT_EQ(version("B1"), 3U);
}

TEST_F(Facts, ADeadlineFiresWhenItIsDueAndNotBefore) {
    say(creation("B1"));
    hand_.pass(15min - 1ms);
    EXPECT_EQ(say(timer("B1", "created", "expire")), "ignored");
    hand_.pass(1ms);
    EXPECT_EQ(say(timer("B1", "created", "expire")), "applied cancelled");
    EXPECT_EQ(say(timer("B1", "created", "expire")), "ignored") << "the loser is a no-op";
    EXPECT_EQ(version("B1"), 2U);
}

TEST_F(Facts, ADeadlineWhoseProbeCannotSayIsAskedAgainUntilAPersonLooks) {
    say(creation("B1"));
    hand_.pass(15min);
    inquiry_.finding = {flow::Probed::unknown};
    EXPECT_EQ(say(timer("B1", "created", "expire")), "deferred");
    const timer::Running asked = entity("B1")->deadlines.front();
    EXPECT_EQ(asked.next_ms, shelf_.now_ms() + (timer::kAskBase / 1ms));
    hand_.pass(24h);
    EXPECT_EQ(say(timer("B1", "created", "expire")), "attention");
    EXPECT_EQ(say(timer("B1", "created", "expire")), "attention");
    EXPECT_EQ(attention(), 1U);
    EXPECT_GT(entity("B1")->deadlines.front().next_ms, shelf_.now_ms()) << "it is asked on";
    inquiry_.finding = {flow::Probed::unpaid};
    EXPECT_EQ(say(timer("B1", "created", "expire")), "applied cancelled");
}

// What the probe said is what a person has to look at, not the event that made us ask.
TEST_F(Facts, WhatAProbeFoundAndDiffersIsInTheEntryAndARequestComesAgain) {
    say(creation("B1"));
    inquiry_.finding = {flow::Probed::paid,
                        {{"provider", "wx"}, {"transaction_id", "T1"}, {"amount", "1"}}};
    const Sent cancel = keyed(request("B1", "cancel"), "k1");
    const auto told_first = send(cancel);
    EXPECT_EQ(told(told_first), "attention undecided");
    EXPECT_EQ(told_first->answer->status, 409);
    EXPECT_EQ(say(cancel), "attention undecided") << "nothing is kept under its key";
    const auto list = flows_shelf_.attention(0, 9).value();
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].event->name, "pay");
    EXPECT_EQ(list[0].event->sender, flow::Sender::probe);
    EXPECT_EQ(list[0].event->values, inquiry_.finding.facts);
    ASSERT_EQ(list[0].about.size(), 1U);
    EXPECT_EQ(run(flows_.close_attention({list[0].number, "ann", "paid back"})).value(),
              store::Closing::closed);
    EXPECT_EQ(say(cancel), "applied cancelled") << "that money moves nothing any more";
    EXPECT_EQ(say(payment("B1", "T1")), "repeated") << "nor is it refunded a second time";
    EXPECT_TRUE(history("B1").back().sagas.empty());
}

TEST_F(Facts, WhatAProbeFoundAndAnotherOrderHasIsForAPerson) {
    say(creation("B1"));
    say(creation("B2"));
    EXPECT_EQ(say(payment("B2", "T1")), "applied paid");
    inquiry_.finding = {flow::Probed::paid,
                        {{"provider", "wx"}, {"transaction_id", "T1"}, {"amount", "12.50"}}};
    EXPECT_EQ(say(request("B1", "cancel")), "attention undecided");
    const auto list = flows_shelf_.attention(0, 9).value();
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].reason, "duplicate_request: the fact belongs to " + entity("B2")->id);
    EXPECT_EQ(list[0].event->name, "pay");
    EXPECT_TRUE(list[0].about.empty()) << "it is taken";
    hand_.pass(15min);
    EXPECT_EQ(say(timer("B1", "created", "expire")), "attention");
    EXPECT_EQ(state("B1"), "created");
    run(flows_.close_attention({list[0].number, "ann", "the other one's"})).value();
    EXPECT_EQ(say(request("B1", "cancel")), "applied cancelled") << "nobody waits for anything";
}

TEST_F(Facts, WhatAPersonHasSettledIsAcknowledgedAndMovesNothing) {
    say(creation("B1"));
    say(payment("B1", "T1", "99"));
    const auto entry = flows_shelf_.attention(0, 1).value().front();
    run(flows_.close_attention({entry.number, "ann", "paid back"})).value();
    EXPECT_EQ(say(payment("B1", "T1", "99")), "repeated");
    EXPECT_EQ(say(payment("B1", "T1")), "repeated");
    EXPECT_EQ(say(fact("B1", "pay")), "attention") << "what does not say which one it is";
    EXPECT_EQ(say(request("B1", "cancel")), "applied cancelled");
    EXPECT_EQ(say(payment("B1", "T1")), "repeated");
    EXPECT_TRUE(history("B1").back().sagas.empty());
    EXPECT_EQ(version("B1"), 2U);
}

// It waited in vain, a person has paid it back, and then its order comes.
TEST_F(Facts, WhatWasSettledWithoutAnOrderStaysSettled) {
    Sent lost_one = payment("B1", "T1");
    EXPECT_EQ(told(run(committer_.keep_for_people(lost_one, "it names no order"))), "attention");
    const auto entry = flows_shelf_.attention(0, 1).value().front();
    ASSERT_EQ(entry.about.size(), 1U);
    run(flows_.close_attention({entry.number, "ann", "paid back"})).value();
    EXPECT_EQ(told(run(committer_.keep_for_people(lost_one, "it names no order"))), "repeated");
    say(creation("B1"));
    EXPECT_EQ(say(payment("B1", "T1")), "repeated");
    EXPECT_EQ(state("B1"), "created");
    lost_one.contradicts = true;
    EXPECT_EQ(told(run(committer_.keep_for_people(lost_one, "its id said something else"))),
              "attention");
    const auto open = flows_shelf_.attention(0, 9).value();
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(run(flows_.close_attention({open[0].number, "bob", "paid back"})).value(),
              store::Closing::taken)
        << "it would be paid back a second time";
}

TEST_F(Facts, StoreFirstTakesTheDeadlineAndLeavesTheQuestion) {
    say(creation("B1"));
    hand_.pass(15min);
    Sent due = timer("B1", "created", "expire");
    due.store_first = true;
    const auto taken = send(due);
    EXPECT_EQ(told(taken), "deferred");
    EXPECT_TRUE(taken->asks);
    EXPECT_EQ(inquiry_.asked, 0);
    const auto second = send(due);
    EXPECT_EQ(told(second), "ignored");
    EXPECT_FALSE(second->asks);
    due.store_first = false;
    EXPECT_EQ(say(due), "applied cancelled");
    EXPECT_EQ(inquiry_.asked, 1);
}

flow::Definition asking_delivery() {
    flow::Definition flow = touched_order();
    flow::EventRule& deliver = flow::named(flow.events, "deliver");
    deliver.transitions[0].before = "probe_payment";
    deliver.allow = {"callback", "anyone"};
    return flow;
}
class AskingFacts : public EngineTest {
  protected:
    AskingFacts() : EngineTest(asking_delivery()) {}
    void SetUp() override {
        stock_up(10);
        say(creation("B1"));
        say(payment("B1", "T1"));
        say(request("B1", "ship"));
    }
};

TEST_F(AskingFacts, StoreFirstParksTheFactAndAsksAfterwards) {
    inquiry_.loop = &hand_.loop();
    Sent sent = fact("B1", "deliver");
    sent.store_first = true;
    const auto parked = send(sent);
    EXPECT_EQ(told(parked), "parked");
    EXPECT_TRUE(parked->asks);
    EXPECT_EQ(state("B1"), "shipped") << "acknowledged before anybody answered";
    settle(1s);
    EXPECT_EQ(inquiry_.asked, 1);
    EXPECT_EQ(state("B1"), "delivered");
    EXPECT_EQ(waiting(), 0U);
}

TEST_F(AskingFacts, AFactThatNobodyCanDecideYetWaits) {
    inquiry_.finding = {flow::Probed::unknown};
    EXPECT_EQ(say(fact("B1", "deliver")), "parked");
    EXPECT_EQ(waiting(), 1U);
    EXPECT_EQ(state("B1"), "shipped");
}

// What a caller says of the world is a fact, too: acknowledged, not refused.
TEST_F(AskingFacts, ACallersFactWaitsAndIsAcknowledged) {
    const auto reported = [&](const std::string& key, const std::string& name) {
        Sent sent = keyed(fact(key, "deliver"), name);
        sent.event.sender = flow::Sender::caller;
        sent.event.caller = "courier";
        return sent;
    };
    inquiry_.finding = {flow::Probed::unknown};
    const auto parked = send(reported("B1", "k1"));
    EXPECT_EQ(told(parked), "parked");
    EXPECT_EQ(parked->answer->status, 202);
    EXPECT_EQ(say(reported("B1", "k1")), "repeated");
    // Under a business key its order may come yet; under an id nothing can come.
    EXPECT_EQ(say(reported("B9", "k2")), "parked");
    Sent by_id = reported("", "k3");
    by_id.subject = {"acme", "order", "4711", {}};
    EXPECT_EQ(say(by_id), "not_found");
    EXPECT_EQ(waiting(), 2U);
}

TEST_F(Facts, OneThatHasWaitedLongEnoughGoesToAPerson) {
    say(payment("B1", "T1"));
    const auto entry = flows_shelf_.waiting(0, 1).value().front();
    EXPECT_EQ(told(run(committer_.give_up(entry))), "attention");
    EXPECT_EQ(waiting(), 0U);
    EXPECT_EQ(attention(), 1U);
    EXPECT_EQ(told(run(committer_.give_up(entry))), "settled_before");
    EXPECT_EQ(attention(), 1U);
}

}  // namespace
}  // namespace pawl::engine
