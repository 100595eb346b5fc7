// SPDX-License-Identifier: Apache-2.0
// What goes when it is over, and what stays so that nothing happens twice.
#include "store/conformance/outbox_suite.hpp"

namespace pawl::store::conformance {
namespace {

constexpr std::int64_t kDayMs = 24 * 3'600'000LL;

class FlowsRetention : public OutboxSuite {
  protected:
    std::size_t retire(std::int64_t days = 400, std::size_t limit = 99) {
        return run(rig().store().retire(limit, days * kDayMs));
    }
    void cancelled(const std::string& id) {
        ordered(id);
        EXPECT_EQ(outcome(step(id, "cancel")), "applied 2");
    }
    // Every compensation that runs has been made.
    void refund_all() {
        for (const SagaRow& row : run(rig().store().due_sagas(timer::kNever, 99)).rows)
            EXPECT_TRUE(run(rig().store().move(
                {.number = row.number, .to = SagaState::done, .claim = claim_id(row.number)})));
    }
    // What happens later than everything else, so that the rest is not the newest.
    void newest() { ordered("9999"); }
};

TEST_P(FlowsRetention, AnOrderGoesWithItsHistoryLongAfterItsEnd) {
    cancelled("1");
    const std::int64_t ended_ms = entity("1").ended_ms;
    EXPECT_EQ(ended_ms, rig().now_ms());
    ordered("2");
    newest();
    EXPECT_EQ(entity("2").ended_ms, 0);
    rig().hand().pass(400h * 24 - 1ms);
    EXPECT_EQ(retire(), 0U);
    rig().hand().pass(1ms);
    EXPECT_EQ(retire(), 1U);
    EXPECT_EQ(retire(), 0U);
    rig().restart();
    EXPECT_FALSE(load(by_id("1")));
    EXPECT_FALSE(load(by_key("B1")));
    EXPECT_TRUE(history("1").empty());
    EXPECT_TRUE(load(by_id("2"))) << "it goes on";
    EXPECT_EQ(history("2").size(), 1U);
    // Its business key is free.
    EXPECT_EQ(outcome(creation("3", "B1")), "applied 1");
}

TEST_P(FlowsRetention, WhatHappensInItsLastStateCounts) {
    cancelled("1");
    newest();
    rig().hand().pass(399h * 24);
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 3") << "paid, and paid back";
    refund_all();
    ordered("10000");
    rig().hand().pass(24h);
    EXPECT_EQ(retire(), 0U);
    rig().hand().pass(399h * 24);
    EXPECT_EQ(retire(), 1U);
}

// L1: the money of an order that is no more must not come a second time under another one.
TEST_P(FlowsRetention, FactsForEverAndSagasStay) {
    stocked();
    grown("1", 3);
    cancelled("2");
    EXPECT_EQ(outcome(step("2", payment("T2"))), "applied 3");
    refund_all();
    newest();
    rig().hand().pass(401h * 24);
    EXPECT_EQ(retire(), 2U);
    ordered("3");
    const FlowReply reply = commit(step("3", payment("T1")));
    EXPECT_EQ(told(reply), "lost fact");
    EXPECT_EQ(reply.lost->holder->id, "1");
    EXPECT_EQ(run(rig().store().sagas({}, 0, 9)).size(), 1U);
}

TEST_P(FlowsRetention, SlotsAndFactsThatEndWithAStateGo) {
    FlowCommit booking = creation("1");
    auto& bundle = std::get<flow::Bundle>(booking.decision);
    bundle.ends = true;  // as if its first state were its last
    bundle.start.clear();
    bundle.take_slots = {{"room 1", "10", "11", {"created"}, {"1", 1, "ann", 0}}};
    bundle.take_facts = {{sha256("seat"), "create", {}, {"created"}, {"1", 1, "ann", 0}}};
    EXPECT_EQ(outcome(booking), "applied 1");
    newest();
    FlowCommit other = creation("2");
    std::get<flow::Bundle>(other.decision).take_slots = {
        {"room 1", "10", "11", {"created"}, {"2", 1, "bob", 0}}};
    FlowCommit seat = creation("3");
    std::get<flow::Bundle>(seat.decision).take_facts = {
        {sha256("seat"), "create", {}, {"created"}, {"3", 1, "bob", 0}}};
    EXPECT_EQ(outcome(other), "lost slot");
    EXPECT_EQ(outcome(seat), "lost fact");
    rig().hand().pass(400h * 24);
    EXPECT_EQ(retire(), 1U);
    EXPECT_EQ(outcome(other), "applied 1");
    EXPECT_EQ(outcome(seat), "applied 1");
}

// Field case 67: nothing goes that was not sent.
TEST_P(FlowsRetention, WhatASinkHasNotHadStays) {
    grown("1", 3);
    grown("2", 3);
    newest();
    report("a", {parked(unsent("a").at(0), "no")});
    while (!unsent("a").empty()) send_all("a");
    rig().hand().pass(500h * 24);
    EXPECT_EQ(retire(), 1U) << "only 2: of 1 a row is parked, and two wait behind it";
    EXPECT_TRUE(load(by_id("1")));
    (void)run(rig().store().redrive("a"));
    while (!unsent("a").empty()) send_all("a");
    EXPECT_FALSE(unsent("b").empty());
    EXPECT_EQ(retire(), 0U) << "b, which is new, has not had them";
    EXPECT_TRUE(rig().hand().run(rig().store().drop_sink("b")));
    EXPECT_EQ(retire(), 1U);
}

TEST_P(FlowsRetention, GoesInSmallPartsFromTheOldest) {
    for (int id = 1; id <= 25; ++id) cancelled(std::to_string(id));
    newest();
    rig().hand().pass(400h * 24);
    EXPECT_EQ(retire(400, 10), 10U);
    EXPECT_FALSE(load(by_id("10")));
    EXPECT_TRUE(load(by_id("11")));
    EXPECT_EQ(retire(400, 10), 10U);
    rig().restart();
    EXPECT_EQ(retire(400, 10), 5U);
    EXPECT_TRUE(load(by_id("9999")));
}

// Their numbers would be given out again, and pass for sent.
TEST_P(FlowsRetention, TheNewestRowOfHistoryStays) {
    cancelled("1");
    rig().hand().pass(500h * 24);
    EXPECT_EQ(retire(), 0U);
    newest();
    EXPECT_EQ(retire(), 1U);
}

// What is capped is new keys; facts come in whatever is there.
TEST_P(FlowsRetention, EverythingThatIsKeptCountsForItsTenant) {
    rig().limit({.stored_bytes_per_tenant = 30'000});
    int last = 0;
    const auto create = [&] {
        const std::string id = std::to_string(++last);
        return outcome(with(creation(id, "B" + id), request(last)));
    };
    while (last < 200 && create() == "applied 1") {
    }
    ASSERT_LT(last, 200);
    EXPECT_EQ(create(), "lost record limited");
    rig().restart();
    EXPECT_EQ(create(), "lost record limited");
    EXPECT_EQ(outcome(step("1", payment("T1", "99"))), "applied 1");
    EXPECT_EQ(outcome(step("1", "cancel")), "applied 2");
    for (int id = 2; id <= 12; ++id)
        EXPECT_EQ(outcome(step(std::to_string(id), "cancel")), "applied 2");
    ordered("9999");
    EXPECT_EQ(create(), "lost record limited");
    rig().hand().pass(400h * 24);
    EXPECT_EQ(retire(), 12U);
    EXPECT_EQ(create(), "applied 1");
}

TEST_P(FlowsRetention, ClosedEntriesGoAsLongAfter) {
    ordered("1");
    EXPECT_EQ(outcome(step("1", payment("T1", "99"))), "applied 1");
    const std::uint64_t number = attention().at(0).number;
    EXPECT_EQ(close(number, "ann", "done"), "closed");
    rig().hand().pass(400h * 24 - 1ms);
    (void)retire();
    EXPECT_EQ(close(number, "ann", "done"), "closed");
    rig().hand().pass(1ms);
    (void)retire();
    EXPECT_EQ(close(number, "ann", "done"), "not_found");
}

}  // namespace

// The row of history that began it is what a refund is made from.
TEST_P(FlowsRetention, AnOrderStaysUntilItsMoneyIsBack) {
    cancelled("1");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 3");
    cancelled("2");
    newest();
    rig().hand().pass(401h * 24);
    EXPECT_EQ(retire(), 1U) << "the other one";
    EXPECT_TRUE(load(by_id("1")));
    const SagaRow saga = run(rig().store().sagas({}, 0, 9)).at(0);
    const auto move = [&](SagaState to, std::uint64_t claim) {
        return run(rig().store().move({.number = saga.number, .to = to, .claim = claim_id(claim)}));
    };
    EXPECT_TRUE(move(SagaState::needs_attention, 1));
    EXPECT_EQ(retire(), 0U) << "a person has yet to look";
    EXPECT_TRUE(move(SagaState::done, 2));
    EXPECT_EQ(retire(), 1U);
    EXPECT_EQ(run(rig().store().sagas({}, 0, 9)).size(), 1U) << "its key is never free";
}

// Entities for ever do not mean lists for ever.
TEST_P(FlowsRetention, WhereEntitiesAreKeptClosedEntriesGoAllTheSame) {
    cancelled("1");
    ordered("2");
    EXPECT_EQ(outcome(step("2", payment("T1", "99"))), "applied 1");
    const std::uint64_t number = attention().at(0).number;
    EXPECT_EQ(close(number, "ann", "refunded by hand"), "closed");
    newest();
    const auto keep = [&] { return run(rig().store().retire(99, 400 * kDayMs, true)); };
    rig().hand().pass(400h * 24 - 1ms);
    EXPECT_EQ(keep(), 0U);
    EXPECT_EQ(close(number, "ann", "refunded by hand"), "closed") << "it is known who closed it";
    rig().hand().pass(1ms);
    EXPECT_EQ(keep(), 0U);
    EXPECT_EQ(close(number, "ann", "refunded by hand"), "not_found");
    EXPECT_TRUE(load(by_id("1")));
}

INSTANTIATE_TEST_SUITE_P(Store, FlowsRetention, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
