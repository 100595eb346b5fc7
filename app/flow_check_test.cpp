// SPDX-License-Identifier: Apache-2.0
#include "app/flow_check.hpp"

#include <gmock/gmock.h>

#include "app/orders_fixture.hpp"

namespace pawl::app {
namespace {

using Served = std::shared_ptr<const engine::Machines>;

class FlowCheck : public OrdersInAStore {
  protected:
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
