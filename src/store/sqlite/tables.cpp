// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/tables.hpp"

#include <algorithm>

#include <sqlite3.h>

#include "core/record/row_format.hpp"

namespace pawl::sqlite {

Tables::Tables(StoreFile opened)
    : file(std::move(opened)),
      finder(connection, catalog),
      begin(connection.prepare("BEGIN IMMEDIATE")),
      commit(connection.prepare("COMMIT")),
      rollback(connection.prepare("ROLLBACK")),
      write_mark(
          connection.prepare("UPDATE mark SET fence = ?1, time_ms = ?2, boot = ?3 WHERE id = 1")),
      insert_record(connection.prepare("INSERT INTO record (id, row) VALUES (?1, ?2)")),
      copy_record(connection.prepare(
          "INSERT INTO record (id, row) SELECT ?2, row FROM record WHERE id = ?1")),
      update_record(connection.prepare("UPDATE record SET row = ?2 WHERE id = ?1")),
      delete_record(connection.prepare("DELETE FROM record WHERE id = ?1")),
      select_answer(connection.prepare("SELECT answer FROM answer WHERE id = ?1")),
      put_answer(connection.prepare("INSERT OR REPLACE INTO answer (id, answer) VALUES (?1, ?2)")),
      delete_answer(connection.prepare("DELETE FROM answer WHERE id = ?1")),
      insert_identity(connection.prepare(
          "INSERT OR REPLACE INTO identity (generation, identity, position) VALUES (?1, ?2, ?3)")),
      insert_name(connection.prepare(
          "INSERT OR IGNORE INTO name (generation, hash, position) VALUES (?1, ?2, ?3)")),
      insert_unresolved(
          connection.prepare("INSERT OR IGNORE INTO unresolved (record) VALUES (?1)")),
      delete_unresolved(connection.prepare("DELETE FROM unresolved WHERE record = ?1")),
      insert_timeline(connection.prepare(
          "INSERT OR REPLACE INTO timeline (record, number, entries) VALUES (?1, ?2, ?3)")),
      delete_timeline(connection.prepare("DELETE FROM timeline WHERE record = ?1")),
      move_timeline(
          connection.prepare("UPDATE OR REPLACE timeline SET record = ?2 WHERE record = ?1")),
      insert_forgotten(connection.prepare(
          "INSERT INTO forgotten (identity, hash, at_ms, entries) VALUES (?1, ?2, ?3, ?4)")),
      add_stored(connection.prepare(
          "INSERT INTO stored (place, tenant, bytes) VALUES (?1, ?2, ?3) ON CONFLICT (place, "
          "tenant) DO UPDATE SET bytes = bytes + excluded.bytes")),
      drop_stored(connection.prepare("DELETE FROM stored WHERE place = ?1")),
      measure_answer(connection.prepare("SELECT length(answer) FROM answer WHERE id = ?1")),
      measure_record(connection.prepare("SELECT length(row) FROM record WHERE id = ?1")) {
    const auto remember = [](void* pages, sqlite3*, const char*, int count) {
        *static_cast<int*>(pages) = count;
        return SQLITE_OK;
    };
    sqlite3_wal_hook(connection.handle(), remember, &log_pages);
}

std::int64_t answer_id(std::int64_t result_until_ms, record::Fence fence) {
    std::int64_t slot = kLastSlot;
    if (result_until_ms != record::kForever)
        slot = std::min(kLastSlot, std::max<std::int64_t>(result_until_ms, 0) / kSlotMs + 1);
    const std::uint64_t low = fence.number & ((std::uint64_t{1} << kFenceBits) - 1);
    return slot << kFenceBits | static_cast<std::int64_t>(low);
}

Coded<std::optional<record::Answer>> stored_answer(Statement& select, const record::Row& row,
                                                   std::int64_t now_ms) {
    if (row.state != record::State::completed) return std::nullopt;
    const std::int64_t until_ms = row.settled->result_until_ms;
    if (until_ms != record::kForever && until_ms <= now_ms) return std::nullopt;
    std::optional<record::Answer> found;
    const int result = select.bind(1, answer_id(until_ms, row.settled->fence)).step();
    if (result != SQLITE_ROW && result != SQLITE_DONE) return std::unexpected(result);
    if (result == SQLITE_ROW) {
        if (auto answer = record::decode_answer(select.bytes(0))) found = std::move(*answer);
        select.reset();
    }
    // Never another one's answer, and never half of one.
    if (found && record::digest_of(*found) != row.settled->answer_digest) found.reset();
    return found;
}

std::int64_t first_kept_answer_id(std::int64_t now_ms) {
    return std::min(kLastSlot, now_ms / kSlotMs + 1) << kFenceBits;
}

}  // namespace pawl::sqlite
