// SPDX-License-Identifier: Apache-2.0
// The safe race: waits for a task until a deadline. The task is never cancelled by losing; it goes on in
// its group and its result is dropped. What must not be dropped is not raced.
#pragma once

#include <optional>

#include "runtime/task/group.hpp"
#include "runtime/task/promise.hpp"

namespace pawl {

template <class T>
Task<void> fulfil(Promise<T> promise, Task<T> task) {
    promise.set(co_await std::move(task));
}

template <class T>
Task<std::optional<T>> within(Loop& loop, TaskGroup& group, MonotonicTime deadline, Task<T> task) {
    Promise<T> promise(loop);
    group.spawn(fulfil(promise, std::move(task)));
    co_return co_await promise.wait(deadline);
}

}  // namespace pawl
