// SPDX-License-Identifier: Apache-2.0
// `authorize:` of a route: who permits its requests, and who then calls.
//
//   authorize: { url: "http://127.0.0.1:9000/check", headers: [Authorization], caller_header: X-User, cache: 5s }
#pragma once

#include "core/policy/route.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

// After `caller` was read: both may name the caller, and only one of them does.
void read_authorize(Section& route_section, policy::Route& route);

}  // namespace pawl::config
