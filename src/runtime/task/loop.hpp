// SPDX-License-Identifier: Apache-2.0
// What code on one event loop is given: executor, clock, alarms, entropy. The loop also owns every
// coroutine that is suspended on one of our own primitives (Promise, sleep), so that destroying the loop
// destroys them, in production at the end and in the simulator when a node crashes. Everything here is
// called on the loop's own thread, except executor().
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <boost/asio/append.hpp>

#include "runtime/clock/alarms.hpp"
#include "runtime/clock/clock.hpp"
#include "runtime/entropy/entropy.hpp"
#include "runtime/task/task.hpp"

namespace pawl {

struct ParkId {
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;  // 0: nobody
};

class Loop {
  public:
    Loop(boost::asio::io_context& context, const Clock& clock, Alarms& alarms, Entropy& entropy);
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    ~Loop();

    Executor executor() const { return executor_; }
    const Clock& clock() const { return clock_; }
    Alarms& alarms() { return alarms_; }
    Entropy& entropy() { return entropy_; }
    MonotonicTime now() const { return clock_.monotonic(); }

    // Suspends the calling coroutine until wake(); `remember` is told under which id. True when it was
    // signalled, false when the deadline came first. `remember` is called before the suspension, at once.
    template <class Remember>
    Task<bool> park(MonotonicTime deadline, Remember remember) {
        co_return co_await boost::asio::async_initiate<decltype(kAwait), void(bool)>(
            [this, deadline, &remember](auto handler) {
                remember(keep(
                    [executor = executor_, kept = std::move(handler)](bool signalled) mutable {
                        boost::asio::post(executor,
                                          boost::asio::append(std::move(kept), signalled));
                    },
                    deadline));
            },
            kAwait);
    }
    // Posts the coroutine with `signalled`; false if it was woken before.
    bool wake(ParkId id, bool signalled);

    Task<void> sleep_until(MonotonicTime time);
    Task<void> sleep_for(std::chrono::nanoseconds duration) {
        return sleep_until(now() + duration);
    }

  private:
    using Resume = std::move_only_function<void(bool)>;

    struct Place {
        Resume resume;
        AlarmId alarm;
        std::uint32_t generation = 0;
    };

    ParkId keep(Resume resume, MonotonicTime deadline);

    Executor executor_;
    const Clock& clock_;
    Alarms& alarms_;
    Entropy& entropy_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> free_places_;
};

}  // namespace pawl
