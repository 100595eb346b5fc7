// SPDX-License-Identifier: Apache-2.0
// docs/pawl.schema.json, for editors. Compiled in, so that a program prints the one that fits it.
#pragma once

#include <string_view>

namespace pawl::config {

std::string_view json_schema();

}  // namespace pawl::config
