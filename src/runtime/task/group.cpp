// SPDX-License-Identifier: Apache-2.0
#include "runtime/task/group.hpp"

#include <exception>

#include <boost/asio/co_spawn.hpp>

namespace pawl {

struct TaskGroup::State {
    explicit State(Loop& loop_) : loop(loop_) {}
    Loop& loop;
    std::size_t running = 0;
    std::vector<ParkId> waiting;
};

TaskGroup::TaskGroup(Loop& loop) : state_(std::make_shared<State>(loop)) {}

TaskGroup::~TaskGroup() = default;

std::size_t TaskGroup::running() const { return state_->running; }

void TaskGroup::spawn(Task<void> task) {
    ++state_->running;
    boost::asio::co_spawn(state_->loop.executor(), std::move(task),
                          [state = state_](std::exception_ptr error) {
                              if (error) std::rethrow_exception(error);
                              if (--state->running > 0) return;
                              for (const ParkId id : std::exchange(state->waiting, {}))
                                  state->loop.wake(id, true);
                          });
}

Task<bool> TaskGroup::drain(MonotonicTime deadline) {
    const std::shared_ptr<State> state = state_;
    while (state->running > 0 && state->loop.now() < deadline)
        co_await state->loop.park(deadline, [&state](ParkId id) { state->waiting.push_back(id); });
    co_return state->running == 0;
}

}  // namespace pawl
