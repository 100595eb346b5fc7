// SPDX-License-Identifier: Apache-2.0
// Calls back at a monotonic time. One queue serves every deadline of an event loop, so that the loop needs
// a single timer of the operating system; the simulator turns the same queue by hand. Equal times fire in
// the order in which they were set.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "runtime/clock/clock.hpp"

namespace pawl {

struct AlarmId {
    MonotonicTime at = kNever;
    std::uint64_t number = 0;  // 0: no alarm
};

class Alarms {
  public:
    using Callback = std::move_only_function<void()>;

    // `on_earlier` is told when the next due time moves forward, so that the owner re-arms its timer.
    explicit Alarms(std::move_only_function<void(MonotonicTime)> on_earlier = {});

    AlarmId set(MonotonicTime at, Callback callback);
    // True: it will not fire. False: it has fired, or never was.
    bool cancel(AlarmId id);
    std::optional<MonotonicTime> next() const;
    // Fires everything due at `now`, including what the callbacks set for a time not after `now`.
    // Returns how many fired.
    int fire(MonotonicTime now);
    // Fires the earliest alarm if it is due: for an owner that acts between two alarms.
    bool fire_next(MonotonicTime now);
    std::size_t pending() const { return queue_.size(); }
    // Drops every alarm without calling it.
    void clear();

  private:
    std::map<std::pair<MonotonicTime, std::uint64_t>, Callback> queue_;
    std::uint64_t last_number_ = 0;
    std::move_only_function<void(MonotonicTime)> on_earlier_;
};

}  // namespace pawl
