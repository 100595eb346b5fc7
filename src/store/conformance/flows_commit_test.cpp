// SPDX-License-Identifier: Apache-2.0
// One commit: record, version, history, stock, deadline and outgoing event together, or none of them.
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

class FlowsCommit : public FlowSuite {
  protected:
    // A creation that takes a slot of room 1.
    FlowCommit booking(const std::string& id, std::string from, std::string to) {
        FlowCommit commit = creation(id);
        std::get<flow::Bundle>(commit.decision).take_slots = {
            {"room 1", std::move(from), std::move(to), {"created"}, {id, 1, "ann", 0}}};
        return commit;
    }
    // What its rows contradict: more given back than was ever reserved.
    FlowCommit unsound(const std::string& id) {
        FlowCommit commit = step(id, "cancel");
        std::get<flow::Bundle>(commit.decision).moves = {
            {sku("A"), {.available = 7, .reserved = -7}, {}}};
        return commit;
    }
};

TEST_P(FlowsCommit, EverythingOfACommitIsThere) {
    stocked();
    const FlowReply created = commit(with(creation("1", "B1"), request(1)));
    EXPECT_EQ(told(created), "applied 1");
    EXPECT_EQ(created.id, "1");
    EXPECT_EQ(created.next_due_ms, created.now_ms + 15 * 60'000);
    rig().hand().pass(1s);
    const FlowReply paid = commit(with(step("1", payment("T1")), request(2, 2, "paid")));
    EXPECT_EQ(told(paid), "applied 2");
    rig().restart();
    const flow::Entity order = entity("1");
    EXPECT_EQ(order.state, "paid");
    EXPECT_EQ(order.version, 2U);
    EXPECT_EQ(order.created_ms, created.now_ms);
    EXPECT_EQ(timer::earliest_ms(order.deadlines), paid.now_ms + 72 * 3'600'000LL);
    EXPECT_EQ(level("A"), (stock::Level{8, 0, 2}));
    const auto steps = history("1");
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].history.event, "create");
    EXPECT_EQ(steps[0].request, identity(1));
    EXPECT_EQ(steps[1].history.version, 2U);
    EXPECT_EQ(steps[1].history.type, "order.paid");
    EXPECT_EQ(steps[1].history.at_ms, paid.now_ms);
    ASSERT_EQ(steps[1].moves.size(), 1U);
    EXPECT_EQ(steps[1].moves[0].after.confirmed, 2);
    const auto kept = record(2);
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->row.state, State::completed);
    EXPECT_EQ(kept->answer, answer("paid"));
}

// Field case X18: what was decided on an older state does not write over a newer one.
TEST_P(FlowsCommit, NothingOfACommitThatLosesIsThere) {
    stocked();
    ordered("1");
    const FlowCommit late = with(step("1", payment("T1")), request(1));
    EXPECT_EQ(outcome(step("1", "begin_payment")), "applied 2");
    const flow::Entity before = entity("1");
    EXPECT_EQ(outcome(late), "lost version");
    EXPECT_EQ(entity("1"), before);
    EXPECT_EQ(history("1").size(), 2U);
    EXPECT_EQ(level("A"), (stock::Level{10, 0, 0}));
    EXPECT_FALSE(record(1));
    EXPECT_EQ(outcome(with(step("1", payment("T1")), request(1))), "applied 3");
}

// Field case X19: two clicks within milliseconds make one shipment.
TEST_P(FlowsCommit, OfManyJudgedOnOneVersionOneIsApplied) {
    ordered("1");
    std::vector<FlowCommit> commits;
    for (int i = 0; i < 20; ++i) commits.push_back(step("1", i % 2 ? "cancel" : "begin_payment"));
    int applied = 0;
    for (const auto& reply : commit_all(std::move(commits))) {
        if (told(reply) == "applied 2")
            ++applied;
        else
            EXPECT_EQ(told(reply), "lost version");
    }
    EXPECT_EQ(applied, 1);
    EXPECT_EQ(entity("1").version, 2U);
    EXPECT_EQ(history("1").size(), 2U);
}

