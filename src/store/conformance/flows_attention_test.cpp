// SPDX-License-Identifier: Apache-2.0
// What a person has to look at: told once, closed once, and not told again by a provider's late repeat.
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

class FlowsAttention : public FlowSuite {
  protected:
    // A payment whose amount differs: acknowledged, not applied.
    FlowCommit differing(const std::string& id) { return step(id, payment("T" + id, "99")); }
};

TEST_P(FlowsAttention, ARepeatIsToldOnceWhateverTheVersionAndTheTime) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    const AttentionEntry first = attention().at(0);
    rig().hand().pass(3h);
    rig().restart();
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(outcome(step("1", "begin_payment")), "applied 2");
    EXPECT_EQ(outcome(differing("1")), "applied 2");
    ASSERT_EQ(attention().size(), 1U);
    EXPECT_EQ(attention()[0].at_ms, first.at_ms);
    EXPECT_EQ(attention()[0].judged_on, 1U);
    // Another amount is another matter, and so is another order.
    EXPECT_EQ(outcome(step("1", payment("T1", "98"))), "applied 2");
    ordered("2");
    EXPECT_EQ(outcome(differing("2")), "applied 1");
    EXPECT_EQ(attention().size(), 3U);
}

TEST_P(FlowsAttention, APersonClosesAnEntryOnce) {
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    const std::uint64_t number = attention().at(0).number;
    EXPECT_EQ(close(number + 1, "ann", "refunded by hand"), "not_found");
    EXPECT_EQ(close(number, "ann", "refunded by hand"), "closed");
    EXPECT_TRUE(attention().empty());
    rig().restart();
    EXPECT_TRUE(attention().empty());
    EXPECT_EQ(close(number, "ann", "refunded by hand"), "closed") << "its answer was lost";
    EXPECT_EQ(close(number, "ann", "for another reason"), "somebody else");
    EXPECT_EQ(close(number, "bob", "refunded by hand"), "somebody else");
}

TEST_P(FlowsAttention, ALateRepeatOfAFactThatWasLeftDoesNotOpenItAgain) {
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(close(attention().at(0).number, "ann", "done", ClosedAs::left), "closed");
    rig().hand().pass(flow::kFactHorizon - 1ms);
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_TRUE(attention().empty());
    rig().hand().pass(1ms);
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(attention().size(), 1U) << "nobody repeats so late: it is another one";
}

// A deadline comes once each time that it runs: what was closed says nothing about the next time.
TEST_P(FlowsAttention, ADeadlineThatNeedsAPersonAgainIsToldAgain) {
    ordered("1");
    const FlowCommit stuck{.subject = {"acme", "order", "1", "B1"},
                           .decision = flow::Arbitration{
                               .kind = flow::Arbitration::Kind::attention,
                               .reason = "the probe says nothing",
                               .id = "1",
                               .judged_on = 1,
                               .event = Event{.name = "expire", .sender = flow::Sender::timer}}};
    EXPECT_EQ(outcome(stuck), "applied 1");
    EXPECT_EQ(outcome(stuck), "applied 1");
    ASSERT_EQ(attention().size(), 1U);
    EXPECT_EQ(close(attention()[0].number, "ann", "done"), "closed");
    EXPECT_EQ(outcome(stuck), "applied 1");
    EXPECT_EQ(attention().size(), 1U);
}

TEST_P(FlowsAttention, OpenEntriesAreListedInTheOrderInWhichTheyCame) {
    for (const char* id : {"1", "2", "3", "4"}) {
        ordered(id);
        EXPECT_EQ(outcome(differing(id)), "applied 1");
    }
    const auto all = attention();
    EXPECT_EQ(close(all[1].number, "ann", "done"), "closed");
    const auto first = attention(0, 2);
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[1].subject.id, "3");
    const auto rest = attention(first[1].number);
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].subject.id, "4");
}

// Paid back by hand, and then by the machine: that is twice.
TEST_P(FlowsAttention, WhatAPersonHasSettledIsTaken) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(close(attention().at(0).number, "ann", "paid back"), "closed");
    rig().restart();
    for (FlowCommit commit : {differing("1"), step("1", payment("T1"))}) {
        const FlowReply reply = this->commit(std::move(commit));
        EXPECT_EQ(told(reply), "lost fact");
        EXPECT_EQ(reply.lost->holder->version, 0U);
        EXPECT_EQ(reply.lost->holder->id, "1");
        EXPECT_EQ(reply.lost->holder->by, "ann");
    }
    EXPECT_TRUE(attention().empty());
    EXPECT_EQ(entity("1").version, 1U);
    EXPECT_EQ(outcome(step("1", payment("T2"))), "applied 2") << "another payment is another";
}

TEST_P(FlowsAttention, WhatAPersonHasLeftTheMachineMayTake) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    const std::uint64_t number = attention().at(0).number;
    EXPECT_EQ(close(number, "ann", "the provider tells it anew", ClosedAs::left), "closed");
    EXPECT_EQ(close(number, "ann", "the provider tells it anew"), "somebody else");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
}

TEST_P(FlowsAttention, WhoTakesItsFactClosesTheEntryInTheSameCommit) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(outcome(step("1", payment("T7", "98"))), "applied 1");
    const std::uint64_t number = attention().at(0).number;
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    rig().restart();
    ASSERT_EQ(attention().size(), 1U);
    EXPECT_EQ(attention()[0].event->values.at("transaction_id"), "T7");
    EXPECT_EQ(close(number, "ann", "paid back"), "taken") << "she must not pay it back as well";
    ordered("2");
    EXPECT_EQ(outcome(step("2", payment("T1", "99"))), "lost fact") << "nor is a person asked";
    EXPECT_EQ(attention().size(), 1U);
}

