// SPDX-License-Identifier: Apache-2.0
// The command line as a value. Parsing touches nothing but its words; what a command does is in files of
// its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "surface/cli/errand_arguments.hpp"
#include "surface/cli/flow_arguments.hpp"

namespace pawl::cli {

struct Serve {
    bool dev = false;
    std::string listen;  // empty: from the configuration
};
struct Check {
    std::string file;
    std::string against;   // the configuration before it; empty: none
    bool schema = false;   // print the JSON Schema, and nothing else
    bool suggest = false;  // routes for what is not protected
    std::string log;       // an access log to take them from; empty: a running Pawl
};
struct Explain {
    std::string what;
    std::string caller;  // a name or a tag; empty: of all
};
struct Resolve {
    std::string reference;  // empty: in bulk
    std::string route;
    std::optional<std::chrono::milliseconds> older;
    bool applied = false;
    bool force = false;
    bool dry_run = false;  // in bulk: which ones it would be
    std::optional<int> status;
    std::string body_file;  // "-": standard input
    std::vector<std::pair<std::string, std::string>> headers;
    std::optional<std::chrono::milliseconds>
        looked;  // so long ago; not said: when the command began
    std::string reason;
};
struct Forget {
    std::string reference;
    std::string reason;
};
struct ListUncertain {
    std::size_t limit = 100;
    std::string route;
    std::optional<std::chrono::milliseconds> older;
    bool open = false;  // also what waits for a retry
};
struct ShowShadow {
    std::string route;  // empty: all
};
struct NewApiKey {
    std::string set;  // of `callers:`
    std::string caller;
};
struct Version {};

using Command =
    std::variant<Serve, Check, Explain, Resolve, Forget, ListUncertain, ShowShadow, NewApiKey,
                 LookAtFlow, LookAtEntities, FindEntities, MakeScan, Errand, Version>;

// What every command may be told.
struct Common {
    std::string config;  // empty: none
    std::string
        admin;  // HOST:PORT or URL; empty: from the configuration, the environment, the default
    std::string store;  // a store's file; empty: from the configuration
    bool json = false;
};

struct Asked {
    Command command;
    Common common;
};

// Help was asked for, or the words make no command.
struct Refused {
    int exit_code = 0;
    std::string text;  // for standard output when the exit code is 0, else for standard error
};

// Shape: the words after the program's name.
std::variant<Asked, Refused> parse_arguments(std::vector<std::string> words);

}  // namespace pawl::cli
