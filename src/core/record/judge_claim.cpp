// SPDX-License-Identifier: Apache-2.0
// A claim: who may act. Order of checks: given up before, then version stamp, then fingerprint, then the
// state; a mismatch therefore shows in every state that has a fingerprint, and changes nothing.
#include <algorithm>

#include "core/record/moves.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::record {
namespace {

// What a claim is compared with: a settled record is its result, any other its present claim.
struct Recorded {
    const std::optional<Stamp>& stamp;
    const Digest& fingerprint;
    const Digest& rule;
};

Recorded recorded_in(const Row& row) {
    if (row.settled) return {row.settled->stamp, row.settled->fingerprint, row.settled->rule};
    return {row.stamp, row.fingerprint, row.rule};
}

Outcome acquire(Verdict& verdict, const Claim& claim, Outcome outcome, Moment at) {
    Row& row = verdict.row;
    row.identity = claim.identity;
    row.tenant = claim.tenant;
    row.caller = claim.caller;
    row.operation = claim.operation;
    row.key_label = claim.key_label;
    row.trace_id = claim.trace_id;
    row.fence = draw(verdict, at);
    row.claim = claim.claim;
    row.owner = claim.owner;
    row.lease_until_ms = add_ms(at.now_ms, claim.lease_ms);
    row.owner_gone_ms = 0;
    row.horizon_ms = claim.horizon_ms;
    row.rerunnable = claim.rerunnable;
    // Of another stamp the upstream has not heard before: what it remembers, it remembers from now on.
    if (row.attempts == 0 || row.stamp != claim.stamp) row.created_ms = at.now_ms;
    row.stamp = claim.stamp;
    row.fingerprint = claim.fingerprint;
    row.rule = claim.rule;
    row.keep = claim.keep;
    ++row.attempts;
    become(verdict, State::in_progress, at);
    return outcome;
}

Outcome first(Verdict& verdict, const Claim& claim, Moment at) {
    verdict.row.earlier_may_live = false;
    return acquire(verdict, claim, Outcome::acquired, at);
}

// The result stays beside the new claim until that one is settled.
Outcome supersede(Verdict& verdict, const Claim& claim, Moment at) {
    verdict.row.beside = std::exchange(verdict.row.settled, std::nullopt);
    verdict.row.earlier_may_live = false;
    return acquire(verdict, claim, Outcome::superseded, at);
}

Outcome take_over(Verdict& verdict, const Claim& claim, Moment at) {
    Row& row = verdict.row;
    row.earlier_may_live = row.owner_gone_ms == 0;
    row.took_over = true;
    // The earlier attempt's request is still about: what was said of its upstream goes on to hold.
    const std::int64_t earlier_horizon_ms = row.horizon_ms;
    acquire(verdict, claim, Outcome::took_over, at);
    row.horizon_ms = std::min(earlier_horizon_ms, row.horizon_ms) < 0
                         ? -1
                         : std::max(earlier_horizon_ms, row.horizon_ms);
    return Outcome::took_over;
}

// The same claim again, after an unknown commit: the same right, with a lease that starts anew.
Outcome acquire_again(Verdict& verdict, const Claim& claim, Moment at) {
    Row& row = verdict.row;
    row.lease_until_ms = std::max(row.lease_until_ms, add_ms(at.now_ms, claim.lease_ms));
    verdict.changed = true;
    if (row.took_over) return Outcome::took_over;
    return row.beside ? Outcome::superseded : Outcome::acquired;
}

Outcome on_freed(Verdict& verdict, const Claim& claim, Moment at) {
    Row& row = verdict.row;
    if (row.stamp) {
        const std::partial_ordering order = order_of(claim.stamp, row.stamp);
        if (order == std::partial_ordering::unordered) return Outcome::version_invalid;
        if (order < 0) return Outcome::stale;
    }
    return first(verdict, claim, at);
}

// The upstream knows the derived key of an operation for so long; after that another run is another effect.
bool may_run_again(const Row& row, const Claim& claim, Moment at) {
    return claim.rerunnable &&
           (claim.remembers_ms < 0 || at.now_ms < add_ms(row.created_ms, claim.remembers_ms));
}

Outcome on_in_progress(Verdict& verdict, const Claim& claim, bool same_stamp, Moment at) {
    const Row& row = verdict.row;
    if (same_stamp && row.claim == claim.claim) return acquire_again(verdict, claim, at);
    if (at.now_ms < row.lease_until_ms) return Outcome::in_progress;
    if (row.rerunnable && !same_stamp && !is_planted(Plant::newer_takes_over))
        return Outcome::in_progress;
    if (row.rerunnable && may_run_again(row, claim, at)) return take_over(verdict, claim, at);
    if (is_planted(Plant::age_frees)) return first(verdict, claim, at);
    end_claim(verdict, false, at);
    return Outcome::uncertain;
}

Outcome on_open(Verdict& verdict, const Claim& claim, bool same_stamp, Moment at) {
    if (!same_stamp && !is_planted(Plant::newer_takes_over)) return Outcome::in_progress;
    if (may_run_again(verdict.row, claim, at)) return take_over(verdict, claim, at);
    // Nobody promises any more that it may be run again: left is evidence.
    become(verdict, State::uncertain, at);
    return Outcome::uncertain;
}

}  // namespace

Outcome judged(Verdict& verdict, const Claim& call, Moment at) {
    const Row& row = verdict.row;
    if (row.state == State::absent) return first(verdict, call, at);
    if (std::ranges::find(row.withdrawn, call.claim) != row.withdrawn.end())
        return Outcome::withdrawn;
    // A claim acquires once. One that meets its own end arrived twice; nobody waits for the second.
    const bool ended =
        row.claim == call.claim &&
        (row.state == State::freed || (row.settled && row.settled->fence != row.fence));
    if (ended) return Outcome::withdrawn;
    if (row.state == State::freed) return on_freed(verdict, call, at);
    if (is_unreadable(row)) return Outcome::uncertain;

    const Recorded recorded = recorded_in(row);
    const std::partial_ordering order = order_of(call.stamp, recorded.stamp);
    if (order == std::partial_ordering::unordered) return Outcome::version_invalid;
    if (order < 0 && !is_planted(Plant::stale_replaces)) return Outcome::stale;
    const bool same_stamp = order == 0;
    if (same_stamp && call.rule != recorded.rule) return Outcome::other_rule;
    if (same_stamp && call.fingerprint != recorded.fingerprint &&
        !is_planted(Plant::mismatch_claims))
        return Outcome::mismatch;

    if (row.state == State::in_progress) return on_in_progress(verdict, call, same_stamp, at);
    if (row.state == State::open) return on_open(verdict, call, same_stamp, at);
    if (row.state == State::uncertain) return Outcome::uncertain;
    if (!same_stamp) return supersede(verdict, call, at);
    const bool kept =
        row.state == State::completed && !is_over(row.settled->result_until_ms, at.now_ms);
    return kept ? Outcome::replay : Outcome::expired;
}

}  // namespace pawl::record
