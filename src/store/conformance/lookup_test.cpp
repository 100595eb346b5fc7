// SPDX-License-Identifier: Apache-2.0
// How people find operations: by key and trace, in the list of the unresolved, along their timeline.
#include "store/conformance/suite.hpp"

namespace pawl::store::conformance {
namespace {

class LookUps : public Suite {
  protected:
    std::vector<Digest> find(LookUp kind, std::string value, std::size_t limit = 10) {
        return rig().hand().run(rig().records().find(kind, std::move(value), limit)).value();
    }
    std::vector<record::Row> unresolved(UnresolvedQuery query) {
        return rig().hand().run(rig().records().unresolved(std::move(query))).value();
    }
    std::vector<TimelineEntry> timeline(int key) {
        return rig().hand().run(rig().records().timeline(identity(key))).value();
    }
    // Notes are written behind; waits until `count` of them are there.
    std::vector<TimelineEntry> timeline(int key, std::size_t count) {
        std::vector<TimelineEntry> entries;
        const auto give_up = std::chrono::steady_clock::now() + 20s;
        while (std::chrono::steady_clock::now() < give_up &&
               (entries = timeline(key)).size() < count)
            std::this_thread::sleep_for(2ms);
        return entries;
    }
    Totals totals() { return rig().hand().run(rig().records().totals()).value(); }
    Fence uncertain(int key) {
        const Fence fence = acquire(claim(key, 1));
        EXPECT_EQ(rig().outcome(record::Suspect{identity(key), claim_id(1), fence}),
                  Outcome::suspected);
        return fence;
    }
};

// R-EXPLAIN
TEST_P(LookUps, AnOperationIsFoundByItsKeyAndByItsTrace) {
    completed(1, 1);
    acquire(claim(2, 1));
    EXPECT_THAT(find(LookUp::key, "key-1"), testing::ElementsAre(identity(1)));
    EXPECT_THAT(find(LookUp::trace_id, "trace-2"), testing::ElementsAre(identity(2)));
    EXPECT_THAT(find(LookUp::key, "trace-2"), testing::IsEmpty());
    EXPECT_THAT(find(LookUp::key, "key-3"), testing::IsEmpty());
}

TEST_P(LookUps, AClaimThatCrashedIsFoundByItsKey) {
    acquire(claim(1, 1));
    rig().restart();
    EXPECT_THAT(find(LookUp::key, "key-1"), testing::ElementsAre(identity(1)));
    EXPECT_THAT(find(LookUp::trace_id, "trace-1"), testing::ElementsAre(identity(1)));
}

TEST_P(LookUps, OperationsUnderOneKeyComeNewestFirstAndNoMoreThanAsked) {
    for (int key = 1; key <= 5; ++key) {
        record::Claim made = claim(key, 1);
        made.key_label = "shared";
        acquire(made);
    }
    EXPECT_THAT(
        find(LookUp::key, "shared"),
        testing::ElementsAre(identity(5), identity(4), identity(3), identity(2), identity(1)));
    EXPECT_THAT(find(LookUp::key, "shared", 2), testing::ElementsAre(identity(5), identity(4)));
}

TEST_P(LookUps, ARetryIsFoundByItsOwnTrace) {
    const Fence fence = acquire(claim(1, 1));
    EXPECT_EQ(rig().outcome(record::Release{identity(1), claim_id(1), fence}), Outcome::freed);
    record::Claim retry = claim(1, 2);
    retry.trace_id = "trace of the retry";
    acquire(retry);
    EXPECT_THAT(find(LookUp::trace_id, "trace of the retry"), testing::ElementsAre(identity(1)));
}

TEST_P(LookUps, TheUnresolvedAreListedOldestFirst) {
    uncertain(1);
    rig().pass(10s);
    uncertain(2);
    acquire(claim(3, 1));
    completed(4, 1);
    auto rows = unresolved({});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].identity, identity(1));
    EXPECT_EQ(rows[1].identity, identity(2));
    EXPECT_EQ(unresolved({.older_than_ms = 10'000}).size(), 1U);
    EXPECT_EQ(unresolved({.older_than_ms = 10'001}).size(), 0U);
    EXPECT_EQ(unresolved({.limit = 1}).size(), 1U);
    for (std::size_t skip = 0; skip <= rows.size(); ++skip) {
        const auto one = unresolved({.limit = 1, .skip = skip});
        ASSERT_EQ(one.size(), skip < rows.size() ? 1U : 0U);
        if (!one.empty()) EXPECT_EQ(one.front().identity, rows[skip].identity);
    }
    EXPECT_EQ(unresolved({.operation = "create_order"}).size(), 2U);
    EXPECT_EQ(unresolved({.operation = "another"}).size(), 0U);
    EXPECT_EQ(unresolved({.uncertain_only = false}).size(), 3U);
}

TEST_P(LookUps, TheTotalsCountTheUnresolved) {
    EXPECT_EQ(totals().uncertain, 0U);
    EXPECT_EQ(totals().oldest_uncertain_ms, 0);
    const Fence fence = uncertain(1);
    rig().pass(7s);
    uncertain(2);
    acquire(claim(3, 1));
    completed(4, 1);
    EXPECT_EQ(totals().uncertain, 2U);
    EXPECT_EQ(totals().in_progress, 1U);
    EXPECT_EQ(totals().open, 0U);
    EXPECT_EQ(totals().oldest_uncertain_ms, 7'000);
    EXPECT_EQ(complete(1, 1, fence, "late"), Outcome::stored);
    EXPECT_EQ(totals().uncertain, 1U);
    EXPECT_EQ(totals().oldest_uncertain_ms, 0);
    rig().restart();
    EXPECT_EQ(totals().uncertain, 2U);
    EXPECT_EQ(totals().in_progress, 0U);
}

TEST_P(LookUps, NotesBecomeTheTimelineOfTheirOperation) {
    const Fence fence = acquire(claim(1, 1));
    acquire(claim(2, 1));
    rig().records().note({.identity = identity(1),
                          .at_ms = 10,
                          .step = "claim",
                          .outcome = "acquired",
                          .fence = fence});
    rig().records().note({.identity = identity(2), .at_ms = 11, .step = "sent"});
    rig().records().note({.identity = identity(1),
                          .at_ms = 12,
                          .step = "replay",
                          .outcome = "replay",
                          .fence = fence,
                          .detail = "second line",
                          .count = 17});
    const auto entries = timeline(1, 2);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].step, "claim");
    EXPECT_EQ(entries[0].outcome, "acquired");
    EXPECT_EQ(entries[0].at_ms, 10);
    EXPECT_EQ(entries[1].detail, "second line");
    EXPECT_EQ(entries[1].fence, fence);
    EXPECT_EQ(entries[1].count, 17U);
    EXPECT_EQ(entries[1].identity, identity(1));
    EXPECT_EQ(timeline(2, 1).size(), 1U);
    EXPECT_TRUE(timeline(3).empty());
}

TEST_P(LookUps, AForgottenRecordLeavesWhoAndWhyInTheSameCommit) {
    const Fence fence = completed(1, 10);
    EXPECT_EQ(rig().outcome(record::Forget{identity(1), fence, "forgotten by ada: test data"}),
              Outcome::removed);
    EXPECT_EQ(rig().outcome(record::Forget{identity(1), fence, "once more"}), Outcome::removed);
    if (rig().durable()) rig().restart();
    const auto entries = timeline(1);
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].step, "forget");
    EXPECT_EQ(entries[0].outcome, "removed");
    EXPECT_EQ(entries[0].fence, fence);
    EXPECT_EQ(entries[0].detail, "forgotten by ada: test data");
    EXPECT_THAT(find(LookUp::key, "key-1"), testing::ElementsAre(identity(1)));
    // It outlives the next record of its key, too.
    const Fence again = completed(1, 11);
    EXPECT_EQ(rig().outcome(record::Forget{identity(1), again, "and again"}), Outcome::removed);
    EXPECT_EQ(timeline(1).size(), 2U);
    EXPECT_THAT(find(LookUp::key, "key-1"), testing::ElementsAre(identity(1)));
    rig().pass(std::chrono::milliseconds{kForgottenKeepMs});
    rig().sweep_all();
    EXPECT_TRUE(timeline(1).empty());
    EXPECT_TRUE(find(LookUp::key, "key-1").empty());
}

TEST_P(LookUps, WhatIsNotForgottenLeavesNothing) {
    const Fence fence = acquire(claim(1, 10));
    EXPECT_EQ(rig().outcome(record::Forget{identity(1), fence, "too early"}), Outcome::refused);
    EXPECT_EQ(rig().outcome(record::Forget{identity(2), fence, "never was"}), Outcome::removed);
    EXPECT_TRUE(timeline(1).empty());
    EXPECT_TRUE(timeline(2).empty());
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, LookUps, testing::ValuesIn(stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
