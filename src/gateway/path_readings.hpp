// SPDX-License-Identifier: Apache-2.0
// What services that are less strict than the gateway take a path for: `\\` as `/`, escapes of slashes undone, the
// first segment of `//host/path` as an authority, `;x=1` as a parameter that names nothing (Servlet containers),
// control bytes and blanks around a segment as nothing, and a zero byte as the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pawl::gateway {

// Shape: paths, each once; dot segments and escapes are still in them. Empty: the path has one reading alone.
std::vector<std::string> lenient_readings(std::string_view path);

}  // namespace pawl::gateway
