// SPDX-License-Identifier: Apache-2.0
// `pawl serve`: from a command line to a running node, its signals, and its end.
#pragma once

#include <string>

#include "runtime/clock/clock.hpp"
#include "surface/cli/arguments.hpp"
#include "surface/config/load.hpp"

namespace pawl::app {

// What is running.
struct Program {
    std::string version;
    std::string called;  // how a person calls it from where they stand
    MonotonicTime started{};
};

// Returns the exit code: 0 after SIGTERM or SIGINT.
int run_serve(const cli::Serve& serve, const cli::Common& common,
              const config::Environment& environment, const Program& program);

}  // namespace pawl::app
