// SPDX-License-Identifier: Apache-2.0
// A deadline that moves with every read or write and rarely comes. Moving it later only stores the time: the
// alarm that is set already looks, when it fires, whether the deadline has moved on. One busy connection thus
// costs the loop's alarm queue an entry about once per time-out, not once per request.
#pragma once

#include <functional>

#include "runtime/clock/alarms.hpp"

namespace pawl::http {

class Deadline {
  public:
    Deadline(Alarms& alarms, std::move_only_function<void()> expired)
        : alarms_(alarms), expired_(std::move(expired)) {}
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
    ~Deadline() { alarms_.cancel(alarm_); }

    // kNever: none.
    void move_to(MonotonicTime due) {
        due_ = due;
        if (due_ < alarm_.at) arm();
    }

  private:
    void arm() {
        alarms_.cancel(alarm_);
        alarm_ = alarms_.set(due_, [this] { look(); });
    }
    void look() {
        const MonotonicTime fired = std::exchange(alarm_, {}).at;
        if (due_ == kNever) return;
        if (fired < due_) return arm();
        due_ = kNever;
        expired_();
    }

    Alarms& alarms_;
    std::move_only_function<void()> expired_;
    MonotonicTime due_ = kNever;
    AlarmId alarm_;
};

}  // namespace pawl::http
