// SPDX-License-Identifier: Apache-2.0
// Who has a role that a flow's events ask for: callers by their names, and those whose token says so.
#pragma once

#include <string>
#include <vector>

namespace pawl::policy {

struct RoleRule {
    std::string name;                  // as in `allow: [role NAME]`
    std::vector<std::string> callers;  // by name
    std::string jwt;                   // a set of `callers` whose tokens say it; empty: none
    std::string claim;                 // the member that does: a text, or a list that holds it
    std::string has;                   // what stands there
};

}  // namespace pawl::policy
