// SPDX-License-Identifier: Apache-2.0
#include "app/doubt_lines.hpp"

#include <fmt/format.h>

namespace pawl::app {

std::optional<std::string> DoubtLines::line(const gateway::Doubt& doubt, MonotonicTime now) {
    const std::scoped_lock lock(mutex_);
    if (last_ && now - *last_ < kDoubtLineEvery) {
        ++counted_;
        return std::nullopt;
    }
    last_ = now;
    return fmt::format("it is not known whether {} of {} took effect: {}", doubt.reference,
                       doubt.route, doubt.why);
}

std::optional<std::string> DoubtLines::rest() {
    const std::scoped_lock lock(mutex_);
    const std::size_t count = std::exchange(counted_, 0);
    if (count == 0) return std::nullopt;
    return fmt::format("of {} more it is not known either; `pawl uncertain list` shows them",
                       count == 1 ? "1 operation" : fmt::format("{} operations", count));
}

}  // namespace pawl::app
