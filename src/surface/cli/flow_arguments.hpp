// SPDX-License-Identifier: Apache-2.0
// The words of `pawl flow`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace pawl::cli {

struct LookAtFlow {
    std::string file;
    bool show = false;    // draw it; else only judge it
    bool schema = false;  // print the JSON Schema of flow files, and nothing else
};
// The entities of a flow in a running Pawl.
struct LookAtEntities {
    std::string flow;
    std::string which;     // an id, or a business key; empty: list them
    bool by_key = false;   // `which` is a business key
    bool waiting = false;  // list the facts that wait
    std::string tenant;
    std::string after;  // list those behind this id
    std::size_t limit = 50;
};
// The entities that a word in somebody's hand leads to.
struct FindEntities {
    std::string what;
    std::string tenant;
};
// A scan as a station's scanner sends it, for a try of a packing line.
struct MakeScan {
    std::string flow;
    std::string event;
    std::string station;                                      // empty: nobody signs
    std::vector<std::pair<std::string, std::string>> values;  // what was scanned, by field
};
using FlowCommand = std::variant<LookAtFlow, LookAtEntities, FindEntities, MakeScan>;

// As CLI11 fills them in.
struct FlowWords {
    LookAtFlow check;
    LookAtFlow show{.show = true};
    LookAtEntities list;
    LookAtEntities timeline;
    FindEntities find;
    MakeScan scan;
    std::vector<std::string> scanned;  // NAME=VALUE
};

void add_flow(CLI::App& app, FlowWords& words);
bool is_flow_verb(std::string_view verb);
// Of the subcommand that was given. Throws as CLI11 does.
FlowCommand flow_command_of(const CLI::App& app, FlowWords& words);
// What is missing, as a person would say it. Shape: "flow", or with the verb behind it.
std::string_view missing_of_flow(std::string_view command);

}  // namespace pawl::cli
