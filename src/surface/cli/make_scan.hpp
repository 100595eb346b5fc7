// SPDX-License-Identifier: Apache-2.0
// `pawl flow scan FLOW EVENT NAME=VALUE… --station NAME`: the body of a scan as a station's scanner makes it, so that
// a packing line can be tried before its scanners are there.
#pragma once

#include <boost/json/object.hpp>

#include "runtime/entropy/entropy.hpp"
#include "surface/cli/arguments.hpp"
#include "surface/config/load.hpp"

namespace pawl::cli {

// The event's values: the token, its time, who signed it; a text of the event that was not given is drawn.
// Precondition: secrets are read. Errors: config_invalid, no such flow, event or station; request_invalid, a value is
// missing or wrong.
Result<boost::json::object> make_scan(const config::Config& config, const MakeScan& wanted,
                                      std::int64_t now_ms, Entropy& entropy);

// Returns the exit code.
int run_make_scan(const MakeScan& wanted, const Common& common,
                  const config::Environment& environment);

}  // namespace pawl::cli
