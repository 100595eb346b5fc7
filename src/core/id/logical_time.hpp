// SPDX-License-Identifier: Apache-2.0
// A reading for ids that never goes back, from a wall clock that may. Ahead of the wall clock (it was set back, or ids
// were made with later times before a restart) it goes on at half the speed of the steady clock, until the wall
// clock has caught up: ids are to be had all the while, and it does not stay ahead for ever.
#pragma once

#include <algorithm>
#include <cstdint>

namespace pawl::id {

class LogicalTime {
  public:
    // Units: milliseconds; wall since 1970, steady since anything. `not_before_ms`: the time of the last id ever
    // made, 0 when there is none.
    LogicalTime(std::int64_t wall_ms, std::int64_t steady_ms, std::int64_t not_before_ms)
        : halves_(2 * std::max(wall_ms, not_before_ms)), steady_ms_(steady_ms) {}

    std::int64_t read(std::int64_t wall_ms, std::int64_t steady_ms) {
        const std::int64_t passed = std::max<std::int64_t>(steady_ms - steady_ms_, 0);
        steady_ms_ += passed;
        halves_ = std::max(2 * wall_ms, halves_ + passed);
        return halves_ / 2;
    }

  private:
    std::int64_t halves_;  // half milliseconds since 1970
    std::int64_t steady_ms_;
};

}  // namespace pawl::id
