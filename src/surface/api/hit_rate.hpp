// SPDX-License-Identifier: Apache-2.0
// The share of requests that were answered without running anything again, (replay + waited) / all, over the
// last minute, route by route. Fed with running totals; a total that falls back (the routes were loaded
// anew) begins a new count.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "gateway/routes.hpp"
#include "runtime/clock/clock.hpp"

namespace pawl::api {

class HitRate {
  public:
    static constexpr std::chrono::seconds kWindow{60};

    void sample(const gateway::Routes& routes, MonotonicTime now);
    // Nothing when the route had no request in the window.
    std::optional<double> of(const std::string& route) const;

  private:
    struct Count {
        std::uint64_t hits = 0;
        std::uint64_t all = 0;
    };
    struct Sample {
        MonotonicTime at;
        std::map<std::string, Count> counts;
    };

    std::deque<Sample> samples_;
};

}  // namespace pawl::api
