// SPDX-License-Identifier: Apache-2.0
// How much goes wrong with machines, stores and what lies between them, in the records' world and in the shop alike;
// what goes wrong with their people and services each adds itself. Unit: one in a thousand, unless named.
#pragma once

#include "sim/world/chance.hpp"
#include "store/memory/simulated_server.hpp"

namespace pawl::sim {

struct MachineDose {
    store::FaultProfile store;
    // what happens from time to time; mean pause, 0: never
    std::chrono::milliseconds crash_every{0};
    std::chrono::milliseconds freeze_every{0};
    std::chrono::milliseconds outage_every{0};
    std::chrono::milliseconds partition_every{0};  // of one node from the store
    std::chrono::milliseconds store_crash_every{0};
    std::uint32_t crash_aimed = 0;  // of the crashes: at a chosen step
    std::chrono::milliseconds freeze_max{15'000};
    std::chrono::milliseconds outage_max{8'000};
    std::chrono::milliseconds partition_max{15'000};
};

// Of the kinds of faults two in three are there at all: a world where everything fails at once hides what a single
// fault does.
class DoseDrawing {
  public:
    explicit DoseDrawing(Chance& chance) : chance_(chance) {}
    std::uint32_t some(std::uint32_t most) {
        return chance_.hit(667) ? static_cast<std::uint32_t>(chance_.between(1, most)) : 0;
    }
    std::chrono::milliseconds every(std::uint64_t low_ms, std::uint64_t high_ms) {
        return chance_.hit(667) ? std::chrono::milliseconds{chance_.between(low_ms, high_ms)}
                                : std::chrono::milliseconds{0};
    }

  private:
    Chance& chance_;
};

}  // namespace pawl::sim
