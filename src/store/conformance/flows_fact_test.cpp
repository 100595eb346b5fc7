// SPDX-License-Identifier: Apache-2.0
// Facts from outside: none is lost, whether it comes before its order, with it, or too early.
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

class FlowsFact : public FlowSuite {};

// L1: the fact is there first; the order that was decided before it wakes it.
TEST_P(FlowsFact, AnOrderFindsTheFactThatWaitsForIt) {
    stocked();
    const FlowCommit order = creation("1", "B1");
    EXPECT_EQ(outcome(fact_without_order("B1", payment("T1"))), "applied 0");
    ASSERT_EQ(waiting().size(), 1U);
    EXPECT_EQ(waiting()[0].subject, by_key("B1"));
    rig().restart();
    const FlowReply created = commit(order);
    EXPECT_EQ(told(created), "applied 1");
    ASSERT_EQ(created.wakes.size(), 1U);
    EXPECT_EQ(created.wakes[0].event.name, "pay");
    EXPECT_EQ(outcome(again("1", created.wakes[0])), "applied 2");
    EXPECT_EQ(entity("1").state, "paid");
    EXPECT_TRUE(waiting().empty());
}

// The order is there first; the fact that was decided without it has to look again.
TEST_P(FlowsFact, AFactFindsTheOrderThatCameBeforeIt) {
    stocked();
    const FlowCommit parked = with(fact_without_order("B1", payment("T1")), request(1));
    EXPECT_EQ(outcome(creation("1", "B1")), "applied 1");
    const FlowReply reply = commit(parked);
    EXPECT_EQ(told(reply), "lost version");
    EXPECT_EQ(reply.id, "1");
    EXPECT_TRUE(waiting().empty());
    EXPECT_FALSE(record(1));
    EXPECT_EQ(outcome(step(reply.id, payment("T1"))), "applied 2");
}

TEST_P(FlowsFact, OfAnOrderAndAFactThatComeAtOnceOneFindsTheOther) {
    stocked(1'000);
    for (int round = 1; round <= 20; ++round) {
        const std::string id = std::to_string(round);
        const FlowCommit order = creation(id, "B" + id);
        const FlowCommit parked = fact_without_order("B" + id, payment("T" + id));
        const auto replies =
            round % 2 == 0 ? commit_all({order, parked}) : commit_all({parked, order});
        const FlowReply& created = replies[round % 2 == 0 ? 0 : 1].value();
        const FlowReply& met = replies[round % 2 == 0 ? 1 : 0].value();
        EXPECT_EQ(told(created), "applied 1");
        EXPECT_NE(created.wakes.size() == 1, told(met) == "lost version") << round;
    }
}

TEST_P(FlowsFact, AFactThatIsEarlyIsWokenByEveryStepUntilItIsSettled) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    EXPECT_EQ(outcome(step("1", fact("deliver"))), "applied 2");
    ASSERT_EQ(waiting().size(), 1U);
    const FlowReply escalated = (rig().hand().pass(72h), commit(fire("1", "paid", "escalate")));
    EXPECT_EQ(told(escalated), "applied 3");
    ASSERT_EQ(escalated.wakes.size(), 1U);
    // Still early: it goes on waiting, once.
    EXPECT_EQ(outcome(again("1", escalated.wakes[0])), "applied 3");
    EXPECT_EQ(waiting().size(), 1U);
    const FlowReply shipped = commit(step("1", "ship"));
    ASSERT_EQ(shipped.wakes.size(), 1U);
    const FlowReply delivered = commit(again("1", shipped.wakes[0]));
    EXPECT_EQ(told(delivered), "applied 5");
    EXPECT_TRUE(delivered.wakes.empty());
    EXPECT_TRUE(waiting().empty());
}

TEST_P(FlowsFact, AWaitingFactIsSettledOnce) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    EXPECT_EQ(outcome(step("1", fact("deliver"))), "applied 2");
    const FlowReply shipped = commit(step("1", "ship"));
    const FlowCommit one = again("1", shipped.wakes.at(0));
    const FlowCommit other = with(one, request(1));
    EXPECT_EQ(outcome(one), "applied 4");
    EXPECT_EQ(outcome(one), "settled_before 4");
    EXPECT_EQ(outcome(other), "settled_before 4");
    EXPECT_FALSE(record(1));
}

