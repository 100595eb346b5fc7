// SPDX-License-Identifier: Apache-2.0
// The header Retry-After (RFC 9110, 10.2.3), as whoever sends again has to read it: seconds, or an HTTP date.
#pragma once

#include <chrono>
#include <optional>

#include "net/http/message.hpp"

namespace pawl::http {

inline constexpr std::chrono::seconds kRetryAfterMax = std::chrono::hours(1);

// How long to wait from `now`: at least 0, at most kRetryAfterMax, whatever was written. nullopt: the header is
// missing, is there twice, or is neither seconds nor a date.
std::optional<std::chrono::seconds> retry_after_in(const Headers& headers, WallTime now);

}  // namespace pawl::http
