// SPDX-License-Identifier: Apache-2.0
// What errands read and write in the file: inside a transaction of the writer, and, where they only read, on the
// reader's connection in one state of the file. The first code that is not good is kept, as for flows.
#pragma once

#include "store/port/errand_rows.hpp"
#include "store/sqlite/flow_tables.hpp"

namespace pawl::sqlite {

// The statements of one connection, prepared once.
struct ErrandTables {
    explicit ErrandTables(const Connection& connection);

    Statement select_position;
    Statement select_sinks;
    Statement select_last_step;
    Statement select_step;
    Statement select_outgoing;
    Statement select_steps;
    Statement count_outgoing;
    Statement select_held;
    Statement select_first_held;
    Statement select_held_as;
    Statement select_held_after;
    Statement count_held;
    Statement put_position;
    Statement put_held;
    Statement delete_held;
    Statement delete_held_of;
    Statement delete_sink;
    Statement select_attention;
    Statement delete_attention;
    Statement select_saga;
    Statement select_saga_of_key;
    Statement update_saga;
    Statement select_window;
    Statement put_window;
    Statement select_last_of;
    Statement select_previous;
    Statement delete_step;
    Statement delete_entity;
    Statement delete_waiting;
};

class ErrandsInFile final : public store::ErrandRows {
  public:
    // All outlive it. `transaction` nullptr: nothing is written. `looked_to`: as ErrandRows has it.
    ErrandsInFile(ErrandTables& tables, FlowLooks& looks, Transaction* transaction = nullptr,
                  FlowsInTransaction* flows = nullptr, std::uint64_t* looked_to = nullptr)
        : tables_(tables),
          looks_(looks),
          transaction_(transaction),
          flows_(flows),
          looked_to_(looked_to) {}

    bool failed() const override { return result() != 0; }
    // SQLITE_OK or an extended code.
    int result() const;

    std::optional<std::uint64_t> position(const std::string& sink) override;
    std::vector<std::string> sinks() override;
    std::uint64_t last_step() override;
    std::optional<store::StoredStep> step(std::uint64_t number) override;
    std::vector<store::StoredStep> outgoing(std::uint64_t after, std::size_t limit) override;
    std::uint64_t count_outgoing(std::uint64_t after, std::size_t limit) override;
    std::optional<store::HeldRow> held(const std::string& sink, std::uint64_t number) override;
    std::optional<store::HeldRow> first_held(const std::string& sink,
                                             const store::FlowSubject& of) override;
    std::vector<store::HeldRow> held_as(const std::string& sink, store::HeldRow::As as,
                                        std::int64_t until_ms, std::size_t limit) override;
    store::HeldCounts held_counts(const std::string& sink) override;
    std::optional<store::HeldRow> held_after(const std::string& sink,
                                             std::uint64_t number) override;
    void put_position(const std::string& sink, std::uint64_t number) override;
    void put_held(const std::string& sink, const store::FlowSubject& of,
                  const store::HeldRow& row) override;
    void drop_held(const std::string& sink, std::uint64_t number) override;
    void drop_sink(const std::string& sink) override;

    std::optional<store::AttentionEntry> attention_entry(std::uint64_t number) override;
    std::vector<store::AttentionEntry> open_about(const Digest& fact) override {
        return flows_->open_about(fact);
    }
    void put_attention_entry(const store::AttentionEntry& entry) override {
        flows_->put_attention_entry(entry);
    }
    std::optional<flow::Fact> fact(const Digest& key) override { return flows_->fact(key); }
    void put_fact(const store::FlowSubject& of, const flow::Fact& fact) override {
        flows_->put_fact(of, fact);
    }
    std::optional<store::SagaRow> saga(std::uint64_t number) override;
    void put_saga(const store::SagaRow& row) override;
    std::int64_t window(id::Machine machine) override;
    void put_window(id::Machine machine, std::int64_t until_ms) override;
    std::uint64_t looked_to() const override { return *looked_to_; }
    void set_looked_to(std::uint64_t number) override { *looked_to_ = number; }
    std::vector<store::StoredStep> steps(std::uint64_t after, std::size_t limit) override;
    std::optional<flow::Entity> entity_to_retire(const store::FlowSubject& subject) override;
    std::uint64_t last_step_of(const store::FlowSubject& subject) override;
    bool has_open_saga(const store::FlowSubject& subject) override;
    void remove_entity(const flow::Entity& entity) override;
    void drop_closed(std::int64_t until_ms, std::int64_t now_ms, std::size_t limit) override;

  private:
    void keep(int result);
    void run(Statement& statement);
    // Also where it cannot be read, which is noted.
    std::optional<store::StoredStep> step_in(const Statement& row);
    std::optional<store::HeldRow> held_in(const Statement& row);
    // How many bytes a statement that removes rows has removed.
    std::int64_t removed(Statement& statement);
    // A row is written over one that `before` gives.
    void weigh_change(const std::string& tenant, Statement& before, const std::string& row);
    // Every row that the statement gives, or nothing once something failed.
    template <class Row, class Take>
    std::vector<Row> all(Statement& select, Take take);
    template <class Row, class Take>
    std::optional<Row> one(Statement& select, Take take);

    ErrandTables& tables_;
    FlowLooks& looks_;
    Transaction* transaction_;
    FlowsInTransaction* flows_;  // of the same transaction: slots, facts and entries go through it
    std::uint64_t* looked_to_;
    int result_ = 0;
};

}  // namespace pawl::sqlite
