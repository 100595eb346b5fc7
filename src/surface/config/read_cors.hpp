// SPDX-License-Identifier: Apache-2.0
// `cors:` of the file, for every route, or of one route, in its place.
//
//   cors: { origins: [https://shop.example], headers: [X-Cart], credentials: true, max_age: 10m }
#pragma once

#include <optional>

#include "core/policy/cors.hpp"
#include "surface/config/reading.hpp"

namespace pawl::config {

void read_cors(Section& parent, std::optional<policy::CorsRule>& target);

}  // namespace pawl::config
