// SPDX-License-Identifier: Apache-2.0
// `flows:`, which flows are served, and who may use them.
//
//   flows: [order, payment, ./coupon.yaml]
//   flows:
//     use: [order, ./coupon.yaml]
//     caller: { jwt: main }
//     roles: { support: [ann, bob], warehouse: { claim: roles, has: packer } }
//     allow: { order: { ship: [role warehouse] } }
//     retention: { result: 24h, key: 400d }
#pragma once

#include "surface/config/config.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

// The built-in flows, for a file that speaks of none and of no routes either. Their services are the
// demonstration where the file names none.
void use_built_in_flows(Config& config);

// Files that are named without a leading slash lie in `folder`; empty: in the working directory. Each is read
// and checked, and what is found in it is said at the place that names it.
void read_flows(Reading& reading, Section& top, const std::string& folder, FlowSettings& flows);

// What flows say about the rest: their callers, and the services that they call. For a file that could be read.
void judge_flows(Reading& reading, const YamlNode& root, const Config& config);

}  // namespace pawl::config
