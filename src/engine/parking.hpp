// SPDX-License-Identifier: Apache-2.0
// Facts that wait for their order, or for it to come so far. A commit wakes those at its meeting; this sweep is
// for what no commit woke: the process ended between the two, a probe could not say, the store was away. Each
// is sent again after 5 s, 15 s, 35 s, ... of waiting and then every ten minutes, and when its time is over a
// person has to look at it. When one was tried last is not kept: it follows from when it came.
#pragma once

#include "engine/committer.hpp"
#include "runtime/task/group.hpp"

namespace pawl::engine {

inline constexpr std::chrono::milliseconds kParkingPassEvery{5'000};
inline constexpr std::chrono::milliseconds kParkedBase{5'000};
inline constexpr std::chrono::milliseconds kParkedCap{600'000};
inline constexpr std::size_t kParkedFew =
    1'000;  // each so many make the pause between passes longer
inline constexpr std::size_t kParkingPage = 100;  // read, and sent again side by side

// Whether one that came at `since_ms` is tried at a time after `after_ms`, until `until_ms` included.
bool is_tried_between(std::int64_t since_ms, std::int64_t after_ms, std::int64_t until_ms);

struct ParkingFigures {
    std::uint64_t passes = 0;
    std::uint64_t waiting = 0;  // as of the last pass
    std::uint64_t sent = 0;
    std::uint64_t given_up = 0;
    std::uint64_t failed = 0;
};

class Parking {
  public:
    // All outlive it.
    Parking(Loop& loop, store::Flows& flows, Committer& committer);
    Parking(const Parking&) = delete;
    Parking& operator=(const Parking&) = delete;

    void start();
    // No further one; true when what is under way has ended before the deadline.
    Task<bool> end(MonotonicTime deadline);

    const ParkingFigures& figures() const { return figures_; }

  private:
    Task<void> run();
    Task<void> pass();
    Task<void> send_again(store::WaitingEntry entry, std::int64_t now_ms);

    Loop& loop_;
    store::Flows& flows_;
    Committer& committer_;
    bool ended_ = false;
    ParkId resting_{};
    std::int64_t passed_ms_ = 0;  // store time of the last pass; 0: none yet
    ParkingFigures figures_;
    TaskGroup sending_;
    TaskGroup running_;
};

}  // namespace pawl::engine
