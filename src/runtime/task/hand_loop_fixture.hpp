// SPDX-License-Identifier: Apache-2.0
// For tests: a loop whose time is moved by hand, so that minutes of backoff cost nothing and nothing depends on the
// machine.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "runtime/task/loop.hpp"

namespace pawl {

class HandClock final : public Clock {
  public:
    MonotonicTime monotonic() const override { return now; }
    WallTime wall() const override {
        return wall_time(wall_at_start_ms + now.time_since_epoch() / std::chrono::milliseconds(1));
    }
    MonotonicTime now{};
    std::int64_t wall_at_start_ms = 0;
};

struct HandLoop {
    explicit HandLoop(std::uint64_t seed = 1) : entropy(seed) {}

    HandClock clock;
    SeededEntropy entropy;
    boost::asio::io_context context{1};
    Alarms alarms;
    Loop loop{context, clock, alarms, entropy};

    void poll() {
        context.restart();
        context.poll();
    }
    // One step, whatever was due in between.
    void advance(std::chrono::nanoseconds by) {
        clock.now += by;
        alarms.fire(clock.now);
        poll();
    }
    // Alarm by alarm, each at its time.
    void run_for(std::chrono::nanoseconds span) {
        const MonotonicTime end = clock.now + span;
        poll();
        while (alarms.next() && *alarms.next() <= end) {
            clock.now = std::max(clock.now, *alarms.next());
            alarms.fire(clock.now);
            poll();
        }
        clock.now = end;
    }
    // Turns until the task has ended; alarms that it waits for come at once.
    template <class T>
    T run(Task<T> task) {
        std::optional<T> result;
        boost::asio::co_spawn(context, std::move(task),
                              [&result](std::exception_ptr error, T value) {
                                  if (error) std::rethrow_exception(error);
                                  result.emplace(std::move(value));
                              });
        poll();
        while (!result && alarms.next()) run_for(*alarms.next() - clock.now);
        return std::move(*result);
    }
};

}  // namespace pawl
