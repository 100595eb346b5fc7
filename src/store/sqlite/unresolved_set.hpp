// SPDX-License-Identifier: Apache-2.0
// Which records are unresolved, in memory: the sweeper finds leases that are over, people see what waits for
// them, without an index that every claim and every completion would have to write. Read back when the
// store is opened. The writer's thread changes it after a commit; the reader's thread looks.
#pragma once

#include <limits>
#include <mutex>
#include <set>
#include <unordered_map>

#include "core/record/row.hpp"
#include "store/port/records.hpp"
#include "store/port/unresolved_counts.hpp"
#include "store/sqlite/catalog.hpp"

namespace pawl::sqlite {

// What a record became. State absent, completed, tombstone or freed: it is not unresolved any more.
struct StateChange {
    RecordId record;
    record::State state = record::State::absent;
    std::int64_t changed_ms = 0;
    std::int64_t lease_until_ms = 0;
    store::Burdened who{};
};

class UnresolvedSet {
  public:
    void apply(const std::vector<StateChange>& changes);
    // A record that turned out to be unreadable: uncertain since then, for people to see.
    void add_unreadable(RecordId record, std::int64_t now_ms);
    // Counts those in progress whose lease has ended since the last time. The writer's thread only.
    void count_lapsed(std::int64_t now_ms, store::UnresolvedCounts& counts);

    // In progress with a lease that ends at `now_ms` or before, earliest first.
    std::vector<RecordId> lapsed(std::int64_t now_ms, std::size_t limit) const;
    // Oldest change of state first, after `after`, changed at `until_ms` or before.
    struct Waiting {
        std::int64_t changed_ms = 0;
        RecordId record;
        auto operator<=>(const Waiting&) const = default;
    };
    std::vector<Waiting> waiting(bool uncertain_only, Waiting after, std::int64_t until_ms,
                                 std::size_t limit) const;
    store::Totals totals(std::int64_t now_ms) const;
    // All of one generation, or of all.
    std::vector<RecordId> of_generation(std::uint32_t number) const;
    std::vector<RecordId> all() const;

  private:
    struct Place {
        record::State state;
        Waiting waiting;
        std::int64_t lease_until_ms;
        store::Burdened who;
    };
    struct IdHash {
        std::size_t operator()(RecordId id) const { return std::hash<std::int64_t>{}(id.value); }
    };

    std::set<Waiting>& list_of(record::State state);

    mutable std::mutex mutex_;
    std::unordered_map<RecordId, Place, IdHash> places_;
    std::set<std::pair<std::int64_t, RecordId>> leases_;  // of those in progress
    std::set<Waiting> uncertain_;
    std::set<Waiting> open_;
    std::int64_t counted_until_ms_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace pawl::sqlite
