// SPDX-License-Identifier: Apache-2.0
// Where a coroutine waits for an answer that comes from outside of its loop. The coroutine alone owns the
// slot: when its loop is destroyed the slot goes with it, and who would answer finds it gone.
#pragma once

#include <memory>
#include <optional>

#include "runtime/task/loop.hpp"

namespace pawl::store {

template <class T>
class ReplySlot {
  public:
    explicit ReplySlot(Loop& loop) : loop_(loop) {}

    // Once, on the loop's thread.
    void set(T value) {
        value_.emplace(std::move(value));
        loop_.wake(parked_, true);
    }

    // Keeps `slot` alive while it waits.
    static Task<T> take(std::shared_ptr<ReplySlot> slot) {
        if (!slot->value_)
            co_await slot->loop_.park(kNever, [&slot](ParkId id) { slot->parked_ = id; });
        co_return std::move(*slot->value_);
    }

  private:
    Loop& loop_;
    ParkId parked_;
    std::optional<T> value_;
};

}  // namespace pawl::store
