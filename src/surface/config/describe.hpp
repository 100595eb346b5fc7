// SPDX-License-Identifier: Apache-2.0
// The effective configuration as a file that loads to the same one: every default written out, no secret.
#pragma once

#include <string>

#include "surface/config/config.hpp"

namespace pawl::config {

std::string describe(const Config& config);

}  // namespace pawl::config
