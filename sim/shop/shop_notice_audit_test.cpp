// SPDX-License-Identifier: Apache-2.0
// The auditors of notifications, ids, retention and of what a payment buys find the violation they are there for.
#include "sim/shop/shop_audit_fixture.hpp"
#include "sim/shop/shop_node.hpp"

namespace pawl::sim {
namespace {

class NoticeAuditTest : public ShopAuditTest {
  protected:
    NoticeAuditTest() {
        notice.account = "order";
        notice.event_id = "E1";
        notice.key = "B1";
        notice.transaction = book.add_money(1, "12.50").transaction;
    }
    void hear(int status, bool clock_stepped = false) {
        audit.heard({notice, status, clock_stepped});
    }
    void keep() {
        record::Claim claim;
        claim.operation = "callback standard_webhooks/order";
        claim.key_label = "E1";
        request = flow::Request{claim, {}};
        decide(store::Answered{}, order("created", 1), order("created", 1));
    }
    void pay(const std::string& transaction) {
        flow::History row = paid(2, "created", transaction);
        row.values["kind"] = "paid";
        commit(row, order("created", 1), order("paid", 2));
    }
    Notice notice;
};

TEST_F(NoticeAuditTest, AcknowledgedOnceItIsKnownOrItsFactIsThereIsFine) {
    hear(500);
    keep();
    hear(204);
    notice.event_id = "E2";
    pay(notice.transaction);
    hear(204);
    EXPECT_EQ(found(), "");
}

TEST_F(NoticeAuditTest, AcknowledgedBeforeItIsKnownIsN) {
    hear(204);
    EXPECT_EQ(found(), "N ");
}

TEST_F(NoticeAuditTest, ARefusalIsNUnlessSomebodySetTheClock) {
    hear(401, true);
    EXPECT_EQ(found(), "");
    hear(401);
    EXPECT_EQ(found(), "N ");
}

TEST_F(NoticeAuditTest, AForgedOneThatIsBelievedIsN) {
    notice.kind = Notice::Kind::forged;
    hear(401);
    EXPECT_EQ(found(), "");
    hear(204);
    EXPECT_EQ(found(), "N ");
}

TEST_F(NoticeAuditTest, MoneyThatNobodyPaidIsN) {
    pay("F9");
    EXPECT_EQ(found(), "N ");
}

TEST_F(NoticeAuditTest, MoneyOfAnotherAccountIsN) {
    book.add_purchase("booking", "ann", "12.50");
    pay(book.add_money(2, "12.50").transaction);
    EXPECT_EQ(found(), "N ");
}

TEST_F(NoticeAuditTest, WhatCannotBeReadAndNoPersonSeesIsN) {
    book.add_unreadable().acknowledged = true;
    audit.ended(ending);
    EXPECT_EQ(found(), "N ");
}

TEST_F(ShopAuditTest, AnIdThatIsGivenOutTwiceIsI1) {
    request = flow::Request{claim_of("ann", "order.create", "k1", "b"), {}};
    reply.outcome = store::FlowOutcome::lost;
    commit(made(), order("", 0), order("", 0));
    commit(made(), order("", 0), order("", 0));
    EXPECT_EQ(found(), "");
    request->claim.claim.bytes[0] = 1;
    commit(made(), order("", 0), order("", 0));
    EXPECT_EQ(found(), "I1 ");
}

class RetiredAuditTest : public ShopAuditTest {
  protected:
    RetiredAuditTest() {
        book.add_look({1, 1, flow::Probed::unpaid});
        told = story({made(), row(2, "cancel", "created", "cancelled")});
        told.steps[1].history.at_ms = 1'000;
    }
    void retire(std::int64_t after_ms) { audit.retired({told, sagas, 1'000 + after_ms}); }
    static constexpr std::int64_t kKept = std::chrono::milliseconds(kKeepsFinished).count();
    Story told;
    std::vector<store::SagaRow> sagas;
};

TEST_F(RetiredAuditTest, WhatIsOverLongEnoughMayGo) {
    retire(kKept);
    EXPECT_EQ(found(), "");
}

TEST_F(RetiredAuditTest, AMillisecondTooEarlyIsH3) {
    retire(kKept - 1);
    EXPECT_EQ(found(), "H3 ");
}

TEST_F(RetiredAuditTest, WhatIsNotOverIsH3) {
    told.entity.state = "paid";
    retire(kKept);
    EXPECT_EQ(found(), "H3 ");
}

TEST_F(RetiredAuditTest, ARefundThatIsNotMadeYetIsH3) {
    sagas.emplace_back();
    sagas[0].subject = {"shop", "order", "1", {}};
    sagas[0].state = store::SagaState::needs_attention;
    retire(kKept);
    EXPECT_EQ(found(), "H3 ");
    sagas[0].state = store::SagaState::done;
    retire(kKept);
    EXPECT_EQ(found(), "H3 ");
}

TEST_F(RetiredAuditTest, WhatIsGoneAndAnswersIsH3) {
    retire(kKept);
    audit.answered({book.wish(1), outcome(engine::Told::repeated), 0});
    EXPECT_EQ(found(), "");
    audit.answered({book.wish(1), outcome(engine::Told::applied), 0});
    EXPECT_EQ(found(), "H3 ");
}

class BoughtAuditTest : public ShopAuditTest {
  protected:
    BoughtAuditTest() {
        book.add_purchase("payment", "ann", "12.50");
        money = book.add_money(2, "12.50").transaction;
        told = story({row(1, "create", "", "init", Course::created), bought(2, money)});
        told.entity.flow = "payment";
        told.entity.business_key = "B2";
        saga.subject = {"shop", "payment", "1", {}};
        saga.start.name = "fulfil";
        saga.state = store::SagaState::done;
    }
    static flow::History bought(std::uint64_t version, const std::string& by) {
        flow::History one = row(version, "paid", "init", "success");
        one.values = {{"transaction_id", by}};
        return one;
    }
    void finish(const std::vector<std::string>& steps) {
        for (const std::string& step : steps) ending.works.push_back({"1", step, "k"});
        ending.sagas = {saga};
        end(told);
    }
    std::string money;
    Story told;
    store::SagaRow saga;
};

TEST_F(BoughtAuditTest, EveryStepOnceIsFine) {
    finish({"stock", "courier", "bill", "coupon"});
    EXPECT_EQ(found(), "");
}

TEST_F(BoughtAuditTest, AStepTwiceIsG3) {
    finish({"stock", "courier", "courier", "bill", "coupon"});
    EXPECT_EQ(found(), "G3 ");
}

TEST_F(BoughtAuditTest, AStepThatIsMissingIsG3UnlessAPersonLooks) {
    saga.state = store::SagaState::needs_attention;
    finish({"stock", "courier"});
    EXPECT_EQ(found(), "");
    saga.state = store::SagaState::done;
    finish({});
    EXPECT_EQ(found(), "G3 ");
}

TEST_F(BoughtAuditTest, WhatWasPaidAndNotBegunIsG3) {
    end(told);
    EXPECT_EQ(found(), "G3 ");
}

TEST_F(BoughtAuditTest, RefundedByWhatBecameOfOtherMoneyIsG3) {
    told.entity.state = "refunded";
    told.entity.version = 3;
    told.steps.push_back({row(3, "refunded", "success", "refunded"), {}, {}, {}});
    told.steps[2].history.values = {{"transaction_id", "T9"}};
    finish({"stock", "courier", "bill", "coupon"});
    EXPECT_EQ(found(), "G3 ");
}

}  // namespace
}  // namespace pawl::sim
