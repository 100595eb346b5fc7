// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/indexer.hpp"

#include <algorithm>

#include <sqlite3.h>

#include "store/sqlite/row_frame.hpp"

namespace pawl::sqlite {
namespace {

constexpr std::size_t kBuckets = 256;

std::size_t bucket_of(std::int64_t hash) {
    // In the order of signed integers, as the table compares them.
    return static_cast<std::size_t>((static_cast<std::uint64_t>(hash) >> 56) ^ 0x80);
}

}  // namespace

Generation Indexer::fresh(std::uint32_t number, std::int64_t opened_ms) const {
    Generation generation;
    generation.number = number;
    generation.opened_ms = opened_ms;
    generation.recent = std::make_unique<Recent>(limits_.records, seed_);
    return generation;
}

int Indexer::load(std::vector<RecordId>& unended) {
    std::vector<StateChange> unresolved;
    const auto found_unresolved = [&](RecordId record, const record::Row& row) {
        const store::Burdened who = store::burdened_by(row);
        unresolved.push_back({record, row.state, row.changed_ms, row.lease_until_ms, who});
        // Those in progress are counted once their lease is over.
        if (store::is_burden(row, std::numeric_limits<std::int64_t>::min()))
            tables_.counts.add(who);
        const bool ended = row.state != record::State::in_progress && row.owner_gone_ms != 0 &&
                           !row.earlier_may_live;
        if (!ended) unended.push_back(record);
    };
    Statement select = tables_.connection.prepare(
        "SELECT number, state, opened_ms, records, filter, due_ms FROM generation ORDER BY number");
    int result = select.step();
    for (; result == SQLITE_ROW; result = select.step()) {
        if (select.integer(1) < 1 || select.integer(1) > 3) return SQLITE_CORRUPT;
        const auto stage = static_cast<Stage>(select.integer(1));
        Generation generation;
        if (stage == Stage::ready) {
            generation.number = static_cast<std::uint32_t>(select.integer(0));
            generation.opened_ms = select.integer(2);
            // It gets its filter in the same commit; without one its index may not be whole either.
            if (select.bytes(4).empty()) return SQLITE_CORRUPT;
            const auto filter = BloomFilter::from(select.bytes(4));
            generation.filter = filter ? *filter : BloomFilter::full();
        } else {
            generation = fresh(static_cast<std::uint32_t>(select.integer(0)), select.integer(2));
            if (const int loaded = load_records(generation, found_unresolved); loaded != SQLITE_OK)
                return loaded;
        }
        generation.stage = stage;
        generation.records = static_cast<std::uint32_t>(select.integer(3));
        generation.due_ms = select.integer(5);
        tables_.catalog.push(std::move(generation));
    }
    if (result != SQLITE_DONE) return result;
    if (result = check_listed(); result != SQLITE_OK) return result;
    if (result = load_unresolved(found_unresolved); result != SQLITE_OK) return result;
    tables_.unresolved.apply(unresolved);
    if (!tables_.catalog.generations().empty()) return SQLITE_OK;

    Generation first = fresh(1, tables_.time->now_ms());
    Statement insert = tables_.connection.prepare(
        "INSERT INTO generation (number, state, opened_ms, records, due_ms) VALUES (1, 1, ?1, 0, "
        "0)");
    result = insert.bind(1, first.opened_ms).run();
    tables_.catalog.push(std::move(first));
    return result;
}

// Records of a generation that nobody lists would be looked for nowhere, and their keys be taken for new.
int Indexer::check_listed() {
    Statement select = tables_.connection.prepare("SELECT MIN(id) FROM record WHERE id > ?1");
    for (std::int64_t after = std::numeric_limits<std::int64_t>::min();;) {
        const int result = select.bind(1, after).step();
        if (result != SQLITE_ROW) return result == SQLITE_DONE ? SQLITE_OK : result;
        if (select.is_null(0)) return SQLITE_OK;
        const RecordId first{select.integer(0)};
        select.reset();
        if (tables_.catalog.find(first.generation()) == nullptr) return SQLITE_CORRUPT;
        after = RecordId::of(first.generation(), ~0U).value;
    }
}

int Indexer::load_records(Generation& generation, const OnUnresolved& found_unresolved) {
    Statement select = tables_.connection.prepare(
        "SELECT id, row FROM record WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
    select.bind(1, RecordId::of(generation.number, 0).value)
        .bind(2, RecordId::of(generation.number, ~0U).value);
    int result = select.step();
    for (; result == SQLITE_ROW; result = select.step()) {
        const RecordId record{select.integer(0)};
        const std::string_view frame = select.bytes(1);
        Recent& recent = *generation.recent;
        while (recent.size() + 1 < record.position()) recent.skip();
        // Out of order: a number is damaged, and every record behind it would be looked for elsewhere.
        if (recent.size() + 1 != record.position()) return SQLITE_CORRUPT;
        auto read = row_in(frame);
        if (!read && !add_unreadable(recent, record, frame)) return SQLITE_CORRUPT;
        const record::Row row =
            read ? std::move(*read) : record::unreadable_row(recent.identity(recent.size()));
        if (read) highest_fence_ = std::max(highest_fence_, row.fence.number);
        if (read) recent.add(row.identity);
        if (!row.key_label.empty()) recent.add_name({key_hash(row.key_label), record.position()});
        if (!row.trace_id.empty()) recent.add_name({trace_hash(row.trace_id), record.position()});
        if (record::is_unresolved(row.state)) found_unresolved(record, row);
    }
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

bool Indexer::add_unreadable(Recent& recent, RecordId record, std::string_view frame) {
    const std::vector<Digest> bearers = bearers_of(frame);
    if (bearers.empty()) {
        nobodys_ = record;
        return false;
    }
    recent.add(bearers.front());
    for (std::size_t i = 1; i < bearers.size(); ++i) recent.add_doubt(bearers[i]);
    return true;
}

int Indexer::load_unresolved(const OnUnresolved& found_unresolved) {
    Statement select = tables_.connection.prepare("SELECT record FROM unresolved ORDER BY record");
    int result = select.step();
    for (; result == SQLITE_ROW; result = select.step()) {
        const auto found = tables_.finder.load({select.integer(0)});
        if (!found) return found.error();
        if (!*found || !record::is_unresolved((*found)->row.state)) continue;
        found_unresolved((*found)->record, (*found)->row);
    }
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

bool Indexer::must_seal() const {
    const Generation& open = tables_.catalog.open();
    if (open.recent->size() >= limits_.records) return true;
    return open.recent->size() > 0 &&
           tables_.time->now_ms() - open.opened_ms >= limits_.age.count();
}

bool Indexer::pending() const {
    if (must_seal()) return true;
    return std::ranges::any_of(tables_.catalog.generations(), [](const Generation& generation) {
        return generation.stage == Stage::sealed;
    });
}

Coded<bool> Indexer::step() {
    int result = SQLITE_OK;
    if (must_seal()) {
        result = seal();
    } else {
        const Generation* sealed = nullptr;
        for (const Generation& generation : tables_.catalog.generations())
            if (sealed == nullptr && generation.stage == Stage::sealed) sealed = &generation;
        if (sealed == nullptr) return false;
        if (!plan_ || plan_->number != sealed->number) draw_plan(*sealed);
        result = plan_->bucket < kBuckets ? write_slice(*sealed) : finish(*sealed);
    }
    if (result != SQLITE_OK) return std::unexpected(result);
    return true;
}

int Indexer::seal() {
    const Generation& open = tables_.catalog.open();
    Generation next = fresh(open.number + 1, tables_.time->now_ms());
    Transaction transaction(tables_);
    int result = transaction.begin();
    if (result != SQLITE_OK) return result;
    Statement close = tables_.connection.prepare(
        "UPDATE generation SET state = 2, records = ?2 WHERE number = ?1");
    result = close.bind(1, open.number).bind(2, open.recent->size()).run();
    if (result != SQLITE_OK) return result;
    Statement insert = tables_.connection.prepare(
        "INSERT INTO generation (number, state, opened_ms, records, due_ms) VALUES (?1, 1, ?2, 0, "
        "0)");
    result = insert.bind(1, next.number).bind(2, next.opened_ms).run();
    if (result != SQLITE_OK) return result;
    transaction.wrote();
    if (result = transaction.commit(); result != SQLITE_OK) return result;
    tables_.catalog.seal_open(std::move(next));
    return SQLITE_OK;
}

void Indexer::draw_plan(const Generation& generation) {
    plan_.emplace();
    plan_->number = generation.number;
    const Recent& recent = *generation.recent;
    for (std::uint32_t position = 1; position <= recent.size(); ++position)
        if (const Digest& identity = recent.identity(position); identity != Digest{})
            plan_->positions[identity.bytes[0]].push_back(position);
    for (const Name& name : recent.names()) plan_->names[bucket_of(name.hash)].push_back(name);
}

int Indexer::write_slice(const Generation& generation) {
    Transaction transaction(tables_);
    int result = transaction.begin();
    std::size_t bucket = plan_->bucket;
    std::size_t written = plan_->written;
    for (std::size_t entries = 0;
         result == SQLITE_OK && entries < kIndexedPerStep && bucket < kBuckets;) {
        if (written == 0) sort_bucket(bucket, generation);
        if (written == plan_->positions[bucket].size() + plan_->names[bucket].size()) {
            ++bucket;
            written = 0;
            continue;
        }
        result = write_entry(generation, bucket, written);
        ++written;
        ++entries;
    }
    if (result != SQLITE_OK) return result;
    transaction.wrote();
    if (result = transaction.commit(); result != SQLITE_OK) return result;
    plan_->bucket = bucket;
    plan_->written = written;
    return SQLITE_OK;
}

void Indexer::sort_bucket(std::size_t bucket, const Generation& generation) {
    const Recent& recent = *generation.recent;
    std::ranges::sort(plan_->positions[bucket], {}, [&](std::uint32_t position) {
        return std::pair<const Digest&, std::uint32_t>(recent.identity(position), position);
    });
    std::ranges::sort(plan_->names[bucket], {},
                      [](const Name& name) { return std::pair(name.hash, name.position); });
}

int Indexer::write_entry(const Generation& generation, std::size_t bucket, std::size_t place) {
    const std::vector<std::uint32_t>& positions = plan_->positions[bucket];
    if (place < positions.size()) {
        const std::uint32_t position = positions[place];
        return tables_.insert_identity.bind(1, generation.number)
            .bind(2, generation.recent->identity(position).view())
            .bind(3, position)
            .run();
    }
    const Name& name = plan_->names[bucket][place - positions.size()];
    return tables_.insert_name.bind(1, generation.number)
        .bind(2, name.hash)
        .bind(3, name.position)
        .run();
}

int Indexer::finish(const Generation& generation) {
    const Recent& recent = *generation.recent;
    BloomFilter filter(recent.size());
    for (std::uint32_t position = 1; position <= recent.size(); ++position)
        filter.add(recent.identity(position));
    for (const Doubt& doubt : recent.doubts()) filter.add(doubt.identity);
    const std::string bytes = filter.bytes();

    Transaction transaction(tables_);
    int result = transaction.begin();
    if (result != SQLITE_OK) return result;
    for (const RecordId record : tables_.unresolved.of_generation(generation.number)) {
        result = tables_.insert_unresolved.bind(1, record.value).run();
        if (result != SQLITE_OK) return result;
    }
    for (const Doubt& doubt : recent.doubts()) {
        result = tables_.insert_identity.bind(1, generation.number)
                     .bind(2, doubt.identity.view())
                     .bind(3, doubt.position)
                     .run();
        if (result != SQLITE_OK) return result;
    }
    Statement update = tables_.connection.prepare(
        "UPDATE generation SET state = 3, filter = ?2 WHERE number = ?1");
    result = update.bind(1, generation.number).bind(2, bytes).run();
    if (result != SQLITE_OK) return result;
    transaction.wrote();
    if (result = transaction.commit(); result != SQLITE_OK) return result;
    tables_.catalog.make_ready(generation.number, std::move(filter));
    plan_.reset();
    return SQLITE_OK;
}

}  // namespace pawl::sqlite
