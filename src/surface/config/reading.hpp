// SPDX-License-Identifier: Apache-2.0
// What the readers of the configuration's sections use of surface/yaml, under their own roof.
#pragma once

#include "surface/yaml/section.hpp"

namespace pawl::config {

using yaml::Reading;
using yaml::Section;
using yaml::YamlNode;

}  // namespace pawl::config