TEST_P(FlowsCommit, ABadOneFailsAloneAmongThoseThatAreWrittenWithIt) {
    stocked();
    for (const char* id : {"1", "2", "3"}) ordered(id);
    FlowCommit invalid = stock_set("A", stock::kQuantityMax, 1);
    std::get<StockChange>(invalid.decision).kind = StockChange::Kind::adjust;
    const auto replies = commit_all({step("1", "begin_payment"), unsound("2"), invalid,
                                     creation("9", "B1"), step("3", "begin_payment")});
    std::vector<std::string> words;
    for (const auto& reply : replies) words.push_back(told(reply));
    EXPECT_THAT(words, testing::ElementsAre("applied 2", "lost unsound", "request_invalid",
                                            "lost business_key", "applied 2"));
    EXPECT_EQ(entity("2").version, 1U);
    EXPECT_EQ(level("A"), (stock::Level{10, 0, 0}));
}

TEST_P(FlowsCommit, ARepeatedRequestIsToldItsRecordAndChangesNothing) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(with(step("1", payment("T1")), request(1, 1, "first"))), "applied 2");
    const FlowReply repeat = commit(with(step("1", "ship"), request(1, 2, "second")));
    EXPECT_EQ(told(repeat), "lost record replay");
    EXPECT_EQ(repeat.answer, answer("first"));
    EXPECT_EQ(entity("1").version, 2U);
    flow::Request other = request(1, 3);
    other.claim.fingerprint = sha256("another body");
    EXPECT_EQ(outcome(with(step("1", "ship"), other)), "lost record mismatch");
}

// Field case 61: whoever comes second finds what the first one made, and is never told that there is nothing.
// Its answer was lost on the way: the same claim finds what it did, and nothing is done twice.
TEST_P(FlowsCommit, TheSameCommitUnderTheSameClaimFindsItsOwn) {
    stocked();
    ordered("1");
    const FlowCommit sent = with(step("1", payment("T1")), request(1));
    const FlowReply first = commit(sent);
    rig().restart();
    const FlowReply second = commit(sent);
    EXPECT_EQ(told(second), "applied_before 2");
    EXPECT_EQ(second.id, "1");
    EXPECT_EQ(second.next_due_ms, first.next_due_ms);
    EXPECT_EQ(second.answer, answer("done"));
    EXPECT_EQ(level("A"), (stock::Level{8, 0, 2}));
    EXPECT_EQ(history("1").size(), 2U);
    const FlowCommit made = with(creation("2", "B2"), request(2));
    commit(made);
    EXPECT_EQ(outcome(made), "applied_before 1");
}

TEST_P(FlowsCommit, AUniqueFactBelongsToTheFirst) {
    stocked();
    ordered("1");
    ordered("2");
    const FlowCommit second = step("2", payment("T1"));
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    const FlowReply reply = commit(second);
    EXPECT_EQ(told(reply), "lost fact");
    ASSERT_TRUE(reply.lost->holder);
    EXPECT_EQ(reply.lost->holder->id, "1");
    EXPECT_EQ(reply.lost->holder->version, 2U);
    EXPECT_GT(reply.lost->holder->at_ms, 0);
    EXPECT_EQ(outcome(step("2", payment("T2"))), "applied 2");
}

TEST_P(FlowsCommit, SlotsOfOneResourceNeverOverlap) {
    EXPECT_EQ(outcome(booking("1", "10:00", "11:00")), "applied 1");
    const FlowReply reply = commit(booking("2", "10:59", "12:00"));
    EXPECT_EQ(told(reply), "lost slot");
    EXPECT_EQ(reply.lost->holder->id, "1");
    EXPECT_FALSE(load(by_id("2")));
    EXPECT_EQ(outcome(booking("3", "11:00", "12:00")), "applied 1");
    // Left with the state that held it.
    EXPECT_EQ(outcome(step("1", "cancel")), "applied 2");
    EXPECT_EQ(outcome(booking("4", "10:00", "11:00")), "applied 1");
}

