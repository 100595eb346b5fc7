// SPDX-License-Identifier: Apache-2.0
// Each auditor of the shop finds the violation it is there for, and says nothing of what the rules allow.
#include "sim/shop/shop_audit_fixture.hpp"

namespace pawl::sim {
namespace {

TEST_F(ShopAuditTest, AnOrdinaryOrderIsFine) {
    const flow::Entity none;
    commit(made(), none, order("created", 1), 1'000);
    commit(row(2, "begin_payment", "created", "paying"), order("created", 1), order("paying", 2),
           2'000);
    const Money& money = book.add_money(1, "12.50");
    commit(paid(3, "paying", money.transaction), order("paying", 2), order("paid", 3), 3'000);
    end(story({made(), row(2, "begin_payment", "created", "paying"),
               paid(3, "paying", money.transaction)}));
    EXPECT_EQ(found(), "");
}

TEST_F(ShopAuditTest, AnAnsweredOrderThatIsGoneIsL1) {
    audit.answered({book.wish(1), outcome(engine::Told::applied), 0});
    audit.ended(ending);
    EXPECT_EQ(found(), "L1 ");
}

TEST_F(ShopAuditTest, AnAnsweredTransitionThatIsAnotherOneIsL1) {
    audit.answered({book.wish(1), outcome(engine::Told::applied), 0});
    end(story({made(), row(2, "cancel", "created", "cancelled")}));
    EXPECT_EQ(found(), "L1 R4 ");  // and the result was nobody's own
}

TEST_F(ShopAuditTest, ATransitionOnAnotherVersionThanAskedForIsL1) {
    book.wish(1).sent.event.if_match = 5;
    audit.answered({book.wish(1), outcome(engine::Told::applied), 0});
    EXPECT_EQ(found(), "L1 ");
}

TEST_F(ShopAuditTest, AnUndeclaredTransitionIsL2) {
    commit(row(2, "ship", "created", "shipped"), order("created", 1), order("shipped", 2));
    EXPECT_EQ(found(), "L2 ");
}

TEST_F(ShopAuditTest, AVersionThatIsSkippedIsL2) {
    commit(row(3, "begin_payment", "created", "paying"), order("created", 1), order("paying", 3));
    EXPECT_EQ(found(), "L2 ");
}

TEST_F(ShopAuditTest, AHistoryWithAGapIsL2) {
    end(story({made(), row(3, "begin_payment", "created", "paying")}));
    EXPECT_EQ(found(), "L2 ");
}

TEST_F(ShopAuditTest, PaidAndTimedOutIsL3) {
    book.add_look({1, 1, flow::Probed::unpaid});
    const Money& money = book.add_money(1, "12.50");
    Story both = story({made(), row(2, "expire", "created", "cancelled"),
                        paid(3, "cancelled", money.transaction)});
    end(std::move(both));
    EXPECT_EQ(found(), "L2 L3 ");
}

TEST_F(ShopAuditTest, AnEndThatTheProviderWasNotAskedAboutIsL3) {
    commit(row(2, "cancel", "created", "cancelled"), order("created", 1), order("cancelled", 2));
    EXPECT_EQ(found(), "L3 ");
}

TEST_F(ShopAuditTest, AnEndOfAnotherVersionThanWasAskedAboutIsL3) {
    book.add_look({1, 1, flow::Probed::unpaid});
    commit(row(2, "cancel", "created", "cancelled"), order("created", 1), order("cancelled", 2));
    EXPECT_EQ(found(), "");
    commit(row(3, "cancel", "paying", "cancelled"), order("paying", 2), order("cancelled", 3));
    EXPECT_EQ(found(), "L3 ");
}

class DeadlineAuditTest : public ShopAuditTest {
  protected:
    void fire(std::int64_t now_ms) {
        book.add_look({1, 1, flow::Probed::unpaid});
        flow::History fired = row(2, "expire", "created", "cancelled");
        fired.sender = flow::Sender::timer;
        commit(fired, order("created", 1), order("cancelled", 2), now_ms);
    }
};

TEST_F(DeadlineAuditTest, ADeadlineInTimeIsFine) {
    commit(made(), {}, order("created", 1), 1'000);
    fire(16'000);
    EXPECT_EQ(found(), "");
}

TEST_F(DeadlineAuditTest, ADeadlineAMillisecondEarlyIsL4) {
    commit(made(), {}, order("created", 1), 1'000);
    fire(15'999);
    EXPECT_EQ(found(), "L4 ");
}

TEST_F(DeadlineAuditTest, ADeadlineBeforeItsRenewalIsL4) {
    commit(made(), {}, order("created", 1), 1'000);
    book.wish(1).kind = Wish::Kind::renewal;
    book.wish(1).deadline = "created";
    audit.answered({book.wish(1), outcome(engine::Told::applied), 5'000});
    fire(19'999);
    EXPECT_EQ(found(), "L4 ");
}

TEST_F(DeadlineAuditTest, ARenewalThatShortensIsL4) {
    flow::Entity before = order("created", 1);
    before.deadlines = {{"created", 9'000, 9'000, 0}};
    flow::Entity after = before;
    after.deadlines.front().due_ms = 8'000;
    decide(flow::Renewal{}, before, after);
    EXPECT_EQ(found(), "L4 ");
}

class StockAuditTest : public ShopAuditTest {
  protected:
    void put_in(std::int64_t quantity, stock::Level level) {
        levels[sku] = level;
        decide(store::StockChange{sku, store::StockChange::Kind::adjust, quantity}, {}, {});
    }
};

TEST_F(StockAuditTest, WhatWasPutInAndIsThereIsFine) {
    put_in(10, {10, 0, 0});
    put_in(-2, {8, 0, 0});
    EXPECT_EQ(found(), "");
}

TEST_F(StockAuditTest, BelowZeroIsQ) {
    put_in(1, {-1, 2, 0});
    EXPECT_EQ(found(), "Q ");
}

TEST_F(StockAuditTest, MoreThanWasPutInIsQ) {
    put_in(10, {9, 2, 0});
    EXPECT_EQ(found(), "Q ");
}

TEST_F(StockAuditTest, AFinalOrderThatHoldsStockIsQ) {
    Story told =
        story({made(), row(2, "begin_payment", "created", "paying"),
               row(3, "reserve", "paying", "reserved"), row(4, "cancel", "reserved", "cancelled")});
    told.entity.stock = {{sku, {.held = 2}}};
    ending.levels[sku] = {0, 2, 0};
    put_in(2, {0, 2, 0});
    end(std::move(told));
    EXPECT_EQ(found(), "Q ");
}

TEST_F(StockAuditTest, AReservationThatEndsTwiceIsQ) {
    flow::Entity after = order("reserved", 3);
    after.stock = {{sku, {.held = 2, .confirmed = 2, .released = 2}}};
    commit(row(3, "reserve", "paying", "reserved"), order("paying", 2), after);
    EXPECT_EQ(found(), "Q ");
}

TEST_F(StockAuditTest, OrdersAndLevelsThatDisagreeAreQ) {
    Story told = story({made()});
    told.entity.stock = {{sku, {.held = 2}}};
    put_in(2, {1, 1, 0});
    ending.levels[sku] = {1, 1, 0};
    end(std::move(told));
    EXPECT_EQ(found(), "Q ");
}

TEST_F(ShopAuditTest, OneRoomAtOneTimeForTwoIsQ4) {
    for (const char* id : {"1", "2"}) {
        flow::Entity booking = order("reserved", 2);
        booking.id = id;
        booking.flow = "booking";
        for (const auto& [name, text] :
             {std::pair{"resource", "room"}, std::pair{"start", "1"}, std::pair{"end", "2"}})
            booking.fields[name] = {flow::FieldType::text, text};
        flow::Entity before = booking;
        before.state = "created";
        before.version = 1;
        commit(row(2, "reserve", "created", "reserved"), before, booking);
    }
    EXPECT_EQ(found(), "Q4 ");
}

TEST_F(ShopAuditTest, OneRequestThatMadeTwoVersionsIsE1) {
    Story told = story({made(), row(2, "begin_payment", "created", "paying"),
                        row(3, "reserve", "paying", "reserved")});
    told.steps[1].request = told.steps[2].request = sha256("one");
    end(std::move(told));
    EXPECT_EQ(found(), "E1 ");
}

TEST_F(ShopAuditTest, OnePaymentTwiceInHistoriesIsE1) {
    const Money& money = book.add_money(1, "12.50");
    Story told = story({made(), paid(2, "created", money.transaction),
                        paid(3, "paid", money.transaction, Course::compensated)});
    told.steps[2].sagas.push_back({"refund", {}, {{"transaction_id", money.transaction}}});
    end(std::move(told));
    EXPECT_EQ(found(), "E1 ");
}

TEST_F(ShopAuditTest, AChangeOfStockMadeTwiceIsE1) {
    request = flow::Request{claim_of("keeper", "stock", "k", "b"), {}};
    for (const std::int64_t total : {1, 2}) {
        levels[sku] = {total, 0, 0};
        decide(store::StockChange{sku, store::StockChange::Kind::adjust, 1}, {}, {});
    }
    EXPECT_EQ(found(), "E1 ");
}

TEST_F(ShopAuditTest, AnotherAnswerUnderTheSameKeyIsR1) {
    audit.answered({book.wish(1), outcome(engine::Told::applied), 0});
    audit.answered({book.wish(1), outcome(engine::Told::repeated), 0});
    EXPECT_EQ(found(), "");
    audit.answered({book.wish(1), outcome(engine::Told::repeated, "other"), 0});
    EXPECT_EQ(found(), "R1 ");
}

TEST_F(ShopAuditTest, TwoMeaningsUnderOneKeyAreR1) {
    Wish other = book.wish(1);
    other.sent.claim->fingerprint = sha256("other");
    const Wish second = book.add_wish(other);
    audit.answered({book.wish(1), outcome(engine::Told::applied), 0});
    audit.answered({second, outcome(engine::Told::repeated), 0});
    EXPECT_EQ(found(), "R1 ");
}

TEST_F(ShopAuditTest, TheResultOfSomebodyElseIsR4) {
    audit.answered({book.wish(1), outcome(engine::Told::repeated), 0});
    Story told = story({made(), row(2, "begin_payment", "created", "paying"),
                        row(3, "reserve", "paying", "reserved")});
    told.steps[2].history.caller = "bob";
    end(std::move(told));
    EXPECT_EQ(found(), "R4 ");
}

TEST_F(ShopAuditTest, AnAcknowledgedPaymentThatIsNowhereIsL5) {
    book.add_money(1, "12.50").acknowledged = true;
    end(story({made()}));
    EXPECT_EQ(found(), "L5 ");
}

TEST_F(ShopAuditTest, AnAcknowledgedPaymentBeforeAPersonIsFine) {
    const Money& money = book.add_money(1, "0.01");
    book.money(money.number).acknowledged = true;
    store::AttentionEntry entry;
    entry.event = flow::Event{.name = "pay", .values = {{"transaction_id", money.transaction}}};
    ending.attention.push_back(entry);
    end(story({made()}));
    EXPECT_EQ(found(), "");
}

TEST_F(ShopAuditTest, WhatAPersonHasSeenToIsSomewhere) {
    const Money& money = book.add_money(1, "0.01");
    book.money(money.number).acknowledged = true;
    book.add_seen_to({{"transaction_id", money.transaction}});
    end(story({made()}));
    EXPECT_EQ(found(), "");
}

TEST_F(ShopAuditTest, AReversalOfMoneyThatWasCompensatedMayBeNowhere) {
    book.add_look({1, 1, flow::Probed::unpaid});
    const Money& money = book.add_money(1, "12.50");
    book.add_reversal(money.number, "12.50").acknowledged = true;
    Story told = story({made(), row(2, "cancel", "created", "cancelled"),
                        paid(3, "cancelled", money.transaction, Course::compensated)});
    told.steps[2].sagas.push_back({"refund", {}, {{"transaction_id", money.transaction}}});
    end(std::move(told));
    EXPECT_EQ(found(), "");
}

TEST_F(ShopAuditTest, AReversalOfMoneyThatCountsAndIsNowhereIsL5) {
    const Money& money = book.add_money(1, "12.50");
    book.add_reversal(money.number, "12.50").acknowledged = true;
    end(story({made(), paid(2, "created", money.transaction)}));
    EXPECT_EQ(found(), "L5 ");
}

TEST_F(ShopAuditTest, APaymentThatCountsAndStandsBeforeAPersonIsL5) {
    const Money& money = book.add_money(1, "12.50");
    store::AttentionEntry entry;
    entry.about = {{sha256("one"), "pay", {{"transaction_id", money.transaction}}, {}, {}}};
    ending.attention.push_back(entry);
    end(story({made(), paid(2, "created", money.transaction)}));
    EXPECT_EQ(found(), "L5 ");
}

TEST_F(ShopAuditTest, MoneyThatIsPaidBackByHandAndBuysSomethingIsG1) {
    const Money& money = book.add_money(1, "12.50");
    EXPECT_TRUE(book.pay_back(money.transaction, 7));
    EXPECT_FALSE(book.pay_back(money.transaction, 7)) << "the same entry";
    end(story({made(), paid(2, "created", money.transaction)}));
    EXPECT_EQ(found(), "G1 ");
}

TEST_F(ShopAuditTest, MoneyThatIsPaidBackByTwoIsG1) {
    const Money& money = book.add_money(1, "12.50");
    book.pay_back(money.transaction, 7);
    book.pay_back(money.transaction, 8);
    end(story({made()}));
    EXPECT_EQ(found(), "G1 ");
}

TEST_F(ShopAuditTest, AnEndWhoseMoneyWasPaidBackByHandIsFine) {
    const Money& money = book.add_money(1, "12.50");
    book.pay_back(money.transaction, 7);
    commit(row(2, "cancel", "created", "cancelled"), order("created", 1), order("cancelled", 2));
    EXPECT_EQ(found(), "");
}

TEST_F(ShopAuditTest, APaymentOfTheWrongAmountThatCountsIsL5) {
    const Money& money = book.add_money(1, "0.01");
    end(story({made(), paid(2, "created", money.transaction)}));
    EXPECT_EQ(found(), "L5 ");
}

TEST_F(ShopAuditTest, ADeliveryThatIsNowhereIsL5UnlessItsOrderIgnoresIt) {
    book.add_message(1, "deliver").acknowledged = true;
    book.add_look({1, 1, flow::Probed::unpaid});
    end(story({made(), row(2, "cancel", "created", "cancelled")}));
    EXPECT_EQ(found(), "");
    end(story({made()}));
    EXPECT_EQ(found(), "L5 ");
}

TEST_F(ShopAuditTest, ALatePaymentWithoutARefundIsG1) {
    book.add_look({1, 1, flow::Probed::unpaid});
    const Money& money = book.add_money(1, "12.50");
    end(story({made(), row(2, "cancel", "created", "cancelled"),
               paid(3, "cancelled", money.transaction, Course::compensated)}));
    EXPECT_EQ(found(), "G1 ");
}

TEST_F(ShopAuditTest, ARefundOfWhatPaidForTheOrderIsG1) {
    const Money& money = book.add_money(1, "12.50");
    Story told = story({made(), paid(2, "created", money.transaction)});
    told.steps[1].sagas.push_back({"refund", {}, {{"transaction_id", money.transaction}}});
    end(std::move(told));
    EXPECT_EQ(found(), "G1 ");
}

TEST_F(ShopAuditTest, WhoeverStillWaitsIsV1) {
    ending.unanswered = {1};
    audit.rested(ending);
    EXPECT_EQ(found(), "V1 ");
}

TEST_F(ShopAuditTest, AFactThatWaitsAtTheEndIsV1) {
    ending.waiting.emplace_back();
    audit.rested(ending);
    EXPECT_EQ(found(), "");
    audit.ended(ending);
    EXPECT_EQ(found(), "V1 ");
}

TEST_F(ShopAuditTest, ADeadlineLongOverdueIsV1) {
    Story told = story({made()});
    told.entity.deadlines = {{"created", 1'000, 1'000, 0}};
    ending.stories.push_back(told);
    ending.now_ms = 61'000;
    audit.rested(ending);
    EXPECT_EQ(found(), "");
    ending.now_ms = 61'001;
    audit.rested(ending);
    EXPECT_EQ(found(), "V1 ");
}

}  // namespace
}  // namespace pawl::sim
