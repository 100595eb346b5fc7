// SPDX-License-Identifier: Apache-2.0
// S1: the record moves only as the table allows. Written from the design's page, not from the judge's code:
// for each call the moves it may make, with what must be true of the record before; every other change is a
// finding. A move that no call explains is the sweeper's or the start's.
#include "core/record/judge.hpp"
#include "sim/audit/auditor.hpp"

namespace pawl::sim {
namespace {

using record::Basis;
using record::Row;
using record::State;

bool lease_over(const Row& row, std::int64_t now_ms) { return now_ms >= row.lease_until_ms; }

bool is_doubtful(State state) { return state == State::open || state == State::uncertain; }

// An owner's word names its claim and its fence.
template <class Word>
bool speaks_for(const Word& word, const Row& row) {
    return word.fence == row.fence && word.claim == row.claim;
}

State after_claim_ended(const Row& before) {
    return before.rerunnable ? State::open : State::uncertain;
}

bool is_newer(const std::optional<record::Stamp>& a, const std::optional<record::Stamp>& b) {
    return a && b && is_older(b->canonical, a->canonical);
}

struct Move {
    const Row& before;
    const Row& after;
    std::int64_t now_ms;

    bool to(State state) const { return after.state == state; }

    bool by(const record::Claim& claim) const {
        const bool same_claim = before.state == State::in_progress && before.claim == claim.claim;
        if (to(State::in_progress)) {
            if (after.claim != claim.claim) return false;
            if (same_claim)
                return after.fence == before.fence && before.fingerprint == claim.fingerprint;
            if (after.fence <= before.fence) return false;
            switch (before.state) {
                case State::absent:
                    return true;
                case State::freed:
                    return !before.stamp || !is_newer(before.stamp, claim.stamp);
                case State::in_progress:
                    return lease_over(before, now_ms) && before.rerunnable && claim.rerunnable &&
                           same_request(claim) && after.beside == before.beside;
                case State::open:
                    return claim.rerunnable && same_request(claim) && after.beside == before.beside;
                case State::completed:
                case State::tombstone:
                    return is_newer(claim.stamp, before.settled->stamp) &&
                           after.beside == before.settled;
                default:
                    return false;
            }
        }
        const bool lapsed = before.state == State::in_progress && lease_over(before, now_ms);
        return to(State::uncertain) && (lapsed || before.state == State::open);
    }
    bool same_request(const record::Claim& claim) const {
        return before.stamp == claim.stamp && before.fingerprint == claim.fingerprint;
    }
    bool by(const record::Renew& word) const {
        return before.state == State::in_progress && to(State::in_progress) &&
               speaks_for(word, before) && after.fence == before.fence &&
               after.lease_until_ms >= before.lease_until_ms;
    }
    bool by(const record::Complete& word) const {
        const bool given_back = before.settled && before.settled->fence != before.fence;
        const bool had_a_say = before.state == State::in_progress || is_doubtful(before.state) ||
                               before.state == State::freed || given_back;
        return had_a_say && to(State::completed) && speaks_for(word, before) &&
               after.fence == before.fence;
    }
    bool by(const record::Release& word) const {
        if (!speaks_for(word, before)) return false;
        return released();
    }
    bool by(const record::Suspect& word) const {
        if (!speaks_for(word, before) || !record::is_unresolved(before.state)) return false;
        return before.state == State::in_progress ? to(after_claim_ended(before))
                                                  : to(before.state);
    }
    bool by(const record::Withdraw& word) const {
        if (before.state == State::absent) return to(State::freed);
        if (before.claim == word.claim && record::is_unresolved(before.state)) return released();
        return to(before.state);
    }
    bool by(const record::Settle& word) const {
        if (word.fence != before.fence) return false;
        const bool ended = before.state == State::in_progress && lease_over(before, now_ms);
        if (!ended && !is_doubtful(before.state)) return false;
        if (word.basis == Basis::seen) return to(State::completed) || to(State::tombstone);
        if (ended && to(after_claim_ended(before))) return true;
        return not_applied() && (word.basis != Basis::quiet || is_quiet(word));
    }
    bool by(const record::Lapse& word) const {
        return word.fence == before.fence && before.state == State::in_progress &&
               lease_over(before, now_ms) && to(after_claim_ended(before));
    }
    bool by(const record::BootEnded& word) const {
        if (!record::is_unresolved(before.state) || before.owner.boot == word.present_boot)
            return false;
        return before.state == State::in_progress ? to(after_claim_ended(before))
                                                  : to(before.state);
    }
    bool by(const record::Expire&) const {
        const std::int64_t due = record::due_ms(before);
        if (due == record::kForever || now_ms < due) return false;
        if (before.state == State::completed && to(State::tombstone)) return true;
        const bool key_over =
            before.key_until_ms != record::kForever && now_ms >= before.key_until_ms;
        return key_over && !record::is_unresolved(before.state) && to(State::absent);
    }
    bool by(const record::Forget& word) const {
        return word.fence == before.fence && !record::is_unresolved(before.state) &&
               to(State::absent);
    }

    // Nothing of this claim took effect; an earlier one's request may still land when it was taken over.
    bool released() const {
        if (before.state == State::open) return to(State::open);
        if (before.state != State::in_progress && before.state != State::uncertain)
            return to(before.state);
        return before.took_over ? to(State::open) : not_applied();
    }
    // Free, or the result that a newer version was to replace is back.
    bool not_applied() const {
        if (!before.beside) return to(State::freed);
        if (!after.settled || after.settled->answer_digest != before.beside->answer_digest)
            return false;
        const bool over = before.beside->result_until_ms != record::kForever &&
                          now_ms >= before.beside->result_until_ms;
        return to(over ? State::tombstone : State::completed);
    }
    // Its owner was gone, and what it sent has landed or never will.
    bool is_quiet(const record::Settle& word) const {
        const std::int64_t horizon_ms = word.horizon_ms.value_or(before.horizon_ms);
        return before.owner_gone_ms != 0 && horizon_ms >= 0 &&
               now_ms >= before.owner_gone_ms + horizon_ms;
    }
};

class RecordAutomaton final : public Auditor {
  public:
    explicit RecordAutomaton(const AuditParts& parts)
        : Auditor("S1", parts.book, parts.ledger, parts.findings) {}

    void committed(const Committed& event) override {
        if (event.before == event.after) return;
        const Move move{event.before, event.after, event.now_ms};
        const bool allowed =
            std::visit([&](const auto& call) { return move.by(call); }, event.call);
        if (!allowed)
            find("name {}: {} made {} (fence {}) of {} (fence {})", event.name,
                 record::name_of(event.call), record::name_of(event.after.state),
                 event.after.fence.number, record::name_of(event.before.state),
                 event.before.fence.number);
        const bool result_changed =
            event.before.settled && event.after.settled &&
            !is_newer(event.after.settled->stamp, event.before.settled->stamp) &&
            event.before.settled->answer_digest != event.after.settled->answer_digest;
        if (result_changed)
            find("name {}: {} replaced a result", event.name, record::name_of(event.call));
    }
};

}  // namespace

AuditorPtr record_automaton(const AuditParts& parts) {
    return std::make_unique<RecordAutomaton>(parts);
}

}  // namespace pawl::sim
