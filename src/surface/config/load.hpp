// SPDX-License-Identifier: Apache-2.0
// From a YAML file and the environment to a Config. Every mistake is found at once; each has its place and
// says what to write instead. Nothing in the file is ignored: an unknown name is an error. The text is
// bounded in size, depth and number of nodes, and has no aliases, so that no file can exhaust the process.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/policy/finding.hpp"
#include "runtime/result/result.hpp"
#include "surface/config/config.hpp"

namespace pawl::config {

// Variables named PAWL_SECTION_KEY override the file: PAWL_LISTEN, PAWL_STORE_PATH, PAWL_LOG_LEVEL. Routes
// are not overridden.
using Environment = std::map<std::string, std::string>;

// The variables of this process whose names begin with PAWL_.
Environment environment_of_process();

struct Loaded {
    Config config;
    std::vector<policy::Finding> warnings;
};
// `folder`: where flow files lie that are named without a leading slash; empty: the working directory.
// Errors: all findings, warnings too, in the order of the file; at least one is an error.
std::expected<Loaded, std::vector<policy::Finding>> load_config(std::string_view text,
                                                                const Environment& environment,
                                                                const std::string& folder = {});

// Reads the file, then as above. A file that cannot be read is a finding without a line.
std::expected<Loaded, std::vector<policy::Finding>> load_config_file(
    const std::string& path, const Environment& environment);

// Reads the secrets that the configuration keeps in files. Errors: config_invalid.
Status read_secrets(Config& config);

// "pawl.yaml:7:12: error: `wait` …; write …". One line.
std::string shown(std::string_view filename, const policy::Finding& finding);

}  // namespace pawl::config
