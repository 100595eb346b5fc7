// SPDX-License-Identifier: Apache-2.0
// For the tests of what a flow file may say. Each row: one change to a flow that has no finding, and what is then said,
// where, and what to do instead.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/flow/check.hpp"
#include "core/flow/flow_fixture.hpp"

namespace pawl::flow {

inline std::vector<std::string> said(const Definition& flow) {
    std::vector<std::string> lines;
    for (const Finding& one : check(flow))
        lines.push_back((one.severity == policy::Severity::error ? "error " : "warning ") +
                        one.path + ": " + one.what + "; " + one.remedy);
    return lines;
}

inline Transition& first(Definition& flow, std::string_view name) {
    return named(flow.events, name).transitions[0];
}

// The order of the documentation, which compares the currency too.
inline Definition whole_order() {
    Definition flow = order_flow();
    first(flow, "pay").require.push_back({"currency", Guard::Kind::same, {}});
    return flow;
}

struct Row {
    std::string name;
    std::function<void(Definition&)> change;
    std::string said;  // part of one finding
};

inline void expect_said(Definition flow, const Row& row) {
    row.change(flow);
    const auto lines = said(flow);
    EXPECT_THAT(lines, testing::Contains(testing::HasSubstr(row.said)))
        << testing::PrintToString(lines);
    for (const std::string& line : lines) EXPECT_FALSE(line.ends_with("; ")) << line;
}

inline const auto kRowName = [](const auto& row) { return row.param.name; };

}  // namespace pawl::flow
