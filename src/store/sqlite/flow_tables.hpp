// SPDX-License-Identifier: Apache-2.0
// Rows of flows inside one transaction of the writer, beside the records that it writes. The first code that is
// not good is kept, and nothing is read or written after it: the transaction is then undone.
#pragma once

#include "store/port/flow_rows.hpp"
#include "store/sqlite/flow_looks.hpp"
#include "store/sqlite/transaction.hpp"

namespace pawl::sqlite {

// The writer's statements, prepared once.
struct FlowTables {
    FlowTables(const Connection& connection, store::DamageBook& damage);

    FlowLooks looks;
    Statement put_entity;
    Statement measure_entity;
    Statement insert_step;
    Statement link_step;
    Statement put_level;
    Statement select_fact;
    Statement put_fact;
    Statement delete_fact;
    Statement select_slots;
    Statement insert_slot;
    Statement delete_slot;
    Statement select_saga;
    Statement insert_saga;
    Statement changes;
    Statement select_waiting;
    Statement insert_waiting;
    Statement delete_waiting;
    Statement forget_waiting;
    Statement remember_waiting;
    Statement select_attention;
    Statement select_closed;
    Statement insert_attention;
    Statement insert_about;
    Statement select_about;
    Statement delete_about;
    Statement measure_attention;
    Statement update_attention;
};

class FlowsInTransaction final : public store::FlowRows {
  public:
    // All outlive it.
    FlowsInTransaction(FlowTables& tables, Tables& records, Transaction& transaction)
        : tables_(tables), records_(records), transaction_(transaction) {}

    bool failed() const override { return result_ != 0; }
    // SQLITE_OK or an extended code.
    int result() const { return result_; }

    std::optional<flow::Entity> entity(const store::FlowSubject& subject) override;
    std::optional<flow::Fact> fact(const Digest& key) override;
    std::optional<flow::Holder> saga_begun(const Digest& key) override;
    std::optional<std::uint64_t> settled_on(const Digest& entry) override;
    std::vector<flow::Slot> slots(const store::FlowSubject& of,
                                  const std::string& resource) override;
    std::optional<stock::Level> level(const std::string& tenant, const stock::Sku& sku) override;
    std::vector<flow::WaitingFact> waiting(const std::string& meeting) override;
    record::Row record(const Digest& identity) override;
    bool is_over_limit(const record::Claim& claim) override;
    std::optional<record::Answer> answer(const record::Row& row) override;

    void put_entity(const flow::Entity& entity) override;
    void add_step(const store::FlowSubject& subject, const store::FlowStep& step) override;
    void put_level(const std::string& tenant, const stock::Sku& sku,
                   const stock::Level& level) override;
    void put_fact(const store::FlowSubject& of, const flow::Fact& fact) override;
    void drop_fact(const store::FlowSubject& of, const Digest& key) override;
    void put_slot(const store::FlowSubject& of, const flow::Slot& slot) override;
    void drop_slot(const store::FlowSubject& of, const flow::Slot& slot) override;
    bool start_saga(const store::SagaRow& saga) override;
    void put_waiting(const store::FlowSubject& subject, const flow::WaitingFact& fact,
                     std::int64_t now_ms) override;
    void drop_waiting(const flow::WaitingFact& fact, std::int64_t remember_until_ms) override;
    void put_attention(store::AttentionEntry entry, std::int64_t closed_after_ms) override;
    std::vector<store::AttentionEntry> open_about(const Digest& fact) override;
    void put_attention_entry(const store::AttentionEntry& entry) override;
    void put_record(const record::Row& before, const record::Row& after,
                    const record::Answer& answer) override;

  private:
    template <class T>
    struct Numbered {
        std::int64_t number = 0;
        T row;
    };
    void keep(int result);
    void keep_damaged(std::string_view table, std::string whose);
    // Runs a statement that is bound, unless something failed before.
    void run(Statement& statement);
    // The sum of what the statement gives.
    std::int64_t measure(Statement& statement);
    // What a tenant has more of, and, by a statement that says how long its rows were, fewer.
    void weigh(const std::string& tenant, const std::string& row);
    void remove(const std::string& tenant, Statement& statement);
    bool changed_any();
    template <class T>
    T value_or_fail(Coded<T> read);
    std::vector<Numbered<flow::Slot>> slots_of(const std::string& resource, bool passes_damaged);

    FlowTables& tables_;
    Tables& records_;
    Transaction& transaction_;
    std::optional<RowFinder::Found> record_;  // as it was read, to be written over
    int result_ = 0;
};

}  // namespace pawl::sqlite
