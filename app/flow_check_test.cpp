// SPDX-License-Identifier: Apache-2.0
#include "app/flow_check.hpp"

#include <gmock/gmock.h>

#include "core/flow/world_fixture.hpp"
#include "runtime/task/hand_loop_fixture.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/port/direct_flows.hpp"

namespace pawl::app {
namespace {

using Served = std::shared_ptr<const engine::Machines>;

class FlowCheck : public testing::Test {
  protected:
    void order(const std::string& tenant, const std::string& id) {
        flow::Event event = flow::new_order();
        event.name = "create";
        event.now_ms = records_.now_ms();
        const flow::Machine machine = flow::Machine::compile(flow::order_flow()).value();
        store::FlowCommit commit{
            .subject = {tenant, "order", id, {}},
            .decision = std::get<flow::Bundle>(flow::create(machine, {id, tenant, {}}, event))};
        ASSERT_TRUE(hand_.run(flows_.commit(std::move(commit))));
    }
    static Served serving(std::vector<flow::Definition> flows) {
        std::vector<flow::Machine> machines;
        for (flow::Definition& one : flows)
            machines.push_back(flow::Machine::compile(std::move(one)).value());
        return std::make_shared<const engine::Machines>(std::move(machines));
    }
    // Of the tenant acme's node.
    std::string refused(const Served& next) {
        const auto checked = hand_.run(
            check_change(hand_.loop, flows_, "acme", serving({flow::order_flow()}), next,
                         [this](std::string line) { warned_.push_back(std::move(line)); }));
        return checked ? "" : checked.error().text;
    }

    HandLoop hand_;
    store::MemoryShelf records_{hand_.clock};
    store::MemoryFlows shelf_{records_};
    store::DirectFlows flows_{shelf_};
    std::vector<std::string> warned_;
};

TEST_F(FlowCheck, AFlowThatNobodyIsInMayGo) {
    EXPECT_EQ(refused(serving({})), "");
    EXPECT_TRUE(warned_.empty());
}

TEST_F(FlowCheck, AFlowThatAnOrderIsInMayNot) {
    order("acme", "7");
    EXPECT_THAT(refused(serving({})), testing::HasSubstr("order 7"));
}

// Whoever's it is, and however many newer ones there are.
TEST_F(FlowCheck, NorOneThatAnotherTenantsOrderIsIn) {
    order("other", "1");
    EXPECT_THAT(refused(serving({})), testing::HasSubstr("1 in all tenants are there"));
}

}  // namespace
}  // namespace pawl::app
