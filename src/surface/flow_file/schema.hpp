// SPDX-License-Identifier: Apache-2.0
// docs/flow.schema.json, for editors. Compiled in, so that a program prints the one that fits it.
#pragma once

#include <string_view>

namespace pawl::flow_file {

std::string_view json_schema();

}  // namespace pawl::flow_file
