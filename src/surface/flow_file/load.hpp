// SPDX-License-Identifier: Apache-2.0
// From a flow file to a Definition that has been checked. First everything that cannot be read is found, at
// once; then everything that the flow cannot be. Each finding has its place in the file and says what to write
// instead. Unknown names are errors.
#pragma once

#include <expected>
#include <optional>
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

// `use` as a configuration writes it: a path has a slash in it or ends in .yaml or .yml, anything else is the name of a
// flow that comes with Pawl.
bool is_path(std::string_view use);
// nullopt: it is neither.
std::optional<std::expected<Loaded, std::vector<policy::Finding>>> load_named(
    const std::string& use);
std::vector<std::string> built_in_names();

}  // namespace pawl::flow_file
