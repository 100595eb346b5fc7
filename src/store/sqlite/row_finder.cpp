// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/row_finder.hpp"

#include <algorithm>
#include <cstring>

#include <sqlite3.h>

#include "store/sqlite/row_frame.hpp"

namespace pawl::sqlite {
namespace {

std::int64_t leading_of(const Digest& digest) {
    std::int64_t leading = 0;
    std::memcpy(&leading, digest.bytes.data(), sizeof leading);
    return leading;
}

}  // namespace

std::int64_t key_hash(std::string_view key_label) {
    return leading_of(sha256_parts("key", {key_label}));
}
std::int64_t trace_hash(std::string_view trace_id) {
    return leading_of(sha256_parts("trace", {trace_id}));
}

RowFinder::RowFinder(const Connection& connection, const Catalog& catalog)
    : catalog_(catalog),
      select_row_(connection.prepare("SELECT row FROM record WHERE id = ?1")),
      select_position_(connection.prepare(
          "SELECT position FROM identity WHERE generation = ?1 AND identity = ?2")),
      select_identity_(connection.prepare(
          "SELECT identity FROM identity WHERE generation = ?1 AND position = ?2 LIMIT 1")),
      select_named_(
          connection.prepare("SELECT position FROM name WHERE generation = ?1 AND hash = ?2")) {}

Coded<std::uint32_t> RowFinder::position_in(std::uint32_t generation, const Digest& identity) {
    const int result = select_position_.bind(1, generation).bind(2, identity.view()).step();
    if (result == SQLITE_DONE) return 0;
    if (result != SQLITE_ROW) return std::unexpected(result);
    const auto position = static_cast<std::uint32_t>(select_position_.integer(0));
    select_position_.reset();
    return position;
}

Coded<std::optional<RowFinder::Found>> RowFinder::load_of(RecordId record, const Digest& identity) {
    auto found = read_at(record);
    if (!found || !*found) return found;
    // The index says that it lies here, whatever is still legible of it.
    if (!(*found)->readable) (*found)->row = record::unreadable_row(identity);
    if ((*found)->row.identity == identity) return found;
    // In memory, a position that was taken back and given to another; on disk there is no such thing.
    if (catalog_.is_ready(record)) return std::unexpected(SQLITE_CORRUPT);
    return std::nullopt;
}

Coded<std::optional<RowFinder::Found>> RowFinder::find(const Digest& identity) {
    const Candidates candidates = catalog_.candidates(identity);
    for (const RecordId record : candidates.recent) {
        auto found = load_of(record, identity);
        if (!found || *found) return found;
    }
    for (const std::uint32_t generation : candidates.generations) {
        const auto position = position_in(generation, identity);
        if (!position) return std::unexpected(position.error());
        if (*position == 0) continue;
        auto found = load_of(RecordId::of(generation, *position), identity);
        if (!found || *found) return found;
    }
    return std::nullopt;
}

Coded<std::optional<RecordId>> RowFinder::locate(const Digest& identity) {
    const Candidates candidates = catalog_.candidates(identity);
    if (!candidates.recent.empty()) return candidates.recent.front();
    for (const std::uint32_t generation : candidates.generations) {
        const auto position = position_in(generation, identity);
        if (!position) return std::unexpected(position.error());
        if (*position != 0) return RecordId::of(generation, *position);
    }
    return std::nullopt;
}

Coded<std::optional<RowFinder::Found>> RowFinder::load(RecordId record) {
    auto found = read_at(record);
    if (!found || !*found || (*found)->readable || !catalog_.is_ready(record)) return found;
    const int result =
        select_identity_.bind(1, record.generation()).bind(2, record.position()).step();
    if (result == SQLITE_DONE) return found;
    if (result != SQLITE_ROW) return std::unexpected(result);
    (*found)->row = record::unreadable_row(digest_from(select_identity_.bytes(0)));
    select_identity_.reset();
    return found;
}

Coded<std::optional<RowFinder::Found>> RowFinder::read_at(RecordId record) {
    const int result = select_row_.bind(1, record.value).step();
    if (result == SQLITE_DONE) return std::nullopt;
    if (result != SQLITE_ROW) return std::unexpected(result);
    const std::string_view frame = select_row_.bytes(0);
    Found found{record, frame.size(), {}, true};
    if (auto row = row_in(frame)) {
        found.row = std::move(*row);
    } else {
        const std::vector<Digest> bearers = bearers_of(frame);
        found.row = record::unreadable_row(bearers.empty() ? Digest{} : bearers.front());
        found.readable = false;
    }
    select_row_.reset();
    return found;
}

Coded<std::vector<RecordId>> RowFinder::named(std::int64_t hash) {
    std::vector<RecordId> found = catalog_.named(hash);
    for (const std::uint32_t generation : catalog_.numbers()) {
        select_named_.bind(1, generation).bind(2, hash);
        int result = select_named_.step();
        for (; result == SQLITE_ROW; result = select_named_.step())
            found.push_back(
                RecordId::of(generation, static_cast<std::uint32_t>(select_named_.integer(0))));
        if (result != SQLITE_DONE) return std::unexpected(result);
    }
    std::ranges::sort(found, std::greater{});
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    return found;
}

}  // namespace pawl::sqlite
