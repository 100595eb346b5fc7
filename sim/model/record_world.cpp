// SPDX-License-Identifier: Apache-2.0
// The record of the world: how calls are made, judged and remembered, and which invariants hold.
#include "record_world.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/record/row_format.hpp"
#include "record_reading.hpp"
#include "record_time.hpp"
#include "runtime/result/assert.hpp"

namespace pawl::model {

using namespace record;

namespace {

constexpr std::array<std::string_view, 8> kViolations{
    "E1 two effects for one operation",
    "ORDER an older stamp took effect after a newer one",
    "R1 two terminal answers for one operation",
    "E3 completed without an effect",
    "E4 an acknowledged success is lost",
    "PROOF an owner knew the effect happened, its record was open, and it was turned away",
    "GHOST a claim that was given up holds the record",
    "R5 a refused call changed the record",
};

bool is_refusal(CallKind kind, Outcome outcome) {
    // A withdrawal that is too late is remembered nonetheless.
    if (outcome == Outcome::lost) return kind != CallKind::withdraw;

    constexpr std::array kRefusals{
        Outcome::replay,      Outcome::expired,  Outcome::mismatch,        Outcome::other_rule,
        Outcome::in_progress, Outcome::stale,    Outcome::version_invalid, Outcome::withdrawn,
        Outcome::conflict,    Outcome::unchanged};
    return std::ranges::find(kRefusals, outcome) != kRefusals.end();
}

std::optional<Stamp> stamp_of(std::uint8_t stamp) {
    if (stamp == 0) return std::nullopt;
    return Stamp{StampKind::integer, std::to_string(stamp)};
}
ClaimId claim_id_of(int who) {
    ClaimId id;
    id.bytes[0] = static_cast<std::uint8_t>(who + 1);
    return id;
}

}  // namespace

std::uint8_t number_of(const std::optional<Stamp>& stamp) {
    return stamp ? static_cast<std::uint8_t>(stamp->canonical.front() - '0') : 0;
}

bool had_effect(const WorldState& state, std::uint8_t stamp) {
    return std::any_of(state.effects, state.effects + state.effect_count,
                       [&](const Effect& effect) { return effect.stamp == stamp; });
}

RecordWorld::RecordWorld(Scenario scenario) : scenario_(std::move(scenario)) {
    PAWL_ASSERT(scenario_.stamps.size() <= kAttemptsMax);
    PAWL_ASSERT(scenario_.probes + scenario_.operators <= kWitnessesMax);
    rows_.emplace_back();
    for (int result = 0; result < kAttemptsMax + kWitnessesMax; ++result)
        results_.push_back(digest_of(answer_of(result)));
}

Answer RecordWorld::answer_of(int result) const {
    return Answer{.status = 201, .headers = {}, .body = "answer " + std::to_string(result)};
}

int RecordWorld::result_of(const Row& row) const {
    const auto found = std::ranges::find(results_, row.settled->answer_digest);
    PAWL_ASSERT(found != results_.end());
    return static_cast<int>(found - results_.begin());
}

std::uint32_t RecordWorld::intern(const Row& row) {
    if (row.state == record::State::absent) return 0;
    std::string bytes = encode(row);
    const auto [at, is_new] =
        numbers_.try_emplace(std::move(bytes), static_cast<std::uint32_t>(rows_.size()));
    if (is_new) {
        rows_.push_back(row);
        if (decode_row(at->first) != row) ++rows_not_restored_;
    }
    return at->second;
}

Call RecordWorld::call_of(CallKind kind, int who, const State& state, Basis basis) const {
    const Digest identity = sha256("identity");
    const ClaimId id = claim_id_of(who);
    const Fence fence{state.attempts[who].fence};
    switch (kind) {
        case CallKind::claim: {
            Claim claim;
            claim.identity = identity;
            claim.claim = id;
            claim.stamp = stamp_of(scenario_.stamps[static_cast<std::size_t>(who)]);
            claim.fingerprint = sha256(claim.stamp ? claim.stamp->canonical : "");
            claim.rule = sha256("rule");
            claim.owner = Owner{fmt::format("node{}", who), static_cast<std::uint64_t>(who + 1)};
            claim.lease_ms = kLeaseMs;
            claim.horizon_ms = kHorizonMs;
            claim.rerunnable = scenario_.rerunnable;
            claim.keep = Keep{kForever, kForever};
            return claim;
        }
        case CallKind::renew:
            return Renew{identity, id, fence, kLeaseMs};
        case CallKind::complete:
            return Complete{identity, id, fence, answer_of(who)};
        case CallKind::release:
            return Release{identity, id, fence};
        case CallKind::suspect:
            return Suspect{identity, id, fence};
        case CallKind::listen:
            return Suspect{identity, id, fence, true};
        case CallKind::withdraw:
            return Withdraw{identity, id};
        case CallKind::lapse:
            return Lapse{identity, rows_[state.row].fence};
        case CallKind::boot_ended:
            return BootEnded{identity, 1'000};
        case CallKind::settle:
            break;
    }
    Settle settle;
    settle.identity = identity;
    settle.fence = Fence{state.witnesses[who].fence};
    settle.basis = basis;
    settle.source = is_probe(who) ? Source::probe : Source::person;
    settle.looked_ms = state.witnesses[who].finding == Finding::looked_early ? kNowMs - 1 : kNowMs;
    if (basis == Basis::seen) settle.answer = answer_of(kAttemptsMax + who);
    return settle;
}

RecordWorld::Judged RecordWorld::judge(const State& state, CallKind kind, int who, Basis basis) {
    const bool left_nothing =
        scenario_.reading == Reading::takeover_when_nothing_left && nothing_left(state);
    const std::uint8_t fence =
        kind == CallKind::settle ? state.witnesses[who].fence : state.attempts[who].fence;
    const bool looked_early =
        kind == CallKind::settle && state.witnesses[who].finding == Finding::looked_early;
    const std::uint64_t key =
        std::uint64_t{state.row} << 32 | static_cast<std::uint64_t>(kind) << 28 |
        static_cast<std::uint64_t>(who) << 24 | std::uint64_t{fence} << 16 |
        std::uint64_t{state.next} << 8 | static_cast<std::uint64_t>(basis) << 4 |
        std::uint64_t{looked_early} << 1 | std::uint64_t{left_nothing};
    if (const auto known = verdicts_.find(key); known != verdicts_.end()) return known->second;

    const Row before = rows_[state.row];
    const Call call = call_of(kind, who, state, basis);
    const Verdict verdict =
        judge_as(scenario_.reading, before, call, kNowMs, Fence{state.next}, left_nothing);
    Judged judged;
    judged.outcome = verdict.outcome;
    judged.before = state.row;
    judged.row = intern(verdict.row);
    judged.word = name_of(call);
    judged.fence_used = verdict.fence_used;
    const bool same = verdict.row == before;
    judged.sound = (verdict.changed || same) && (same || !is_refusal(kind, verdict.outcome)) &&
                   verdict.row.fence >= before.fence;
    verdicts_.emplace(key, judged);
    return judged;
}

void RecordWorld::call(const State& state, const Emit& emit, CallKind kind, std::string_view actor,
                       int who, const std::function<bool(State&, const Judged&)>& more,
                       Basis basis) {
    const Judged judged = judge(state, kind, who, basis);
    State after = state;
    after.row = judged.row;
    if (judged.fence_used) ++after.next;
    if (!judged.sound) after.broken |= kRefusalBroken;
    if (!more(after, judged)) return;
    const std::int64_t gone_before = rows_[state.row].owner_gone_ms;
    const std::int64_t gone_now = rows_[judged.row].owner_gone_ms;
    if (gone_now != kNowMs) after.gone = 0;
    if (gone_now == kNowMs && gone_before == 0) {
        for (int i = 0; i < kAttemptsMax; ++i)
            if (after.attempts[i].phase >= Phase::dead)
                after.gone |= static_cast<std::uint8_t>(1 << i);
        // Who says its last word has sent before, even if the store's answer does not come.
        if (kind == CallKind::suspect || kind == CallKind::release)
            after.gone |= static_cast<std::uint8_t>(1 << who);
        after.gone &= after.in_flight;
    }
    Step step{.actor = actor,
              .number = who,
              .word = judged.word,
              .outcome = name_of(judged.outcome),
              .row = after.row};
    if (keep_calls_) step.call = call_of(kind, who, state, basis);
    emit(step, after);
}

bool RecordWorld::nothing_left(const State& state) const {
    for (int i = 0; i < kAttemptsMax; ++i) {
        const Attempt& attempt = state.attempts[i];
        if (attempt.fence != rows_[state.row].fence.number) continue;
        const bool left = (attempt.phase >= Phase::sent && attempt.phase <= Phase::unknown) ||
                          attempt.reply != Reply::none || (state.in_flight >> i & 1) != 0;
        if (left) return false;
    }
    return std::none_of(
        state.effects, state.effects + state.effect_count,
        [&](const Effect& effect) { return effect.fence == rows_[state.row].fence.number; });
}

std::uint32_t RecordWorld::violations(const State& state) const {
    const Row& row = rows_[state.row];
    std::uint32_t bits = 0;
    const auto broken = [&](bool condition, int bit) { bits |= condition ? 1U << bit : 0U; };
    int newest_told = -1;
    for (std::uint8_t stamp = 0; stamp <= kStampMax; ++stamp) {
        const auto of_stamp = [&](const Effect& effect) { return effect.stamp == stamp; };
        broken(std::count_if(state.effects, state.effects + state.effect_count, of_stamp) > 1, 0);
        const std::uint32_t told = state.answers >> (stamp * 8) & 0xff;
        broken(std::popcount(told) > 1, 2);
        if (told != 0) newest_told = stamp;
    }
    for (int i = 1; i < state.effect_count; ++i)
        broken(state.effects[i].stamp < state.effects[i - 1].stamp, 1);
    const std::uint8_t result_stamp = row.settled ? number_of(row.settled->stamp) : 0;
    broken(row.settled && !had_effect(state, result_stamp), 3);
    const bool is_free = row.state == record::State::absent || row.state == record::State::freed;
    broken(newest_told >= 0 && (is_free || (row.settled && result_stamp < newest_told)), 4);
    broken((state.broken & kProofBroken) != 0, 5);
    broken((state.broken & kRefusalBroken) != 0, 7);
    for (int i = 0; i < kAttemptsMax; ++i)
        broken(state.attempts[i].phase == Phase::given_up &&
                   row.state == record::State::in_progress && row.claim == claim_id_of(i),
               6);
    return bits;
}

bool RecordWorld::is_settled(const State& state) const {
    return !is_unresolved(rows_[state.row].state);
}

std::string_view RecordWorld::violation_text(int bit) const {
    return kViolations[static_cast<std::size_t>(bit)];
}

std::set<std::string> RecordWorld::cells() const {
    std::set<std::string> cells;
    for (const auto& [key, judged] : verdicts_)
        cells.insert(fmt::format("{} {} -> {}", judged.word, name_of(rows_[judged.before].state),
                                 name_of(judged.outcome)));
    return cells;
}

std::string RecordWorld::text(const Step& step) const {
    std::string who(step.actor);
    if (step.number >= 0) who += std::to_string(step.number);
    if (!who.empty()) who += ' ';
    if (step.outcome.empty()) return who + std::string(step.word);
    const Row& row = rows_[step.row];
    return fmt::format("{}{} -> {} ({}, fence {})", who, step.word, step.outcome,
                       name_of(row.state), row.fence.number);
}

}  // namespace pawl::model
