// SPDX-License-Identifier: Apache-2.0
// The name that was probably meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pawl::yaml {

// The known name with the fewest changed letters (swaps count once), if few enough to be a slip.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known);

}  // namespace pawl::yaml
