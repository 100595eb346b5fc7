// SPDX-License-Identifier: Apache-2.0
// One entry of `routes:` as a policy::Route. Judges the shape only; whether the settings make sense is
// judged by policy::check_routes.
#pragma once

#include "core/policy/route.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

policy::Route read_route(Reading& reading, const YamlNode& node);

}  // namespace pawl::config
