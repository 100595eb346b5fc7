// SPDX-License-Identifier: Apache-2.0
// Where in the file a finding of core/flow belongs.
#pragma once

#include <string_view>

#include "core/flow/finding.hpp"
#include "core/policy/finding.hpp"
#include "surface/yaml/yaml_tree.hpp"

namespace pawl::flow_file {

// With the line of its path, or of the nearest thing around it that the file gives.
policy::Finding placed(const flow::Finding& finding, const yaml::YamlNode& tree);

}  // namespace pawl::flow_file
