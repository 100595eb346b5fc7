// SPDX-License-Identifier: Apache-2.0
// Runs one task to its end on an event loop that nobody else turns: how a command line waits, and a test.
#pragma once

#include <exception>
#include <optional>
#include <utility>

#include "runtime/task/system_loop.hpp"

namespace pawl {

template <class T>
T run_here(SystemLoop& system, Task<T> task) {
    std::optional<T> result;
    boost::asio::co_spawn(system.loop().executor(), std::move(task),
                          [&result](std::exception_ptr error, T value) {
                              if (error) std::rethrow_exception(error);
                              result.emplace(std::move(value));
                          });
    while (!result) {
        system.context().restart();
        system.context().run_one();
    }
    return std::move(*result);
}

}  // namespace pawl
