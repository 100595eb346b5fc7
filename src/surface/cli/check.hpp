// SPDX-License-Identifier: Apache-2.0
// `pawl check FILE`: the effective configuration, every finding with its place and remedy, and which write
// requests stay unprotected.
#pragma once

#include <iosfwd>
#include <string>

#include "surface/config/load.hpp"

namespace pawl::cli {

struct CheckOrder {
    std::string file;
    config::Environment environment;  // PAWL_ variables
    bool json = false;                // one JSON object on `out`, nothing on `err`
    bool colour = false;              // `err` is a terminal
    std::string against = {};         // the configuration before it; empty: none
};

// Configuration and summary go to `out`, findings to `err`. Returns the exit code: 0, or that of
// config_invalid when there is an error; warnings do not count.
int run_check(const CheckOrder& order, std::ostream& out, std::ostream& err);

}  // namespace pawl::cli
