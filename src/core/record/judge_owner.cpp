// SPDX-License-Identifier: Apache-2.0
// The words of a claim's owner: renew, complete, release, suspect, withdraw. Each can be sent again after
// an unknown commit and then has the same answer.
#include <algorithm>

#include "core/record/moves.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::record {
namespace {

template <class Word>
bool is_owner(const Row& row, const Word& word) {
    return row.fence == word.fence && row.claim == word.claim;
}

// Of the present record or of the one that a newer stamp is replacing.
const Settled* result_under(const Row& row, Fence fence) {
    if (row.settled && row.settled->fence == fence) return &*row.settled;
    if (row.beside && row.beside->fence == fence) return &*row.beside;
    return nullptr;
}

void refuse_from_now_on(Verdict& verdict, const ClaimId& claim) {
    std::vector<ClaimId>& withdrawn = verdict.row.withdrawn;
    if (std::ranges::find(withdrawn, claim) != withdrawn.end()) return;
    if (withdrawn.size() >= kWithdrawnMax) withdrawn.erase(withdrawn.begin());
    withdrawn.push_back(claim);
    verdict.changed = true;
}

}  // namespace

Outcome judged(Verdict& verdict, const Renew& call, Moment at) {
    Row& row = verdict.row;
    if (row.state != State::in_progress || !is_owner(row, call)) return Outcome::lost;
    row.lease_until_ms = std::max(row.lease_until_ms, add_ms(at.now_ms, call.lease_ms));
    verdict.changed = true;
    return Outcome::held;
}

Outcome judged(Verdict& verdict, const Complete& call, Moment at) {
    const Row& row = verdict.row;
    const Digest digest = digest_of(call.answer);
    if (const Settled* result = result_under(row, call.fence)) {
        const bool other_claim = row.fence == call.fence && row.claim != call.claim;
        if (other_claim || row.state == State::tombstone) return Outcome::lost;
        return result->answer_digest == digest ? Outcome::stored : Outcome::lost;
    }
    if (row.state == State::absent) return Outcome::lost;
    if (!is_owner(row, call) && !is_planted(Plant::any_fence_completes)) return Outcome::lost;
    // It was said that this claim was not applied, and it was. What proves an effect is never thrown away.
    const bool late = !is_unresolved(row.state);
    applied(verdict, &call.answer, digest, Source::owner, at, call.result_ms);
    return late ? Outcome::stored_late : Outcome::stored;
}

Outcome judged(Verdict& verdict, const Release& call, Moment at) {
    return is_owner(verdict.row, call) ? released(verdict, at) : Outcome::lost;
}

Outcome judged(Verdict& verdict, const Suspect& call, Moment at) {
    const Row& row = verdict.row;
    if (!is_unresolved(row.state) || !is_owner(row, call)) return Outcome::lost;
    if (row.state == State::in_progress) end_claim(verdict, row.rerunnable, at);
    if (!call.listening) owner_ended(verdict, at);
    return row.state == State::open ? Outcome::opened : Outcome::suspected;
}

Outcome judged(Verdict& verdict, const Withdraw& call, Moment at) {
    Row& row = verdict.row;
    if (is_unreadable(row)) return Outcome::lost;
    if (row.state == State::absent) {
        row.identity = call.identity;
        row.fence = draw(verdict, at);
        row.claim = call.claim;
        row.created_ms = at.now_ms;
        row.key_until_ms = add_ms(at.now_ms, kWithdrawnKeepMs);
        become(verdict, State::freed, at);
    }
    const bool mine = row.claim == call.claim;
    Outcome outcome = row.state == State::freed ? Outcome::freed : Outcome::lost;
    if (mine) outcome = released(verdict, at);
    if (!mine || outcome != Outcome::lost) refuse_from_now_on(verdict, call.claim);
    return outcome;
}

}  // namespace pawl::record
