// SPDX-License-Identifier: Apache-2.0
// Time as two types that do not mix: monotonic time measures, wall time dates. Code that is simulated
// never reads a system clock; it is given a Clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace pawl {

struct MonotonicScale {
    using rep = std::int64_t;
    using period = std::nano;
    using duration = std::chrono::nanoseconds;
    using time_point = std::chrono::time_point<MonotonicScale, duration>;
    static constexpr bool is_steady = true;
};
struct WallScale {
    using rep = std::int64_t;
    using period = std::milli;
    using duration = std::chrono::milliseconds;
    using time_point = std::chrono::time_point<WallScale, duration>;
    static constexpr bool is_steady = false;
};

// Unit: nanoseconds since an arbitrary start of this machine. Comparable within one boot only.
using MonotonicTime = MonotonicScale::time_point;
// Unit: milliseconds since 1970-01-01 UTC. May step either way.
using WallTime = WallScale::time_point;

class Clock {
  public:
    virtual ~Clock() = default;
    virtual MonotonicTime monotonic() const = 0;
    virtual WallTime wall() const = 0;
};

class SystemClock final : public Clock {
  public:
    MonotonicTime monotonic() const override;
    WallTime wall() const override;
};

constexpr std::int64_t milliseconds_of(WallTime time) { return time.time_since_epoch().count(); }
constexpr WallTime wall_time(std::int64_t milliseconds) {
    return WallTime{std::chrono::milliseconds{milliseconds}};
}

inline constexpr MonotonicTime kNever = MonotonicTime::max();

}  // namespace pawl
