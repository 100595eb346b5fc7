// SPDX-License-Identifier: Apache-2.0
// The threads that turn the event loops. The first loop is turned by the thread that calls run(), so that a
// process with one loop has one thread of its own.
#pragma once

#include <thread>
#include <vector>

#include "runtime/task/system_loop.hpp"

namespace pawl::app {

class Loops {
  public:
    // The loops outlive this.
    explicit Loops(std::vector<SystemLoop*> loops) : loops_(std::move(loops)) {}
    Loops(const Loops&) = delete;
    Loops& operator=(const Loops&) = delete;
    ~Loops();

    // Returns when the first loop was stopped and every thread has ended.
    void run();
    // From any thread.
    void stop();

  private:
    std::vector<SystemLoop*> loops_;
    std::vector<std::jthread> threads_;
};

// Loops to run when the configuration names none: one per processor that this process may use.
int usable_processors();

}  // namespace pawl::app
