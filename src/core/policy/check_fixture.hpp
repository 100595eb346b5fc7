// SPDX-License-Identifier: Apache-2.0
// What the tests of the check share: a route without a finding, what is said of one, and mistakes as rows, each one
// change and the beginning or a part of the one finding that follows. Rows stand beside the tests of their section.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/policy/check.hpp"

namespace pawl::policy {

inline Route good_route() {
    Route route;
    route.name = "create-order";
    route.method = "POST";
    route.path = "/orders";
    route.upstream = {"127.0.0.1", 3000, false, false};
    route.key.source = KeyRule::Source::header;
    route.caller = {CallerRule::Source::header, "X-User"};
    route.uncertain.close = "POST /orders/close/{operation_key}";
    route.line = 7;
    route.column = 5;
    return route;
}

inline std::vector<std::string> said(const std::vector<Finding>& findings) {
    std::vector<std::string> lines;
    for (const Finding& one : findings)
        lines.push_back((one.severity == Severity::error ? "error: " : "warning: ") + one.what);
    return lines;
}

struct Mistake {
    std::string name;
    std::function<void(Route&)> change;
    std::string said;  // a part of the one finding
};
inline void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.said; }

// INSTANTIATE_TEST_SUITE_P(Rows, CheckFinds, testing::ValuesIn(rows()), name_of_mistake).
class CheckFinds : public testing::TestWithParam<Mistake> {};
inline std::string name_of_mistake(const testing::TestParamInfo<Mistake>& tested) {
    return tested.param.name;
}

}  // namespace pawl::policy
