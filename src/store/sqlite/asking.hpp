// SPDX-License-Identifier: Apache-2.0
// How a loop asks one of the store's threads, and waits for what it says.
#pragma once

#include "runtime/result/result.hpp"
#include "store/port/reply_slot.hpp"
#include "store/sqlite/loop_inbox.hpp"

namespace pawl::sqlite {

inline std::unexpected<Error> queue_full() {
    return fail(Code::unavailable,
                "Too many calls wait for the store; this one was not carried out.", {},
                "store.sqlite");
}

// `look` runs on the side's thread, its result comes back on the loop. Both outlive the task.
template <class T, class Side, class Look>
Task<Result<T>> ask(Loop& loop, std::shared_ptr<LoopInbox> inbox, Side* side, Look look) {
    using Slot = store::ReplySlot<Result<T>>;
    const auto slot = std::make_shared<Slot>(loop);
    const bool queued = side->submit([look = std::move(look), inbox = std::move(inbox),
                                      to = std::weak_ptr<Slot>(slot)](auto& there) mutable {
        inbox->post([to, found = look(there)]() mutable {
            if (const auto waiting = to.lock()) waiting->set(std::move(found));
        });
    });
    if (!queued) co_return queue_full();
    co_return co_await Slot::take(slot);
}

}  // namespace pawl::sqlite
