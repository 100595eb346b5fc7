// SPDX-License-Identifier: Apache-2.0
// How long to wait before a try that comes after failed ones: exponential, capped, with full jitter, so that many who
// failed together do not come back together. A Retry-After is a floor, and what is above it is spread.
#pragma once

#include <algorithm>
#include <chrono>

#include "runtime/entropy/entropy.hpp"

namespace pawl::engine {

struct Backoff {
    std::chrono::milliseconds first{100};
    std::chrono::milliseconds most{2'000};

    // After `failures` in a row, at least one. Shape: above 0.
    std::chrono::milliseconds pause(Entropy& entropy, std::uint32_t failures,
                                    std::chrono::milliseconds floor = {}) const {
        constexpr std::uint32_t kDoublingsMax = 30;
        const std::uint32_t doublings = std::min(failures > 0 ? failures - 1 : 0U, kDoublingsMax);
        const std::int64_t step = std::min(first.count() << doublings, most.count());
        const auto drawn =
            static_cast<std::int64_t>(entropy.below(static_cast<std::uint64_t>(step))) + 1;
        return floor + std::chrono::milliseconds(drawn);
    }
};

}  // namespace pawl::engine
