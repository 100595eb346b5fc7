// SPDX-License-Identifier: Apache-2.0
// Time that passes only when the world says so. Monotonic time and wall time move together; the wall can be
// stepped either way on top, as an operator or a time server does.
#pragma once

#include "runtime/clock/clock.hpp"
#include "runtime/result/assert.hpp"

namespace pawl::sim {

class VirtualClock final : public Clock {
  public:
    MonotonicTime monotonic() const override { return now_; }
    WallTime wall() const override {
        return kWallStart + std::chrono::floor<std::chrono::milliseconds>(now_.time_since_epoch()) +
               step_;
    }
    void advance(MonotonicTime to) {
        PAWL_ASSERT(to >= now_);
        now_ = to;
    }
    void step_wall(std::chrono::milliseconds by) { step_ += by; }
    std::chrono::milliseconds stepped() const { return step_; }

  private:
    static constexpr WallTime kWallStart = wall_time(1'764'000'000'000);
    MonotonicTime now_{std::chrono::seconds{1000}};
    std::chrono::milliseconds step_{0};
};

}  // namespace pawl::sim
