// SPDX-License-Identifier: Apache-2.0
#include "app/flow_states.hpp"

#include <gmock/gmock.h>

#include "app/orders_fixture.hpp"

namespace pawl::app {
namespace {

using namespace std::chrono_literals;

class FlowStates : public OrdersInAStore {
  protected:
    Stranded find(const engine::Machines& machines, bool ends = false) {
        return hand_
            .run(find_stranded(flows_, std::make_shared<const engine::Machines>(machines),
                               [ends]() -> Task<bool> { co_return ends; }))
            .value();
    }
    // Where `created` goes by another name.
    static engine::Machines renamed() {
        flow::Definition flow = flow::order_flow();
        const auto rename = [](std::string& name) {
            if (name == "created") name = "new";
        };
        rename(flow.initial);
        for (flow::StateRule& state : flow.states) rename(state.name);
        for (flow::EventRule& event : flow.events)
            for (flow::Transition& one : event.transitions)
                for (std::string& from : one.from) rename(from);
        for (flow::FlowDeadline& one : flow.deadlines)
            for (std::string& state : one.until) rename(state);
        return engine::Machines(std::vector{flow::Machine::compile(std::move(flow)).value()});
    }
};

TEST_F(FlowStates, ThatTheFileHasAreNobodysWorry) {
    order("acme", "1");
    const engine::Machines machines(
        std::vector{flow::Machine::compile(flow::order_flow()).value()});
    const Stranded stranded = find(machines);
    EXPECT_TRUE(stranded.is_whole);
    EXPECT_TRUE(stranded.entities.empty());
    EXPECT_TRUE(lines_of(stranded, machines).empty());
}

// Of every tenant, however many slices that takes.
TEST_F(FlowStates, ThatAreGoneAreCountedAndToldWithTheRemedy) {
    for (std::size_t id = 1; id <= kStatesSlice; ++id) order("acme", std::to_string(id));
    order("other", "1");
    const Stranded stranded = find(renamed());
    EXPECT_TRUE(stranded.is_whole);
    EXPECT_EQ(stranded.entities, (std::map<store::Standing, std::uint64_t>{
                                     {{"acme", "order", "created"}, kStatesSlice},
                                     {{"other", "order", "created"}, 1}}));
    EXPECT_EQ(count_in(stranded, "order", "created"), kStatesSlice + 1);
    EXPECT_EQ(count_in(stranded, "order", ""), kStatesSlice + 1);
    EXPECT_EQ(count_in(stranded, "order", "paid"), 0U);
    const auto lines = lines_of(stranded, renamed());
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_THAT(lines[0],
                testing::HasSubstr("1000 entities stand in state `created` of flow `order`"));
    EXPECT_THAT(lines[0], testing::HasSubstr("Put the state back"));
    EXPECT_THAT(lines[1], testing::HasSubstr("1 entity stands"));
    EXPECT_THAT(lines[1], testing::HasSubstr("tenant other"));
}

TEST_F(FlowStates, OfAFlowThatIsNotServedAreTold) {
    order("", "1");
    const auto lines = lines_of(find({}), {});
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_THAT(lines[0], testing::HasSubstr("not served any more"));
}

TEST_F(FlowStates, AreLookedAtNoLongerThanIsAskedFor) {
    for (std::size_t id = 1; id <= kStatesSlice + 1; ++id) order("acme", std::to_string(id));
    EXPECT_FALSE(find(renamed(), true).is_whole);
}

}  // namespace
}  // namespace pawl::app
