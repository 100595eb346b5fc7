// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/errand_tables.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/port/flow_format.hpp"

namespace pawl::sqlite {
namespace {

using store::HeldRow;

std::int64_t of_number(std::uint64_t number) { return static_cast<std::int64_t>(number); }
std::uint64_t number_in(const Statement& row, int column = 0) {
    return static_cast<std::uint64_t>(row.integer(column));
}

std::string key_of(const store::FlowSubject& subject) {
    return entity_key(subject.tenant, subject.flow, subject.id);
}

std::int64_t machine_number(id::Machine machine) {
    return static_cast<std::int64_t>(machine.bucket) << 32 | machine.worker;
}

}  // namespace

ErrandTables::ErrandTables(const Connection& connection)
    : select_position(connection.prepare("SELECT position FROM flow_sink WHERE name = ?1")),
      select_sinks(connection.prepare("SELECT name FROM flow_sink ORDER BY name")),
      select_last_step(connection.prepare("SELECT MAX(number) FROM flow_step")),
      select_step(connection.prepare("SELECT number, row FROM flow_step WHERE number = ?1")),
      select_outgoing(connection.prepare("SELECT number, row FROM flow_step WHERE number > ?1 AND "
                                         "outgoing = 1 ORDER BY number LIMIT ?2")),
      select_steps(connection.prepare(
          "SELECT number, row FROM flow_step WHERE number > ?1 ORDER BY number LIMIT ?2")),
      count_outgoing(connection.prepare("SELECT COUNT(*) FROM (SELECT 1 FROM flow_step WHERE "
                                        "number > ?1 AND outgoing = 1 LIMIT ?2)")),
      select_held(connection.prepare("SELECT number, held, due_ms, tries, said FROM flow_held "
                                     "WHERE sink = ?1 AND number = ?2")),
      select_first_held(connection.prepare(
          "SELECT number, held, due_ms, tries, said FROM flow_held WHERE sink = ?1 AND entity = "
          "?2 AND held < 3 ORDER BY number LIMIT 1")),
      select_held_as(connection.prepare(
          "SELECT number, held, due_ms, tries, said FROM flow_held WHERE sink = ?1 AND held = ?2 "
          "AND due_ms <= ?3 ORDER BY due_ms, number LIMIT ?4")),
      select_held_after(connection.prepare(
          "SELECT number, held, due_ms, tries, said FROM flow_held WHERE sink = ?1 AND entity = "
          "(SELECT entity FROM flow_held WHERE sink = ?1 AND number = ?2) AND held < 3 AND number "
          "> ?2 ORDER BY number LIMIT 1")),
      count_held(connection.prepare("SELECT held, COUNT(*), MIN(number) FROM flow_held WHERE sink "
                                    "= ?1 GROUP BY held")),
      put_position(
          connection.prepare("INSERT OR REPLACE INTO flow_sink (name, position) VALUES (?1, ?2)")),
      put_held(connection.prepare("INSERT OR REPLACE INTO flow_held (sink, number, entity, held, "
                                  "due_ms, tries, said) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")),
      delete_held(connection.prepare("DELETE FROM flow_held WHERE sink = ?1 AND number = ?2")),
      delete_held_of(connection.prepare("DELETE FROM flow_held WHERE sink = ?1")),
      delete_sink(connection.prepare("DELETE FROM flow_sink WHERE name = ?1")),
      select_attention(connection.prepare("SELECT row FROM flow_attention WHERE number = ?1")),
      delete_attention(connection.prepare(
          "DELETE FROM flow_attention WHERE number IN (SELECT number FROM flow_attention WHERE "
          "closed_ms <= ?1 ORDER BY closed_ms LIMIT ?2) RETURNING row")),
      select_saga(connection.prepare("SELECT row FROM flow_saga WHERE number = ?1")),
      select_saga_of_key(connection.prepare("SELECT state FROM flow_saga WHERE key = ?1")),
      update_saga(connection.prepare(
          "UPDATE flow_saga SET state = ?2, next_ms = ?3, row = ?4 WHERE number = ?1")),
      select_window(connection.prepare("SELECT until_ms FROM id_window WHERE machine = ?1")),
      put_window(connection.prepare(
          "INSERT OR REPLACE INTO id_window (machine, until_ms) VALUES (?1, ?2)")),
      select_last_of(connection.prepare("SELECT last_step FROM flow_entity WHERE key = ?1")),
      select_previous(connection.prepare("SELECT previous FROM flow_step WHERE number = ?1")),
      delete_step(
          connection.prepare("DELETE FROM flow_step WHERE number = ?1 RETURNING LENGTH(row)")),
      delete_entity(
          connection.prepare("DELETE FROM flow_entity WHERE key = ?1 RETURNING LENGTH(row)")),
      delete_waiting(connection.prepare(
          "DELETE FROM flow_waiting WHERE number IN (SELECT number FROM flow_waiting WHERE "
          "remember_ms <= ?1 ORDER BY remember_ms LIMIT ?2) RETURNING row")) {}

int ErrandsInFile::result() const {
    return result_ == SQLITE_OK && flows_ != nullptr ? flows_->result() : result_;
}

void ErrandsInFile::keep(int result) {
    const bool good = result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW;
    if (result_ == SQLITE_OK && !good) result_ = result;
}

std::optional<store::StoredStep> ErrandsInFile::step_in(const Statement& row) {
    auto step = store::decode_step(row.bytes(1));
    if (!step) {
        looks_.damage().met("flow_step", fmt::format("number {}", row.integer(0)));
        step.emplace();
        step->is_damaged = true;
    }
    step->number = number_in(row);
    return step;
}

// One whose state cannot be read is a person's.
std::optional<HeldRow> ErrandsInFile::held_in(const Statement& row) {
    const std::int64_t as = row.integer(1);
    const bool known = as >= 0 && as <= std::to_underlying(HeldRow::As::sent);
    if (!known) looks_.damage().met("flow_held", fmt::format("number {}", row.integer(0)));
    return HeldRow{number_in(row), known ? static_cast<HeldRow::As>(as) : HeldRow::As::parked,
                   row.integer(2), static_cast<std::uint32_t>(row.integer(3)),
                   std::string(row.bytes(4))};
}

void ErrandsInFile::run(Statement& statement) {
    if (failed()) return;
    transaction_->wrote();
    keep(statement.run());
}

template <class Row, class Take>
std::vector<Row> ErrandsInFile::all(Statement& select, Take take) {
    std::vector<Row> rows;
    if (failed()) return rows;
    int result = select.step();
    for (; result == SQLITE_ROW; result = select.step()) {
        std::optional<Row> row = take(select);
        if (row)
            rows.push_back(*std::move(row));
        else
            keep(kRowDamaged);
    }
    keep(result);
    return rows;
}

std::int64_t ErrandsInFile::removed(Statement& statement) {
    transaction_->wrote();
    std::int64_t bytes = 0;
    for (const std::int64_t one : all<std::int64_t>(
             statement, [](const Statement& row) { return std::optional(row.integer(0)); }))
        bytes += one;
    return bytes;
}

void ErrandsInFile::weigh_change(const std::string& tenant, Statement& before,
                                 const std::string& row) {
    const auto size = one<std::int64_t>(before, [](const Statement& old) {
        return std::optional(static_cast<std::int64_t>(old.bytes(0).size()));
    });
    transaction_->weigh_flow(tenant, static_cast<std::int64_t>(row.size()) - size.value_or(0));
}

template <class Row, class Take>
std::optional<Row> ErrandsInFile::one(Statement& select, Take take) {
    std::vector<Row> rows = all<Row>(select, take);
    if (rows.empty()) return std::nullopt;
    return std::move(rows.front());
}

std::optional<std::uint64_t> ErrandsInFile::position(const std::string& sink) {
    return one<std::uint64_t>(tables_.select_position.bind(1, sink),
                              [](const Statement& row) { return std::optional(number_in(row)); });
}

std::vector<std::string> ErrandsInFile::sinks() {
    return all<std::string>(tables_.select_sinks, [](const Statement& row) {
        return std::optional(std::string(row.bytes(0)));
    });
}

std::uint64_t ErrandsInFile::last_step() {
    return one<std::uint64_t>(tables_.select_last_step,
                              [](const Statement& row) { return std::optional(number_in(row)); })
        .value_or(0);
}

std::optional<store::StoredStep> ErrandsInFile::step(std::uint64_t number) {
    return one<store::StoredStep>(tables_.select_step.bind(1, of_number(number)),
                                  [this](const Statement& row) { return step_in(row); });
}

std::vector<store::StoredStep> ErrandsInFile::outgoing(std::uint64_t after, std::size_t limit) {
    return all<store::StoredStep>(
        tables_.select_outgoing.bind(1, of_number(after)).bind(2, of_number(limit)),
        [this](const Statement& row) { return step_in(row); });
}

std::vector<store::StoredStep> ErrandsInFile::steps(std::uint64_t after, std::size_t limit) {
    return all<store::StoredStep>(
        tables_.select_steps.bind(1, of_number(after)).bind(2, of_number(limit)),
        [this](const Statement& row) { return step_in(row); });
}

std::uint64_t ErrandsInFile::count_outgoing(std::uint64_t after, std::size_t limit) {
    return one<std::uint64_t>(
               tables_.count_outgoing.bind(1, of_number(after)).bind(2, of_number(limit)),
               [](const Statement& row) { return std::optional(number_in(row)); })
        .value_or(0);
}

std::optional<HeldRow> ErrandsInFile::held(const std::string& sink, std::uint64_t number) {
    return one<HeldRow>(tables_.select_held.bind(1, sink).bind(2, of_number(number)),
                        [this](const Statement& row) { return held_in(row); });
}

std::optional<HeldRow> ErrandsInFile::first_held(const std::string& sink,
                                                 const store::FlowSubject& of) {
    const std::string entity = key_of(of);
    return one<HeldRow>(tables_.select_first_held.bind(1, sink).bind(2, entity),
                        [this](const Statement& row) { return held_in(row); });
}

std::vector<HeldRow> ErrandsInFile::held_as(const std::string& sink, HeldRow::As as,
                                            std::int64_t until_ms, std::size_t limit) {
    return all<HeldRow>(tables_.select_held_as.bind(1, sink)
                            .bind(2, std::to_underlying(as))
                            .bind(3, until_ms)
                            .bind(4, of_number(limit)),
                        [this](const Statement& row) { return held_in(row); });
}

std::optional<HeldRow> ErrandsInFile::held_after(const std::string& sink, std::uint64_t number) {
    return one<HeldRow>(tables_.select_held_after.bind(1, sink).bind(2, of_number(number)),
                        [this](const Statement& row) { return held_in(row); });
}

store::HeldCounts ErrandsInFile::held_counts(const std::string& sink) {
    struct Count {
        HeldRow::As as;
        std::uint64_t count;
        std::uint64_t oldest;
    };
    store::HeldCounts counts;
    for (const Count& one : all<Count>(tables_.count_held.bind(1, sink), [](const Statement& row) {
             return std::optional(Count{static_cast<HeldRow::As>(row.integer(0)), number_in(row, 1),
                                        number_in(row, 2)});
         })) {
        if (one.as == HeldRow::As::sent) {
            counts.sent = one.count;
        } else if (one.as == HeldRow::As::again || one.as == HeldRow::As::behind) {
            counts.unsent += one.count;
            if (counts.oldest_unsent == 0 || one.oldest < counts.oldest_unsent)
                counts.oldest_unsent = one.oldest;
        } else {
            counts.parked += one.count;
            if (one.as != HeldRow::As::parked)
                looks_.damage().met("flow_held", fmt::format("of sink {}", sink));
        }
    }
    return counts;
}

void ErrandsInFile::put_position(const std::string& sink, std::uint64_t number) {
    run(tables_.put_position.bind(1, sink).bind(2, of_number(number)));
}

void ErrandsInFile::put_held(const std::string& sink, const store::FlowSubject& of,
                             const HeldRow& row) {
    const std::string entity = key_of(of);
    run(tables_.put_held.bind(1, sink)
            .bind(2, of_number(row.number))
            .bind(3, entity)
            .bind(4, std::to_underlying(row.as))
            .bind(5, row.due_ms)
            .bind(6, row.tries)
            .bind(7, row.said));
}

void ErrandsInFile::drop_held(const std::string& sink, std::uint64_t number) {
    run(tables_.delete_held.bind(1, sink).bind(2, of_number(number)));
}

void ErrandsInFile::drop_sink(const std::string& sink) {
    run(tables_.delete_sink.bind(1, sink));
    run(tables_.delete_held_of.bind(1, sink));
}

std::optional<store::AttentionEntry> ErrandsInFile::attention_entry(std::uint64_t number) {
    auto entry = one<store::AttentionEntry>(
        tables_.select_attention.bind(1, of_number(number)),
        [](const Statement& row) { return store::decode_attention(row.bytes(0)); });
    if (entry) entry->number = number;
    return entry;
}

std::optional<store::SagaRow> ErrandsInFile::saga(std::uint64_t number) {
    auto saga =
        one<store::SagaRow>(tables_.select_saga.bind(1, of_number(number)),
                            [](const Statement& row) { return store::decode_saga(row.bytes(0)); });
    if (saga) saga->number = number;
    return saga;
}

void ErrandsInFile::put_saga(const store::SagaRow& saga) {
    const std::string row = store::encode(saga);
    weigh_change(saga.subject.tenant, tables_.select_saga.bind(1, of_number(saga.number)), row);
    run(tables_.update_saga.bind(1, of_number(saga.number))
            .bind(2, std::to_underlying(saga.state))
            .bind(3, saga.next_ms)
            .bind(4, row));
}

std::int64_t ErrandsInFile::window(id::Machine machine) {
    return one<std::int64_t>(tables_.select_window.bind(1, machine_number(machine)),
                             [](const Statement& row) { return std::optional(row.integer(0)); })
        .value_or(0);
}

void ErrandsInFile::put_window(id::Machine machine, std::int64_t until_ms) {
    run(tables_.put_window.bind(1, machine_number(machine)).bind(2, until_ms));
}

std::optional<flow::Entity> ErrandsInFile::entity_to_retire(const store::FlowSubject& subject) {
    if (failed()) return std::nullopt;
    auto entity = looks_.entity(subject);
    if (entity) return *std::move(entity);
    if (entity.error() != kRowDamaged) keep(entity.error());
    return std::nullopt;
}

std::uint64_t ErrandsInFile::last_step_of(const store::FlowSubject& subject) {
    const std::string key = key_of(subject);
    return one<std::uint64_t>(tables_.select_last_of.bind(1, key),
                              [](const Statement& row) { return std::optional(number_in(row)); })
        .value_or(0);
}

// Each lies in the row of history that began it.
bool ErrandsInFile::has_open_saga(const store::FlowSubject& subject) {
    std::uint64_t number = last_step_of(subject);
    while (number != 0 && !failed()) {
        const auto step = this->step(number);
        if (!step || step->is_damaged) return true;
        for (const flow::SagaStart& saga : step->step.sagas) {
            const auto state = one<std::int64_t>(
                tables_.select_saga_of_key.bind(1, saga.key.view()),
                [](const Statement& row) { return std::optional(row.integer(0)); });
            if (state != std::to_underlying(store::SagaState::done)) return true;
        }
        const auto previous =
            one<std::uint64_t>(tables_.select_previous.bind(1, of_number(number)),
                               [](const Statement& row) { return std::optional(number_in(row)); });
        if (previous.value_or(0) >= number) return true;
        number = previous.value_or(0);
    }
    return false;
}

void ErrandsInFile::remove_entity(const flow::Entity& entity) {
    const store::FlowSubject of = store::subject_of(entity);
    for (const flow::Slot& slot : entity.slots) flows_->drop_slot(of, slot);
    for (const flow::Fact& fact : entity.facts)
        if (!fact.while_in.empty()) flows_->drop_fact(of, fact.key);
    std::uint64_t number = last_step_of(of);
    std::int64_t bytes = 0;
    while (number != 0 && !failed()) {
        const auto previous =
            one<std::uint64_t>(tables_.select_previous.bind(1, of_number(number)),
                               [](const Statement& row) { return std::optional(number_in(row)); });
        bytes += removed(tables_.delete_step.bind(1, of_number(number)));
        // A chain only leads back; what lies behind a damaged link stays.
        if (previous.value_or(0) >= number) {
            looks_.damage().met("flow_step", fmt::format("number {}", number));
            break;
        }
        number = previous.value_or(0);
    }
    const std::string key = key_of(of);
    bytes += removed(tables_.delete_entity.bind(1, key));
    transaction_->weigh_flow(of.tenant, -bytes);
}

void ErrandsInFile::drop_closed(std::int64_t until_ms, std::int64_t now_ms, std::size_t limit) {
    // Whose it was says the row; one that cannot be read is nobody's.
    const auto drop = [&](Statement& statement, auto decode) {
        const auto gone = all<std::string>(statement, [](const Statement& row) {
            return std::optional(std::string(row.bytes(0)));
        });
        // Where nothing went nothing has to be flushed.
        if (!gone.empty()) transaction_->wrote();
        for (const std::string& row : gone)
            if (const auto entry = decode(row))
                transaction_->weigh_flow(entry->subject.tenant,
                                         -static_cast<std::int64_t>(row.size()));
    };
    drop(tables_.delete_attention.bind(1, until_ms).bind(2, of_number(limit)),
         store::decode_attention);
    drop(tables_.delete_waiting.bind(1, now_ms).bind(2, of_number(limit)), store::decode_waiting);
}

}  // namespace pawl::sqlite