TEST_P(FlowsFact, WhatParksAgainWaitsOnce) {
    const FlowCommit parked = fact_without_order("B1", payment("T1"));
    EXPECT_EQ(outcome(parked), "applied 0");
    EXPECT_EQ(outcome(parked), "applied 0");
    EXPECT_EQ(waiting().size(), 1U);
    // A provider repeats it for hours: the first one waits, with its own end.
    const WaitingEntry first = waiting().at(0);
    for (int hour = 0; hour < 5; ++hour) {
        rig().hand().pass(1h);
        EXPECT_EQ(outcome(fact_without_order("B1", payment("T1"))), "applied 0");
    }
    ASSERT_EQ(waiting().size(), 1U);
    EXPECT_EQ(waiting()[0].fact, first.fact);
    EXPECT_EQ(outcome(fact_without_order("B1", payment("T2"))), "applied 0");
    EXPECT_EQ(waiting().size(), 2U);
}

// It is known by what it says, not by the copy that somebody holds.
TEST_P(FlowsFact, ARepeatSettlesTheOneThatWaits) {
    stocked();
    EXPECT_EQ(outcome(fact_without_order("B1", payment("T1"))), "applied 0");
    rig().hand().pass(1s);
    const FlowCommit repeat = fact_without_order("B1", payment("T1"));
    const flow::WaitingFact copy = *std::get<flow::Arbitration>(repeat.decision).waiting;
    EXPECT_NE(copy, waiting().at(0).fact);
    ordered("1");
    const FlowReply paid = commit(again("1", copy));
    EXPECT_EQ(told(paid), "applied 2");
    EXPECT_TRUE(paid.wakes.empty());
    EXPECT_TRUE(waiting().empty());
    EXPECT_EQ(outcome(again("1", copy)), "settled_before 2");
}

// A fact that names its order by id waits elsewhere than where the order, which has a business key, looks.
TEST_P(FlowsFact, AFactThatNamedItsOrderByItsIdIsNotTakenForSettled) {
    stocked();
    FlowCommit parked = fact_without_order("", payment("T1"));
    parked.subject = by_id("1");
    auto& fact = *std::get<flow::Arbitration>(parked.decision).waiting;
    fact.meeting = flow::meeting_of("acme", "order", {}, "1");
    EXPECT_EQ(outcome(parked), "applied 0");
    ordered("1");
    EXPECT_EQ(outcome(again("1", waiting().at(0).fact)), "applied 2");
    EXPECT_TRUE(waiting().empty());
}

TEST_P(FlowsFact, TheCreationThatIsSentAgainWakesWhatStillWaits) {
    EXPECT_EQ(outcome(fact_without_order("B1", payment("T1"))), "applied 0");
    const FlowCommit order = with(creation("1", "B1"), request(1));
    EXPECT_EQ(commit(order).wakes.size(), 1U);
    const FlowReply second = commit(order);
    EXPECT_EQ(told(second), "applied_before 1");
    EXPECT_EQ(second.wakes.size(), 1U);
}

TEST_P(FlowsFact, WaitingFactsAreListedInTheOrderInWhichTheyCame) {
    for (const char* key : {"B3", "B1", "B2"})
        EXPECT_EQ(outcome(fact_without_order(key, payment(key))), "applied 0");
    const auto first = waiting(0, 2);
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[0].subject.business_key, "B3");
    const auto rest = waiting(first[1].number, 2);
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].subject.business_key, "B2");
}

