// SPDX-License-Identifier: Apache-2.0
// One operation as its home loop carries it out, and how it ended. Knows nothing of HTTP: the gateway and
// the library's run() both come down to this.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/policy/outcome.hpp"
#include "core/record/call.hpp"
#include "effect/effect.hpp"
#include "runtime/clock/clock.hpp"
#include "runtime/result/result.hpp"
#include "store/port/records.hpp"

namespace pawl::gateway {

// In the timeline, of an answer of 400 or more that the service declared to have taken effect: it is no refusal.
inline constexpr std::string_view kDeclaredApplied = "declared_applied";

struct Operation {
    // Everything but claim id and owner, which the home draws for each attempt.
    record::Claim claim;
    // The fingerprint of this request under another rule; nullopt when that rule is no longer known.
    std::function<std::optional<Digest>(const Digest& rule)> fingerprint_under;
    // What an end of the effect means for the record.
    std::function<policy::OutcomeClass(const effect::Found&)> classify;
    // The answer as it is kept: header lines chosen, body dropped above the cap.
    std::function<record::Answer(const record::Answer&)> kept;
    // How long a refusal of the upstream's is kept, where that is not the claim's own.
    std::optional<std::int64_t> refused_keep_ms;
    MonotonicTime wait_until = kNever;  // the client's patience, not the attempt's
    std::optional<MonotonicTime>
        own_wait_until;                    // the same, for an attempt that this request starts
    std::chrono::milliseconds hold_max{};  // the attempt's
    std::chrono::milliseconds window{};  // natural-key guard: a settled record is replaced after it
    std::string traceparent;
    bool use_cache = true;
};

enum class Verdict : std::uint8_t {
    first,        // this request made it happen; `answer` is what the upstream said, all lines
    replayed,     // it had happened; `answer` is what is kept
    released,     // proven not applied; `answer` is what the upstream said (401, 429, ...)
    unavailable,  // nothing was executed
    in_progress,  // still running after the wait
    uncertain,
    mismatch,
    rule_changed,
    stale,
    expired,
    version_invalid,
    limited,  // too many wait for this operation, or too many records are unresolved
};

struct Ended {
    Verdict verdict = Verdict::unavailable;
    bool waited = false;      // came from an attempt that was already running
    bool superseded = false;  // replaced an older stamp
    std::shared_ptr<const record::Answer>
        answer;                        // first: complete; replayed: as kept. Shared by all waiters
    std::shared_ptr<ByteSource> rest;  // what follows answer->body: whoever made it happen reads it
    std::optional<record::Settled> settled;       // of the record, where there is one
    record::State state = record::State::absent;  // of the record, as last seen
    record::Fence fence;
    std::int64_t first_seen_ms = 0;
    bool own = false;            // uncertain, in_progress: it is this request's attempt; `answer`,
                                 // if any, is what the upstream said
    bool other_version = false;  // uncertain, in_progress: of another version of the operation
    bool forced = false;
    bool unrecorded = false;  // the store has no record of the operation
    Error error;              // unavailable, limited: why
};

// What the one who started the attempt is told, and what those are told who waited for it.
struct EndedPair {
    std::shared_ptr<const Ended> first;  // shared: one answer for a thousand waiters
    std::shared_ptr<const Ended> others;
};

std::string_view name_of(Verdict verdict);

// What a record says to this operation: from the store's reply to its claim.
Ended ended_from(store::Reply reply, const std::optional<record::Stamp>& stamp = {});
// The same for a row that was only read, or came with a `lost`: judged as a claim would be, under the row's rule
// where that is still known, changing nothing.
// unavailable means: a claim would be acquired.
Ended ended_from_row(const Operation& operation, store::Reply seen, std::int64_t now_ms);
Ended unavailable(Error why);

}  // namespace pawl::gateway
