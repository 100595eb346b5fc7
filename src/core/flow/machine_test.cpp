// SPDX-License-Identifier: Apache-2.0
#include "core/flow/machine.hpp"

#include <gtest/gtest.h>

#include "core/flow/flow_fixture.hpp"

namespace pawl::flow {
namespace {

std::string answers(const Machine& machine, std::string_view event) {
    std::string row;
    for (const StateRule& state : machine.definition().states)
        row += std::string(name_of(machine.answer(state.name, *machine.event(event)).kind)) + " ";
    return row;
}

// created paying reserved paid shipped delivered cancelled
TEST(Machine, EveryStateHasOneAnswerToEveryEvent) {
    const Machine machine = Machine::compile(order_flow()).value();
    EXPECT_EQ(answers(machine, "pay"), "transition transition transition late late late late ");
    EXPECT_EQ(answers(machine, "deliver"), "park park park park transition late late ");
    EXPECT_EQ(answers(machine, "begin_payment"),
              "transition noop refuse refuse refuse refuse refuse ");
    EXPECT_EQ(answers(machine, "cancel"),
              "transition transition transition refuse refuse refuse noop ");
    EXPECT_EQ(answers(machine, "escalate"),
              "refuse refuse refuse transition refuse refuse refuse ");
}

TEST(Machine, WhatIsIgnoredWhenEarlyIsRefusedWhereItCanNeverBecomePossible) {
    Definition flow = order_flow();
    named(flow.events, "deliver").early = Early::ignore;
    const Machine machine = Machine::compile(std::move(flow)).value();
    EXPECT_EQ(answers(machine, "deliver"), "ignore ignore ignore ignore transition late late ");
}

TEST(Machine, DoesNotRunWhatTheCheckRefuses) {
    Definition flow = order_flow();
    flow.initial = "nowhere";
    EXPECT_FALSE(Machine::compile(std::move(flow)));
}

TEST(Machine, KnowsWhichEventsAreOfDeadlines) {
    const Machine machine = Machine::compile(order_flow()).value();
    EXPECT_TRUE(machine.is_of_a_deadline(*machine.event("expire")));
    EXPECT_TRUE(machine.is_of_a_deadline(*machine.event("close")));
    EXPECT_FALSE(machine.is_of_a_deadline(*machine.event("cancel")));
    EXPECT_EQ(machine.event("nothing"), nullptr);
    EXPECT_EQ(machine.event("create"), &machine.definition().create);
}

TEST(Machine, ACopyLivesOnItsOwn) {
    auto machine = std::make_unique<Machine>(Machine::compile(order_flow()).value());
    const Machine copy = *machine;
    machine.reset();
    EXPECT_EQ(copy.answer("paid", *copy.event("pay")).late->saga, "refund");
}

}  // namespace
}  // namespace pawl::flow
