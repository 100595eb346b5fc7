// SPDX-License-Identifier: Apache-2.0
// What a commit of a flow reads and writes, row by row, and the one way from a commit to its rows. A store
// brings the rows; which of them are read, what is judged on them and what is written is the same everywhere.
//
// All reading comes before all writing, so that a commit which loses has written nothing. Rows that cannot be
// read or written make failed() true, and the store undoes the commit.
#pragma once

#include "store/port/sagas.hpp"

namespace pawl::store {

class FlowRows {
  public:
    virtual ~FlowRows() = default;
    // Something could not be read or written; what is answered after it means nothing.
    virtual bool failed() const = 0;

    // By id, or where that is empty by business key.
    virtual std::optional<flow::Entity> entity(const FlowSubject& subject) = 0;
    virtual std::optional<flow::Fact> fact(const Digest& key) = 0;
    // Who has begun the saga of this key.
    virtual std::optional<flow::Holder> saga_begun(const Digest& key) = 0;
    // Of the latest entry for people with this key that a person has settled: the version on which it was judged.
    virtual std::optional<std::uint64_t> settled_on(const Digest& entry) = 0;
    virtual std::vector<flow::Slot> slots(const FlowSubject& of, const std::string& resource) = 0;
    virtual std::optional<stock::Level> level(const std::string& tenant, const stock::Sku& sku) = 0;
    // In the order in which they came; without those that are only remembered.
    virtual std::vector<flow::WaitingFact> waiting(const std::string& meeting) = 0;
    virtual record::Row record(const Digest& identity) = 0;  // state absent: there is none
    // A key that is not known, and its caller or tenant has no room for another.
    virtual bool is_over_limit(const record::Claim& claim) = 0;
    // Of a completed record, while it is kept.
    virtual std::optional<record::Answer> answer(const record::Row& row) = 0;

    virtual void put_entity(const flow::Entity& entity) = 0;
    virtual void add_step(const FlowSubject& subject, const FlowStep& step) = 0;
    virtual void put_level(const std::string& tenant, const stock::Sku& sku,
                           const stock::Level& level) = 0;
    virtual void put_fact(const FlowSubject& of, const flow::Fact& fact) = 0;
    virtual void drop_fact(const FlowSubject& of, const Digest& key) = 0;
    virtual void put_slot(const FlowSubject& of, const flow::Slot& slot) = 0;
    virtual void drop_slot(const FlowSubject& of, const flow::Slot& slot) = 0;
    // False: it had begun before.
    virtual bool start_saga(const SagaRow& saga) = 0;
    // Nothing changes where one with the same key waits, or is remembered at `now_ms`.
    virtual void put_waiting(const FlowSubject& subject, const flow::WaitingFact& fact,
                             std::int64_t now_ms) = 0;
    // The one with its key. `remember_until_ms` 0: not at all.
    virtual void drop_waiting(const flow::WaitingFact& fact, std::int64_t remember_until_ms) = 0;
    // Nothing changes where one with the same key is open, or was closed after `closed_after_ms`.
    virtual void put_attention(AttentionEntry entry, std::int64_t closed_after_ms) = 0;
    // Open entries about this fact, in the order in which they came.
    virtual std::vector<AttentionEntry> open_about(const Digest& fact) = 0;
    // Over the one of its number, and closed.
    virtual void put_attention_entry(const AttentionEntry& entry) = 0;
    // A claim completed in one step; the fence was given out with it.
    virtual void put_record(const record::Row& before, const record::Row& after,
                            const record::Answer& answer) = 0;
};

// Reads, judges, writes. `next`: above every fence given out. Meaningless once rows.failed().
// Errors: request_invalid; nothing was written.
Result<FlowReply> carry_out(FlowRows& rows, const FlowCommit& commit, std::int64_t now_ms,
                            record::Fence next);

Digest key_of(const AttentionEntry& entry);

// The text by which ids sort as numbers.
std::string order_of_id(std::string_view id);

}  // namespace pawl::store
