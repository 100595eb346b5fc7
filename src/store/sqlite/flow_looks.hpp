// SPDX-License-Identifier: Apache-2.0
// Flows as they are read: by the writer inside its commits, and beside it on the reader's connection. A row is
// read by one statement; a history is a chain of rows that never change, so that no look needs more than one
// state of the file.
#pragma once

#include "store/port/damage.hpp"
#include "store/port/flow_shelf.hpp"
#include "store/sqlite/row_finder.hpp"

namespace pawl::sqlite {

// The keys of schema/0005_flows.sql and 0006_outbox.sql.
std::string entity_key(std::string_view tenant, std::string_view flow, std::string_view id);
std::string name_key(std::string_view tenant, std::string_view flow, std::string_view text);
std::string level_key(std::string_view tenant, const stock::Sku& sku);

// A row that cannot be read, on a page that can: SQLITE_CORRUPT with a cause that SQLite does not use.
inline constexpr int kRowDamaged = 11 | 200 << 8;
// So many of them are gone past in one reading; beyond it the reading fails.
inline constexpr std::size_t kDamagedPassedMax = 10'000;

class FlowLooks {
  public:
    // Both outlive it.
    FlowLooks(const Connection& connection, store::DamageBook& damage);
    store::DamageBook& damage() { return damage_; }

    // Of one subject: kRowDamaged where its row cannot be read. Those that give many go past such rows, and
    // note them.
    Coded<std::optional<flow::Entity>> entity(const store::FlowSubject& subject);
    Coded<std::optional<stock::Level>> level(const std::string& tenant, const stock::Sku& sku);
    Coded<std::vector<flow::Entity>> page(const store::PageQuery& query);
    Coded<std::vector<store::FlowStep>> history(const store::FlowSubject& subject,
                                                std::uint64_t after, std::size_t limit);
    Coded<store::StatesSlice> states(const std::string& from, std::size_t limit);
    Coded<std::vector<store::WaitingEntry>> waiting(std::uint64_t after, std::size_t limit);
    Coded<std::vector<store::AttentionEntry>> attention(std::uint64_t after, std::size_t limit);
    Coded<std::vector<store::AttentionEntry>> entries(const store::EntriesQuery& query);
    Coded<std::vector<store::DueRow>> due(std::int64_t until_ms, std::size_t limit);
    Coded<std::int64_t> next_due_ms();
    Coded<std::vector<store::SagaRow>> due_sagas(std::int64_t until_ms, std::size_t limit);
    Coded<std::vector<store::SagaRow>> sagas(std::optional<store::SagaState> state,
                                             std::uint64_t after, std::size_t limit);
    Coded<std::vector<store::SagaRow>> look_at_sagas(const store::SagasQuery& query);

  private:
    // Every row that the statement gives, made by `take`, which says nullopt for one that cannot be read.
    template <class Row, class Take, class Whose>
    Coded<std::vector<Row>> readable(Statement& select, std::size_t limit, std::string_view table,
                                     Take take, Whose whose);
    // One that cannot be read is noted, and has nothing but number and key.
    std::optional<store::SagaRow> any_saga_in(const Statement& row);
    template <class Row, class Take>
    Coded<std::vector<Row>> numbered(Statement& select, std::size_t limit, std::string_view table,
                                     Take decode);

    store::DamageBook& damage_;
    Statement by_id_;
    Statement by_name_;
    Statement select_level_;
    Statement select_page_;
    Statement select_after_;
    Statement select_previous_;
    Statement select_step_;
    Statement select_waiting_;
    Statement select_attention_;
    Statement select_entries_of_;
    Statement select_closed_;
    Statement select_due_;
    Statement select_next_;
    Statement select_due_sagas_;
    Statement select_sagas_;
    Statement select_sagas_in_;
    Statement select_sagas_for_people_;
    Statement select_open_sagas_;
    Statement select_saga_of_key_;
};

}  // namespace pawl::sqlite
