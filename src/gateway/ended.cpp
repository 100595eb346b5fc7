// SPDX-License-Identifier: Apache-2.0
// From what a record says to what a client is told. The line between 409 and 422 is drawn here: a mismatch
// is another fingerprint under the same key, everything else about an unfinished record is a 409.
#include <array>

#include "core/record/judge.hpp"
#include "gateway/operation.hpp"
#include "runtime/result/assert.hpp"

namespace pawl::gateway {
namespace {

using record::Outcome;

Verdict verdict_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::replay:
            return Verdict::replayed;
        case Outcome::expired:
            return Verdict::expired;
        case Outcome::mismatch:
            return Verdict::mismatch;
        case Outcome::other_rule:
            return Verdict::rule_changed;
        case Outcome::in_progress:
            return Verdict::in_progress;
        case Outcome::uncertain:
            return Verdict::uncertain;
        case Outcome::stale:
            return Verdict::stale;
        case Outcome::version_invalid:
            return Verdict::version_invalid;
        case Outcome::limited:
            return Verdict::limited;
        default:
            return Verdict::unavailable;
    }
}

}  // namespace

Ended ended_from(store::Reply reply, const std::optional<record::Stamp>& stamp) {
    Ended ended;
    ended.verdict = verdict_of(reply.outcome);
    ended.state = reply.row.state;
    ended.unrecorded = reply.row.state == record::State::absent;
    ended.fence = reply.row.fence;
    ended.first_seen_ms = reply.row.created_ms;
    ended.forced = reply.row.forced;
    ended.other_version = record::is_unresolved(reply.row.state) && reply.row.stamp != stamp;
    ended.settled = std::move(reply.row.settled);
    if (ended.verdict == Verdict::limited)
        ended.error = {
            Code::limited,
            "No new operation is taken for now: too many of this caller, or of everybody here, "
            "wait "
            "for somebody to find out whether they took effect (`pawl uncertain list` shows them), "
            "or "
            "what is stored here has reached `stored_bytes_per_tenant_max`. Nothing was executed; "
            "send it again later. Repeats of known keys are answered as always.",
            {},
            {}};
    if (ended.verdict == Verdict::replayed) {
        // A completed row whose answer is not there any more took effect all the same.
        if (!reply.answer)
            ended.verdict = Verdict::expired;
        else
            ended.answer = std::make_shared<const record::Answer>(std::move(*reply.answer));
    }
    return ended;
}

Ended ended_from_row(const Operation& operation, store::Reply seen, std::int64_t now_ms) {
    const auto outcome_of = [&](const record::Claim& claim) {
        return record::judge(seen.row, record::Call{claim}, now_ms, record::Fence{UINT64_MAX})
            .outcome;
    };
    seen.outcome = outcome_of(operation.claim);
    if (seen.outcome == Outcome::other_rule) {
        record::Claim claim = operation.claim;
        claim.rule = record::rule_of(seen.row);
        if (const auto fingerprint = operation.fingerprint_under(claim.rule)) {
            claim.fingerprint = *fingerprint;
            seen.outcome = outcome_of(claim);
        }
    }
    return ended_from(std::move(seen), operation.claim.stamp);
}

Ended unavailable(Error why) {
    Ended ended;
    ended.verdict = Verdict::unavailable;
    ended.error = std::move(why);
    return ended;
}

std::string_view name_of(Verdict verdict) {
    static constexpr std::array<std::string_view, 12> kNames{
        "first",    "replay",       "released", "unavailable", "in_progress",     "uncertain",
        "mismatch", "rule_changed", "stale",    "expired",     "version_invalid", "limited"};
    return kNames[static_cast<std::size_t>(verdict)];
}

}  // namespace pawl::gateway
