// SPDX-License-Identifier: Apache-2.0
// Tasks are spawned only in a group, and its owner drains the group before it goes. A task that throws is
// a programmer's error and ends the process.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "runtime/task/loop.hpp"

namespace pawl {

class TaskGroup {
  public:
    explicit TaskGroup(Loop& loop);
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;
    ~TaskGroup();

    void spawn(Task<void> task);
    std::size_t running() const;
    // True when every task has ended before the deadline.
    Task<bool> drain(MonotonicTime deadline);

  private:
    struct State;
    std::shared_ptr<State>
        state_;  // shared with the completion of each task, which may outlive the group
};

}  // namespace pawl
