// SPDX-License-Identifier: Apache-2.0
// The port to a store of idempotency records. Every store runs record::judge inside its own commit and is
// held to one conformance suite (store/conformance).
//
// Three outcomes of every mutating call: a Reply was committed and judged; Error code `unavailable`
// (or store_full, store_readonly, limited) was not applied; Error code `unknown` may have been applied and
// is settled by sending the same call again, never by a look-up.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/record/call.hpp"
#include "runtime/result/result.hpp"
#include "runtime/task/task.hpp"

namespace pawl::store {

// What a store promises after probing its live settings.
struct Capabilities {
    bool durable_ack = false;  // an answered commit survives kill -9 and power loss
    bool survives_failover = false;
    bool linearizable_claim = false;
    bool transactional_effects = false;
    std::string clock;     // whose clock judges leases
    std::string strength;  // one sentence for people
};

struct Reply {
    record::Outcome outcome = record::Outcome::unchanged;
    record::Row row;  // after the call
    std::optional<record::Answer>
        answer;  // replay, restored, conflict on completed: the stored answer
};

struct Stored {
    record::Row row;
    std::optional<record::Answer> answer;  // completed and still kept
    std::int64_t now_ms = 0;  // store time of the reading, for evidence that is looked for after it
};

// One line of an operation's history. Written behind the commit, in a later batch: a crash may lose the
// last moments of a timeline, never a record.
struct TimelineEntry {
    Digest identity;
    std::int64_t at_ms = 0;  // store time
    std::string step{};      // name_of(Call), or "replay", "sent", "answered", "note"
    std::string outcome{};   // name_of(Outcome), or a word of the gateway
    record::Fence fence{};
    std::string detail{};     // safe to show: no body, no secret
    std::uint32_t count = 1;  // replays are summed up
};

// How long the timeline of a record that a person has removed says who and why: 400 days.
inline constexpr std::int64_t kForgottenKeepMs = std::int64_t{400} * 24 * 3'600 * 1'000;

// How a person names an operation: what the client sent as key, or the trace id.
enum class LookUp : std::uint8_t { key, trace_id, business_id };

struct UnresolvedQuery {
    std::string operation{};         // empty: all
    std::int64_t older_than_ms = 0;  // unchanged for at least so long
    std::size_t limit = 100;
    bool uncertain_only = true;
    std::size_t skip = 0;  // so many of the oldest are left out
};

struct Totals {
    std::uint64_t in_progress = 0;
    std::uint64_t open = 0;
    std::uint64_t uncertain = 0;
    std::int64_t oldest_uncertain_ms = 0;  // its age; 0 when there is none
};

struct SweepReport {
    std::uint64_t lapsed = 0;
    std::uint64_t buried = 0;
    std::uint64_t removed = 0;
    bool more = false;     // the bound was reached, there is more to do
    bool stopped = false;  // clocks disagree: nothing was removed, alarm
};

class Records {
  public:
    virtual ~Records() = default;

    virtual Capabilities capabilities() const = 0;

    // A claim of a key that is not known is answered `limited`, changing nothing, while its caller or tenant
    // has too many unresolved records (unresolved_counts.hpp).
    // Errors: unavailable, store_full, store_readonly (not applied); unknown (may be applied).
    // Durable: when it answers. Cancel: never; the call is carried out.
    virtual Task<Result<Reply>> apply(record::Call call) = 0;

    // Whether writes work: passes whoever writes, and once a write was refused for the disk's sake (full, an
    // error, read-only) it writes something of no consequence, until a write succeeds. Errors: as apply.
    virtual Task<Status> probe() {
        const Result<Reply> reply = co_await apply(record::Lapse{});
        if (!reply) co_return fail(reply.error());
        co_return Status{};
    }

    // Never acquires anything. Shape: as of a moment after the call was made, so that nothing contradicts it that its
    // caller had heard before. Errors: unavailable. An unreadable row comes back as uncertain.
    virtual Task<Result<std::optional<Stored>>> read(Digest identity) = 0;

    // From memory, at once: false when there is certainly no such record, or when nobody can say without asking
    // the store. Where it is true, a read may spare a claim.
    virtual bool may_know(const Digest&) const { return false; }

    // Ends leases that are over and applies retention, at most `limit` rows; the bound keeps claims fast.
    virtual Task<Result<SweepReport>> sweep(std::size_t limit) = 0;

    virtual Task<Result<std::vector<record::Row>>> unresolved(UnresolvedQuery query) = 0;
    virtual Task<Result<Totals>> totals() = 0;

    // Never fails and never waits; the entry is written behind.
    virtual void note(TimelineEntry entry) = 0;
    // A record that was forgotten leaves one entry, kept for kForgottenKeepMs, and is found by its key as long.
    virtual Task<Result<std::vector<TimelineEntry>>> timeline(Digest identity) = 0;
    // Newest first, at most `limit`.
    virtual Task<Result<std::vector<Digest>>> find(LookUp kind, std::string value,
                                                   std::size_t limit) = 0;
};

}  // namespace pawl::store
