// SPDX-License-Identifier: Apache-2.0
// Where the store's threads leave answers for one event loop. Closed before its loop goes; what comes later
// is dropped with the coroutines that waited for it.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "runtime/task/task.hpp"
#include "store/port/reply_slot.hpp"

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

// Who waits for an answer, and on which loop.
template <class Answer>
struct AskerOf {
    std::shared_ptr<LoopInbox> inbox;
    std::weak_ptr<store::ReplySlot<Answer>> slot;
};

// One answer to each asker, in order; one post per loop.
template <class Answer>
void deliver(std::span<AskerOf<Answer>> askers, std::vector<Answer> answers) {
    using Delivery = std::vector<std::pair<std::weak_ptr<store::ReplySlot<Answer>>, Answer>>;
    // There are few loops, so their inboxes are looked for one by one.
    std::vector<std::pair<std::shared_ptr<LoopInbox>, Delivery>> by_loop;
    for (std::size_t i = 0; i < askers.size(); ++i) {
        auto place = std::ranges::find(by_loop, askers[i].inbox,
                                       [](const auto& entry) { return entry.first; });
        if (place == by_loop.end())
            place = by_loop.emplace(by_loop.end(), std::move(askers[i].inbox), Delivery{});
        place->second.emplace_back(std::move(askers[i].slot), std::move(answers[i]));
    }
    for (auto& [inbox, delivery] : by_loop) {
        inbox->post([delivered = std::move(delivery)]() mutable {
            for (auto& [slot, answer] : delivered)
                if (const auto waiting = slot.lock()) waiting->set(std::move(answer));
        });
    }
}

}  // namespace pawl::sqlite
