// SPDX-License-Identifier: Apache-2.0
// Judges routes when they are loaded: what cannot work is an error, what can lose the promise of one effect
// is a warning. All findings at once, each with its line and with what to write instead.
#pragma once

#include <string_view>
#include <vector>

#include "core/policy/finding.hpp"
#include "core/policy/route.hpp"

namespace pawl::policy {

// Each route alone and all together (equal names, equal patterns, patterns that cross). Routes without an
// error compile.
std::vector<Finding> check_routes(const std::vector<Route>& routes);

// A name that tells attempts apart (a retry counter, the time of sending) and so can never be part of what
// all attempts share. Header names and JSON members alike: "X-Attempt", "retry_count", "sentAt".
bool is_attempt_attribute(std::string_view name);

}  // namespace pawl::policy
