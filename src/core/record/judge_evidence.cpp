// SPDX-License-Identifier: Apache-2.0
// What others than the owner know: evidence about one fence, a lease that is over, a boot that has ended.
// Age alone never frees; what frees is a proof that nothing can land any more.
#include <algorithm>

#include "core/record/moves.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::record {
namespace {

// Whether "not applied" may be believed of a record that is open or uncertain. freed: yes.
Outcome judge_negative(const Row& row, const Settle& call, Moment at) {
    // Fence 0 closes nothing.
    if (call.basis == Basis::closed) return is_unreadable(row) ? Outcome::conflict : Outcome::freed;
    if (call.basis == Basis::forced) return Outcome::freed;
    if (is_planted(Plant::not_found_frees)) return Outcome::freed;
    if (row.owner_gone_ms == 0) return Outcome::owner_alive;
    const std::int64_t horizon_ms = call.horizon_ms.value_or(row.horizon_ms);
    const std::int64_t looked_ms = std::min(call.looked_ms.value_or(at.now_ms), at.now_ms);
    const bool passed = horizon_ms >= 0 && looked_ms >= add_ms(row.owner_gone_ms, horizon_ms);
    return passed ? Outcome::freed : Outcome::too_early;
}

}  // namespace

Outcome judged(Verdict& verdict, const Settle& call, Moment at) {
    Row& row = verdict.row;
    if (row.fence != call.fence && !is_planted(Plant::any_fence_settles)) return Outcome::conflict;
    if (row.state == State::freed)
        return call.basis == Basis::seen ? Outcome::conflict : Outcome::freed;
    if (!is_unresolved(row.state)) return Outcome::conflict;
    if (row.state == State::in_progress) {
        if (at.now_ms < row.lease_until_ms) return Outcome::conflict;
        end_claim(verdict, row.rerunnable, at);
    }
    if (call.basis == Basis::seen) {
        const Answer* answer = call.answer ? &*call.answer : nullptr;
        applied(verdict, answer, answer == nullptr ? Digest{} : digest_of(*answer), call.source,
                at);
        return Outcome::stored;
    }
    const Outcome believed = judge_negative(row, call, at);
    if (believed != Outcome::freed) return believed;
    row.forced = row.forced || call.basis == Basis::forced;
    return not_applied(verdict, at);
}

Outcome judged(Verdict& verdict, const Lapse& call, Moment at) {
    const Row& row = verdict.row;
    const bool over = row.state == State::in_progress && row.fence == call.fence &&
                      at.now_ms >= row.lease_until_ms;
    if (!over) return Outcome::unchanged;
    if (is_planted(Plant::sweep_frees)) {
        not_applied(verdict, at);
        return Outcome::lapsed;
    }
    // The owner may be frozen: it is not proven gone.
    end_claim(verdict, row.rerunnable, at);
    return Outcome::lapsed;
}

Outcome judged(Verdict& verdict, const BootEnded& call, Moment at) {
    Row& row = verdict.row;
    const bool concerned =
        is_unresolved(row.state) && !is_unreadable(row) && row.owner.boot != call.present_boot;
    if (!concerned) return Outcome::unchanged;
    if (is_planted(Plant::start_frees)) return not_applied(verdict, at);
    if (row.state == State::in_progress) end_claim(verdict, row.rerunnable, at);
    row.earlier_may_live = false;
    owner_ended(verdict, at);
    return verdict.changed ? Outcome::lapsed : Outcome::unchanged;
}

}  // namespace pawl::record
