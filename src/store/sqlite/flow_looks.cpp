// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/flow_looks.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/port/flow_format.hpp"
#include "store/port/flow_rows.hpp"

namespace pawl::sqlite {
namespace {

// Four bytes of length before it: no two lists of parts have the same bytes.
void add_part(std::string& key, std::string_view part) {
    for (int shift = 24; shift >= 0; shift -= 8)
        key.push_back(static_cast<char>(part.size() >> shift & 0xFF));
    key.append(part);
}

std::string scope_key(std::string_view tenant, std::string_view flow) {
    std::string key;
    add_part(key, tenant);
    add_part(key, flow);
    return key;
}

// The first row that the statement gives, made by `take`, which says nullopt for one that cannot be read.
template <class Row, class Take>
Coded<std::optional<Row>> one(Statement& select, Take take) {
    const int result = select.step();
    if (result == SQLITE_DONE) return std::nullopt;
    if (result != SQLITE_ROW) return std::unexpected(result);
    std::optional<Row> row = take(select);
    select.reset();
    if (!row) return std::unexpected(kRowDamaged);
    return row;
}

// Of bytes with their length before them; nothing where that leads beyond the end.
std::string_view take_part(std::string_view& key) {
    std::size_t size = 0;
    for (std::size_t byte = 0; byte < 4 && byte < key.size(); ++byte)
        size = size << 8 | static_cast<unsigned char>(key[byte]);
    key.remove_prefix(std::min<std::size_t>(4, key.size()));
    const std::string_view part = key.substr(0, size);
    key.remove_prefix(part.size());
    return part;
}

// For people, from the key of an entity.
std::string whose(std::string_view key) {
    const std::string_view tenant = take_part(key);
    const std::string_view flow = take_part(key);
    const std::string_view id = take_part(key);
    if (tenant.empty()) return fmt::format("{} {}", flow, id);
    return fmt::format("{} {} of tenant {}", flow, id, tenant);
}

std::optional<flow::Entity> entity_in(const Statement& select) {
    return store::decode_entity(select.bytes(0));
}

// Or never.
Coded<std::int64_t> first_ms(Statement& select) {
    const auto next = one<std::int64_t>(
        select, [](const Statement& row) { return std::optional(row.integer(0)); });
    if (!next) return std::unexpected(next.error());
    return next->value_or(timer::kNever);
}

struct Link {
    store::FlowStep step;
    std::int64_t previous = 0;
};

}  // namespace

std::string entity_key(std::string_view tenant, std::string_view flow, std::string_view id) {
    return scope_key(tenant, flow).append(store::order_of_id(id));
}

std::string name_key(std::string_view tenant, std::string_view flow, std::string_view text) {
    return scope_key(tenant, flow).append(text);
}

std::string level_key(std::string_view tenant, const stock::Sku& sku) {
    return scope_key(tenant, stock::name_of(sku.kind)).append(sku.code);
}

FlowLooks::FlowLooks(const Connection& connection, store::DamageBook& damage)
    : damage_(damage),
      by_id_(connection.prepare("SELECT row, last_step FROM flow_entity WHERE key = ?1")),
      by_name_(connection.prepare("SELECT row, last_step FROM flow_entity WHERE name = ?1")),
      select_level_(
          connection.prepare("SELECT available, reserved, sold FROM stock_level WHERE key = ?1")),
      select_page_(connection.prepare("SELECT row, key FROM flow_entity WHERE key >= ?1 AND "
                                      "key < ?2 ORDER BY key DESC")),
      select_after_(
          connection.prepare("SELECT key, row FROM flow_entity WHERE key > ?1 ORDER BY key")),
      select_previous_(connection.prepare("SELECT previous FROM flow_step WHERE number = ?1")),
      select_step_(connection.prepare("SELECT row, previous FROM flow_step WHERE number = ?1")),
      select_waiting_(connection.prepare(
          "SELECT number, row FROM flow_waiting WHERE number > ?1 AND remember_ms IS NULL ORDER BY "
          "number")),
      select_attention_(connection.prepare(
          "SELECT number, row FROM flow_attention WHERE number > ?1 AND closed_ms IS NULL ORDER BY "
          "number")),
      select_entries_of_(connection.prepare(
          "SELECT number, row FROM flow_attention WHERE meeting = ?1 AND number < ?2 ORDER BY "
          "number DESC")),
      select_closed_(connection.prepare(
          "SELECT number, row FROM flow_attention WHERE closed_ms IS NOT NULL AND (closed_ms, "
          "number) < (CASE ?1 WHEN 0 THEN 9223372036854775807 ELSE (SELECT closed_ms FROM "
          "flow_attention WHERE number = ?1) END, ?1) ORDER BY closed_ms DESC, number DESC")),
      select_due_(connection.prepare(
          "SELECT row, key FROM flow_entity WHERE next_ms <= ?1 ORDER BY next_ms, key")),
      select_next_(connection.prepare("SELECT next_ms FROM flow_entity WHERE next_ms IS NOT NULL "
                                      "ORDER BY next_ms LIMIT 1")),
      select_due_sagas_(connection.prepare("SELECT number, row FROM flow_saga WHERE state = 0 AND "
                                           "next_ms <= ?1 ORDER BY next_ms, number")),
      select_sagas_(connection.prepare(
          "SELECT number, row FROM flow_saga WHERE number > ?1 ORDER BY number")),
      select_sagas_in_(connection.prepare(
          "SELECT number, row FROM flow_saga WHERE number > ?1 AND state = ?2 ORDER BY number")),
      select_sagas_for_people_(connection.prepare(
          "SELECT number, row FROM flow_saga WHERE number > ?1 AND state = 2 ORDER BY number")),
      select_open_sagas_(connection.prepare("SELECT number, row, key FROM flow_saga WHERE number > "
                                            "?1 AND state <> 1 ORDER BY number LIMIT ?2")),
      select_saga_of_key_(
          connection.prepare("SELECT number, row, key FROM flow_saga WHERE key = ?1")) {}

Coded<std::optional<flow::Entity>> FlowLooks::entity(const store::FlowSubject& subject) {
    const bool by_id = !subject.id.empty();
    if (!by_id && subject.business_key.empty()) return std::nullopt;
    const std::string key = by_id ? entity_key(subject.tenant, subject.flow, subject.id)
                                  : name_key(subject.tenant, subject.flow, subject.business_key);
    auto found = one<flow::Entity>((by_id ? by_id_ : by_name_).bind(1, key), entity_in);
    if (!found && found.error() == kRowDamaged)
        damage_.met("flow_entity", by_id ? whose(key)
                                         : fmt::format("{} with business key {}", subject.flow,
                                                       subject.business_key));
    return found;
}

template <class Row, class Take, class Whose>
Coded<std::vector<Row>> FlowLooks::readable(Statement& select, std::size_t limit,
                                            std::string_view table, Take take, Whose whose) {
    std::vector<Row> rows;
    if (limit == 0) return rows;
    std::size_t passed = 0;
    int result = select.step();
    for (; result == SQLITE_ROW; result = select.step()) {
        std::optional<Row> row = take(select);
        if (row) {
            rows.push_back(*std::move(row));
            if (rows.size() < limit) continue;
            select.reset();
            return rows;
        }
        damage_.met(table, whose(select));
        if (++passed < kDamagedPassedMax) continue;
        select.reset();
        return std::unexpected(kRowDamaged);
    }
    if (result != SQLITE_DONE) return std::unexpected(result);
    return rows;
}

template <class Row, class Take>
Coded<std::vector<Row>> FlowLooks::numbered(Statement& select, std::size_t limit,
                                            std::string_view table, Take decode) {
    return readable<Row>(
        select, limit, table,
        [decode](const Statement& row) {
            std::optional<Row> entry = decode(row.bytes(1));
            if (entry) entry->number = static_cast<std::uint64_t>(row.integer(0));
            return entry;
        },
        [](const Statement& row) { return fmt::format("number {}", row.integer(0)); });
}

Coded<std::optional<stock::Level>> FlowLooks::level(const std::string& tenant,
                                                    const stock::Sku& sku) {
    const std::string key = level_key(tenant, sku);
    auto found = one<stock::Level>(
        select_level_.bind(1, key), [](const Statement& row) -> std::optional<stock::Level> {
            const stock::Level level{row.integer(0), row.integer(1), row.integer(2)};
            if (!stock::is_sound(level)) return std::nullopt;
            return level;
        });
    if (!found && found.error() == kRowDamaged)
        damage_.met("stock_level", fmt::format("{} {}", stock::name_of(sku.kind), sku.code));
    return found;
}

Coded<std::vector<flow::Entity>> FlowLooks::page(const store::PageQuery& query) {
    const std::string first = scope_key(query.tenant, query.flow);
    // No id is so long.
    const std::string end =
        query.after.empty() ? first + "\xFF" : entity_key(query.tenant, query.flow, query.after);
    return readable<flow::Entity>(select_page_.bind(1, first).bind(2, end), query.limit,
                                  "flow_entity", entity_in,
                                  [](const Statement& row) { return whose(row.bytes(1)); });
}

// A chain that leads back from the latest. Versions rise by one, so that it is known how many links lie before those
// that were asked for; they are passed without a look at what they say.
Coded<std::vector<store::FlowStep>> FlowLooks::history(const store::FlowSubject& subject,
                                                       std::uint64_t after, std::size_t limit) {
    std::vector<store::FlowStep> steps;
    const auto found = entity(subject);
    if (!found) return std::unexpected(found.error());
    if (!*found) return steps;
    const std::string key = entity_key((*found)->tenant, (*found)->flow, (*found)->id);
    const auto last = one<std::int64_t>(
        by_id_.bind(1, key), [](const Statement& row) { return std::optional(row.integer(1)); });
    if (!last) return std::unexpected(last.error());
    std::int64_t number = last->value_or(0);
    const std::uint64_t version = (*found)->version;
    std::uint64_t newer = version > after && version - after > limit ? version - after - limit : 0;
    for (; newer > 0 && number != 0; --newer) {
        const auto previous =
            one<std::int64_t>(select_previous_.bind(1, number),
                              [](const Statement& row) { return std::optional(row.integer(0)); });
        if (!previous) return std::unexpected(previous.error());
        if (!*previous || **previous >= number) return std::unexpected(kRowDamaged);
        number = **previous;
    }
    while (number != 0) {
        auto link = one<Link>(select_step_.bind(1, number),
                              [](const Statement& row) -> std::optional<Link> {
                                  auto step = store::decode_step(row.bytes(0));
                                  if (!step) return std::nullopt;
                                  return Link{std::move(step->step), row.integer(1)};
                              });
        if (!link && link.error() == kRowDamaged)
            damage_.met("flow_step", fmt::format("number {}", number));
        if (!link) return std::unexpected(link.error());
        if (!*link || (*link)->previous >= number) return std::unexpected(kRowDamaged);
        if ((*link)->step.history.version <= after) break;
        number = (*link)->previous;
        steps.push_back(std::move((*link)->step));
    }
    std::ranges::reverse(steps);
    if (steps.size() > limit) steps.resize(limit);
    return steps;
}

Coded<store::StatesSlice> FlowLooks::states(const std::string& from, std::size_t limit) {
    store::StatesSlice slice;
    std::size_t seen = 0;
    int result = select_after_.bind(1, from).step();
    for (; result == SQLITE_ROW; result = select_after_.step()) {
        const std::string_view key = select_after_.bytes(0);
        slice.next = key;
        if (const auto entity = store::decode_entity(select_after_.bytes(1)))
            ++slice.entities[{entity->tenant, entity->flow, entity->state}];
        else
            damage_.met("flow_entity", whose(key));
        if (++seen < limit) continue;
        select_after_.reset();
        return slice;
    }
    if (result != SQLITE_DONE) return std::unexpected(result);
    slice.next.clear();
    return slice;
}

Coded<std::vector<store::WaitingEntry>> FlowLooks::waiting(std::uint64_t after, std::size_t limit) {
    return numbered<store::WaitingEntry>(select_waiting_.bind(1, static_cast<std::int64_t>(after)),
                                         limit, "flow_waiting", store::decode_waiting);
}

Coded<std::vector<store::AttentionEntry>> FlowLooks::attention(std::uint64_t after,
                                                               std::size_t limit) {
    return numbered<store::AttentionEntry>(
        select_attention_.bind(1, static_cast<std::int64_t>(after)), limit, "flow_attention",
        store::decode_attention);
}

Coded<std::vector<store::AttentionEntry>> FlowLooks::entries(const store::EntriesQuery& query) {
    const auto behind = static_cast<std::int64_t>(query.behind);
    if (!query.of)
        return numbered<store::AttentionEntry>(select_closed_.bind(1, behind), query.limit,
                                               "flow_attention", store::decode_attention);
    const std::string meeting = store::meeting_of(*query.of);
    return numbered<store::AttentionEntry>(
        select_entries_of_.bind(1, meeting)
            .bind(2, behind == 0 ? std::numeric_limits<std::int64_t>::max() : behind),
        query.limit, "flow_attention", store::decode_attention);
}

Coded<std::vector<store::DueRow>> FlowLooks::due(std::int64_t until_ms, std::size_t limit) {
    return readable<store::DueRow>(
        select_due_.bind(1, until_ms), limit, "flow_entity",
        [](const Statement& row) -> std::optional<store::DueRow> {
            auto entity = entity_in(row);
            if (!entity) return std::nullopt;
            return store::DueRow{{std::move(entity->tenant), std::move(entity->flow),
                                  std::move(entity->id), std::move(entity->business_key)},
                                 entity->version,
                                 std::move(entity->deadlines)};
        },
        [](const Statement& row) { return whose(row.bytes(1)); });
}

Coded<std::int64_t> FlowLooks::next_due_ms() { return first_ms(select_next_); }

Coded<std::vector<store::SagaRow>> FlowLooks::due_sagas(std::int64_t until_ms, std::size_t limit) {
    return numbered<store::SagaRow>(select_due_sagas_.bind(1, until_ms), limit, "flow_saga",
                                    store::decode_saga);
}

Coded<std::vector<store::SagaRow>> FlowLooks::sagas(std::optional<store::SagaState> state,
                                                    std::uint64_t after, std::size_t limit) {
    // The few that people look for have an index of their own.
    Statement& select = !state ? select_sagas_
                        : *state == store::SagaState::needs_attention
                            ? select_sagas_for_people_
                            : select_sagas_in_.bind(2, std::to_underlying(*state));
    return numbered<store::SagaRow>(select.bind(1, static_cast<std::int64_t>(after)), limit,
                                    "flow_saga", store::decode_saga);
}

std::optional<store::SagaRow> FlowLooks::any_saga_in(const Statement& row) {
    auto saga = store::decode_saga(row.bytes(1));
    if (!saga) {
        damage_.met("flow_saga", fmt::format("number {}", row.integer(0)));
        saga.emplace();
        saga->is_damaged = true;
        if (row.bytes(2).size() == Digest{}.view().size())
            saga->start.key = digest_from(row.bytes(2));
    }
    saga->number = static_cast<std::uint64_t>(row.integer(0));
    return saga;
}

Coded<std::vector<store::SagaRow>> FlowLooks::look_at_sagas(const store::SagasQuery& query) {
    std::vector<store::SagaRow> found;
    const auto take = [this](const Statement& row) { return any_saga_in(row); };
    for (const Digest& key : query.keys) {
        auto row = one<store::SagaRow>(select_saga_of_key_.bind(1, key.view()), take);
        if (!row) return std::unexpected(row.error());
        if (*row) found.push_back(**std::move(row));
    }
    std::ranges::sort(found, {}, &store::SagaRow::number);
    if (!query.keys.empty()) return found;
    Statement& select = select_open_sagas_.bind(1, static_cast<std::int64_t>(query.after))
                            .bind(2, static_cast<std::int64_t>(query.limit));
    int result = select.step();
    for (; result == SQLITE_ROW; result = select.step()) found.push_back(*any_saga_in(select));
    if (result != SQLITE_DONE) return std::unexpected(result);
    return found;
}

}  // namespace pawl::sqlite
