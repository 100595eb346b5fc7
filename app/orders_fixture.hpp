// SPDX-License-Identifier: Apache-2.0
// Orders of any tenant in a store in memory, as a node finds them when its files change.
#pragma once

#include <gtest/gtest.h>

#include "core/flow/world_fixture.hpp"
#include "runtime/task/hand_loop_fixture.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/port/direct_flows.hpp"

namespace pawl::app {

class OrdersInAStore : public testing::Test {
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

    HandLoop hand_;
    store::MemoryShelf records_{hand_.clock};
    store::MemoryFlows shelf_{records_};
    store::DirectFlows flows_{shelf_};
};

}  // namespace pawl::app