TEST_P(FlowsCommit, ABusinessKeyIsHadOnceByATenantAndAFlow) {
    ordered("1");
    const FlowReply reply = commit(creation("2", "B1"));
    EXPECT_EQ(told(reply), "lost business_key");
    EXPECT_EQ(reply.lost->holder->id, "1");
    EXPECT_EQ(reply.lost->holder->by, "ann");
    FlowCommit elsewhere = creation("2", "B1");
    std::get<flow::Bundle>(elsewhere.decision).created.tenant = "other";
    EXPECT_EQ(outcome(elsewhere), "applied 1");
    EXPECT_EQ(outcome(creation("3")), "applied 1");
    EXPECT_EQ(outcome(creation("4")), "applied 1");  // without a key
}

TEST_P(FlowsCommit, AnIdIsCreatedOnce) {
    ordered("1");
    EXPECT_EQ(outcome(creation("1", "B2")), "lost version");
    EXPECT_FALSE(load(by_key("B2")));
}

TEST_P(FlowsCommit, ARefusalIsStoredAsOfTheVersionThatItSpeaksAbout) {
    stocked();
    ordered("1");
    const FlowCommit refused = with(step("1", "ship"), request(1, 1, "refused"));
    ASSERT_TRUE(std::holds_alternative<flow::Refusal>(refused.decision));
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    EXPECT_EQ(outcome(refused), "lost version");
    EXPECT_FALSE(record(1));
    EXPECT_EQ(outcome(with(step("1", "begin_payment"), request(1, 1, "refused"))), "applied 2");
    EXPECT_EQ(record(1)->answer, answer("refused"));
    EXPECT_EQ(entity("1").version, 2U);
    // One that the next request may not meet is no result.
    FlowCommit undecided = with(step("1", "begin_payment"), request(2));
    std::get<flow::Refusal>(undecided.decision).reason = flow::Reason::undecided;
    EXPECT_EQ(outcome(undecided), "applied 2");
    EXPECT_FALSE(record(2));
}

TEST_P(FlowsCommit, ARepeatOfAnEventLeavesOnlyItsRecord) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    const FlowCommit repeat = with(step("1", payment("T1")), request(1, 1, "again"));
    ASSERT_TRUE(std::holds_alternative<Answered>(repeat.decision));
    EXPECT_EQ(outcome(repeat), "applied 2");
    EXPECT_EQ(record(1)->answer, answer("again"));
    EXPECT_EQ(history("1").size(), 2U);
    FlowCommit present = with(repeat, request(2));
    present.decision = Answered{.judged_on = 1};
    EXPECT_EQ(outcome(present), "lost version");
}

TEST_P(FlowsCommit, ASagaBeginsOncePerKey) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    const FlowCommit second = step("1", payment("T2"));
    EXPECT_EQ(outcome(second), "applied 3");
    FlowCommit elsewhere = creation("2");
    std::get<flow::Bundle>(elsewhere.decision).sagas =
        std::get<flow::Bundle>(second.decision).sagas;
    EXPECT_EQ(outcome(elsewhere), "lost saga") << "the money is not this one's to give back";
    EXPECT_FALSE(load(by_id("2")));
    FlowCommit third = step("1", payment("T3"));
    std::get<flow::Bundle>(third.decision).sagas = std::get<flow::Bundle>(second.decision).sagas;
    EXPECT_EQ(outcome(third), "applied 4");
    const auto steps = history("1");
    EXPECT_EQ(steps[2].history.type, "duplicate_payment");
    ASSERT_EQ(steps[2].sagas.size(), 1U);
    EXPECT_EQ(steps[2].sagas[0].name, "refund");
    EXPECT_TRUE(steps[3].sagas.empty());
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsCommit, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
