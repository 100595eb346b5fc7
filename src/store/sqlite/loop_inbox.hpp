// SPDX-License-Identifier: Apache-2.0
// Where the store's threads leave answers for one event loop. Closed before its loop goes; what comes later
// is dropped with the coroutines that waited for it.
#pragma once

#include <functional>
#include <mutex>

#include "runtime/task/task.hpp"

namespace pawl::sqlite {

class LoopInbox {
  public:
    explicit LoopInbox(Executor executor) : executor_(std::move(executor)) {}

    // From any thread. `work` runs on the loop, or never.
    void post(std::move_only_function<void()> work) {
        const std::scoped_lock lock(mutex_);
        if (open_) boost::asio::post(executor_, std::move(work));
    }
    void close() {
        const std::scoped_lock lock(mutex_);
        open_ = false;
    }

  private:
    std::mutex mutex_;
    bool open_ = true;
    Executor executor_;
};

}  // namespace pawl::sqlite
