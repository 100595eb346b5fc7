// SPDX-License-Identifier: Apache-2.0
#include "record_reading.hpp"

#include <array>

namespace pawl::model {
namespace {

using namespace record;

constexpr std::array<std::string_view, 19> kReadingNames{"repaired",
                                                         "plain_probe_frees",
                                                         "operator_by_eye",
                                                         "takeover_when_nothing_left",
                                                         "settle_without_fence",
                                                         "late_completion_dropped",
                                                         "loser_answers_its_own_bytes",
                                                         "late_completion_refused",
                                                         "release_empties_superseded",
                                                         "newer_supersedes_busy",
                                                         "key_from_identity",
                                                         "key_from_fence",
                                                         "newer_takes_over",
                                                         "release_after_takeover_frees",
                                                         "earlier_owner_forgotten",
                                                         "early_look_counts",
                                                         "lease_over_is_gone",
                                                         "age_frees",
                                                         "withdrawal_forgotten"};

// What the store would keep of the wrong reading's verdict.
struct Misread {
    Row row;
    Call call;
    bool refused = false;  // the call is answered `lost`, the row stays
};

bool is_newer(const Claim& claim, const Row& row) {
    return claim.stamp && row.stamp && compare(*row.stamp, *claim.stamp) < 0;
}

void misread_claim(Reading reading, Misread& misread, Claim& claim, std::int64_t now_ms,
                   bool nothing_left) {
    Row& row = misread.row;
    const bool lapsed = row.state == State::in_progress && now_ms >= row.lease_until_ms;
    if (reading == Reading::takeover_when_nothing_left && lapsed && nothing_left)
        row.rerunnable = claim.rerunnable = true;
    if (reading == Reading::newer_supersedes_busy && is_unresolved(row.state) &&
        is_newer(claim, row))
        row.state = State::freed;
    if (reading == Reading::newer_takes_over && (lapsed || row.state == State::open) &&
        is_newer(claim, row)) {
        row.stamp = claim.stamp;
        row.fingerprint = claim.fingerprint;
    }
}

void misread_settle(Reading reading, const Row& row, Settle& settle) {
    if (reading == Reading::settle_without_fence) settle.fence = row.fence;
    if (reading == Reading::operator_by_eye && settle.basis == Basis::quiet)
        settle.basis = Basis::forced;
    if (reading == Reading::early_look_counts) settle.looked_ms.reset();
}

Misread misread(Reading reading, const Row& row, const Call& call, std::int64_t now_ms,
                bool nothing_left) {
    Misread misread{row, call};
    if (auto* claim = std::get_if<Claim>(&misread.call))
        misread_claim(reading, misread, *claim, now_ms, nothing_left);
    if (auto* settle = std::get_if<Settle>(&misread.call)) misread_settle(reading, row, *settle);
    if (std::holds_alternative<Complete>(call)) {
        misread.refused =
            (reading == Reading::late_completion_dropped && row.state == State::freed) ||
            (reading == Reading::late_completion_refused && row.state == State::uncertain);
    }
    if (std::holds_alternative<Release>(call) && reading == Reading::release_after_takeover_frees)
        misread.row.took_over = false;
    if (std::holds_alternative<Release>(call) && reading == Reading::release_empties_superseded)
        misread.row.beside.reset();
    if (std::holds_alternative<Lapse>(call) && reading == Reading::takeover_when_nothing_left)
        misread.refused = nothing_left;
    if (reading == Reading::earlier_owner_forgotten) misread.row.earlier_may_live = false;
    if (reading == Reading::withdrawal_forgotten) misread.row.withdrawn.clear();
    return misread;
}

}  // namespace

std::string_view name_of(Reading reading) {
    return kReadingNames[static_cast<std::size_t>(reading)];
}

Verdict judge_as(Reading reading, const Row& row, const Call& call, std::int64_t now_ms, Fence next,
                 bool nothing_left) {
    if (reading == Reading::repaired) return judge(row, call, now_ms, next);
    const Misread read = misread(reading, row, call, now_ms, nothing_left);
    if (read.refused) {
        Verdict verdict;
        verdict.outcome = Outcome::lost;
        verdict.row = row;
        return verdict;
    }
    Verdict verdict = judge(read.row, read.call, now_ms, next);
    verdict.store = nullptr;  // it points into `read`
    if (!verdict.changed) verdict.row = row;
    if (reading == Reading::takeover_when_nothing_left) verdict.row.rerunnable = row.rerunnable;
    if (reading == Reading::lease_over_is_gone && std::holds_alternative<Lapse>(call) &&
        verdict.changed)
        verdict.row.owner_gone_ms = now_ms;
    if (reading == Reading::age_frees && verdict.outcome == Outcome::lapsed)
        verdict.row.state = State::freed;
    return verdict;
}

}  // namespace pawl::model
