// SPDX-License-Identifier: Apache-2.0
// What is shown of an order's entries for people, and of all that were closed: with who closed them and why, after a
// restart too, and nothing of anybody else's.
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

using Numbers = std::vector<std::uint64_t>;

class FlowsEntries : public FlowSuite {
  protected:
    FlowCommit differing(const std::string& id, const std::string& amount = "99") {
        return step(id, payment("T" + id, amount));
    }
    // A fact that nobody has an order for.
    static FlowCommit stray(FlowSubject subject, std::string reason) {
        return {.subject = std::move(subject),
                .decision = flow::Arbitration{.kind = flow::Arbitration::Kind::attention,
                                              .reason = std::move(reason),
                                              .event = payment("T9", "1")}};
    }
    std::vector<AttentionEntry> entries(EntriesQuery query) {
        return run(rig().flows().entries(std::move(query)));
    }
    std::vector<AttentionEntry> entries_of(const std::string& id) {
        return entries({.of = subject_of(entity(id))});
    }
    Numbers closed(std::uint64_t behind = 0, std::size_t limit = 99) {
        return numbers(entries({.behind = behind, .limit = limit}));
    }
    static Numbers numbers(const std::vector<AttentionEntry>& list) {
        Numbers all;
        for (const AttentionEntry& entry : list) all.push_back(entry.number);
        return all;
    }
};

TEST_P(FlowsEntries, AnOrderHasItsOwnWhetherOpenOrClosedAndTheLatestFirst) {
    for (const char* id : {"1", "2"}) ordered(id);
    for (const char* amount : {"99", "98", "97"})
        EXPECT_EQ(outcome(differing("1", amount)), "applied 1");
    EXPECT_EQ(outcome(differing("2")), "applied 1");
    const Numbers open = numbers(attention());
    ASSERT_EQ(open.size(), 4U);
    EXPECT_EQ(close(open[0], "ann", "looked at", ClosedAs::left), "closed");
    EXPECT_EQ(close(open[1], "bob", "paid back"), "closed");
    rig().restart();
    const auto own = entries_of("1");
    ASSERT_EQ(numbers(own), (Numbers{open[2], open[1], open[0]}));
    EXPECT_EQ(own[0].closed_as, ClosedAs::taken) << "with the one that bob settled";
    EXPECT_EQ(own[1].closed_by, "bob");
    EXPECT_EQ(own[1].why, "paid back");
    EXPECT_EQ(own[1].closed_as, ClosedAs::settled);
    EXPECT_NE(own[1].closed_ms, 0);
    EXPECT_EQ(own[1].event->values.at("amount"), "98");
    EXPECT_EQ(own[2].closed_by, "ann");
    EXPECT_EQ(own[2].closed_as, ClosedAs::left);
    EXPECT_EQ(numbers(entries_of("2")), Numbers{open[3]});
    EXPECT_EQ(entries_of("2")[0].closed_ms, 0);
}

TEST_P(FlowsEntries, WhatTheMachineTookIsClosedByNobody) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    const auto own = entries_of("1");
    ASSERT_EQ(own.size(), 1U);
    EXPECT_EQ(own[0].closed_as, ClosedAs::taken);
    EXPECT_EQ(own[0].closed_by, "");
    EXPECT_NE(own[0].closed_ms, 0);
}

TEST_P(FlowsEntries, WhatWasToldBeforeTheOrderWasThereIsItsOwnToo) {
    EXPECT_EQ(outcome(stray(by_key("B1"), "it waited too long")), "applied 0");
    EXPECT_EQ(outcome(stray({"other", "order", {}, "B1"}, "theirs")), "applied 0");
    EXPECT_EQ(outcome(stray({"acme", "booking", {}, "B1"}, "of another flow")), "applied 0");
    EXPECT_EQ(outcome(stray(by_key("B2"), "of another order")), "applied 0");
    ordered("1");
    const auto own = entries_of("1");
    ASSERT_EQ(own.size(), 1U);
    EXPECT_EQ(own[0].reason, "it waited too long");
    EXPECT_EQ(own[0].subject.id, "");
}

TEST_P(FlowsEntries, OneWithoutABusinessKeyIsKnownByItsId) {
    EXPECT_EQ(outcome(creation("1")), "applied 1");
    EXPECT_EQ(outcome(creation("2")), "applied 1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(entries_of("1").size(), 1U);
    EXPECT_TRUE(entries_of("2").empty());
}

TEST_P(FlowsEntries, APageOfThemBeginsBehindTheOneBefore) {
    ordered("1");
    for (const char* amount : {"99", "98", "97"})
        EXPECT_EQ(outcome(differing("1", amount)), "applied 1");
    const FlowSubject of = subject_of(entity("1"));
    const auto first = entries({.of = of, .limit = 2});
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[0].event->values.at("amount"), "97");
    const auto rest = entries({.of = of, .behind = first[1].number, .limit = 2});
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].event->values.at("amount"), "99");
    EXPECT_TRUE(entries({.of = of, .limit = 0}).empty());
}

TEST_P(FlowsEntries, OfAllTheOneThatWasClosedLastComesFirst) {
    for (const char* id : {"1", "2", "3", "4", "5"}) {
        ordered(id);
        EXPECT_EQ(outcome(differing(id)), "applied 1");
    }
    EXPECT_EQ(outcome(differing("4", "98")), "applied 1");  // of the same payment
    const Numbers open = numbers(attention());
    ASSERT_EQ(open.size(), 6U);
    EXPECT_TRUE(closed().empty());
    const auto close_at = [&](std::size_t at) {
        rig().hand().pass(1s);
        EXPECT_EQ(close(open[at], "ann", "paid back"), "closed");
    };
    for (const std::size_t at : {2U, 0U, 3U}) close_at(at);
    rig().restart();
    const Numbers all{open[5], open[3], open[0], open[2]};  // the first two in one commit
    EXPECT_EQ(closed(), all);
    EXPECT_EQ(closed(0, 1), Numbers{all[0]});
    EXPECT_EQ(closed(all[0], 2), (Numbers{all[1], all[2]}))
        << "of one commit, and nobody is hidden";
    EXPECT_EQ(closed(all[2]), Numbers{all[3]});
    EXPECT_TRUE(closed(all[3]).empty());
    EXPECT_TRUE(closed(open[5] + 1).empty()) << "there is no such entry";
    EXPECT_EQ(attention().size(), 2U);
}

// Until it is retired: then it is gone from both.
TEST_P(FlowsEntries, WhatWasClosedLongAgoIsGone) {
    ordered("1");
    EXPECT_EQ(outcome(differing("1")), "applied 1");
    EXPECT_EQ(close(attention().at(0).number, "ann", "paid back"), "closed");
    rig().hand().pass(std::chrono::days(2));
    EXPECT_TRUE(rig().hand().run(rig().flows().retire(9, 86'400'000, true)));
    EXPECT_TRUE(closed().empty());
    EXPECT_TRUE(entries_of("1").empty());
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Store, FlowsEntries, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
