// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/look_ups.hpp"

#include <algorithm>

#include <sqlite3.h>

#include "store/sqlite/tables.hpp"
#include "store/sqlite/timeline.hpp"

namespace pawl::sqlite {
namespace {

constexpr int kLooksMax = 3;
constexpr std::size_t kChunk = 256;

// Nearly in order already: loops hand in their notes one after the other. Equal times keep their order.
void sort_by_time(std::vector<store::TimelineEntry>& entries) {
    for (auto next = entries.begin(); next != entries.end(); ++next) {
        const auto place = std::ranges::upper_bound(entries.begin(), next, next->at_ms, {},
                                                    &store::TimelineEntry::at_ms);
        std::rotate(place, next, next + 1);
    }
}

}  // namespace

LookUps::LookUps(const Connection& connection, const Catalog& catalog,
                 const UnresolvedSet& unresolved, const store::StoreTime& time,
                 store::DamageBook& damage, bool beside_writer)
    : connection_(connection),
      catalog_(catalog),
      unresolved_(unresolved),
      time_(time),
      beside_writer_(beside_writer),
      finder_(connection, catalog),
      flows_(connection, damage),
      errands_(connection),
      begin_(connection.prepare("BEGIN")),
      pin_(connection.prepare("SELECT id FROM mark")),
      end_(connection.prepare("COMMIT")),
      select_answer_(connection.prepare("SELECT answer FROM answer WHERE id = ?1")),
      select_timeline_(connection.prepare("SELECT entries FROM (SELECT number, entries FROM "
                                          "timeline WHERE record = ?1 ORDER BY number DESC "
                                          "LIMIT ?2) ORDER BY number")),
      select_forgotten_(connection.prepare(
          "SELECT entries FROM (SELECT number, entries FROM forgotten WHERE identity = ?1 "
          "ORDER BY number DESC LIMIT ?2) ORDER BY number")),
      find_forgotten_(connection.prepare(
          "SELECT identity FROM forgotten WHERE hash = ?1 ORDER BY number DESC LIMIT ?2")) {}

std::unexpected<Error> LookUps::failed(int result) const {
    return fail(failure_of(result, Phase::statement, connection_).error);
}

Result<store::Loaded> LookUps::flow(const store::FlowSubject& subject) {
    const std::int64_t now_ms = time_.now_ms();
    auto entity = flows_.entity(subject);
    if (!entity) return failed(entity.error());
    return store::Loaded{*std::move(entity), now_ms};
}

Result<store::DueRows> LookUps::due(std::int64_t until_ms, std::size_t limit) {
    const std::int64_t now_ms = time_.now_ms();
    auto rows = flows_.due(until_ms, limit);
    if (!rows) return failed(rows.error());
    return store::DueRows{*std::move(rows), now_ms};
}

template <class Look>
auto LookUps::in_one_state(Look look) {
    if (!beside_writer_) return look();
    for (int looks = 1;; ++looks) {
        // The state of the file is fixed before the catalog is asked: a row that is in it is either where
        // the catalog says, or still where it was.
        const std::uint64_t version = catalog_.version();
        (void)begin_.run();
        (void)pin_.run();
        auto found = look();
        (void)end_.run();
        if (looks == kLooksMax || catalog_.version() == version) return found;
    }
}

Result<store::SagaRows> LookUps::due_sagas(std::int64_t until_ms, std::size_t limit) {
    const std::int64_t now_ms = time_.now_ms();
    auto rows = flows_.due_sagas(until_ms, limit);
    if (!rows) return failed(rows.error());
    return store::SagaRows{*std::move(rows), now_ms};
}

template <class T, class Look>
Result<T> LookUps::at_outbox(Look look) {
    ErrandsInFile rows(errands_, flows_);
    T found = in_one_state([&] { return look(rows); });
    if (rows.failed()) return failed(rows.result());
    return found;
}

Result<store::OutboxLook> LookUps::unsent(const std::string& sink, std::size_t limit) {
    return at_outbox<store::OutboxLook>(
        [&](ErrandsInFile& rows) { return store::look_unsent(rows, sink, time_.now_ms(), limit); });
}

Result<std::vector<store::ParkedRow>> LookUps::parked(const std::string& sink, std::size_t limit) {
    return at_outbox<std::vector<store::ParkedRow>>(
        [&](ErrandsInFile& rows) { return store::look_parked(rows, sink, limit); });
}

Result<store::OutboxFigures> LookUps::outbox_figures(const std::string& sink) {
    return at_outbox<store::OutboxFigures>(
        [&](ErrandsInFile& rows) { return store::look_figures(rows, sink, time_.now_ms()); });
}

Result<std::vector<std::string>> LookUps::sinks() {
    return at_outbox<std::vector<std::string>>([](ErrandsInFile& rows) { return rows.sinks(); });
}

Coded<std::optional<store::Stored>> LookUps::look_at(const Digest& identity) {
    auto found = finder_.find(identity);
    if (!found) return std::unexpected(found.error());
    if (!*found) return std::nullopt;
    store::Stored stored;
    stored.now_ms = time_.now_ms();
    // What cannot be read is not there.
    if (auto answer = stored_answer(select_answer_, (*found)->row, stored.now_ms))
        stored.answer = std::move(*answer);
    stored.row = std::move((*found)->row);
    return stored;
}

LookUps::Read LookUps::read(const Digest& identity) {
    return std::move(read_all({&identity, 1}).front());
}

std::vector<LookUps::Read> LookUps::read_all(std::span<const Digest> identities) {
    return in_one_state([&] {
        std::vector<Read> read;
        read.reserve(identities.size());
        for (const Digest& identity : identities) {
            auto stored = look_at(identity);
            if (stored)
                read.emplace_back(std::move(*stored));
            else
                read.emplace_back(failed(stored.error()));
        }
        return read;
    });
}

Result<std::vector<record::Row>> LookUps::unresolved(const store::UnresolvedQuery& query) {
    std::vector<record::Row> rows;
    const std::int64_t until_ms = time_.now_ms() - query.older_than_ms;
    std::size_t skipped = 0;
    UnresolvedSet::Waiting after{std::numeric_limits<std::int64_t>::min(), {}};
    while (rows.size() < query.limit) {
        const auto chunk = unresolved_.waiting(query.uncertain_only, after, until_ms, kChunk);
        if (chunk.empty()) break;
        after = chunk.back();
        for (const UnresolvedSet::Waiting& place : chunk) {
            auto found = finder_.load(place.record);
            if (!found) return failed(found.error());
            if (!*found || rows.size() == query.limit) continue;
            record::Row& row = (*found)->row;
            const bool asked = query.uncertain_only ? row.state == record::State::uncertain
                                                    : record::is_unresolved(row.state);
            if (!asked || (!query.operation.empty() && row.operation != query.operation)) continue;
            if (skipped < query.skip)
                ++skipped;
            else
                rows.push_back(std::move(row));
        }
    }
    return rows;
}

Result<std::vector<store::TimelineEntry>> LookUps::timeline(const Digest& identity) {
    const auto look = [&]() -> Coded<std::vector<store::TimelineEntry>> {
        std::vector<store::TimelineEntry> entries;
        constexpr auto kMax = static_cast<std::int64_t>(kTimelineMax);
        const auto take = [&](Statement& select) {
            int result = select.step();
            for (; result == SQLITE_ROW; result = select.step())
                decode_entries(select.bytes(0), identity, entries);
            return result;
        };
        if (const int result = take(select_forgotten_.bind(1, identity.view()).bind(2, kMax));
            result != SQLITE_DONE)
            return std::unexpected(result);
        const auto record = finder_.locate(identity);
        if (!record) return std::unexpected(record.error());
        if (!*record) return entries;
        if (const int result = take(select_timeline_.bind(1, (*record)->value).bind(2, kMax));
            result != SQLITE_DONE)
            return std::unexpected(result);
        sort_by_time(entries);
        return entries;
    };
    auto entries = in_one_state(look);
    if (!entries) return failed(entries.error());
    return std::move(*entries);
}

Result<std::vector<Digest>> LookUps::find(store::LookUp kind, const std::string& value,
                                          std::size_t limit) {
    if (kind == store::LookUp::business_id) return std::vector<Digest>{};
    const bool by_key = kind == store::LookUp::key;
    const auto look = [&]() -> Coded<std::vector<Digest>> {
        std::vector<Digest> identities;
        const auto records = finder_.named(by_key ? key_hash(value) : trace_hash(value));
        if (!records) return std::unexpected(records.error());
        for (const RecordId record : *records) {
            if (identities.size() == limit) break;
            const auto found = finder_.load(record);
            if (!found) return std::unexpected(found.error());
            if (!*found || (by_key && (*found)->row.key_label != value)) continue;
            if (std::ranges::find(identities, (*found)->row.identity) == identities.end())
                identities.push_back((*found)->row.identity);
        }
        if (!by_key) return identities;
        find_forgotten_.bind(1, key_hash(value)).bind(2, static_cast<std::int64_t>(limit));
        int result = find_forgotten_.step();
        for (; result == SQLITE_ROW; result = find_forgotten_.step()) {
            const Digest identity = digest_from(find_forgotten_.bytes(0));
            if (identities.size() < limit &&
                std::ranges::find(identities, identity) == identities.end())
                identities.push_back(identity);
        }
        if (result != SQLITE_DONE) return std::unexpected(result);
        return identities;
    };
    auto identities = in_one_state(look);
    if (!identities) return failed(identities.error());
    return std::move(*identities);
}

}  // namespace pawl::sqlite
