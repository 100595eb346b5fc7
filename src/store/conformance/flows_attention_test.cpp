// SPDX-License-Identifier: Apache-2.0
// What a person has to look at: told once, closed once, and not told again by a provider's late repeat.
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

class FlowsAttention : public FlowSuite {
  protected:
    // A payment whose amount differs: acknowledged, not applied.
    FlowCommit differing(const std::string& id) { return step(id, payment("T1", "99")); }
    std::string close_told(std::uint64_t number, std::string by, std::string why) {
        const auto closed =
            rig().hand().run(rig().flows().close_attention(number, std::move(by), std::move(why)));
        if (!closed) return std::string(name_of(closed.error().code));
        return *closed ? "closed" : "somebody else";
    }
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
    EXPECT_EQ(close_told(number + 1, "ann", "refunded by hand"), "not_found");
    EXPECT_EQ(close_told(number, "ann", "refunded by hand"), "closed");
    EXPECT_TRUE(attention().empty());
    rig().restart();
    EXPECT_TRUE(attention().empty());
    EXPECT_EQ(close_told(number, "ann", "refunded by hand"), "closed") << "its answer was lost";
    EXPECT_EQ(close_told(number, "ann", "for another reason"), "somebody else");
    EXPECT_EQ(close_told(number, "bob", "refunded by hand"), "somebody else");
}

TEST_P(FlowsAttention, ALateRepeatOfAFactDoesNotOpenItAgain) {
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(close_told(attention().at(0).number, "ann", "done"), "closed");
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
                           .decision = flow::Arbitration{.kind = flow::Arbitration::Kind::attention,
                                                         .reason = "the probe says nothing",
                                                         .id = "1",
                                                         .judged_on = 1},
                           .event = Event{.name = "expire", .sender = flow::Sender::timer}};
    EXPECT_EQ(outcome(stuck), "applied 1");
    EXPECT_EQ(outcome(stuck), "applied 1");
    ASSERT_EQ(attention().size(), 1U);
    EXPECT_EQ(close_told(attention()[0].number, "ann", "done"), "closed");
    EXPECT_EQ(outcome(stuck), "applied 1");
    EXPECT_EQ(attention().size(), 1U);
}

TEST_P(FlowsAttention, OpenEntriesAreListedInTheOrderInWhichTheyCame) {
    for (const char* id : {"1", "2", "3", "4"}) {
        ordered(id);
        EXPECT_EQ(outcome(differing(id)), "applied 1");
    }
    const auto all = attention();
    EXPECT_EQ(close_told(all[1].number, "ann", "done"), "closed");
    const auto first = attention(0, 2);
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[1].subject.id, "3");
    const auto rest = attention(first[1].number);
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].subject.id, "4");
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsAttention, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
