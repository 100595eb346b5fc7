// SPDX-License-Identifier: Apache-2.0
#include "surface/api/flow_metrics.hpp"

#include <gtest/gtest.h>

namespace pawl::api {
namespace {

using engine::Told;

bool has_line(const std::string& text, const std::string& line) {
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST(FlowMetrics, TellTransitionsOfAllLoopsByFlowEventStatesAndResult) {
    engine::DeskFigures all;
    all.transitions[{"order", "ship", "paid", "shipped", Told::applied}] = 2;
    all.contended = 1;
    engine::DeskFigures other;
    other.transitions[{"order", "ship", "paid", "shipped", Told::applied}] = 3;
    other.transitions[{"order", "ship", "", "", Told::refused}] = 1;
    other.woken = 4;
    other.forgotten = 5;
    other.unsound = 6;
    all.add(other);
    const std::string text = flow_metrics(all);
    for (
        const std::string line :
        {R"(flow_transitions_total{flow="order",event="ship",from="paid",to="shipped",result="applied"} 5)",
         R"(flow_transitions_total{flow="order",event="ship",from="",to="",result="refused"} 1)",
         "flow_contended_total 1", "flow_facts_woken_total 4", "flow_facts_forgotten_total 5",
         "flow_unsound_total 6"})
        EXPECT_TRUE(has_line(text, line)) << line << "\n" << text;
    EXPECT_EQ(flow_metrics({}).find("flow_transitions_total"), std::string::npos);
}

}  // namespace
}  // namespace pawl::api
