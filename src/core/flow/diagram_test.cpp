// SPDX-License-Identifier: Apache-2.0
#include "core/flow/diagram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/flow_fixture.hpp"

namespace pawl::flow {
namespace {

TEST(Diagram, ASmallFlowIsDrawnWhole) {
    Definition flow;
    flow.initial = "open";
    flow.states = {state("open", 15min, "drop"),
                   {"gone", true, {}, {ignored("pay"), compensated("deliver")}}};
    flow.events = {event("drop", {"open"}, "gone"), event("look", {"open"}, "same")};
    EXPECT_EQ(mermaid(flow),
              "stateDiagram-v2\n"
              "    [*] --> open\n"
              "    open --> gone: drop (after 15m)\n"
              "    open --> open: look\n"
              "    gone --> [*]\n"
              "    note right of gone\n"
              "        late pay: ignored\n"
              "        late deliver: refund\n"
              "    end note\n");
}

TEST(Diagram, ADeadlineOfTheWholeFlowStandsWhereItCanRun) {
    Definition flow;
    flow.initial = "open";
    flow.states = {state("open", 15min, "drop"),
                   {"packed", false, {}, {}},
                   {"paid", false, {}, {}},
                   {"gone", true, {}, {}}};
    flow.events = {event("drop", {"open", "packed", "paid"}, "gone"),
                   event("pack", {"open", "paid"}, "packed"), event("pay", {"open"}, "paid")};
    flow.deadlines = {{{"unpaid", "drop", timer::From::create, 2h, {}}, {"paid", "gone"}}};
    const std::string text = mermaid(flow);
    EXPECT_THAT(text, testing::HasSubstr("open --> gone: drop (after 15m, 2h after creation)\n"));
    EXPECT_THAT(text, testing::HasSubstr("packed --> gone: drop (2h after creation)\n"));
    EXPECT_THAT(text, testing::HasSubstr("paid --> gone: drop\n")) << "it has ended there";
    EXPECT_THAT(text, testing::HasSubstr("open --> packed: pack\n")) << "nor is it another's";
}

TEST(Diagram, BranchesAreArrowsOfTheirOwn) {
    const std::string text = mermaid(order_flow());
    EXPECT_THAT(text,
                testing::HasSubstr(
                    "    reserved --> paid: pay\n    reserved --> cancelled: pay (no stock)\n"));
    EXPECT_THAT(text, testing::HasSubstr("    paid --> paid: escalate (after 3d)\n"));
}

}  // namespace
}  // namespace pawl::flow