// A difference of amount: acknowledged, not applied, kept with what was said for the person who has to look.
TEST_P(FlowsFact, WhatAPersonHasToLookAtIsListedOnceWithTheEvent) {
    stocked();
    ordered("1");
    const FlowCommit differs = with(step("1", payment("T1", "99")), request(1));
    EXPECT_EQ(outcome(differs), "applied 1");
    FlowCommit resent = differs;
    resent.request.reset();
    EXPECT_EQ(outcome(resent), "applied 1");
    rig().restart();
    const auto list = attention();
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].subject.id, "1");
    EXPECT_THAT(list[0].reason, testing::HasSubstr("amount_mismatch"));
    EXPECT_EQ(list[0].judged_on, 1U);
    EXPECT_EQ(list[0].event->values.at("transaction_id"), "T1");
    EXPECT_EQ(record(1)->row.state, State::completed);
    EXPECT_TRUE(attention(list[0].number).empty());
    // It blocks none that comes after it.
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
}

// A refund of a payment that is not the order's own: whose it is, if anybody's, says the store.
TEST_P(FlowsFact, WhatAFactTakesBackIsLookedUpInItsCommit) {
    stocked();
    ordered("1");
    const FlowCommit paid = step("1", payment("T1"));
    const Digest key = std::get<flow::Bundle>(paid.decision).take_facts.at(0).key;
    flow::Arbitration told{.kind = flow::Arbitration::Kind::attention, .reason = "which one"};
    told.id = "1";
    told.judged_on = 1;
    told.event = payment("T1");
    told.reverses = key;
    FlowCommit asked{.subject = paid.subject, .decision = told};
    EXPECT_EQ(outcome(asked), "applied 1") << "nobody knows it";
    EXPECT_EQ(outcome(paid), "applied 2");
    told.judged_on = 2;
    asked.decision = told;
    const FlowReply known = commit(asked);
    EXPECT_EQ(known.outcome, FlowOutcome::lost);
    ASSERT_TRUE(known.lost && known.lost->holder);
    EXPECT_EQ(known.lost->why, flow::Lost::Why::reversed);
    EXPECT_EQ(known.lost->holder->id, "1");
    EXPECT_EQ(known.lost->holder->version, 2U);
    EXPECT_EQ(attention().size(), 1U);
}

TEST_P(FlowsFact, AFactWhoseOrderNeverCameGoesToAPerson) {
    EXPECT_EQ(outcome(fact_without_order("B1", payment("T1"))), "applied 0");
    const WaitingEntry entry = waiting().at(0);
    const FlowCommit given_up{
        .subject = entry.subject,
        .decision = flow::Arbitration{.kind = flow::Arbitration::Kind::attention,
                                      .reason = "no order came",
                                      .event = entry.fact.event},
        .settles = entry.fact};
    EXPECT_EQ(outcome(given_up), "applied 0");
    EXPECT_EQ(outcome(given_up), "settled_before 0");
    EXPECT_TRUE(waiting().empty());
    ASSERT_EQ(attention().size(), 1U);
    EXPECT_EQ(attention()[0].subject.business_key, "B1");
    // A late repeat is known, whether or not a person has seen to it by then.
    rig().hand().pass(20h);
    EXPECT_EQ(outcome(fact_without_order("B1", payment("T1"))), "applied 0");
    EXPECT_TRUE(waiting().empty());
    EXPECT_EQ(close(attention()[0].number, "ann", "asked the provider"), "closed");
    EXPECT_EQ(outcome(fact_without_order("B1", payment("T1"))), "applied 0");
    EXPECT_TRUE(waiting().empty());
    EXPECT_TRUE(attention().empty());
    rig().hand().pass(30h);
    EXPECT_EQ(outcome(fact_without_order("B1", payment("T1"))), "applied 0");
    EXPECT_EQ(waiting().size(), 1U) << "nobody repeats so late: it is another one";
    EXPECT_EQ(
        outcome(FlowCommit{
            .subject = entry.subject, .decision = given_up.decision, .settles = waiting()[0].fact}),
        "applied 0");
    // Had the order come meanwhile, the fact would be its.
    EXPECT_EQ(outcome(fact_without_order("B2", payment("T2"))), "applied 0");
    FlowCommit late = given_up;
    late.settles = waiting().back().fact;
    late.subject = by_key("B2");
    EXPECT_EQ(commit(creation("2", "B2")).wakes.size(), 1U);
    EXPECT_EQ(outcome(late), "lost version");
    EXPECT_EQ(waiting().size(), 1U);
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsFact, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
