// SPDX-License-Identifier: Apache-2.0
#include "runtime/meter/meter.hpp"

#include <algorithm>

namespace pawl {

void LatencyHistogram::add(std::chrono::nanoseconds duration) {
    const double seconds = std::chrono::duration<double>(duration).count();
    const auto bound = std::ranges::lower_bound(kBoundsSeconds, seconds);
    const auto index = static_cast<std::size_t>(bound - kBoundsSeconds.begin());
    buckets_[index].fetch_add(1, std::memory_order_relaxed);
    sum_ns_.fetch_add(static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0)),
                      std::memory_order_relaxed);
}

}  // namespace pawl
