// SPDX-License-Identifier: Apache-2.0
// How a record moves between its states, whoever causes it. A row keeps what the present or the last claim
// said (stamp, fingerprint, rule) apart from the result it holds (`settled`, or `beside` while a newer
// stamp is running), so that a claim that was not applied gives back exactly what it found.
#include "core/record/moves.hpp"

#include <algorithm>
#include <limits>

#include "runtime/plant/planted.hpp"

namespace pawl::record {

std::int64_t add_ms(std::int64_t from_ms, std::int64_t span_ms) {
    const std::int64_t room =
        std::numeric_limits<std::int64_t>::max() - std::max<std::int64_t>(from_ms, 0);
    return from_ms + std::clamp<std::int64_t>(span_ms, 0, room);
}

std::int64_t kept_until(std::int64_t from_ms, std::int64_t keep_ms) {
    return keep_ms < 0 ? kForever : add_ms(from_ms, keep_ms);
}

bool is_over(std::int64_t until_ms, std::int64_t now_ms) {
    return until_ms != kForever && now_ms >= until_ms;
}

bool is_unreadable(const Row& row) { return row.state == State::uncertain && row.fence == Fence{}; }

Fence draw(Verdict& verdict, Moment at) {
    verdict.fence_used = true;
    if (is_planted(Plant::fence_given_twice) && verdict.row.fence != Fence{})
        return verdict.row.fence;
    return std::max(at.next, Fence{verdict.row.fence.number + 1});
}

void become(Verdict& verdict, State state, Moment at) {
    verdict.row.state = state;
    verdict.row.changed_ms = at.now_ms;
    verdict.changed = true;
}

void end_claim(Verdict& verdict, bool may_rerun, Moment at) {
    // From here on the request of this attempt may land at any time; a release of a later one proves
    // nothing about it.
    verdict.row.took_over = verdict.row.took_over || may_rerun;
    become(verdict, may_rerun ? State::open : State::uncertain, at);
}

void owner_ended(Verdict& verdict, Moment at) {
    if (verdict.row.earlier_may_live || verdict.row.owner_gone_ms != 0) return;
    verdict.row.owner_gone_ms = std::max<std::int64_t>(at.now_ms, 1);
    verdict.changed = true;
}

void applied(Verdict& verdict, const Answer* answer, const Digest& answer_digest, Source source,
             Moment at, std::optional<std::int64_t> result_ms) {
    Row& row = verdict.row;
    const std::int64_t kept_ms = result_ms.value_or(row.keep.result_ms);
    // The result that this one follows: of the superseded stamp, or given back to a claim that proves now
    // to have been applied after all.
    const std::optional<Settled>& before = row.beside ? row.beside : row.settled;
    if (before) verdict.drop = before->fence;
    row.beside.reset();
    row.settled =
        Settled{.stamp = row.stamp,
                .fingerprint = row.fingerprint,
                .rule = row.rule,
                .answer_digest = answer_digest,
                .status = answer == nullptr ? 0 : answer->status,
                .source = source,
                .fence = row.fence,
                .settled_ms = at.now_ms,
                .result_until_ms = answer == nullptr ? 0 : kept_until(at.now_ms, kept_ms)};
    // A key outlives its result.
    const bool for_ever = row.keep.key_ms < 0 || row.keep.result_ms < 0 || kept_ms < 0;
    row.key_until_ms =
        for_ever ? kForever
                 : add_ms(at.now_ms, std::max({row.keep.key_ms, row.keep.result_ms, kept_ms}));
    row.took_over = false;
    verdict.store = answer;
    become(verdict, answer == nullptr ? State::tombstone : State::completed, at);
}

Outcome not_applied(Verdict& verdict, Moment at) {
    Row& row = verdict.row;
    row.took_over = false;
    if (!row.beside || is_planted(Plant::restored_result_lost)) {
        row.beside.reset();
        row.key_until_ms = kept_until(at.now_ms, row.keep.key_ms);
        become(verdict, State::freed, at);
        return Outcome::freed;
    }
    // `key_until_ms` is still the one of the result that comes back: superseding leaves it alone.
    row.settled = std::exchange(row.beside, std::nullopt);
    row.created_ms = row.settled->settled_ms;  // the nearest that is known of it
    if (is_over(row.settled->result_until_ms, at.now_ms))
        bury(verdict, at);
    else
        become(verdict, State::completed, at);
    return Outcome::restored;
}

Outcome released(Verdict& verdict, Moment at) {
    Row& row = verdict.row;
    if (is_unresolved(row.state)) {
        if (!row.took_over || is_planted(Plant::takeover_released)) return not_applied(verdict, at);
        owner_ended(verdict, at);
        if (row.state != State::open) become(verdict, State::open, at);
        return Outcome::opened;
    }
    if (row.state == State::freed) return Outcome::freed;
    // Its own result: too late. Another's: this claim was not applied, as was said before.
    return row.settled && row.settled->fence != row.fence ? Outcome::restored : Outcome::lost;
}

void bury(Verdict& verdict, Moment at) {
    verdict.drop = verdict.row.settled->fence;
    // A clock that steps back does not bring a dropped result back.
    verdict.row.settled->result_until_ms = 0;
    become(verdict, State::tombstone, at);
}

void remove(Verdict& verdict) {
    if (verdict.row.settled) verdict.drop = verdict.row.settled->fence;
    const Digest identity = verdict.row.identity;
    verdict.row = Row{};
    verdict.row.identity = identity;
    verdict.changed = true;
}

}  // namespace pawl::record
