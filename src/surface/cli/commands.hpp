// SPDX-License-Identifier: Apache-2.0
// What the commands do that look at operations and speak about them. They ask the running server; where none
// answers, looks read the store's file instead, and words are refused, because only a running server can
// carry them out.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/task/loop.hpp"
#include "store/port/flow_store.hpp"
#include "store/port/records.hpp"
#include "surface/cli/arguments.hpp"
#include "surface/config/load.hpp"

namespace pawl::cli {

// Opens a store's file for reading only. Errors: those of opening a store.
using OpenStore =
    std::function<Result<std::unique_ptr<store::Records>>(const std::string& path, Loop& loop)>;

// A store's file with its flows, for reading only.
class FlowsToRead {
  public:
    virtual ~FlowsToRead() = default;
    virtual store::FlowStore& flows() = 0;
    virtual store::Records& records() = 0;
};
// Errors: as OpenStore; config_invalid for keys that cannot be read.
using OpenFlows =
    std::function<Result<std::unique_ptr<FlowsToRead>>(const config::Config& config, Loop& loop)>;

struct Surroundings {
    config::Environment environment;
    std::string user;  // who speaks, for the audit
    std::string version;
    OpenStore open_store;
    OpenFlows open_flows;
};

// Returns the exit code. Not for serve and check.
int run_command(const Asked& asked, const Surroundings& surroundings);

}  // namespace pawl::cli
