// SPDX-License-Identifier: Apache-2.0
// A value that comes once, with any number of waiters on one loop. Waiting is bounded by a deadline and
// never takes anything from the one who owns the value. Copies share the value. From another thread, post
// to the loop first.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/result/assert.hpp"
#include "runtime/task/loop.hpp"

namespace pawl {

template <class T>
class Promise {
  public:
    explicit Promise(Loop& loop) : state_(std::make_shared<State>(loop)) {}

    bool is_set() const { return state_->value.has_value(); }
    // Precondition: is_set().
    const T& value() const { return *state_->value; }
    std::size_t waiting() const { return state_->waiters.size(); }

    void set(T value) {
        PAWL_ASSERT(!state_->value);
        state_->value.emplace(std::move(value));
        for (const ParkId id : std::exchange(state_->waiters, {})) state_->loop.wake(id, true);
    }

    // nullopt when the deadline came first. Each waiter gets a copy.
    Task<std::optional<T>> wait(MonotonicTime deadline = kNever) {
        const std::shared_ptr<State> state = state_;
        if (!state->value)
            co_await state->loop.park(deadline,
                                      [&state](ParkId id) { state->waiters.push_back(id); });
        co_return state->value;
    }

    // For the only waiter: the value is moved out.
    Task<T> take() {
        const std::shared_ptr<State> state = state_;
        co_await wait();
        co_return std::move(*state->value);
    }

  private:
    struct State {
        explicit State(Loop& loop_) : loop(loop_) {}
        Loop& loop;
        std::optional<T> value;
        std::vector<ParkId> waiters;
    };
    std::shared_ptr<State> state_;  // shared by the one who sets and those who wait
};

}  // namespace pawl
