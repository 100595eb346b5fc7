// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/failure.hpp"

#include <array>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/sqlite/flow_looks.hpp"

namespace pawl::sqlite {
namespace {

struct MeaningRow {
    int result;           // primary code
    Code code;            // in every phase but COMMIT, and there too when the log proves it
    bool sure_in_commit;  // COMMIT failed before its last frame was whole: certainly not applied
    bool fatal_in_checkpoint;
    bool of_call;
    std::string_view text;
};

// SQLITE_FULL from COMMIT: the frame that commits was not written whole, and the transaction is rolled back
// (padding after that frame is only written where the disk's sectors need it, see `PRAGMA` checks on open).
// SQLITE_BUSY from COMMIT: the write lock is held since BEGIN IMMEDIATE, nothing was written yet.
constexpr std::array kMeanings{
    MeaningRow{SQLITE_FULL, Code::store_full, true, false, false,
               "The disk that holds the store is full."},
    MeaningRow{SQLITE_READONLY, Code::store_readonly, true, false, false,
               "The store cannot be written."},
    MeaningRow{SQLITE_BUSY, Code::unavailable, true, false, false,
               "Another program holds the store's write lock."},
    MeaningRow{SQLITE_LOCKED, Code::unavailable, true, false, false, "The store is locked."},
    MeaningRow{SQLITE_CORRUPT, Code::store_corrupt, false, true, true,
               "A part of the store's file is damaged. Put back a copy of the store."},
    MeaningRow{SQLITE_NOTADB, Code::store_corrupt, false, true, false, "The file is not a store."},
    MeaningRow{SQLITE_CANTOPEN, Code::unavailable, false, true, false,
               "A file of the store cannot be opened."},
    MeaningRow{SQLITE_IOERR, Code::unavailable, false, true, false,
               "The store's disk reported an error."},
    MeaningRow{SQLITE_NOMEM, Code::unavailable, false, true, false, "Out of memory."},
    MeaningRow{SQLITE_TOOBIG, Code::limited, true, false, true,
               "The call is larger than the store takes."},
    MeaningRow{SQLITE_CONSTRAINT, Code::internal, true, false, true,
               "The store contradicts itself."},
};
constexpr std::string_view kRowDamagedText =
    "A row of the store that this needs, such as an order's, is damaged and cannot be read. "
    "Nothing "
    "was changed, and what does not need it is served. Put back a copy of the store; the log and "
    "`store_damaged_rows` say which rows.";
constexpr MeaningRow kOther{0, Code::unavailable, false, true, false, "The store failed."};

}  // namespace

Failure failure_of(int result, Phase phase, const Connection& connection) {
    const MeaningRow* meaning = &kOther;
    for (const MeaningRow& row : kMeanings)
        if (row.result == (result & 0xFF)) meaning = &row;
    Failure failure;
    failure.error.code = meaning->code;
    failure.error.text = result == kRowDamaged ? kRowDamagedText : meaning->text;
    failure.error.cause =
        fmt::format("sqlite {} ({}): {}", result, sqlite3_errstr(result), connection.last_error());
    failure.error.place = "store.sqlite";
    failure.of_call = meaning->of_call && phase == Phase::statement;
    if (phase == Phase::commit && !meaning->sure_in_commit) {
        failure.error.code = Code::unknown;
        failure.fatal = true;
    }
    if (phase == Phase::checkpoint) failure.fatal = meaning->fatal_in_checkpoint;
    return failure;
}

}  // namespace pawl::sqlite
