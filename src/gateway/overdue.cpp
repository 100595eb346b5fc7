// SPDX-License-Identifier: Apache-2.0
// Attempts that outlive their maximum hold. At its end the record becomes uncertain and everyone who waits is
// told so; the exchange goes on listening for as long again, because an answer that comes then is the best
// evidence there is (protocol "Waiting", the row "uncertain" of its table). Until it has ended its request may
// still land, so the record does not say that its owner is gone. How many may listen is bounded; beyond that, and
// while the node drains, an exchange ends with its hold.
//
//   the hold ends          the record                 a late answer
//   room to listen         uncertain, owner alive     settles it as one in time would have, under the same fence
//   no room                uncertain, owner gone      is not heard
#include "gateway/home.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::gateway {

void Home::hold_is_over(RunningPtr running) {
    if (overdue_.size() >= limits_.overdue_max || draining_) return running->under_way->cut();
    running->overdue = true;
    overdue_.push_back(running);
    group_.spawn(answer_all(std::move(running)));
}

Task<void> Home::answer_all(RunningPtr running) {
    effect::Found none;
    none.error = {
        Code::unknown, "The upstream gave no answer within the maximum hold.", {}, "hold"};
    EndedPair ended = co_await suspect(running, std::move(none));
    finish(std::move(running), std::move(ended));
}

Task<void> Home::settle_late(RunningPtr running, effect::Found found) {
    co_await running->ended.wait();  // one word after the other: the record is uncertain first
    co_await conclude(running, std::move(found));
    std::erase(overdue_, running);
}

}  // namespace pawl::gateway
