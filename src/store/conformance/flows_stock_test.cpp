// SPDX-License-Identifier: Apache-2.0
// Stock: changed once per key, never below zero, whoever comes at once (Q1, Q2).
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

class FlowsStock : public FlowSuite {
  protected:
    FlowCommit stock_adjust(std::int64_t by, int key) {
        FlowCommit commit = stock_set("A", by, key);
        std::get<StockChange>(commit.decision).kind = StockChange::Kind::adjust;
        return commit;
    }
};

TEST_P(FlowsStock, AnSkuThatNobodySetIsNotThere) {
    EXPECT_FALSE(run(rig().flows().level("acme", sku("A"))));
}

TEST_P(FlowsStock, IsSetAndAdjustedOncePerKey) {
    const FlowReply set = commit(stock_set("A", 10, 1));
    EXPECT_EQ(told(set), "applied 0");
    EXPECT_EQ(set.level, (stock::Level{10, 0, 0}));
    EXPECT_EQ(outcome(stock_adjust(5, 2)), "applied 0");
    rig().restart();
    const FlowReply again = commit(stock_adjust(5, 2));
    EXPECT_EQ(told(again), "applied_before 0");
    EXPECT_EQ(again.answer, answer("done"));
    EXPECT_EQ(outcome(with(stock_adjust(5, 2), request(2, 7))), "lost record replay");
    EXPECT_EQ(level("A"), (stock::Level{15, 0, 0}));
    EXPECT_EQ(record(2)->row.state, State::completed);
}

TEST_P(FlowsStock, AChangeWithoutAKeyIsRefused) {
    FlowCommit unkeyed = stock_set("A", 10, 1);
    unkeyed.request.reset();
    EXPECT_EQ(outcome(unkeyed), "request_invalid");
    EXPECT_FALSE(run(rig().flows().level("acme", sku("A"))));
}

TEST_P(FlowsStock, IsNotSetBelowWhatIsReservedAndSold) {
    stocked(3);
    ordered("1");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    const FlowReply below = commit(stock_set("A", 1, 1));
    EXPECT_EQ(told(below), "lost stock");
    EXPECT_EQ(below.lost->sku, sku("A"));
    EXPECT_EQ(outcome(stock_adjust(-2, 2)), "lost stock");
    EXPECT_EQ(level("A"), (stock::Level{1, 0, 2}));
    EXPECT_FALSE(record(1));
    EXPECT_EQ(outcome(stock_set("A", 2, 1)), "applied 0");
    EXPECT_EQ(level("A"), (stock::Level{0, 0, 2}));
}

TEST_P(FlowsStock, ReachesItsMaximumAndNotOneMore) {
    EXPECT_EQ(outcome(stock_set("A", stock::kQuantityMax, 1)), "applied 0");
    EXPECT_EQ(outcome(stock_adjust(1, 2)), "request_invalid");
    EXPECT_EQ(level("A"), (stock::Level{stock::kQuantityMax, 0, 0}));
    EXPECT_FALSE(record(2));
}

TEST_P(FlowsStock, OfOneTenantIsNotAnothers) {
    stocked(10);
    EXPECT_FALSE(run(rig().flows().level("other", sku("A"))));
    EXPECT_FALSE(run(rig().flows().level("acme", {stock::Kind::voucher, "A"})));
}

// Twenty orders of two want ten: five get theirs, fifteen are told that there is none.
TEST_P(FlowsStock, IsNeverSoldTwiceByThoseThatComeAtOnce) {
    stocked(10);
    std::vector<FlowCommit> payments;
    for (int i = 1; i <= 20; ++i) {
        const std::string id = std::to_string(i);
        ordered(id);
        payments.push_back(step(id, payment("T" + id)));
    }
    int sold = 0;
    for (const auto& reply : commit_all(std::move(payments))) {
        if (told(reply) == "applied 2") {
            ++sold;
            continue;
        }
        EXPECT_EQ(told(reply), "lost stock");
        EXPECT_EQ(reply->lost->sku, sku("A"));
    }
    EXPECT_EQ(sold, 5);
    EXPECT_EQ(level("A"), (stock::Level{0, 0, 10}));
}

TEST_P(FlowsStock, OfAnOrderOfSeveralIsTakenWholeOrNotAtAll) {
    stocked(10);
    EXPECT_EQ(outcome(stock_set("B", 1, 1)), "applied 0");
    EXPECT_EQ(outcome(creation("1", {}, new_order({{sku("A"), 2}, {sku("B"), 2}}))), "applied 1");
    const FlowReply reply = commit(step("1", payment("T1")));
    EXPECT_EQ(told(reply), "lost stock");
    EXPECT_EQ(reply.lost->sku, sku("B"));
    EXPECT_EQ(level("A"), (stock::Level{10, 0, 0}));
    EXPECT_EQ(level("B"), (stock::Level{1, 0, 0}));
    // What the reason teaches: the money is in, the goods are not.
    flow::Circumstances known;
    known.short_of = reply.lost->sku;
    EXPECT_EQ(outcome(step("1", payment("T1"), known)), "applied 2");
    EXPECT_EQ(entity("1").state, "cancelled");
    EXPECT_EQ(history("1")[1].sagas.size(), 1U);
}

TEST_P(FlowsStock, ThatWasReservedIsReleasedOnce) {
    stocked(10);
    ordered("1");
    EXPECT_EQ(outcome(step("1", "begin_payment")), "applied 2");
    EXPECT_EQ(outcome(step("1", "reserve")), "applied 3");
    EXPECT_EQ(level("A"), (stock::Level{8, 2, 0}));
    const FlowCommit cancel = step("1", "cancel");
    EXPECT_EQ(outcome(cancel), "applied 4");
    EXPECT_EQ(outcome(cancel), "lost version");
    EXPECT_EQ(level("A"), (stock::Level{10, 0, 0}));
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsStock, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
