// SPDX-License-Identifier: Apache-2.0
// What a changed configuration does to records that are there. A record belongs to the name that was made of its
// request; whoever changes what that name is made of makes repeats of earlier requests first ones, which may
// run again. No setting is refused for it, because only a person knows whether a client still retries.
//
//   changed                                          earlier requests that are repeated
//   name (or match, where no name is given)          run again, unless `was` tells the former name
//   profile, another form of identity                run again
//   caller, key                                      run again, where what is taken for them differs
//   protect, to shadow or false; the route removed  run again, where something else takes them
//   the method of its match                          run again, unless another protected route has the former one
//   fingerprint                                      409 `rule_changed`, unless another route keeps the former rule
#pragma once

#include <vector>

#include "core/policy/finding.hpp"
#include "core/policy/route.hpp"

namespace pawl::policy {

// Warnings, at the lines of `next`. Both are configurations without an error.
std::vector<Finding> rekeyed(const std::vector<Route>& before, const std::vector<Route>& next);

}  // namespace pawl::policy
