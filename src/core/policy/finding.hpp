// SPDX-License-Identifier: Apache-2.0
// What is wrong with a configuration, or unsafe about it: where, what, and what to write instead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace pawl::policy {

enum class Severity : std::uint8_t { warning, error };

struct Finding {
    Severity severity = Severity::error;
    int line = 0;  // 1-based; 0: not in the file (an environment variable, a default)
    int column = 0;
    std::string what;    // a sentence without its full stop
    std::string remedy;  // an order: "write `lease: 30s`"; empty when `what` says it
    bool operator==(const Finding&) const = default;
};

inline bool has_errors(const std::vector<Finding>& findings) {
    return std::ranges::any_of(findings,
                               [](const Finding& one) { return one.severity == Severity::error; });
}

}  // namespace pawl::policy
