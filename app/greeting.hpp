// SPDX-License-Identifier: Apache-2.0
// What a person reads when the gateway is ready: one line with a configuration of their own, and without one
// a first tour of lines to paste.
#pragma once

#include <chrono>
#include <string>

#include "app/node.hpp"
#include "surface/cli/terminal.hpp"

namespace pawl::app {

struct Welcome {
    std::string version;
    std::chrono::milliseconds took{};
    Reached reached;
    std::string store_path;
    std::string strength;     // what the store promises, a sentence
    std::string config_path;  // empty: the demonstration
    std::string program;      // how this program is called from here
    std::string key;  // for the tour; another one at every start, because the store remembers
    std::string flow_secret;  // of the demonstration's callback account; empty: no tour of flows
    bool dev = false;
    bool tls = false;         // requests come encrypted
    bool store_goes = false;  // with the process, as the demonstration's orders do
};

std::string greeting(const Welcome& welcome, const cli::Paint& paint);

}  // namespace pawl::app
