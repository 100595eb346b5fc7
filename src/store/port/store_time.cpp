// SPDX-License-Identifier: Apache-2.0
#include "store/port/store_time.hpp"

#include <algorithm>

namespace pawl::store {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

StoreTime::StoreTime(const Clock& clock, std::int64_t high_water_ms)
    : clock_(clock),
      anchor_ms_(std::max(milliseconds_of(clock.wall()), high_water_ms + 1)),
      anchored_at_(clock.monotonic()),
      behind_ms_(std::max<std::int64_t>(high_water_ms - milliseconds_of(clock.wall()), 0)) {}

std::int64_t StoreTime::now_ms() const {
    return anchor_ms_ + duration_cast<milliseconds>(clock_.monotonic() - anchored_at_).count();
}

ClockWatch::ClockWatch(const Clock& clock, std::int64_t behind_ms)
    : clock_(clock),
      seen_monotonic_(clock.monotonic()),
      seen_wall_(clock.wall()),
      distrusted_until_(clock.monotonic()) {
    if (behind_ms > kClockDisagreement.count()) distrusted_until_ += kClockTrustAfter;
}

bool ClockWatch::agree() {
    const MonotonicTime monotonic = clock_.monotonic();
    const WallTime wall = clock_.wall();
    const auto apart =
        (wall - seen_wall_) - duration_cast<milliseconds>(monotonic - seen_monotonic_);
    seen_monotonic_ = monotonic;
    seen_wall_ = wall;
    if (std::chrono::abs(apart) > kClockDisagreement)
        distrusted_until_ = monotonic + kClockTrustAfter;
    return monotonic >= distrusted_until_;
}

}  // namespace pawl::store
