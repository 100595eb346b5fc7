// SPDX-License-Identifier: Apache-2.0
// How fast due deadlines may fire. After a jump of the wall clock, or a start that finds a heap of them, most
// are due by mistake or all at once for a reason: they are fired slowly and somebody is told, so that there
// is time to look. Nothing is refused, and nothing is held for ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pawl::timer {

using namespace std::chrono_literals;

inline constexpr std::size_t kFireStep = 100;           // deadlines per step
inline constexpr std::size_t kFirstPassDueMax = 1'000;  // more than these after a start: paced
inline constexpr std::chrono::milliseconds kClockJump = 60s;  // more than this: paced
inline constexpr std::chrono::milliseconds kPacedStepEvery = 1s;

// What a pass sees. Wall and monotonic time are of the node that sweeps.
struct Pass {
    std::int64_t wall_ms = 0;
    std::int64_t monotonic_ms = 0;
    std::size_t due = 0;  // deadlines that are due now, counted up to kFirstPassDueMax + 1
};

struct Plan {
    std::size_t most = 0;  // to fire in this step
    bool clock_jumped = false;
    bool heap_found = false;
    bool is_paced = false;
    bool raises_alarm() const { return clock_jumped || heap_found; }
    bool operator==(const Plan&) const = default;
};

class Pacer {
  public:
    Plan plan(const Pass& pass);

  private:
    std::optional<Pass> last_;
    std::optional<std::int64_t> paced_step_ms_;  // monotonic time of the last paced step
    bool is_paced_ = false;
};

}  // namespace pawl::timer
