// SPDX-License-Identifier: Apache-2.0
// From a flow file to a Definition that has been checked. First everything that cannot be read is found, at
// once; then everything that the flow cannot be. Each finding has its place in the file and says what to write
// instead. Unknown names are errors.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "core/flow/definition.hpp"
#include "core/policy/finding.hpp"

namespace pawl::flow_file {

struct Loaded {
    flow::Definition definition;
    std::vector<policy::Finding> warnings;
};
// Errors: all findings, warnings too, in the order of the file; at least one is an error.
std::expected<Loaded, std::vector<policy::Finding>> load_flow(std::string_view text);

// Reads the file, then as above. A file that cannot be read is a finding without a line.
std::expected<Loaded, std::vector<policy::Finding>> load_flow_file(const std::string& path);

}  // namespace pawl::flow_file
