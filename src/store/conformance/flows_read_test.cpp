// SPDX-License-Identifier: Apache-2.0
// What is read of flows: by id and by business key, page by page, step by step.
#include "store/conformance/flow_suite.hpp"

namespace pawl::store::conformance {
namespace {

class FlowsRead : public FlowSuite {
  protected:
    std::vector<std::string> page(std::string after, std::size_t limit,
                                  std::string flow = "order") {
        std::vector<std::string> ids;
        for (const flow::Entity& one :
             run(rig().flows().page({"acme", std::move(flow), std::move(after), limit})))
            ids.push_back(one.id);
        return ids;
    }
    void elsewhere(const std::string& id, const std::string& tenant, const std::string& flow) {
        FlowCommit commit = creation(id);
        flow::Entity& made = std::get<flow::Bundle>(commit.decision).created;
        made.tenant = tenant;
        made.flow = flow;
        EXPECT_EQ(outcome(commit), "applied 1");
    }
};

using Ids = std::vector<std::string>;

TEST_P(FlowsRead, AnEntityIsFoundByItsIdAndByItsBusinessKey) {
    ordered("7");
    const auto found = load(by_id("7"));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->business_key, "B7");
    EXPECT_EQ(found->fields.at("amount").text, "12.50");
    EXPECT_EQ(found->items.size(), 1U);
    EXPECT_EQ(load(by_key("B7")), found);
    EXPECT_FALSE(load(by_id("8")));
    EXPECT_FALSE(load(by_key("7")));
    EXPECT_FALSE(load({"other", "order", "7", {}}));
    EXPECT_FALSE(load({"acme", "booking", "7", {}}));
    EXPECT_FALSE(load({"acme", "order", {}, {}}));
}

TEST_P(FlowsRead, AReadingSaysAtWhichStoreTimeItWasMade) {
    EXPECT_EQ(run(rig().flows().load(by_id("1"))).now_ms, rig().now_ms());
    rig().hand().pass(1'500ms);
    EXPECT_EQ(run(rig().flows().load(by_id("1"))).now_ms, rig().now_ms());
}

TEST_P(FlowsRead, PagesGoFromTheGreatestIdByNumber) {
    for (const char* id : {"9", "100", "10", "99", "8"}) ordered(id);
    EXPECT_EQ(page({}, 99), (Ids{"100", "99", "10", "9", "8"}));
    EXPECT_EQ(page("10", 99), (Ids{"9", "8"}));
    EXPECT_EQ(page("50", 99), (Ids{"10", "9", "8"}));  // none has it
    EXPECT_EQ(page({}, 2), (Ids{"100", "99"}));
    EXPECT_EQ(page("8", 99), Ids{});
    EXPECT_EQ(page({}, 0), Ids{});
}

TEST_P(FlowsRead, PagesStayAsTheyAreWhileMoreIsCreated) {
    for (int id = 10; id < 20; ++id) ordered(std::to_string(id));
    Ids seen;
    std::string after;
    for (int round = 0; round < 5; ++round) {
        for (const std::string& id : page(after, 3)) seen.push_back(after = id);
        ordered(std::to_string(30 + round));
    }
    EXPECT_EQ(seen, (Ids{"19", "18", "17", "16", "15", "14", "13", "12", "11", "10"}));
}

TEST_P(FlowsRead, APageHoldsOneTenantsEntitiesOfOneFlow) {
    ordered("1");
    elsewhere("2", "acme", "orders");
    elsewhere("3", "acme2", "order");
    elsewhere("4", "acme", "orde");
    EXPECT_EQ(page({}, 99), Ids{"1"});
    EXPECT_EQ(page({}, 99, "orders"), Ids{"2"});
    EXPECT_EQ(page({}, 99, "orde"), Ids{"4"});
    EXPECT_EQ(page({}, 99, "ord"), Ids{});
}

TEST_P(FlowsRead, HistoryGoesOnFromAVersion) {
    stocked();
    ordered("1");
    EXPECT_EQ(outcome(step("1", "begin_payment")), "applied 2");
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 3");
    EXPECT_EQ(outcome(step("1", "ship")), "applied 4");
    const auto some = history("1", 1, 2);
    ASSERT_EQ(some.size(), 2U);
    EXPECT_EQ(some[0].history.version, 2U);
    EXPECT_EQ(some[1].history.version, 3U);
    EXPECT_EQ(some[1].history.from, "paying");
    EXPECT_EQ(some[1].history.to, "paid");
    EXPECT_EQ(history("1", 4).size(), 0U);
    EXPECT_EQ(run(rig().flows().history(by_key("B1"), 0, 99)), history("1"));
    EXPECT_TRUE(history("2").empty());
}

}  // namespace

// All of them, of every tenant and flow, slice by slice.
TEST_P(FlowsRead, StatesAreCountedInSlices) {
    EXPECT_TRUE(run(rig().flows().states("", 9)).entities.empty());
    for (int id = 1; id <= 5; ++id) ordered(std::to_string(id));
    for (const char* id : {"2", "4"}) EXPECT_EQ(outcome(step(id, "cancel")), "applied 2");
    for (const std::size_t limit : {1, 2, 4, 5, 6}) {
        std::map<Standing, std::uint64_t> all;
        std::string from;
        int slices = 0;
        do {
            const StatesSlice slice = run(rig().flows().states(from, limit));
            std::uint64_t seen = 0;
            for (const auto& [standing, count] : slice.entities) {
                all[standing] += count;
                seen += count;
            }
            EXPECT_LE(seen, limit);
            from = slice.next;
        } while (!from.empty() && ++slices < 9);
        EXPECT_EQ(all, (std::map<Standing, std::uint64_t>{{{"acme", "order", "created"}, 3},
                                                          {{"acme", "order", "cancelled"}, 2}}));
    }
}

// Each page of a long history is what the whole of it shows there.
TEST_P(FlowsRead, AnyPageOfALongHistory) {
    ordered("1");
    stocked();
    EXPECT_EQ(outcome(step("1", payment("T1"))), "applied 2");
    for (int late = 3; late <= 9; ++late)
        EXPECT_EQ(outcome(step("1", payment("T" + std::to_string(late)))),
                  "applied " + std::to_string(late));
    const auto whole = history("1");
    ASSERT_EQ(whole.size(), 9U);
    for (std::uint64_t after = 0; after <= whole.size() + 1; ++after)
        for (std::size_t limit = 0; limit <= whole.size() + 1; ++limit) {
            const std::size_t from = std::min<std::size_t>(after, whole.size());
            const std::size_t count = std::min(limit, whole.size() - from);
            const std::vector<FlowStep> expected(
                whole.begin() + static_cast<std::ptrdiff_t>(from),
                whole.begin() + static_cast<std::ptrdiff_t>(from + count));
            EXPECT_EQ(history("1", after, limit), expected) << after << " " << limit;
        }
}

INSTANTIATE_TEST_SUITE_P(Store, FlowsRead, testing::ValuesIn(flow_stores_under_test()),
                         [](const auto& store) { return store.param.name; });

}  // namespace pawl::store::conformance
