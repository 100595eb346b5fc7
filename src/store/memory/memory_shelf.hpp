// SPDX-License-Identifier: Apache-2.0
// Records in a map: what the simulator runs on, and the shortest reading of what a store is. It is as
// strong as a real one by default; two weaknesses of real ones can be switched on, to show what breaks.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <unordered_map>

#include "core/record/judge.hpp"
#include "store/port/shelf.hpp"
#include "store/port/store_time.hpp"
#include "store/port/unresolved_counts.hpp"

namespace pawl::store {

struct MemoryWeakness {
    // A fail-over loses the changes of so long before it, acknowledged ones too (asynchronous replication).
    std::chrono::milliseconds lost_tail{0};
    // Store time is the wall clock as it stands, steps and all, and the cleaner believes it.
    bool wall_clock_expiry = false;
};

class MemoryShelf final : public Shelf {
  public:
    // `clock` outlives the shelf.
    explicit MemoryShelf(const Clock& clock, MemoryWeakness weakness = {});

    Capabilities capabilities() const override;
    std::int64_t now_ms() const override;
    std::vector<Result<Reply>> commit(std::span<const record::Call> calls) override;
    Result<std::optional<Stored>> read(const Digest& identity) override;
    bool may_know(const Digest& identity) const override { return rows_.contains(identity); }
    Result<SweepReport> sweep(std::size_t limit) override;
    Result<std::vector<record::Row>> unresolved(const UnresolvedQuery& query) override;
    Result<Totals> totals() override;
    Result<std::vector<TimelineEntry>> timeline(const Digest& identity) override;
    Result<std::vector<Digest>> find(LookUp kind, const std::string& value,
                                     std::size_t limit) override;
    void note(TimelineEntry entry) override;
    bool tend() override;

    Reply apply(const record::Call& call);
    // The store's process ends and comes back: notes not yet written are gone, all commits are there.
    void restart();
    // What an embedded store does on start: every claim of another boot has ended.
    void end_other_boots(std::uint64_t present_boot);
    // Another node takes over. Fences begin a new epoch, so that none is given out twice.
    void fail_over();
    void limit(UnresolvedLimits limits) { limits_ = limits; }

    // For those who write records in commits of their own.
    const record::Row* row_of(const Digest& identity) const;
    std::optional<record::Answer> answer_of(const record::Row& row) const;
    bool is_over_limit(const record::Claim& claim) const;
    record::Fence next_fence() const { return {last_fence_ + 1}; }
    // A claim completed in one step; `before` has state absent when there was no row.
    void put_completed(record::Row before, record::Row after, const record::Answer& answer);
    // What tenants (as in Burdened) have stored beside the records.
    void count_beside(std::function<std::uint64_t(std::uint64_t tenant)> bytes) {
        bytes_beside_ = std::move(bytes);
    }
    std::int64_t lost_tail_ms() const { return weakness_.lost_tail.count(); }

    std::size_t rows() const { return rows_.size(); }

  private:
    struct Undo {
        std::int64_t at_ms = 0;
        record::Row before;  // state absent: there was no row
        std::optional<record::Fence> stored;
        std::optional<std::pair<record::Fence, record::Answer>> dropped;
    };

    void write(record::Row before, record::Verdict& verdict);
    void put_row(record::Row row);
    std::uint64_t stored_bytes(std::uint64_t tenant) const;
    void end_leases(SweepReport& report, std::size_t limit);
    void end_retentions(SweepReport& report, std::size_t limit);

    const Clock& clock_;
    MemoryWeakness weakness_;
    std::optional<StoreTime> time_;  // anchored anew by a restart
    std::optional<ClockWatch> watch_;
    UnresolvedLimits limits_;
    std::function<std::uint64_t(std::uint64_t)> bytes_beside_ = [](std::uint64_t) { return 0; };
    UnresolvedCounts counts_;  // of open and uncertain rows
    std::uint64_t last_fence_ = 0;
    std::unordered_map<Digest, record::Row, DigestHash> rows_;
    std::map<record::Fence, record::Answer> answers_;
    std::multimap<std::int64_t, Digest>
        leases_;  // when the sweeper looks; entries may be out of date
    std::multimap<std::int64_t, Digest> retentions_;  // when the cleaner looks; the same
    std::deque<Undo> tail_;
    std::unordered_map<Digest, std::vector<TimelineEntry>, DigestHash> timelines_;
    std::vector<TimelineEntry> notes_;
    struct Forgotten {
        std::string key_label;
        TimelineEntry entry;
    };
    std::deque<Forgotten> forgotten_;  // oldest first
};

}  // namespace pawl::store