TEST_P(FlowsAttention, AllEntriesAboutOneFactAreClosedTogether) {
    ordered("1");
    for (const char* amount : {"99", "98", "97"})
        EXPECT_EQ(outcome(step("1", payment("T1", amount))), "applied 1");
    EXPECT_EQ(outcome(step("1", payment("T2", "99"))), "applied 1");
    const auto all = attention();
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(close(all[0].number, "ann", "as before", ClosedAs::left), "closed");
    EXPECT_EQ(attention().size(), 3U) << "leaving is about one entry";
    EXPECT_EQ(close(all[1].number, "ann", "paid back"), "closed");
    ASSERT_EQ(attention().size(), 1U);
    EXPECT_EQ(attention()[0].number, all[3].number);
    EXPECT_EQ(close(all[2].number, "bob", "paid back"), "taken");
    EXPECT_EQ(close(all[2].number, "ann", "paid back"), "taken") << "not twice by her either";
    EXPECT_EQ(close(all[1].number, "ann", "paid back"), "closed") << "its answer was lost";
}

// The same as the machine's own word: it is not for a person to say.
TEST_P(FlowsAttention, APersonDoesNotTake) {
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(close(attention().at(0).number, "ann", "done", ClosedAs::taken), "request_invalid");
    EXPECT_EQ(attention().size(), 1U);
}

// What has no name cannot be taken; that a person has seen to it holds for what he saw.
TEST_P(FlowsAttention, WhatGoesOnOnceSettledIsToldAgainOfALaterVersion) {
    ordered("1");
    flow::Arbitration told{
        .kind = flow::Arbitration::Kind::attention, .reason = "a payment", .id = "1"};
    const auto found = [&](std::uint64_t version) {
        told.judged_on = version;
        told.goes_on = true;
        return outcome({.subject = {"acme", "order", "1", "B1"}, .decision = told});
    };
    EXPECT_EQ(found(1), "applied 1");
    EXPECT_EQ(close(attention().at(0).number, "ann", "not yet", ClosedAs::left), "closed");
    EXPECT_EQ(found(1), "applied 1") << "left is not settled";
    for (int version = 1; version < 3; ++version) {
        if (version > 1) EXPECT_EQ(outcome(step("1", "begin_payment")), "applied 2");
        const auto now = static_cast<std::uint64_t>(version);
        EXPECT_EQ(found(now), "applied " + std::to_string(version));
        if (attention().empty()) rig().hand().pass(flow::kFactHorizon);
        EXPECT_EQ(found(now), "applied " + std::to_string(version));
        ASSERT_EQ(attention().size(), 1U);
        EXPECT_EQ(close(attention()[0].number, "ann", "it was no payment"), "closed");
        rig().restart();
        EXPECT_EQ(found(now), "lost settled");
        EXPECT_TRUE(attention().empty());
    }
    EXPECT_EQ(outcome(step("1", "cancel")), "applied 3");
    EXPECT_EQ(found(3), "applied 3");
    EXPECT_EQ(attention().size(), 1U) << "at once: somebody waits for it";
}

// It says something else of what has taken effect: nobody pays that back.
TEST_P(FlowsAttention, WhoClosesAnEntryAboutWhatIsTakenIsToldSo) {
    stocked();
    ordered("1");
    const FlowCommit paid = step("1", payment("T1"));
    EXPECT_EQ(outcome(paid), "applied 2");
    flow::Arbitration told{.kind = flow::Arbitration::Kind::attention,
                           .reason = "its id said something else",
                           .event = payment("T1", "99"),
                           .about = std::get<flow::Bundle>(paid.decision).take_facts};
    const FlowSubject of{"acme", "order", {}, {}};
    EXPECT_EQ(outcome({.subject = of, .decision = told}), "lost fact");
    told.even_taken = true;
    EXPECT_EQ(outcome({.subject = of, .decision = told}), "applied 0");
    ASSERT_EQ(attention().size(), 1U);
    EXPECT_EQ(close(attention()[0].number, "ann", "paid back"), "taken");
    EXPECT_TRUE(attention().empty());
}

TEST_P(FlowsAttention, ADeadlineIsPutOffForAPersonAndStaysInTheList) {
    ordered("1");
    const timer::Running running = entity("1").deadlines.at(0);
    timer::Running later = running;
    later.next_ms = running.due_ms + 60'000;
    later.asked = 1;
    const FlowCommit stuck{.subject = {"acme", "order", "1", "B1"},
                           .decision = flow::Arbitration{.kind = flow::Arbitration::Kind::attention,
                                                         .reason = "its state is gone",
                                                         .id = "1",
                                                         .judged_on = 1,
                                                         .put_off = later}};
    EXPECT_EQ(outcome(stuck), "lost not_due");
    EXPECT_TRUE(attention().empty());
    rig().hand().pass(std::chrono::milliseconds(running.due_ms - rig().now_ms()));
    EXPECT_EQ(outcome(stuck), "applied 1");
    EXPECT_EQ(outcome(stuck), "applied 1");
    EXPECT_EQ(entity("1").deadlines.at(0), later);
    EXPECT_EQ(attention().size(), 1U);
    EXPECT_EQ(close(attention()[0].number, "ann", "the file is on its way"), "closed");
    EXPECT_EQ(outcome(stuck), "applied 1");
    EXPECT_TRUE(attention().empty()) << "it is tried every few minutes, and told once";
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsAttention, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
