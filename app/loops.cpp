// SPDX-License-Identifier: Apache-2.0
#include "app/loops.hpp"

#include <sched.h>

#include <algorithm>
#include <csignal>

namespace pawl::app {
namespace {

// Signals go to the first loop's thread.
void block_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace

Loops::~Loops() { stop(); }

void Loops::run() {
    for (std::size_t i = 1; i < loops_.size(); ++i) {
        threads_.emplace_back([loop = loops_[i]] {
            block_signals();
            loop->run();
        });
    }
    loops_.front()->run();
    stop();
    threads_.clear();
}

void Loops::stop() {
    for (SystemLoop* loop : loops_) loop->stop();
}

int usable_processors() {
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) != 0) return 1;
    return std::max(CPU_COUNT(&usable), 1);
}

}  // namespace pawl::app
