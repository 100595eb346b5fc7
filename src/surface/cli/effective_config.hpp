// SPDX-License-Identifier: Apache-2.0
// The configuration that a command line means: its file, or the default one, with the environment and then
// the options over it.
#pragma once

#include <string>
#include <vector>

#include "surface/cli/arguments.hpp"
#include "surface/config/load.hpp"

namespace pawl::cli {

struct Effective {
    config::Config config;
    std::vector<std::string> warnings;  // a line each, as they are shown
};

// Secrets are read. Errors: config_invalid; the text holds every finding, a line each.
Result<Effective> effective_config(const Common& common, const config::Environment& environment);

}  // namespace pawl::cli
