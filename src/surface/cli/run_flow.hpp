// SPDX-License-Identifier: Apache-2.0
// `pawl flow check FILE` and `pawl flow show FILE`: a flow file judged, and drawn; a flow that comes with Pawl is
// called by its name. Neither needs a server.
#pragma once

#include <iosfwd>

#include "surface/cli/arguments.hpp"

namespace pawl::cli {

// The diagram, the schema or the word that all is well goes to `out`, findings to `err`; with `json`
// everything, as one object, to `out`. Returns the exit code: 0, or that of config_invalid when there is an
// error; warnings do not count.
int run_flow(const LookAtFlow& wanted, bool json, std::ostream& out, std::ostream& err);

}  // namespace pawl::cli
