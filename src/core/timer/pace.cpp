// SPDX-License-Identifier: Apache-2.0
#include "core/timer/pace.hpp"

namespace pawl::timer {

Plan Pacer::plan(const Pass& pass) {
    Plan plan;
    if (last_) {
        const std::int64_t apart =
            (pass.wall_ms - last_->wall_ms) - (pass.monotonic_ms - last_->monotonic_ms);
        plan.clock_jumped = apart > kClockJump.count() || apart < -kClockJump.count();
    } else {
        plan.heap_found = pass.due > kFirstPassDueMax;
    }
    last_ = pass;
    if (plan.raises_alarm()) is_paced_ = true;
    // The heap has gone down: what is due now is the day's work.
    else if (pass.due <= kFireStep)
        is_paced_ = false;
    plan.is_paced = is_paced_;
    if (!is_paced_) {
        paced_step_ms_.reset();
        plan.most = kFireStep;
    } else if (!paced_step_ms_ || pass.monotonic_ms - *paced_step_ms_ >= kPacedStepEvery.count()) {
        paced_step_ms_ = pass.monotonic_ms;
        plan.most = kFireStep;
    }
    return plan;
}

}  // namespace pawl::timer
