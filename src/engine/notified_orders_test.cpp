// SPDX-License-Identifier: Apache-2.0
// Notifications and orders over a store: what the provider is told, and what became of the order, its stock and
// its money.
#include <gmock/gmock.h>

#include "engine/committed_facts.hpp"
#include "engine/engine_fixture.hpp"
#include "engine/notifications_fixture.hpp"

namespace pawl::engine {
namespace {

// The order of the documentation, which also compares the currency and hears that nothing will be paid any more.
flow::Definition closable_order() {
    flow::Definition flow = touched_order();
    flow::EventRule& pay = flow::named(flow.events, "pay");
    pay.transitions[0].require.push_back({"currency", flow::Guard::Kind::same, {}});
    flow::EventRule closed = flow::event("closed", {"created", "paying", "reserved"}, "cancelled");
    closed.external = true;
    closed.transitions[0].stock = stock::Action::release;
    flow.events.push_back(closed);
    for (const std::string_view late : {"paid", "shipped", "delivered", "cancelled"})
        flow::named(flow.states, late).late.push_back(flow::ignored("closed"));
    return flow;
}

class NotifiedOrders : public EngineTest {
  protected:
    NotifiedOrders() : EngineTest(closable_order()) {
        callback::Subscription account = shop_account("main", "acme");
        account.events = {{callback::FactKind::paid, "pay"},
                          {callback::FactKind::closed, "closed"}};
        notifications_.reload(accounts_of({account, shop_account("rival", "rival")}), machines_);
    }
    void SetUp() override { stock_up(10); }
    void TearDown() override { EXPECT_TRUE(run(drained())); }

    Task<bool> drained() { return notifications_.drain(hand_.loop().now() + 1h); }
    int told_of(const Paid& paid, const std::string& id, const std::string& account = "main") {
        const auto answer =
            run(notifications_.take("standard_webhooks", account, signed_by_shop(hand_, paid, id)));
        PAWL_ASSERT(answer.has_value());
        return answer->status;
    }
    callback::Outcome last() const { return watch_.all.back().outcome; }
    std::size_t sagas(const std::string& key) {
        std::size_t count = 0;
        for (const store::FlowStep& step : history(key)) count += step.sagas.size();
        return count;
    }

