// SPDX-License-Identifier: Apache-2.0
// Runs a task on another event loop and comes back with its result. The task has not begun before it is
// there, so everything it touches belongs to that loop; what it returns is moved across.
#pragma once

#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "runtime/task/loop.hpp"

namespace pawl {

template <class T>
Task<T> on_loop(Loop& here, Loop& there, Task<T> task) {
    if (&here == &there) co_return co_await std::move(task);
    co_return co_await boost::asio::co_spawn(there.executor(), std::move(task), kAwait);
}

}  // namespace pawl
