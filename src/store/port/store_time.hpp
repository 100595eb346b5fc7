// SPDX-License-Identifier: Apache-2.0
// Whose clock judges leases. Store time is the wall clock as it stood when the store was opened plus
// monotonic time since, so that a step of the wall clock moves no lease; it starts above everything that an
// earlier boot has written. ClockWatch tells the cleaner when the two clocks cannot both be right.
#pragma once

#include "runtime/clock/clock.hpp"

namespace pawl::store {

// May be read from several threads when its clock may.
class StoreTime {
  public:
    // Unit: milliseconds since 1970; `high_water_ms` is the latest time that an earlier boot gave out.
    StoreTime(const Clock& clock, std::int64_t high_water_ms);

    std::int64_t now_ms() const;
    // How far the wall clock was behind the earlier boots at the start; 0: not at all.
    std::int64_t behind_ms() const { return behind_ms_; }

  private:
    const Clock& clock_;
    std::int64_t anchor_ms_;
    MonotonicTime anchored_at_;
    std::int64_t behind_ms_;
};

inline constexpr std::chrono::milliseconds kClockDisagreement{60'000};
// The clocks are believed again after they have run in step for so long.
inline constexpr std::chrono::minutes kClockTrustAfter{10};

class ClockWatch {
  public:
    // `behind_ms`: as StoreTime::behind_ms().
    ClockWatch(const Clock& clock, std::int64_t behind_ms);

    // False: since the last look, or shortly before, the clocks moved apart by more than kClockDisagreement.
    bool agree();

  private:
    const Clock& clock_;
    MonotonicTime seen_monotonic_;
    WallTime seen_wall_;
    MonotonicTime distrusted_until_;
};

}  // namespace pawl::store
