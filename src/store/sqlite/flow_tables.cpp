// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/flow_tables.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <sqlite3.h>

#include "runtime/codec/text.hpp"
#include "store/port/flow_format.hpp"

namespace pawl::sqlite {
namespace {

std::string resource_key(const store::FlowSubject& of, const std::string& resource) {
    return name_key(of.tenant, of.flow, resource);
}

}  // namespace

FlowTables::FlowTables(const Connection& connection, store::DamageBook& damage)
    : looks(connection, damage),
      put_entity(connection.prepare(
          "INSERT INTO flow_entity (key, next_ms, name, last_step, row) VALUES (?1, NULLIF(?2, "
          "9223372036854775807), NULLIF(?3, x''), 0, ?4) ON CONFLICT (key) DO UPDATE SET "
          "next_ms = excluded.next_ms, row = excluded.row")),
      measure_entity(connection.prepare("SELECT LENGTH(row) FROM flow_entity WHERE key = ?1")),
      insert_step(connection.prepare(
          "INSERT INTO flow_step (previous, outgoing, row) VALUES ((SELECT last_step FROM "
          "flow_entity WHERE key = ?1), ?2, ?3)")),
      link_step(connection.prepare(
          "UPDATE flow_entity SET last_step = last_insert_rowid() WHERE key = ?1")),
      put_level(connection.prepare(
          "INSERT OR REPLACE INTO stock_level (key, available, reserved, sold) VALUES (?1, ?2, "
          "?3, ?4)")),
      select_fact(connection.prepare("SELECT row FROM flow_fact WHERE key = ?1")),
      put_fact(connection.prepare("INSERT INTO flow_fact (key, row) VALUES (?1, ?2)")),
      delete_fact(connection.prepare("DELETE FROM flow_fact WHERE key = ?1 RETURNING LENGTH(row)")),
      select_slots(connection.prepare("SELECT number, row FROM flow_slot WHERE resource = ?1")),
      insert_slot(connection.prepare("INSERT INTO flow_slot (resource, row) VALUES (?1, ?2)")),
      delete_slot(
          connection.prepare("DELETE FROM flow_slot WHERE number = ?1 RETURNING LENGTH(row)")),
      select_saga(connection.prepare("SELECT number, row FROM flow_saga WHERE key = ?1")),
      insert_saga(connection.prepare("INSERT OR IGNORE INTO flow_saga (key, state, next_ms, row) "
                                     "VALUES (?1, 0, ?2, ?3)")),
      changes(connection.prepare("SELECT changes()")),
      select_waiting(connection.prepare("SELECT row, number FROM flow_waiting WHERE meeting = ?1 "
                                        "AND remember_ms IS NULL ORDER BY "
                                        "number")),
      insert_waiting(connection.prepare(
          "INSERT OR IGNORE INTO flow_waiting (key, meeting, row) VALUES (?1, ?2, ?3)")),
      delete_waiting(
          connection.prepare("DELETE FROM flow_waiting WHERE key = ?1 RETURNING LENGTH(row)")),
      forget_waiting(connection.prepare(
          "DELETE FROM flow_waiting WHERE key = ?1 AND remember_ms <= ?2 RETURNING LENGTH(row)")),
      remember_waiting(
          connection.prepare("UPDATE flow_waiting SET remember_ms = ?2 WHERE key = ?1")),
      select_attention(connection.prepare("SELECT 1 FROM flow_attention WHERE key = ?1 AND "
                                          "(closed_ms IS NULL OR closed_ms > ?2)")),
      select_closed(connection.prepare("SELECT number, row FROM flow_attention WHERE key = ?1 AND "
                                       "closed_ms IS NOT NULL ORDER BY number DESC")),
      insert_attention(
          connection.prepare("INSERT INTO flow_attention (key, row, meeting) VALUES (?1, ?2, ?3)")),
      insert_about(connection.prepare(
          "INSERT INTO flow_about (fact, number) VALUES (?1, last_insert_rowid())")),
      select_about(connection.prepare(
          "SELECT number, row FROM flow_about JOIN flow_attention USING (number) WHERE fact = ?1 "
          "ORDER BY number")),
      delete_about(connection.prepare("DELETE FROM flow_about WHERE fact = ?1 AND number = ?2")),
      measure_attention(
          connection.prepare("SELECT LENGTH(row) FROM flow_attention WHERE number = ?1")),
      update_attention(connection.prepare(
          "UPDATE flow_attention SET closed_ms = ?2, row = ?3 WHERE number = ?1")) {}

void FlowsInTransaction::keep(int result) {
    const bool good = result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW;
    if (result_ == SQLITE_OK && !good) result_ = result;
}

void FlowsInTransaction::keep_damaged(std::string_view table, std::string whose) {
    keep(kRowDamaged);
    tables_.looks.damage().met(table, std::move(whose));
}

void FlowsInTransaction::run(Statement& statement) {
    if (failed()) return;
    transaction_.wrote();
    keep(statement.run());
}

std::int64_t FlowsInTransaction::measure(Statement& statement) {
    if (failed()) return 0;
    std::int64_t bytes = 0;
    int result = statement.step();
    for (; result == SQLITE_ROW; result = statement.step()) bytes += statement.integer(0);
    keep(result);
    return bytes;
}

void FlowsInTransaction::weigh(const std::string& tenant, const std::string& row) {
    transaction_.weigh_flow(tenant, static_cast<std::int64_t>(row.size()));
}

void FlowsInTransaction::remove(const std::string& tenant, Statement& statement) {
    transaction_.wrote();
    transaction_.weigh_flow(tenant, -measure(statement));
}

bool FlowsInTransaction::changed_any() {
    if (failed()) return false;
    keep(tables_.changes.step());
    const bool changed = !failed() && tables_.changes.integer(0) > 0;
    tables_.changes.reset();
    return changed;
}

template <class T>
T FlowsInTransaction::value_or_fail(Coded<T> read) {
    if (read) return *std::move(read);
    keep(read.error());
    return {};
}

std::optional<flow::Entity> FlowsInTransaction::entity(const store::FlowSubject& subject) {
    if (failed()) return {};
    return value_or_fail(tables_.looks.entity(subject));
}

std::optional<stock::Level> FlowsInTransaction::level(const std::string& tenant,
                                                      const stock::Sku& sku) {
    if (failed()) return {};
    return value_or_fail(tables_.looks.level(tenant, sku));
}

std::optional<flow::Fact> FlowsInTransaction::fact(const Digest& key) {
    if (failed()) return {};
    Statement& select = tables_.select_fact;
    const int result = select.bind(1, key.view()).step();
    keep(result);
    if (result != SQLITE_ROW) return {};
    auto fact = store::decode_fact(select.bytes(0));
    select.reset();
    if (!fact) keep_damaged("flow_fact", to_hex(key.view().substr(0, 8)));
    return fact;
}

std::optional<flow::Holder> FlowsInTransaction::saga_begun(const Digest& key) {
    if (failed()) return {};
    Statement& select = tables_.select_saga;
    const int result = select.bind(1, key.view()).step();
    keep(result);
    if (result != SQLITE_ROW) return {};
    const std::int64_t number = select.integer(0);
    const auto row = store::decode_saga(select.bytes(1));
    select.reset();
    if (!row) keep_damaged("flow_saga", fmt::format("number {}", number));
    if (!row) return {};
    return flow::Holder{row->subject.id, row->version, {}, 0};
}

std::optional<std::uint64_t> FlowsInTransaction::settled_on(const Digest& entry) {
    if (failed()) return {};
    Statement& select = tables_.select_closed;
    int result = select.bind(1, entry.view()).step();
    for (; result == SQLITE_ROW; result = select.step()) {
        const auto closed = store::decode_attention(select.bytes(1));
        if (!closed) {
            keep_damaged("flow_attention", fmt::format("number {}", select.integer(0)));
            break;
        }
        if (closed->closed_as != store::ClosedAs::settled) continue;
        select.reset();
        return closed->judged_on;
    }
    keep(result);
    select.reset();
    return {};
}

std::vector<FlowsInTransaction::Numbered<flow::Slot>> FlowsInTransaction::slots_of(
    const std::string& resource, bool passes_damaged) {
    std::vector<Numbered<flow::Slot>> slots;
    if (failed()) return slots;
    Statement& select = tables_.select_slots;
    int result = select.bind(1, resource).step();
    for (; result == SQLITE_ROW; result = select.step()) {
        if (auto slot = store::decode_slot(select.bytes(1)))
            slots.push_back({select.integer(0), *std::move(slot)});
        else if (!passes_damaged)
            keep_damaged("flow_slot", fmt::format("number {}", select.integer(0)));
    }
    keep(result);
    return slots;
}

std::vector<flow::Slot> FlowsInTransaction::slots(const store::FlowSubject& of,
                                                  const std::string& resource) {
    std::vector<flow::Slot> slots;
    for (auto& [number, slot] : slots_of(resource_key(of, resource), false))
        slots.push_back(std::move(slot));
    return slots;
}

std::vector<flow::WaitingFact> FlowsInTransaction::waiting(const std::string& meeting) {
    std::vector<flow::WaitingFact> facts;
    if (failed()) return facts;
    Statement& select = tables_.select_waiting;
    int result = select.bind(1, meeting).step();
    for (; result == SQLITE_ROW; result = select.step()) {
        if (auto entry = store::decode_waiting(select.bytes(0)))
            facts.push_back(std::move(entry->fact));
        else
            keep_damaged("flow_waiting", fmt::format("number {}", select.integer(1)));
    }
    keep(result);
    return facts;
}

record::Row FlowsInTransaction::record(const Digest& identity) {
    record_.reset();
    if (!failed()) record_ = value_or_fail(transaction_.find(identity));
    if (record_) return record_->row;
    record::Row absent;
    absent.identity = identity;
    return absent;
}

bool FlowsInTransaction::is_over_limit(const record::Claim& claim) {
    return !record_ && transaction_.is_over_limit(claim);
}

std::optional<record::Answer> FlowsInTransaction::answer(const record::Row& row) {
    if (failed()) return {};
    return value_or_fail(stored_answer(records_.select_answer, row, transaction_.now_ms()));
}

void FlowsInTransaction::put_entity(const flow::Entity& entity) {
    const std::string key = entity_key(entity.tenant, entity.flow, entity.id);
    const std::string name = entity.business_key.empty()
                                 ? std::string()
                                 : name_key(entity.tenant, entity.flow, entity.business_key);
    const std::string row = store::encode(entity);
    transaction_.weigh_flow(entity.tenant, -measure(tables_.measure_entity.bind(1, key)));
    weigh(entity.tenant, row);
    run(tables_.put_entity.bind(1, key)
            .bind(2, timer::earliest_ms(entity.deadlines))
            .bind(3, name)
            .bind(4, row));
}

void FlowsInTransaction::add_step(const store::FlowSubject& subject, const store::FlowStep& step) {
    const std::string key = entity_key(subject.tenant, subject.flow, subject.id);
    const std::string row =
        store::encode(store::StoredStep{0, {subject.tenant, subject.flow, subject.id, {}}, step});
    const std::int64_t outgoing = step.history.type.empty() ? 0 : 1;
    run(tables_.insert_step.bind(1, key).bind(2, outgoing).bind(3, row));
    run(tables_.link_step.bind(1, key));
    weigh(subject.tenant, row);
}

void FlowsInTransaction::put_level(const std::string& tenant, const stock::Sku& sku,
                                   const stock::Level& level) {
    const std::string key = level_key(tenant, sku);
    run(tables_.put_level.bind(1, key)
            .bind(2, level.available)
            .bind(3, level.reserved)
            .bind(4, level.sold));
}

void FlowsInTransaction::put_fact(const store::FlowSubject& of, const flow::Fact& fact) {
    const std::string row = store::encode(fact);
    weigh(of.tenant, row);
    run(tables_.put_fact.bind(1, fact.key.view()).bind(2, row));
}

void FlowsInTransaction::drop_fact(const store::FlowSubject& of, const Digest& key) {
    remove(of.tenant, tables_.delete_fact.bind(1, key.view()));
}

void FlowsInTransaction::put_slot(const store::FlowSubject& of, const flow::Slot& slot) {
    const std::string resource = resource_key(of, slot.resource);
    const std::string row = store::encode(slot);
    weigh(of.tenant, row);
    run(tables_.insert_slot.bind(1, resource).bind(2, row));
}

void FlowsInTransaction::drop_slot(const store::FlowSubject& of, const flow::Slot& slot) {
    for (const auto& [number, one] : slots_of(resource_key(of, slot.resource), true))
        if (one.from == slot.from && one.to == slot.to && one.holder.id == slot.holder.id)
            remove(of.tenant, tables_.delete_slot.bind(1, number));
}

bool FlowsInTransaction::start_saga(const store::SagaRow& saga) {
    const std::string row = store::encode(saga);
    run(tables_.insert_saga.bind(1, saga.start.key.view()).bind(2, saga.next_ms).bind(3, row));
    const bool started = changed_any();
    if (started) weigh(saga.subject.tenant, row);
    return started;
}

void FlowsInTransaction::put_waiting(const store::FlowSubject& subject,
                                     const flow::WaitingFact& fact, std::int64_t now_ms) {
    const Digest key = flow::key_of(fact);
    const std::string row = store::encode(store::WaitingEntry{0, subject, fact});
    remove(subject.tenant, tables_.forget_waiting.bind(1, key.view()).bind(2, now_ms));
    run(tables_.insert_waiting.bind(1, key.view()).bind(2, fact.meeting).bind(3, row));
    if (changed_any()) weigh(subject.tenant, row);
}

void FlowsInTransaction::drop_waiting(const flow::WaitingFact& fact,
                                      std::int64_t remember_until_ms) {
    const Digest key = flow::key_of(fact);
    if (remember_until_ms == 0)
        return remove(fact.tenant, tables_.delete_waiting.bind(1, key.view()));
    run(tables_.remember_waiting.bind(1, key.view()).bind(2, remember_until_ms));
}

void FlowsInTransaction::put_attention(store::AttentionEntry entry, std::int64_t closed_after_ms) {
    if (failed()) return;
    const Digest key = store::key_of(entry);
    const int known = tables_.select_attention.bind(1, key.view()).bind(2, closed_after_ms).step();
    keep(known);
    if (known == SQLITE_ROW) return tables_.select_attention.reset();
    const std::string row = store::encode(entry);
    weigh(entry.subject.tenant, row);
    const std::string meeting = store::meeting_of(entry.subject);
    run(tables_.insert_attention.bind(1, key.view()).bind(2, row).bind(3, meeting));
    for (const flow::Fact& fact : entry.about)
        run(tables_.insert_about.bind(1,
                                      fact.key.view()));  // whose table has no row ids of its own
}

std::vector<store::AttentionEntry> FlowsInTransaction::open_about(const Digest& fact) {
    std::vector<store::AttentionEntry> open;
    if (failed()) return open;
    Statement& select = tables_.select_about;
    int result = select.bind(1, fact.view()).step();
    for (; result == SQLITE_ROW; result = select.step()) {
        // One that cannot be read stays open; money does not wait for it.
        auto entry = store::decode_attention(select.bytes(1));
        if (!entry) continue;
        entry->number = static_cast<std::uint64_t>(select.integer(0));
        open.push_back(*std::move(entry));
    }
    keep(result);
    return open;
}

void FlowsInTransaction::put_attention_entry(const store::AttentionEntry& entry) {
    const auto number = static_cast<std::int64_t>(entry.number);
    const std::string row = store::encode(entry);
    transaction_.weigh_flow(entry.subject.tenant,
                            -measure(tables_.measure_attention.bind(1, number)));
    weigh(entry.subject.tenant, row);
    run(tables_.update_attention.bind(1, number).bind(2, entry.closed_ms).bind(3, row));
    for (const flow::Fact& fact : entry.about)
        run(tables_.delete_about.bind(1, fact.key.view()).bind(2, number));
}

void FlowsInTransaction::put_record(const record::Row& before, const record::Row& after,
                                    const record::Answer& answer) {
    if (!failed()) keep(transaction_.put_completed(before, after, answer, record_));
}

}  // namespace pawl::sqlite
