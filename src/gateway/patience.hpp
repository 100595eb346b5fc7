// SPDX-License-Identifier: Apache-2.0
// Waiting between tries: exponential with full jitter, bounded by a deadline. Where many wait for one
// thing, jitter keeps them from coming back in step.
#pragma once

#include <algorithm>

#include "runtime/task/loop.hpp"

namespace pawl::gateway {

class Patience {
  public:
    Patience(Loop& loop, MonotonicTime until) : loop_(loop), until_(until) {}

    // False when the deadline came: no further try.
    Task<bool> next() {
        const auto most = static_cast<std::uint64_t>(step_.count());
        const std::chrono::nanoseconds pause{
            static_cast<std::int64_t>(most / 4 + loop_.entropy().below(most))};
        step_ = std::min<std::chrono::nanoseconds>(step_ * 2, kStepMax);
        const MonotonicTime now = loop_.now();
        if (until_ != kNever && now + pause >= until_) {
            co_await loop_.sleep_until(until_);
            co_return false;
        }
        co_await loop_.sleep_until(now + pause);
        co_return true;
    }

  private:
    static constexpr std::chrono::nanoseconds kStepFirst = std::chrono::milliseconds{5};
    static constexpr std::chrono::nanoseconds kStepMax = std::chrono::seconds{1};

    Loop& loop_;
    MonotonicTime until_;
    std::chrono::nanoseconds step_ = kStepFirst;
};

}  // namespace pawl::gateway
