// SPDX-License-Identifier: Apache-2.0
// What errands read and write, row by row, and the one way from an errand to its rows, as flow_rows.hpp has it for
// commits of entities.
//
// How a sink's state is kept, so that a transition costs nothing more for being sent: a position, behind which every
// outgoing row was sent, except those that are held; and before which none was, except those held as `sent`. A
// position moves over a row that is held, so that one which is stuck keeps nothing in memory or on the disk but itself
// and the later rows of its entity.
#pragma once

#include "store/port/errand.hpp"

namespace pawl::store {

struct HeldRow {
    enum class As : std::uint8_t {
        again,   // from `due_ms` on
        behind,  // an earlier row of its entity was not sent
        parked,
        sent,  // before the rows before it
    };
    std::uint64_t number = 0;
    As as = As::again;
    std::int64_t due_ms = 0;
    std::uint32_t tries = 0;
    std::string said{};
};

// A row of history, in the order of the store's commits.
struct StoredStep {
    std::uint64_t number = 0;
    FlowSubject subject;
    FlowStep step;
    bool is_damaged = false;  // it cannot be read: nothing but its number is known
};

struct HeldCounts {
    std::uint64_t unsent = 0;  // again, behind
    std::uint64_t parked = 0;
    std::uint64_t sent = 0;
    std::uint64_t oldest_unsent = 0;  // its number; 0: none
};

class OutboxRows {
  public:
    virtual ~OutboxRows() = default;
    // Something could not be read or written; what is answered after it means nothing.
    virtual bool failed() const = 0;

    virtual std::optional<std::uint64_t> position(const std::string& sink) = 0;
    virtual std::vector<std::string> sinks() = 0;
    // The highest number; it is never removed. 0: none.
    virtual std::uint64_t last_step() = 0;
    virtual std::optional<StoredStep> step(std::uint64_t number) = 0;
    // With numbers above `after`, in order.
    virtual std::vector<StoredStep> outgoing(std::uint64_t after, std::size_t limit) = 0;
    virtual std::uint64_t count_outgoing(std::uint64_t after, std::size_t limit) = 0;
    virtual std::optional<HeldRow> held(const std::string& sink, std::uint64_t number) = 0;
    // The first one of this entity that was not sent.
    virtual std::optional<HeldRow> first_held(const std::string& sink, const FlowSubject& of) = 0;
    // With at most this due time, the earliest first.
    virtual std::vector<HeldRow> held_as(const std::string& sink, HeldRow::As as,
                                         std::int64_t until_ms, std::size_t limit) = 0;
    virtual HeldCounts held_counts(const std::string& sink) = 0;
    // The next one after it that was not sent, of the entity for which this one is held.
    virtual std::optional<HeldRow> held_after(const std::string& sink, std::uint64_t number) = 0;

    virtual void put_position(const std::string& sink, std::uint64_t number) = 0;
    virtual void put_held(const std::string& sink, const FlowSubject& of, const HeldRow& row) = 0;
    virtual void drop_held(const std::string& sink, std::uint64_t number) = 0;
    // With everything that is held for it.
    virtual void drop_sink(const std::string& sink) = 0;
};

class ErrandRows : public OutboxRows {
  public:
    virtual std::optional<AttentionEntry> attention_entry(std::uint64_t number) = 0;
    virtual std::vector<AttentionEntry> open_about(const Digest& fact) = 0;
    // Over the one of its number, and closed.
    virtual void put_attention_entry(const AttentionEntry& entry) = 0;
    virtual std::optional<flow::Fact> fact(const Digest& key) = 0;
    virtual void put_fact(const FlowSubject& of, const flow::Fact& fact) = 0;
    virtual std::optional<SagaRow> saga(std::uint64_t number) = 0;
    virtual void put_saga(const SagaRow& row) = 0;
    virtual std::int64_t window(id::Machine machine) = 0;  // 0: never written
    virtual void put_window(id::Machine machine, std::int64_t until_ms) = 0;

    // Retention looks through the history, oldest first, and goes on where it stopped; not durable.
    virtual std::uint64_t looked_to() const = 0;
    virtual void set_looked_to(std::uint64_t number) = 0;
    virtual std::vector<StoredStep> steps(std::uint64_t after, std::size_t limit) = 0;
    // nullopt, too, for one that cannot be read: it stays.
    virtual std::optional<flow::Entity> entity_to_retire(const FlowSubject& subject) = 0;
    virtual std::uint64_t last_step_of(const FlowSubject& subject) = 0;
    // Of those that its history began: one that is not done, or that cannot be read.
    virtual bool has_open_saga(const FlowSubject& subject) = 0;
    // With its history, its slots, and its facts that end with a state.
    virtual void remove_entity(const flow::Entity& entity) = 0;
    // Entries closed up to then; and keys of waiting facts that are remembered no longer than `now_ms`.
    virtual void drop_closed(std::int64_t until_ms, std::int64_t now_ms, std::size_t limit) = 0;
};

// Errors: not_found, request_invalid; nothing was written. Meaningless once rows.failed().
ErrandReply carry_out(ErrandRows& rows, const Errand& errand, std::int64_t now_ms);

struct OutboxLook {
    bool known = false;   // the sink has a name here
    bool passes = false;  // so much was looked at in vain that a Delivered without deliveries pays
    std::vector<OutboxRow> rows;
};
OutboxLook look_unsent(OutboxRows& rows, const std::string& sink, std::int64_t now_ms,
                       std::size_t limit);
std::vector<ParkedRow> look_parked(OutboxRows& rows, const std::string& sink, std::size_t limit);
OutboxFigures look_figures(OutboxRows& rows, const std::string& sink, std::int64_t now_ms);

}  // namespace pawl::store
