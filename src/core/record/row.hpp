// SPDX-License-Identifier: Apache-2.0
// One record: all that is known of one operation. Values only; `judge.hpp` says how they change.
//
//   state        meaning                                                         result kept
//   absent       no row                                                          no
//   in_progress  a claim is held (lease, fence, owner)                           of the superseded stamp
//   open         taken over, then not applied: waits for the same stamp          of the superseded stamp
//                or for evidence
//   uncertain    a request may have left and got no answer                       of the superseded stamp
//   completed    took effect, result kept                                        yes
//   tombstone    took effect, result dropped                                     no
//   freed        proven not applied; last fence and highest stamp kept           no
#pragma once

#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/record/stamp.hpp"
#include "runtime/codec/digest.hpp"

namespace pawl::record {

enum class State : std::uint8_t {
    absent,
    in_progress,
    open,
    uncertain,
    completed,
    tombstone,
    freed
};
inline constexpr int kStateCount = 7;

// Drawn inside the claim from the sequence of the shard that owns the identity. Strictly rising there,
// never reused; the upper 16 bits are the restore epoch. 0: none.
struct Fence {
    std::uint64_t number = 0;
    auto operator<=>(const Fence&) const = default;
};

// Random; makes a claim recognisable when it is sent again after an unknown commit.
struct ClaimId {
    std::array<std::uint8_t, 16> bytes{};
    auto operator<=>(const ClaimId&) const = default;
};

// Whose operation it is, without a name: callers are counted, not listed. Zeros: nobody said.
struct CallerDigest {
    std::array<std::uint8_t, 16> bytes{};
    auto operator<=>(const CallerDigest&) const = default;
};
// The leading half of a SHA-256 over both; zeros for a caller without a name.
CallerDigest caller_digest(std::string_view tenant, std::string_view caller);

// Who executes: a node's name ("host:port") and the random number of its boot.
struct Owner {
    std::string node;
    std::uint64_t boot = 0;
    bool operator==(const Owner&) const = default;
};

// Where a result came from.
enum class Source : std::uint8_t { owner, probe, callback, person };

// What a caller is answered. Shape: header lines in the order and with the spelling in which they came,
// equal names on lines of their own; body bytes as relayed. Without body_kept the body was not stored
// (above the cap, or secret) and a repeat gets a typed answer.
struct Answer {
    int status = 0;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    bool body_kept = true;
    bool operator==(const Answer&) const = default;
};

// SHA-256 over everything in the answer, length-prefixed: equal digests are equal answers.
Digest digest_of(const Answer& answer);

// A completed result; also what a superseding claim keeps beside it.
struct Settled {
    std::optional<Stamp> stamp;
    Digest fingerprint;
    Digest rule;
    Digest answer_digest;
    int status = 0;
    Source source = Source::owner;
    Fence fence;                  // of the claim under which it was stored; names the stored answer
    std::int64_t settled_ms = 0;  // store time
    std::int64_t result_until_ms = 0;  // kForever: no end; 0: dropped
    bool operator==(const Settled&) const = default;
};

// How long things are kept, counted from settling. Unit: milliseconds; kForever for no end.
inline constexpr std::int64_t kForever = -1;
// A withdrawn claim that left a row of its own is remembered as long as a tombstone: 400 days.
inline constexpr std::int64_t kWithdrawnKeepMs = std::int64_t{400} * 24 * 3'600 * 1'000;
inline constexpr std::size_t kWithdrawnMax = 4;
struct Keep {
    std::int64_t result_ms = 0;
    std::int64_t key_ms = 0;
    bool operator==(const Keep&) const = default;
};

struct Row {
    State state = State::absent;
    Digest identity;
    std::string tenant;
    std::string operation;
    std::string key_label;  // the key as the caller sent it, for look-up and display
    std::string trace_id;
    // Of the present or the last claim, as are caller, owner, stamp, fingerprint and rule.
    Fence fence;
    CallerDigest caller;
    ClaimId claim;
    // Claims whose owners gave them up; refused whenever they arrive. The last kWithdrawnMax, oldest
    // first.
    std::vector<ClaimId> withdrawn;
    Owner owner;
    std::int64_t lease_until_ms = 0;  // store time
    // Store time since which every owner is proven gone; 0: one of them may live.
    std::int64_t owner_gone_ms = 0;
    bool earlier_may_live = false;  // taken over from an owner that is not proven gone
    std::int64_t horizon_ms = -1;   // effect horizon of the route; -1: none was declared
    bool rerunnable = false;
    bool took_over = false;      // an earlier attempt's request may still land
    bool forced = false;         // a person overrode the rules
    std::optional<Stamp> stamp;  // the highest seen
    Digest fingerprint;
    Digest rule;
    std::optional<Settled> settled;  // completed and tombstone: this operation's result
    std::optional<Settled> beside;   // in_progress, open, uncertain: the superseded stamp's result
    Keep keep;
    std::int64_t created_ms = 0;    // store time of the first claim under this stamp
    std::int64_t changed_ms = 0;    // store time of the last change of state
    std::int64_t key_until_ms = 0;  // settled rows: when the row may go; kForever: never
    std::uint32_t attempts = 0;     // claims so far
    bool operator==(const Row&) const = default;
};

// The rule under which a repeat is compared: that of the result, else that of the present claim.
inline const Digest& rule_of(const Row& row) { return row.settled ? row.settled->rule : row.rule; }

std::string_view name_of(State state);
std::string_view name_of(Source source);

// Unresolved records never go by age.
constexpr bool is_unresolved(State state) {
    return state == State::in_progress || state == State::open || state == State::uncertain;
}

// 32 logical buckets, fixed for the life of a deployment; from the identity's leading bits.
inline constexpr int kBucketCount = 32;
constexpr std::uint16_t bucket_of(const Digest& identity) {
    return static_cast<std::uint16_t>(identity.bytes[0] % kBucketCount);
}

// The public name of an operation: "op_" and the identity in base64url, 46 characters. Addresses the
// record without an index on every store.
inline constexpr std::size_t kReferenceLength = 46;
std::string reference_of(const Digest& identity);
std::optional<Digest> identity_from(std::string_view reference);

}  // namespace pawl::record
