// SPDX-License-Identifier: Apache-2.0
#include "runtime/clock/clock.hpp"

namespace pawl {

MonotonicTime SystemClock::monotonic() const {
    return MonotonicTime{std::chrono::steady_clock::now().time_since_epoch()};
}

WallTime SystemClock::wall() const {
    return WallTime{std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now().time_since_epoch())};
}

}  // namespace pawl
