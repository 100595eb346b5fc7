// SPDX-License-Identifier: Apache-2.0
#include "gateway/home.hpp"

#include <algorithm>

#include "runtime/plant/planted.hpp"
#include "runtime/result/assert.hpp"

namespace pawl::gateway {
namespace {

std::shared_ptr<const Ended> shared(Ended ended) {
    return std::make_shared<const Ended>(std::move(ended));
}

// What a waiter is told whose patience ends before the attempt.
Ended still(const Running& running) {
    Ended ended;
    ended.verdict = running.phase == Phase::settling ? Verdict::uncertain : Verdict::in_progress;
    ended.state = record::State::in_progress;
    ended.fence = running.fence;
    ended.first_seen_ms = running.first_seen_ms;
    return ended;
}

// Rulings 1, the column "in_progress": the running one is not disturbed, and nobody waits for its end.
Ended to_another_version(const Running& running, const std::optional<record::Stamp>& stamp) {
    const std::partial_ordering order = record::order_of(stamp, running.operation.claim.stamp);
    Ended ended = still(running);
    ended.other_version = true;
    if (running.phase == Phase::claiming) return ended;
    if (order == std::partial_ordering::unordered) ended.verdict = Verdict::version_invalid;
    if (order < 0) ended.verdict = Verdict::stale;
    return ended;
}

Ended of_verdict(Verdict verdict, const Running& running) {
    Ended ended = still(running);
    ended.verdict = verdict;
    return ended;
}

}  // namespace

Home::Home(Loop& loop, store::Records& records, record::Owner owner, HomeLimits limits,
           HomeFigures& figures)
    : loop_(loop),
      records_(records),
      owner_(std::move(owner)),
      limits_(limits),
      figures_(figures),
      cache_(limits.cache_bytes_max),
      group_(loop) {}

Task<std::shared_ptr<const Ended>> Home::run(Operation operation,
                                             std::unique_ptr<effect::Effect> effect) {
    const Digest identity = operation.claim.identity;
    const std::string tenant = operation.claim.tenant;
    const MonotonicTime wait_until = operation.wait_until;
    const MonotonicTime own_wait_until = operation.own_wait_until.value_or(wait_until);
    for (;;) {
        const auto found = running_.find(identity);
        if (found == running_.end()) break;
        const RunningPtr running = found->second;
        const record::Claim& theirs = running->operation.claim;
        const bool same_version = theirs.stamp == operation.claim.stamp;
        if (!same_version && running->phase != Phase::claiming)
            co_return shared(to_another_version(*running, operation.claim.stamp));
        const bool same_question = same_version && theirs.rule == operation.claim.rule;
        const bool same = same_question && (theirs.fingerprint == operation.claim.fingerprint ||
                                            is_planted(Plant::running_mismatch));
        // Before its claim is acquired, the running one may itself be the mismatch: then the record decides.
        if (same_question && !same && running->phase != Phase::claiming)
            co_return shared(of_verdict(Verdict::mismatch, *running));
        std::size_t& of_tenant = waiting_[tenant];
        if (running->waiting >= limits_.waiters_per_key_max ||
            of_tenant >= limits_.waiters_per_tenant_max)
            co_return shared(of_verdict(Verdict::limited, *running));
        ++running->waiting;
        ++of_tenant;
        if (!same_version) {
            // Once it holds the record, or does not, it can be said how the two stand to each other.
            if (!running->acquired) running->acquired.emplace(loop_);
            const bool told = (co_await running->acquired->wait(wait_until)).has_value();
            --running->waiting;
            if (--waiting_[tenant] == 0) waiting_.erase(tenant);
            if (!told) co_return shared(to_another_version(*running, operation.claim.stamp));
            continue;
        }
        const std::optional<EndedPair> ended = co_await running->ended.wait(wait_until);
        --running->waiting;
        if (--waiting_[tenant] == 0) waiting_.erase(tenant);
        if (!ended) co_return shared(still(*running));
        if (!same) continue;  // another question to the same record
        if (ended->others->verdict == Verdict::replayed)
            count_replay(identity, ended->others->fence, wall_ms());
        co_return ended->others;
    }
    if (operation.use_cache && (!operation.claim.stamp || is_planted(Plant::cached_stamp)))
        if (auto hit = recall(identity, operation.claim.fingerprint, operation.claim.rule))
            co_return shared(std::move(*hit));
    if (draining_)
        co_return shared(unavailable(
            {Code::unavailable, "This node is shutting down; send the request again.", {}, {}}));

    const auto running = std::make_shared<Running>(loop_, std::move(operation), std::move(effect));
    running->started = loop_.now();
    running->words = words_;
    const store::Burdened who = store::burdened_by(running->operation.claim);
    running->crowded = in_flight_.is_full(who, limits_.in_flight);
    in_flight_.add(who);
    running_.emplace(identity, running);
    figures_.running.add(1);
    group_.spawn(carry_out(running));
    const std::optional<EndedPair> ended = co_await running->ended.wait(own_wait_until);
    if (ended) co_return ended->first;
    Ended mine = still(*running);
    mine.own = mine.verdict == Verdict::in_progress;
    co_return shared(std::move(mine));
}

std::optional<Ended> Home::recall(const Digest& identity, const Digest& fingerprint,
                                  const Digest& rule) {
    if (running_.contains(identity)) return std::nullopt;
    const CachedResult* hit = cache_.find(identity);
    if (hit == nullptr || hit->settled.rule != rule) return std::nullopt;
    if (hit->settled.stamp && !is_planted(Plant::cached_stamp)) return std::nullopt;
    const std::int64_t now_ms = wall_ms();
    if (hit->settled.result_until_ms != record::kForever &&
        now_ms >= hit->settled.result_until_ms) {
        cache_.drop(identity);
        return std::nullopt;
    }
    Ended ended;
    ended.state = record::State::completed;
    ended.settled = hit->settled;
    ended.fence = hit->settled.fence;
    ended.first_seen_ms = hit->first_seen_ms;
    figures_.cache_hits.add();
    if (hit->settled.fingerprint != fingerprint && !is_planted(Plant::cached_mismatch)) {
        ended.verdict = Verdict::mismatch;
        return ended;
    }
    ended.verdict = Verdict::replayed;
    ended.answer = hit->answer;
    count_replay(identity, ended.fence, now_ms);
    return ended;
}

Task<void> Home::carry_out(RunningPtr running) {
    EndedPair ended = co_await attempt(running);
    if (!running->overdue) finish(std::move(running), std::move(ended));
}

void Home::finish(RunningPtr running, EndedPair ended) {
    running->over = true;
    loop_.alarms().cancel(running->renewal);
    if (running->acquired && !running->acquired->is_set()) running->acquired->set(false);
    const Digest& identity = running->operation.claim.identity;
    const Ended& kept = *ended.others;
    if (kept.verdict == Verdict::replayed && kept.answer && kept.settled &&
        running->operation.use_cache)
        keep(identity, {*kept.settled, kept.answer, kept.first_seen_ms});
    if (ended.first->verdict == Verdict::replayed) count_replay(identity, kept.fence, wall_ms());
    in_flight_.remove(store::burdened_by(running->operation.claim));
    running_.erase(identity);
    figures_.running.add(-1);
    running->ended.set(std::move(ended));
}

void Home::keep(const Digest& identity, CachedResult result) {
    cache_.put(identity, std::move(result));
    figures_.cached_bytes.set(static_cast<std::int64_t>(cache_.bytes()));
}

Task<Result<store::Reply>> Home::settle(record::Settle evidence) {
    ++words_;
    cache_.drop(evidence.identity);
    co_return co_await records_.apply(std::move(evidence));
}

Task<Result<store::Reply>> Home::forget(record::Forget call) {
    ++words_;
    cache_.drop(call.identity);
    Result<store::Reply> reply = co_await records_.apply(call);
    cache_.drop(call.identity);  // of an attempt that began, and ended, meanwhile
    ++words_;  // a reading from before may still be on its way, behind the writer's reply
    co_return reply;
}

void Home::count_replay(const Digest& identity, record::Fence fence, std::int64_t now_ms) {
    if (replays_.size() >= limits_.replays_kept_max) note_replays();
    Replays& replays = replays_[identity];
    ++replays.count;
    replays.last_ms = now_ms;
    replays.fence = fence;
}

void Home::note_replays() {
    for (const auto& [identity, replays] : replays_) {
        store::TimelineEntry entry;
        entry.identity = identity;
        entry.at_ms = replays.last_ms;
        entry.step = "replay";
        entry.outcome = "replayed";
        entry.fence = replays.fence;
        entry.count = replays.count;
        records_.note(std::move(entry));
    }
    replays_.clear();
}

void Home::note(const Running& running, std::string step, std::string outcome, std::string detail) {
    store::TimelineEntry entry;
    entry.identity = running.operation.claim.identity;
    entry.at_ms = wall_ms();
    entry.step = std::move(step);
    entry.outcome = std::move(outcome);
    entry.fence = running.fence;
    entry.detail = std::move(detail);
    records_.note(std::move(entry));
}

Task<bool> Home::drain(MonotonicTime deadline) {
    draining_ = true;
    for (const RunningPtr& running : overdue_)
        if (running->under_way != nullptr) running->under_way->cut();
    const bool drained = co_await group_.drain(deadline);
    note_replays();
    co_return drained;
}

}  // namespace pawl::gateway
