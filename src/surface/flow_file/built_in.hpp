// SPDX-License-Identifier: Apache-2.0
// The flows that come with Pawl (flows/*.yaml), compiled in, so that a program needs no files to serve them.
#pragma once

#include <span>
#include <string_view>

namespace pawl::flow_file {

struct BuiltIn {
    std::string_view name;
    std::string_view text;
};
std::span<const BuiltIn> built_in();

}  // namespace pawl::flow_file
