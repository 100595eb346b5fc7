// SPDX-License-Identifier: Apache-2.0
// The words an owner must get through to the store: settling, withdrawing, renewing. Each is sent again,
// unchanged, until the store answers or the process ends; the record then says what is true.
#include <algorithm>

#include "gateway/home.hpp"
#include "gateway/patience.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::gateway {

Task<store::Reply> Home::persist(record::Call call) {
    Result<store::Reply> reply = co_await records_.apply(call);
    if (reply) co_return std::move(*reply);
    if (is_planted(Plant::completion_dropped) && std::holds_alternative<record::Complete>(call))
        co_return store::Reply{.outcome = record::Outcome::stored};
    figures_.settling.add(1);
    Patience patience(loop_, kNever);
    while (!reply) {
        figures_.store_retries.add();
        co_await patience.next();
        reply = co_await records_.apply(call);
    }
    figures_.settling.add(-1);
    co_return std::move(*reply);
}

Task<void> Home::withdraw(record::Withdraw call) { co_await persist(call); }

void Home::arm_renewal(RunningPtr running) {
    const std::chrono::milliseconds lease{running->operation.claim.lease_ms};
    // A renewal that failed is tried again after a pause, not at once.
    const MonotonicTime at =
        std::max(running->lease_until - lease * 2 / 3, loop_.now() + lease / 10);
    running->renewal = loop_.alarms().set(at, [this, running] {
        if (!running->over) group_.spawn(renew(running));
    });
}

// Renewal stops at the maximum hold: an attempt that outlives it is uncertain, not alive for ever.
Task<void> Home::renew(RunningPtr running) {
    const std::chrono::milliseconds lease{running->operation.claim.lease_ms};
    if (loop_.now() - running->started >= running->operation.hold_max) co_return;
    const MonotonicTime asked = loop_.now();
    const Result<store::Reply> reply = co_await records_.apply(record::Renew{
        running->operation.claim.identity, running->claim, running->fence, lease.count()});
    if (running->over) co_return;
    if (reply && reply->outcome == record::Outcome::held)
        running->lease_until = asked + lease;
    else if (reply) {
        figures_.lost.add();
        note(*running, "renew", std::string(name_of(reply->outcome)), "");
        co_return;
    }
    if (loop_.now() < running->lease_until) arm_renewal(running);
}

}  // namespace pawl::gateway
