// SPDX-License-Identifier: Apache-2.0
// Operations whose outcome became unknown, as lines of the log. An upstream that goes away leaves hundreds of them in
// a second: one line is written of it, and of the others how many they are.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "gateway/home.hpp"
#include "runtime/clock/clock.hpp"

namespace pawl::app {

inline constexpr std::chrono::seconds kDoubtLineEvery{1};

// Used from every loop.
class DoubtLines {
  public:
    // nullopt: counted, because the last line is not kDoubtLineEvery old.
    std::optional<std::string> line(const gateway::Doubt& doubt, MonotonicTime now);
    // Those that were only counted since the last call, as one line.
    std::optional<std::string> rest();

  private:
    std::mutex mutex_;
    std::optional<MonotonicTime> last_;
    std::size_t counted_ = 0;
};

}  // namespace pawl::app
