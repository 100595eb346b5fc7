// SPDX-License-Identifier: Apache-2.0
// What may happen next: time, attempts and their owners, the upstream and its network, probes and operators.
#include <algorithm>

#include "record_time.hpp"
#include "record_world.hpp"

namespace pawl::model {

using namespace record;

namespace {

constexpr std::uint8_t bit_of(int who) { return static_cast<std::uint8_t>(1 << who); }

// One's process is alive and has something to do.
bool is_active(Phase phase) { return phase != Phase::fresh && phase < Phase::dead; }
bool holds_claim(Phase phase) { return phase >= Phase::claimed && phase <= Phase::unknown; }

}  // namespace

void RecordWorld::for_each_step(const State& state, const Emit& emit) {
    time_steps(state, emit);
    for (int who = 0; who < static_cast<int>(scenario_.stamps.size()); ++who) {
        claim_steps(state, emit, who);
        owner_steps(state, emit, who);
        word_steps(state, emit, who);
        if ((state.in_flight & bit_of(who)) != 0) upstream_steps(state, emit, who);
    }
    for (int who = 0; who < scenario_.probes + scenario_.operators; ++who)
        witness_steps(state, emit, who);
}

void RecordWorld::time_steps(const State& state, const Emit& emit) {
    const auto pass = [&](std::string_view word, const Row& row) {
        State after = state;
        after.row = intern(row);
        if (row.owner_gone_ms != kNowMs) after.gone = 0;
        if (row.owner_gone_ms == kNowMs - kHorizonMs)
            for (Witness& witness : after.witnesses)
                if (witness.finding == Finding::not_applied)
                    witness.finding = Finding::looked_early;
        emit(Step{.word = word, .time_passes = true, .row = after.row}, after);
    };
    const auto when_changed = [&](State& after, const Judged&) { return after.row != state.row; };
    Row row = rows_[state.row];
    if (row.state == record::State::in_progress && row.lease_until_ms > kNowMs) {
        row.lease_until_ms = kNowMs;
        pass("lease ends", row);
    }
    // The horizon says how long what an ended owner has sent may still land.
    if (is_unresolved(row.state) && row.owner_gone_ms == kNowMs &&
        (state.in_flight & state.gone) == 0) {
        row.owner_gone_ms = kNowMs - kHorizonMs;
        pass("effect horizon passes", row);
    }
    call(state, emit, CallKind::lapse, "sweeper", 0, when_changed);
    const bool any_active = std::ranges::any_of(
        state.attempts, [](const Attempt& attempt) { return is_active(attempt.phase); });
    if (!any_active) call(state, emit, CallKind::boot_ended, "boot", 0, when_changed);
}

bool RecordWorld::answer_claim(State& after, const Judged& judged, int who) const {
    Attempt& attempt = after.attempts[who];
    if (is_acquired(judged.outcome)) {
        attempt.phase = Phase::claimed;
        attempt.fence = static_cast<std::uint8_t>(rows_[judged.row].fence.number);
        return true;
    }
    const bool come_back =
        judged.outcome == Outcome::in_progress || judged.outcome == Outcome::uncertain;
    if (!come_back) attempt.phase = Phase::ended;
    if (judged.outcome == Outcome::replay)
        after.answers |= answer_bit(scenario_.stamps[static_cast<std::size_t>(who)],
                                    result_of(rows_[judged.row]));
    return !come_back;
}

void RecordWorld::claim_steps(const State& state, const Emit& emit, int who) {
    const Attempt& attempt = state.attempts[who];
    if (!scenario_.unknown_commits) {
        if (attempt.phase != Phase::fresh) return;
        call(state, emit, CallKind::claim, "R", who, [&](State& after, const Judged& judged) {
            return answer_claim(after, judged, who) || after.row != state.row;
        });
        return;
    }
    const bool may_send = (attempt.phase == Phase::fresh || attempt.phase == Phase::waiting) &&
                          attempt.claims_sent < 2;
    if (may_send) {
        State after = state;
        after.attempts[who].phase = Phase::waiting;
        ++after.attempts[who].claims;
        ++after.attempts[who].claims_sent;
        emit(Step{.actor = "R", .number = who, .word = "sends its claim", .row = after.row}, after);
    }
    if (attempt.claims > 0) store_steps(state, emit, who);
    if (attempt.phase == Phase::waiting) {
        State after = state;
        after.attempts[who].phase = Phase::giving_up;
        emit(Step{.actor = "R", .number = who, .word = "gives its claim up", .row = after.row},
             after);
    }
    if (attempt.phase != Phase::giving_up) return;
    call(state, emit, CallKind::withdraw, "R", who, [&](State& after, const Judged&) {
        after.attempts[who].phase = Phase::given_up;
        return true;
    });
    call(state, emit, CallKind::withdraw, "R", who,
         [&](State& after, const Judged&) { return after.row != state.row; });
}

// A claim on the way to the store: it arrives, with or without an answer, or it is lost.
void RecordWorld::store_steps(const State& state, const Emit& emit, int who) {
    State lost = state;
    --lost.attempts[who].claims;
    emit(Step{.actor = "R", .number = who, .word = "loses its claim", .row = lost.row}, lost);
    call(state, emit, CallKind::claim, "R", who, [&](State& after, const Judged&) {
        --after.attempts[who].claims;
        return true;
    });
    if (state.attempts[who].phase != Phase::waiting) return;
    call(state, emit, CallKind::claim, "R", who, [&](State& after, const Judged& judged) {
        --after.attempts[who].claims;
        if (!answer_claim(after, judged, who)) after.attempts[who].phase = Phase::ended;
        return true;
    });
}

void RecordWorld::owner_steps(const State& state, const Emit& emit, int who) {
    const Attempt& attempt = state.attempts[who];
    const auto become = [&](std::string_view word, Phase phase, bool sends = false) {
        State after = state;
        after.attempts[who].phase = phase;
        if (phase != Phase::sent) after.attempts[who].reply = Reply::none;
        if (sends) after.in_flight |= bit_of(who);
        emit(Step{.actor = "R", .number = who, .word = word, .row = after.row}, after);
    };
    if (is_active(attempt.phase)) become("owner dies", Phase::dead);
    if (attempt.phase == Phase::claimed) {
        become("sends upstream", Phase::sent, true);
        become("is refused by the peer", Phase::not_applied);
    }
    if (attempt.phase == Phase::sent) {
        if (attempt.reply == Reply::ok) become("reads ok", Phase::applied);
        if (attempt.reply == Reply::not_applied) become("reads not applied", Phase::not_applied);
        if (attempt.reply == Reply::error) become("reads 500", Phase::unknown);
        become("times out", Phase::unknown);
    }
}

void RecordWorld::answer_completion(State& after, const Judged& judged, int who) const {
    const Attempt& attempt = after.attempts[who];
    const std::uint8_t stamp = scenario_.stamps[static_cast<std::size_t>(who)];
    const Row& row = rows_[judged.row];
    if (judged.outcome != Outcome::lost) {
        after.answers |= answer_bit(stamp, who);
        return;
    }
    const bool its_own = row.fence.number == attempt.fence;
    const bool has_result = row.settled && row.settled->fence.number == attempt.fence;
    if (its_own && !has_result)
        after.broken |= kProofBroken;
    else if (scenario_.reading == Reading::loser_answers_its_own_bytes)
        after.answers |= answer_bit(stamp, who);
    else if (row.settled && number_of(row.settled->stamp) == stamp)
        after.answers |= answer_bit(stamp, result_of(row));
}

// The owner's last words, and a renewal that brings a lease back to life.
void RecordWorld::word_steps(const State& state, const Emit& emit, int who) {
    const Phase phase = state.attempts[who].phase;
    const auto end = [&](State& after, const Judged&) {
        after.attempts[who].phase = Phase::ended;
        return true;
    };
    const auto only_record = [&](State& after, const Judged&) { return after.row != state.row; };
    if (holds_claim(phase)) call(state, emit, CallKind::renew, "R", who, only_record);
    if (phase == Phase::sent) call(state, emit, CallKind::listen, "R", who, only_record);
    if (phase != Phase::not_applied && phase != Phase::unknown && phase != Phase::applied) return;
    const CallKind word = phase == Phase::not_applied ? CallKind::release
                          : phase == Phase::unknown   ? CallKind::suspect
                                                      : CallKind::complete;
    call(state, emit, word, "R", who, [&](State& after, const Judged& judged) {
        if (word == CallKind::complete) answer_completion(after, judged, who);
        return end(after, judged);
    });
    // Rules 6 and 7: a word whose answer was lost is sent again.
    if (scenario_.unknown_commits) call(state, emit, word, "R", who, only_record);
}

bool RecordWorld::same_key(const State& state, int who) const {
    if (!scenario_.rerunnable) return false;
    const Effect mine{scenario_.stamps[static_cast<std::size_t>(who)], state.attempts[who].fence};
    return std::any_of(state.effects, state.effects + state.effect_count,
                       [&](const Effect& effect) {
                           if (scenario_.reading == Reading::key_from_identity) return true;
                           if (scenario_.reading == Reading::key_from_fence)
                               return effect.fence == mine.fence;
                           return effect.stamp == mine.stamp;
                       });
}

// A request arrives at the upstream, which may lie about an effect, but not about having none.
void RecordWorld::upstream_steps(const State& state, const Emit& emit, int who) {
    const std::uint8_t fence = state.attempts[who].fence;
    const auto land = [&](std::string_view word, bool applies, Reply reply) {
        State after = state;
        after.in_flight &= static_cast<std::uint8_t>(~bit_of(who));
        after.gone &= after.in_flight;
        if (applies)
            after.effects[after.effect_count++] = {scenario_.stamps[static_cast<std::size_t>(who)],
                                                   fence};
        if (after.attempts[who].phase == Phase::sent) after.attempts[who].reply = reply;
        emit(Step{.actor = "upstream R", .number = who, .word = word, .row = after.row}, after);
    };
    land("never sees it", false, Reply::none);
    if (fence <= state.closed) return land("refuses, a probe closed it", false, Reply::not_applied);
    const bool repeated = same_key(state, who);
    land("applies, says ok", !repeated, Reply::ok);
    land("applies, says 500", !repeated, Reply::error);
    if (repeated) return;
    land("does not apply, says 500", false, Reply::error);
    land("declares not applied", false, Reply::not_applied);
}

void RecordWorld::witness_steps(const State& state, const Emit& emit, int who) {
    const record::State now = rows_[state.row].state;
    const Finding finding = state.witnesses[who].finding;
    if (finding == Finding::idle && (now == record::State::uncertain || now == record::State::open))
        ask(state, emit, who);
    if (finding != Finding::idle && finding != Finding::done) settle(state, emit, who);
}

void RecordWorld::ask(const State& state, const Emit& emit, int who) {
    const Row& row = rows_[state.row];
    const bool applied = had_effect(state, number_of(row.stamp));
    State after = state;
    Witness& witness = after.witnesses[who];
    witness.finding = applied ? Finding::applied : Finding::not_applied;
    witness.fence = static_cast<std::uint8_t>(row.fence.number);
    const bool closes =
        is_probe(who) && !applied && scenario_.reading != Reading::plain_probe_frees;
    if (closes) after.closed = std::max(after.closed, witness.fence);
    emit(Step{.actor = is_probe(who) ? "probe" : "operator",
              .number = who,
              .word = applied  ? "finds it applied"
                      : closes ? "closes it upstream: not applied"
                               : "finds nothing",
              .row = after.row},
         after);
}

void RecordWorld::settle(const State& state, const Emit& emit, int who) {
    const bool seen = state.witnesses[who].finding == Finding::applied;
    const Basis basis = seen               ? Basis::seen
                        : is_probe(who)    ? Basis::closed
                        : scenario_.forced ? Basis::forced
                                           : Basis::quiet;
    call(
        state, emit, CallKind::settle, is_probe(who) ? "probe" : "operator", who,
        [&](State& after, const Judged& judged) {
            const bool refused =
                judged.outcome == Outcome::owner_alive || judged.outcome == Outcome::too_early;
            after.witnesses[who] =
                Witness{scenario_.again || refused ? Finding::idle : Finding::done, 0};
            return true;
        },
        basis);
    if (scenario_.unknown_commits)
        call(
            state, emit, CallKind::settle, is_probe(who) ? "probe" : "operator", who,
            [&](State& after, const Judged&) { return after.row != state.row; }, basis);
}

}  // namespace pawl::model
