// SPDX-License-Identifier: Apache-2.0
// How late an id may be that a worker makes, so that a crash loses no count of them: the end of the window is stored
// durably before an id lies in it, and the next run begins behind it. One write for thousands of ids. A worker whose
// store no longer answers stops by itself when its window is used up.
//
//   start        stored S (0: never)   ids later than S; store max(now, S) + kWindowMs, then permit it
//   running      extension is due      store extended(), then permit it; until it is stored, nothing changes
//   clean end                          store the last id's time, so that the next run need not skip the rest
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/id/snowflake.hpp"

namespace pawl::id {

// Half the lead: a run that begins at once behind a crashed one's window has ids at once.
inline constexpr std::int64_t kWindowMs = kLeadMsMax / 2;

// Unit: milliseconds since 1970; `high_water_ms`: the last id's time, or what was stored.
inline std::int64_t extended(std::int64_t high_water_ms, std::int64_t now_ms) {
    return std::max(high_water_ms, now_ms) + kWindowMs;
}

// Half of it is over.
inline bool extension_is_due(std::int64_t until_ms, std::int64_t high_water_ms,
                             std::int64_t now_ms) {
    return until_ms - std::max(high_water_ms, now_ms) <= kWindowMs / 2;
}

}  // namespace pawl::id
