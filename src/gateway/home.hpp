// SPDX-License-Identifier: Apache-2.0
// The home of the identities of one event loop: running attempts, cached results, and the one place where
// an attempt claims, acts, and settles. Attempts outlive their clients; a client's patience bounds only its
// own wait. Follows "One gateway request" of the protocol:
//
//   attach to a running attempt -> cache -> known result -> connection -> claim -> look at the connection again
//   -> first byte -> classify -> complete -> answer
#pragma once

#include <memory>
#include <vector>

#include "gateway/answer_cache.hpp"
#include "gateway/operation.hpp"
#include "gateway/running.hpp"
#include "runtime/meter/meter.hpp"
#include "runtime/task/group.hpp"
#include "store/port/records.hpp"
#include "store/port/unresolved_counts.hpp"

namespace pawl::gateway {

struct HomeLimits {
    std::size_t cache_bytes_max = 64U << 20;
    std::size_t waiters_per_key_max = 1000;
    std::size_t waiters_per_tenant_max = 10'000;  // of all its keys at this home
    store::UnresolvedLimits in_flight;            // what runs here may all become doubtful at once
    std::size_t overdue_max = 256;                // attempts that listen beyond their hold
    std::size_t replays_kept_max = 100'000;       // identities whose replays wait to be noted
    std::chrono::nanoseconds replay_note_every = std::chrono::seconds{10};
};

// Counted by the home, read by the exporter.
struct HomeFigures {
    Counter cache_hits;
    Counter read_hits;    // repeats answered from a reading of the store, without a claim
    Counter lost;         // owners whose fence was passed
    Counter stored_late;  // a completion found its record freed: an alarm
    Counter store_retries;
    Gauge settling;  // completions in hand that the store has not taken; readiness is red above 0
    Gauge running;
    Gauge cached_bytes;  // of the answers in memory, with all that belongs to them
};

// An operation whose outcome became unknown here, for whoever tells an operator.
struct Doubt {
    std::string reference;
    std::string route;
    std::string why;
};

class Home {
  public:
    Home(Loop& loop, store::Records& records, record::Owner owner, HomeLimits limits,
         HomeFigures& figures);
    Home(const Home&) = delete;
    Home& operator=(const Home&) = delete;

    // Told on this loop of every doubt from then on; must not block. Set before the first run().
    void tell_doubts(std::function<void(const Doubt&)> to) { doubts_ = std::move(to); }

    Loop& loop() { return loop_; }
    store::Records& records() { return records_; }

    // A completed result that is at hand, or the mismatch with it; nullopt: only run() can tell. Counts a replay.
    std::optional<Ended> recall(const Digest& identity, const Digest& fingerprint,
                                const Digest& rule);

    // Called on this loop. Ends by operation.wait_until at the latest; the attempt goes on.
    Task<std::shared_ptr<const Ended>> run(Operation operation,
                                           std::unique_ptr<effect::Effect> effect);

    // Evidence from outside; the cached result goes with it.
    Task<Result<store::Reply>> settle(record::Settle evidence);
    Task<Result<store::Reply>> forget(record::Forget call);

    // Writes what was counted in memory; called by the owner's timer and at the end.
    void note_replays();

    // No new attempt is started; true when the running ones ended before the deadline.
    Task<bool> drain(MonotonicTime deadline);
    std::size_t running() const { return running_.size(); }

  private:
    struct Replays {
        std::uint32_t count = 0;
        std::int64_t last_ms = 0;
        record::Fence fence;
    };
    Task<void> carry_out(RunningPtr running);
    void finish(RunningPtr running, EndedPair ended);
    void keep(const Digest& identity, CachedResult result);
    Task<EndedPair> attempt(RunningPtr running);
    Task<std::optional<Ended>> known_result(RunningPtr running);
    Task<EndedPair> without_connection(RunningPtr running, Error why);
    Task<EndedPair> without_room(RunningPtr running);
    Task<Result<store::Reply>> claim(RunningPtr running);
    Task<bool> make_room(RunningPtr running);
    Task<EndedPair> act(RunningPtr running, std::unique_ptr<effect::Attempt> ready);
    Task<EndedPair> conclude(RunningPtr running, effect::Found found);
    Task<EndedPair> complete(RunningPtr running, effect::Found found);
    Task<EndedPair> release(RunningPtr running, effect::Found found);
    Task<EndedPair> suspect(RunningPtr running, effect::Found found);
    // The hold is over: everyone is answered, and the exchange may go on listening.
    void hold_is_over(RunningPtr running);
    Task<void> answer_all(RunningPtr running);
    Task<void> settle_late(RunningPtr running, effect::Found found);
    Task<store::Reply> persist(record::Call call);
    Task<void> withdraw(record::Withdraw call);
    void arm_renewal(RunningPtr running);
    Task<void> renew(RunningPtr running);
    // Of a record that has settled: its natural key's window, or its key's retention. The next request is another
    // operation.
    bool is_over(const record::Row& row, std::chrono::milliseconds window) const;
    bool lease_suffices(const Running& running) const;
    void count_replay(const Digest& identity, record::Fence fence, std::int64_t now_ms);
    void note(const Running& running, std::string step, std::string outcome, std::string detail);
    std::int64_t wall_ms() const { return milliseconds_of(loop_.clock().wall()); }

    Loop& loop_;
    store::Records& records_;
    record::Owner owner_;
    HomeLimits limits_;
    HomeFigures& figures_;
    RunningByIdentity running_;
    store::UnresolvedCounts in_flight_;  // whose those are
    std::vector<RunningPtr> overdue_;
    std::unordered_map<std::string, std::size_t>
        waiting_;  // for attempts that others began, by tenant
    AnswerCache cache_;
    // Rises with every word that may end a result: what was read before it is not told after it.
    std::uint64_t words_ = 0;
    std::unordered_map<Digest, Replays, DigestHash> replays_;
    std::function<void(const Doubt&)> doubts_;
    bool draining_ = false;
    TaskGroup group_;
};

}  // namespace pawl::gateway
