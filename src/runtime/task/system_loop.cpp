// SPDX-License-Identifier: Apache-2.0
#include "runtime/task/system_loop.hpp"

#include <boost/asio/executor_work_guard.hpp>

namespace pawl {

SystemLoop::SystemLoop()
    : alarms_([this](MonotonicTime at) { arm(at); }),
      timer_(context_.get_executor()),
      loop_(context_, clock_, alarms_, entropy_) {}

SystemLoop::~SystemLoop() { alarms_.clear(); }

void SystemLoop::arm(MonotonicTime at) {
    if (armed_at_ <= at) return;  // the armed timer comes first and looks again
    armed_at_ = at;
    timer_.expires_at(std::chrono::steady_clock::time_point{at.time_since_epoch()});
    timer_.async_wait([this](const boost::system::error_code& error) {
        if (error) return;
        armed_at_ = kNever;
        alarms_.fire(clock_.monotonic());
        if (const auto next = alarms_.next()) arm(*next);
    });
}

void SystemLoop::run() {
    const auto work = boost::asio::make_work_guard(context_);
    context_.run();
}

void SystemLoop::stop() { context_.stop(); }

}  // namespace pawl
