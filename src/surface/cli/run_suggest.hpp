// SPDX-License-Identifier: Apache-2.0
// Where `pawl check --suggest` has what it suggests from, and how it is shown.
#pragma once

#include <iosfwd>

#include "surface/cli/arguments.hpp"
#include "surface/config/load.hpp"

namespace pawl::cli {

// Suggestions go to `out`, what went wrong to `err`. Returns the exit code.
int run_suggest(const Check& check, const Common& common, const config::Environment& environment,
                std::ostream& out, std::ostream& err);

}  // namespace pawl::cli
