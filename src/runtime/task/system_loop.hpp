// SPDX-License-Identifier: Apache-2.0
// A production event loop: io_context, one operating-system timer behind the alarms, system clock and
// entropy. One thread runs it.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "runtime/task/loop.hpp"

namespace pawl {

class SystemLoop {
  public:
    SystemLoop();
    SystemLoop(const SystemLoop&) = delete;
    SystemLoop& operator=(const SystemLoop&) = delete;
    ~SystemLoop();

    Loop& loop() { return loop_; }
    boost::asio::io_context& context() { return context_; }
    // Runs until stop(), on the calling thread.
    void run();
    // From any thread.
    void stop();

  private:
    void arm(MonotonicTime at);

    SystemClock clock_;
    SystemEntropy entropy_;
    Alarms alarms_;  // outlives the context: coroutines destroyed with it cancel alarms
    boost::asio::io_context context_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};
    boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                      boost::asio::wait_traits<std::chrono::steady_clock>, Executor>
        timer_;
    MonotonicTime armed_at_ = kNever;
    Loop loop_;
};

}  // namespace pawl
