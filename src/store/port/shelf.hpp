// SPDX-License-Identifier: Apache-2.0
// The synchronous half of a store: what one commit does, without queue, thread or event loop. Two exist, a
// map in memory and an SQLite file; a front carries calls to one of them, in production from many event
// loops to the writer's thread, in the simulator through delay and faults.
#pragma once

#include <span>

#include "store/port/records.hpp"

namespace pawl::store {

// With which outcomes the stored answer comes along: where somebody other than the present owner is told
// what the record says.
constexpr bool carries_answer(record::Outcome outcome) {
    return outcome == record::Outcome::replay || outcome == record::Outcome::restored ||
           outcome == record::Outcome::conflict || outcome == record::Outcome::lost;
}

// What a store keeps of a record that a person removes, in the same commit.
inline TimelineEntry forgotten_entry(const record::Row& row, const record::Forget& forget,
                                     std::int64_t now_ms) {
    return {.identity = row.identity,
            .at_ms = now_ms,
            .step = "forget",
            .outcome = std::string(name_of(record::Outcome::removed)),
            .fence = row.fence,
            .detail = forget.said};
}

class Shelf {
  public:
    virtual ~Shelf() = default;

    virtual Capabilities capabilities() const = 0;
    // Store time; never goes back, not across restarts either.
    virtual std::int64_t now_ms() const = 0;

    // One commit for all of them. Shape: one result per call, in order; a call that cannot be carried out
    // gets an error of its own and leaves the others alone.
    // Errors: as Records::apply. Durable: when it returns.
    virtual std::vector<Result<Reply>> commit(std::span<const record::Call> calls) = 0;

    virtual Result<std::optional<Stored>> read(const Digest& identity) = 0;
    // As Records::may_know; from any thread.
    virtual bool may_know(const Digest& identity) const = 0;
    virtual Result<SweepReport> sweep(std::size_t limit) = 0;
    virtual Result<std::vector<record::Row>> unresolved(const UnresolvedQuery& query) = 0;
    virtual Result<Totals> totals() = 0;
    virtual Result<std::vector<TimelineEntry>> timeline(const Digest& identity) = 0;
    virtual Result<std::vector<Digest>> find(LookUp kind, const std::string& value,
                                             std::size_t limit) = 0;

    // Kept in memory, bounded, until tend() writes it; what passes the bound is dropped and counted.
    virtual void note(TimelineEntry entry) = 0;
    // What can wait for a quiet moment: notes, indexes, checkpoints. One bounded step; true when another
    // one would find work.
    virtual bool tend() = 0;
};

}  // namespace pawl::store