    HeardAll watch_;
    CommittedFacts facts_{committer_};
    Notifications notifications_{hand_.loop(), facts_, watch_, accounts_of({}), machines_};
};

using callback::Outcome;

TEST_F(NotifiedOrders, FiveCopiesOfOneNotificationPayOnce) {
    say(creation("B1"));
    EXPECT_EQ(told_of({}, "msg_1"), 204);
    EXPECT_EQ(last(), Outcome::applied);
    for (int copy = 0; copy < 4; ++copy) {
        EXPECT_EQ(told_of({}, "msg_1"), 204);
        EXPECT_EQ(last(), Outcome::seen);
    }
    EXPECT_EQ(state("B1"), "paid");
    EXPECT_EQ(version("B1"), 2U);
    EXPECT_EQ(level(), (stock::Level{9, 0, 1}));
}

// As some providers do when an answer is lost.
TEST_F(NotifiedOrders, OneFactUnderManyIdsIsOneFact) {
    say(creation("B1"));
    for (int id = 1; id <= 5; ++id) EXPECT_EQ(told_of({}, fmt::format("msg_{}", id)), 204);
    EXPECT_EQ(last(), Outcome::seen);
    EXPECT_EQ(version("B1"), 2U);
    EXPECT_EQ(sagas("B1"), 0U) << "nothing is refunded";
}

// Fifty at once, as in a storm after an outage.
TEST_F(NotifiedOrders, OfACrowdOfCopiesOneIsApplied) {
    say(creation("B1"));
    std::map<int, int> answers;
    for (int copy = 0; copy < 50; ++copy)
        boost::asio::co_spawn(
            hand_.loop().executor(),
            notifications_.take("standard_webhooks", "main",
                                signed_by_shop(hand_, {}, fmt::format("msg_{}", copy % 5))),
            [&](std::exception_ptr, Result<callback::Acknowledgement> got) {
                ++answers[got->status];
            });
    settle(1s);
    EXPECT_EQ(answers, (std::map<int, int>{{204, 50}}));
    EXPECT_EQ(version("B1"), 2U);
    EXPECT_EQ(level(), (stock::Level{9, 0, 1}));
}

// Field case 29: the provider is quicker than the order's own commit.
TEST_F(NotifiedOrders, BeforeItsOrderItWaitsAndIsApplied) {
    EXPECT_EQ(told_of({}, "msg_1"), 204);
    EXPECT_EQ(last(), Outcome::stored);
    EXPECT_EQ(told_of({}, "msg_1"), 204);
    EXPECT_EQ(last(), Outcome::seen);
    EXPECT_EQ(waiting(), 1U) << "it waits once";
    say(creation("B1"));
    settle();
    EXPECT_EQ(state("B1"), "paid");
    EXPECT_EQ(waiting(), 0U);
    EXPECT_EQ(told_of({}, "msg_2"), 204);
    EXPECT_EQ(last(), Outcome::seen);
    EXPECT_EQ(version("B1"), 2U);
}

// Field cases 27, 35 and X21: money for an order that is over.
TEST_F(NotifiedOrders, MoneyForACancelledOrderIsRefundedOnceAndReopensNothing) {
    say(creation("B1"));
    EXPECT_EQ(say(request("B1", "cancel")), "applied cancelled");
    for (const std::string id : {"msg_1", "msg_1", "msg_2", "msg_3"})
        EXPECT_EQ(told_of({}, id), 204);
    EXPECT_EQ(state("B1"), "cancelled");
    EXPECT_EQ(sagas("B1"), 1U);
    EXPECT_EQ(level(), (stock::Level{10, 0, 0}));
    EXPECT_EQ(history("B1").back().history.type, "late_payment") << "a visible trail";
}

// Field case 35: the deadline asks before it cancels, and the notification that was lost comes after all.
TEST_F(NotifiedOrders, MoneyThatTheDeadlineFoundIsSeenWhenItIsReported) {
    say(creation("B1"));
    inquiry_.finding = {flow::Probed::paid,
                        {{"provider", "standard_webhooks"},
                         {"transaction_id", "T1"},
                         {"amount", "12.50"},
                         {"currency", "EUR"}}};
    hand_.pass(15min);
    EXPECT_EQ(say(timer("B1", "created", "expire")), "applied paid");
    EXPECT_EQ(told_of({}, "msg_1"), 204);
    EXPECT_EQ(last(), Outcome::seen);
    EXPECT_EQ(state("B1"), "paid");
    EXPECT_EQ(sagas("B1"), 0U);
}

TEST_F(NotifiedOrders, ASecondPaymentIsRefundedOnce) {
    say(creation("B1"));
    told_of({}, "msg_1");
    EXPECT_EQ(told_of({.transaction = "T2"}, "msg_2"), 204);
    EXPECT_EQ(last(), Outcome::applied);
    EXPECT_EQ(told_of({.transaction = "T2"}, "msg_3"), 204);
    EXPECT_EQ(last(), Outcome::seen);
    EXPECT_EQ(sagas("B1"), 1U);
    EXPECT_EQ(history("B1").back().history.type, "duplicate_payment");
}

// Field case X17: a declined try, then success, then the late word that nothing will be paid.
TEST_F(NotifiedOrders, PaidStaysPaid) {
    say(creation("B1"));
    EXPECT_EQ(told_of({.type = "payment.declined"}, "msg_1"), 204);
    EXPECT_EQ(last(), Outcome::ignored);
    EXPECT_EQ(state("B1"), "created");
    told_of({}, "msg_2");
    EXPECT_EQ(told_of({.type = "payment.closed"}, "msg_3"), 204);
    EXPECT_EQ(last(), Outcome::ignored);
    EXPECT_EQ(state("B1"), "paid");
}

TEST_F(NotifiedOrders, WhatDiffersIsForPeopleAndAcknowledged) {
    say(creation("B1"));
    EXPECT_EQ(told_of({.amount = "1249"}, "msg_1"), 204);
    EXPECT_EQ(told_of({.currency = "USD"}, "msg_2"), 204);
    EXPECT_EQ(told_of({.shop = "shop-8"}, "msg_3"), 204);
    EXPECT_EQ(state("B1"), "created");
    EXPECT_EQ(version("B1"), 1U);
    EXPECT_EQ(attention(), 3U);
    for (const HeardNotification& one : watch_.all) {
        EXPECT_TRUE(one.alarm);
        EXPECT_EQ(one.outcome, Outcome::stored);
    }
    EXPECT_EQ(told_of({.amount = "1249"}, "msg_1"), 204);
    EXPECT_EQ(attention(), 3U) << "a copy is no second entry";
    EXPECT_EQ(told_of({}, "msg_4"), 204) << "and none of it stands in the way of the right one";
    EXPECT_EQ(state("B1"), "paid");
    EXPECT_EQ(attention(), 0U) << "whose commit closed what was about the same payment";
}

// A provider whose ids are not its notifications' own, or somebody who plays with them.
TEST_F(NotifiedOrders, AnIdThatComesAgainAndSaysSomethingElseIsForPeople) {
    say(creation("B1"));
    EXPECT_EQ(told_of({}, "msg_1"), 204);
    for (int copy = 0; copy < 3; ++copy) {
        EXPECT_EQ(told_of({.transaction = "T2", .amount = "99"}, "msg_1"), 204);
        EXPECT_EQ(last(), Outcome::stored);
        EXPECT_TRUE(watch_.all.back().alarm);
    }
    ASSERT_EQ(attention(), 1U);
    const auto entry = flows_shelf_.attention(0, 1).value().front();
    EXPECT_EQ(entry.event->values.at("event_id"), "msg_1");
    EXPECT_EQ(entry.event->values.at("transaction_id"), "T2");
    EXPECT_EQ(told_of({.amount = "99"}, "msg_1"), 204);
    EXPECT_EQ(attention(), 2U) << "though T1 is taken, it was taken as something else";
    EXPECT_EQ(told_of({}, "msg_1"), 204);
    EXPECT_EQ(last(), Outcome::seen) << "the first one stays as it was";
    EXPECT_EQ(version("B1"), 2U);
    EXPECT_EQ(sagas("B1"), 0U);
}

TEST_F(NotifiedOrders, OfAnotherTenantMoveNothing) {
    say(creation("B1"));
    EXPECT_EQ(told_of({}, "msg_1", "rival"), 204);
    EXPECT_EQ(last(), Outcome::stored) << "it waits for the rival's own B1";
    EXPECT_EQ(state("B1"), "created");
    EXPECT_EQ(told_of({}, "msg_1"), 204);
    EXPECT_EQ(last(), Outcome::applied) << "ids are each account's own";
}

// Field case X16: the store fails inside the handler. Nothing is seen without its effect.
TEST_F(NotifiedOrders, WhatWasNotWrittenComesAgainAndIsApplied) {
    say(creation("B1"));
    plan({Fault::refused});
    EXPECT_EQ(told_of({}, "msg_1"), 500);
    EXPECT_EQ(last(), Outcome::failed);
    EXPECT_EQ(state("B1"), "created");
    EXPECT_EQ(told_of({}, "msg_1"), 204);
    EXPECT_EQ(last(), Outcome::applied);
    EXPECT_EQ(version("B1"), 2U);
}

TEST_F(NotifiedOrders, ACommitWhoseAnswerIsLostIsSettledByItself) {
    say(creation("B1"));
    for (const Fault fault : {Fault::unknown_before, Fault::unknown_after}) {
        const std::string id = fault == Fault::unknown_before ? "msg_1" : "msg_2";
        const std::string transaction = fault == Fault::unknown_before ? "T1" : "T2";
        plan({fault});
        EXPECT_EQ(told_of({.transaction = transaction}, id), 204);
        EXPECT_EQ(told_of({.transaction = transaction}, id), 204);
        EXPECT_EQ(last(), Outcome::seen);
    }
    EXPECT_EQ(version("B1"), 3U);
    EXPECT_EQ(sagas("B1"), 1U);
}

TEST_F(NotifiedOrders, BeyondTheBudgetTheCommitIsCarriedOut) {
    say(creation("B1"));
    store::FaultProfile slow;
    slow.delay_min = slow.delay_max = std::chrono::seconds(2);  // two calls, there and back: 8 s
    server_.set_profile(slow);
    EXPECT_EQ(told_of({}, "msg_1"), 500);
    EXPECT_EQ(state("B1"), "created");
    settle(4s);
    EXPECT_EQ(state("B1"), "paid");
    server_.set_profile({});
    settle(4s);
    EXPECT_EQ(told_of({}, "msg_1"), 204);
    EXPECT_EQ(last(), Outcome::seen);
    EXPECT_EQ(version("B1"), 2U);
}

// Field case 24: verified over the bytes as they came; an upper-case escape and odd spacing change nothing.
TEST_F(NotifiedOrders, TheBytesAreVerifiedAsTheyCame) {
    say(creation("B1"));
    const std::string body =
        "{ \"type\" : \"payment.paid\",\n  \"note\":\"\\u00E9\", "
        "\"data\":{\"order\":\"B1\",\"payment\":"
        "\"T1\", \"amount\":1.25e3,\"currency\":\"EUR\",\"shop\":\"shop-7\"}}\n";
    const auto answer = run(notifications_.take(
        "standard_webhooks", "main",
        callback::standard_signed(kShopSecret, body, "msg_1", seconds_of(hand_))));
    EXPECT_EQ(answer->status, 204);
    EXPECT_EQ(state("B1"), "paid");
}

}  // namespace
}  // namespace pawl::engine
