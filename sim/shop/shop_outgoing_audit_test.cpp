// SPDX-License-Identifier: Apache-2.0
// What the auditors of the shop find in what went out: events that arrived, and refunds that were made.
#include "sim/shop/shop_audit_fixture.hpp"
#include "stream/event.hpp"

namespace pawl::sim {
namespace {

class OutgoingAuditTest : public ShopAuditTest {
  protected:
    OutgoingAuditTest() {
        told = story({made(), row(2, "begin_payment", "created", "paying")});
        told.steps[0].history.type = "order.created";
        told.steps[1].history.type = "order.paying";
    }
    void arrive(std::uint64_t version, const std::string& type) {
        ending.received.push_back(
            {"order", "1", type, stream::event_id({"shop", "order", "1", {}}, version)});
    }
    void begin_refund(store::SagaState state) {
        store::SagaRow saga;
        saga.state = state;
        saga.start.name = "refund";
        saga.start.values = {{"transaction_id", "T1"}};
        ending.sagas.push_back(saga);
    }
    Story told;
};

TEST_F(OutgoingAuditTest, EventsInOrderAndTheirRepeatsAreFine) {
    arrive(1, "order.created");
    arrive(2, "order.paying");
    arrive(1, "order.created");
    end(std::move(told));
    EXPECT_EQ(found(), "");
}

TEST_F(OutgoingAuditTest, AnEventThatDoesNotArriveIsO) {
    arrive(1, "order.created");
    end(std::move(told));
    EXPECT_EQ(found(), "O ");
}

TEST_F(OutgoingAuditTest, AnEventBeforeTheOneBeforeItIsO) {
    arrive(2, "order.paying");
    arrive(1, "order.created");
    end(std::move(told));
    EXPECT_EQ(found(), "O ");
}

TEST_F(OutgoingAuditTest, AnEventThatWasNotCommittedIsO) {
    arrive(1, "order.created");
    arrive(2, "order.paying");
    arrive(3, "order.paid");
    end(std::move(told));
    EXPECT_EQ(found(), "O ");
}

TEST_F(OutgoingAuditTest, ARefundMadeOnceOrBeforeAPersonIsFine) {
    begin_refund(store::SagaState::done);
    ending.refunds = {{"T1", "k", "12.5"}};
    audit.ended(ending);
    ending.refunds.clear();
    ending.sagas.front().state = store::SagaState::needs_attention;
    audit.ended(ending);
    EXPECT_EQ(found(), "");
}

TEST_F(OutgoingAuditTest, ARefundMadeTwiceIsG2) {
    begin_refund(store::SagaState::done);
    ending.refunds = {{"T1", "k", "12.5"}, {"T1", "l", "12.5"}};
    audit.ended(ending);
    EXPECT_EQ(found(), "G2 ");
}

TEST_F(OutgoingAuditTest, ARefundOfAnotherAmountThanWasPaidIsG2) {
    book.add_money(1, "12.50");
    begin_refund(store::SagaState::done);
    ending.refunds = {{"T1", "k", "12.51"}};
    audit.ended(ending);
    EXPECT_EQ(found(), "G2 ");
}

TEST_F(OutgoingAuditTest, ARefundThatIsDoneAndWasNotMadeIsG2) {
    begin_refund(store::SagaState::done);
    audit.ended(ending);
    EXPECT_EQ(found(), "G2 ");
}

TEST_F(OutgoingAuditTest, ARefundThatNothingHadBegunIsG2) {
    ending.refunds = {{"T1", "k", "12.5"}};
    audit.ended(ending);
    EXPECT_EQ(found(), "G2 ");
}

}  // namespace
}  // namespace pawl::sim
