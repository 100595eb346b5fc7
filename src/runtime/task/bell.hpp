// SPDX-License-Identifier: Apache-2.0
// Wakes the one coroutine that works off what others leave for it. A ring that nobody waits for is kept, and any number
// of them are one, so that nothing is missed between a look and the wait that follows it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/task/loop.hpp"

namespace pawl {

class Bell {
  public:
    explicit Bell(Loop& loop) : state_(std::make_shared<State>(loop)) {}

    // On its loop.
    void ring() { state_->ring(); }
    // From any thread, as long as the loop is there. Many rings cost one message.
    void ring_from_anywhere() {
        if (state_->is_on_its_way.exchange(true)) return;
        boost::asio::post(state_->loop.executor(), [state = state_] {
            state->is_on_its_way = false;
            state->ring();
        });
    }
    // True when it was rung since the last wait, false when the deadline came first. One waiter at a time.
    Task<bool> wait(MonotonicTime deadline) {
        const std::shared_ptr<State> state = state_;
        if (!state->has_rung)
            co_await state->loop.park(deadline, [&state](ParkId id) { state->waiter = id; });
        state->waiter.reset();
        co_return std::exchange(state->has_rung, false);
    }

  private:
    struct State {
        explicit State(Loop& loop_) : loop(loop_) {}
        void ring() {
            has_rung = true;
            if (const auto id = std::exchange(waiter, std::nullopt)) loop.wake(*id, true);
        }
        Loop& loop;
        bool has_rung = false;
        std::optional<ParkId> waiter;
        std::atomic<bool> is_on_its_way = false;
    };
    std::shared_ptr<State> state_;  // shared with messages that are on their way
};

}  // namespace pawl
