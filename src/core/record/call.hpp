// SPDX-License-Identifier: Apache-2.0
// What can be asked of a record, and what it answers. A call is a value: it can be sent again after an
// unknown commit, and then has the same answer (protocol rule 7).
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/record/row.hpp"

namespace pawl::record {

// Buys one execution's right to act. Sent again, it buys the same right; an attempt of its own needs a
// claim id of its own.
struct Claim {
    Digest identity;
    ClaimId claim;
    Digest fingerprint;
    Digest rule;
    std::optional<Stamp> stamp;
    Owner owner;
    std::int64_t lease_ms = 0;
    std::int64_t horizon_ms = -1;
    bool rerunnable = false;
    std::int64_t remembers_ms =
        -1;  // how long after the first claim the derived key is honoured; -1: always
    Keep keep;
    std::string tenant;
    CallerDigest caller;
    std::string operation;
    std::string key_label;
    std::string trace_id;
};
// The owner's four words. All name identity, claim id and fence.
struct Renew {
    Digest identity;
    ClaimId claim;
    Fence fence;
    std::int64_t lease_ms = 0;
};
struct Complete {
    Digest identity;
    ClaimId claim;
    Fence fence;
    Answer answer;
    // How long this answer is kept, where that is not what the claim said: a refusal's. Never longer than
    // the key.
    std::optional<std::int64_t> result_ms{};
};
// Nothing left, or it is proven not applied.
struct Release {
    Digest identity;
    ClaimId claim;
    Fence fence;
};
// A request may have left and nobody knows what became of it. The owner will not learn more; or it still
// listens, and until it says this word a second time no one may take it for gone.
struct Suspect {
    Digest identity;
    ClaimId claim;
    Fence fence;
    bool listening = false;
};
// A claim whose answer never came is given up: whenever it arrives, it is refused.
struct Withdraw {
    Digest identity;
    ClaimId claim;
};
// Evidence about one fence.
enum class Basis : std::uint8_t {
    seen,    // applied: the effect was found, or a callback, late answer or person says so
    closed,  // not applied: the upstream promised to refuse this fence from now on
    quiet,   // not applied: held to "owner proven gone, effect horizon passed since, then looked"
    forced,  // not applied: a person overrides; audited, marks the record
};
struct Settle {
    Digest identity;
    Fence fence;
    Basis basis = Basis::seen;
    Source source = Source::person;
    // With `seen`: what repeats are answered; none: a tombstone at once.
    std::optional<Answer> answer;
    std::optional<std::int64_t> horizon_ms;  // overrides the row's (0 under --dev)
    // With `quiet`: the store time before which the look that found nothing did not begin. What was looked
    // at before the horizon passed may have landed since. None: looked just now.
    std::optional<std::int64_t> looked_ms;
};
// A lease that is over; made by the sweeper and by the next claim alike.
struct Lapse {
    Digest identity;
    Fence fence;
};
// The boot that held the claim is proven gone (on SQLite: an earlier boot). Sent before the present boot
// makes its first claim, so that no owner of this record is left.
struct BootEnded {
    Digest identity;
    std::uint64_t present_boot = 0;  // claims of every other boot have ended
};
// The cleaner's step: drops a result or a row whose retention is over.
struct Expire {
    Digest identity;
};
// A person removes a settled record.
struct Forget {
    Digest identity;
    Fence fence;
    std::string said{};  // who and why; outlives the row, in the timeline
};

using Call = std::variant<Claim, Renew, Complete, Release, Suspect, Withdraw, Settle, Lapse,
                          BootEnded, Expire, Forget>;

const Digest& identity_of(const Call& call);
// "claim", "renew", ...: as in the model, in metrics and in timelines.
std::string_view name_of(const Call& call);

enum class Outcome : std::uint8_t {
    // to a claim
    acquired,    // the first, or after a freed row
    superseded,  // acquired over a completed older stamp
    took_over,   // acquired over a lapsed claim of a rerunnable operation, or an open record
    replay,      // completed under this stamp; the answer comes with it
    expired,     // took effect, the result is no longer kept
    mismatch,    // other fingerprint under the same stamp and rule
    other_rule,  // recorded under another rule: compare under rule_of(row) and claim again
    in_progress,
    uncertain,
    stale,            // an older stamp
    version_invalid,  // stamped and unstamped, or two kinds of stamps, on one key
    withdrawn,        // this claim was given up before it arrived
    limited,  // a new key, and too many records of its caller or tenant are unresolved; by the store
    // to the owner and to evidence
    held,         // renewed
    stored,       // completed; also when the same was stored before
    stored_late,  // completed over a freed record: an alarm
    freed,
    restored,     // not applied; the superseded stamp's result is back
    opened,       // open now: an earlier attempt's request, or this one's, may still land
    suspected,    // uncertain now
    lost,         // another fence, or a state in which the owner has no say
    conflict,     // evidence about another fence or another state
    owner_alive,  // not-applied refused: the owner may be alive
    too_early,  // not-applied refused: the horizon has not passed before the look, or is not known
    // to the sweeper and the cleaner
    lapsed,  // the claim has ended: uncertain now, or open when rerunnable
    unchanged,
    buried,   // completed -> tombstone
    shrunk,   // stamped tombstone -> freed, keeps the highest stamp
    removed,  // the row is gone
    refused,  // forget on an unresolved record
};
std::string_view name_of(Outcome outcome);

// True when the caller now holds the right to act under `row.fence`.
constexpr bool is_acquired(Outcome outcome) {
    return outcome == Outcome::acquired || outcome == Outcome::superseded ||
           outcome == Outcome::took_over;
}

}  // namespace pawl::record
