// SPDX-License-Identifier: Apache-2.0
// What the writer's thread works on: the connection, its prepared statements, and what is kept in memory
// beside the file. Transaction is the only way to change it.
#pragma once

#include "store/port/store_time.hpp"
#include "store/sqlite/failure.hpp"
#include "store/sqlite/row_finder.hpp"
#include "store/sqlite/store_file.hpp"
#include "store/sqlite/unresolved_set.hpp"

namespace pawl::sqlite {

struct Tables {
    explicit Tables(StoreFile opened);

    StoreFile file;
    Connection& connection = file.connection;
    Catalog catalog;
    UnresolvedSet unresolved;
    store::UnresolvedLimits limits;
    store::UnresolvedCounts counts;  // as of the latest transaction
    store::StoredBytes stored;       // as committed
    RowFinder finder;
    std::optional<store::StoreTime> time;
    std::uint64_t last_fence = 0;
    std::uint64_t boot = 0;
    int log_pages = 0;               // in the write-ahead log, after the latest commit
    Phase phase = Phase::statement;  // of the latest transaction, for the meaning of its failure

    Statement begin;
    Statement commit;
    Statement rollback;
    Statement write_mark;
    Statement insert_record;
    Statement copy_record;
    Statement update_record;
    Statement delete_record;
    Statement select_answer;
    Statement put_answer;
    Statement delete_answer;
    Statement insert_identity;
    Statement insert_name;
    Statement insert_unresolved;
    Statement delete_unresolved;
    Statement insert_timeline;
    Statement delete_timeline;
    Statement move_timeline;
    Statement insert_forgotten;
    Statement add_stored;
    Statement drop_stored;
    Statement measure_answer;
    Statement measure_record;
};

// Answers lie by the end of their retention, so that clean-up takes them from the front. Six hours to a
// slot; an answer is kept up to that much longer than it was promised.
inline constexpr std::int64_t kSlotMs = 6 * 3'600'000LL;
inline constexpr int kFenceBits = 45;
inline constexpr std::int64_t kLastSlot =
    (std::int64_t{1} << 18) - 1;  // for ever, and from the year 2149 on

// Where bytes are counted: records by generation, answers by slot.
inline std::int64_t place_of(RecordId record) {
    return -static_cast<std::int64_t>(record.generation());
}
// All flows; no generation is so far below.
inline constexpr std::int64_t kFlowsPlace = std::numeric_limits<std::int64_t>::min();
inline std::int64_t place_of_answer(std::int64_t answer) { return answer >> kFenceBits; }

// Where the answer stored under a fence lies.
std::int64_t answer_id(std::int64_t result_until_ms, record::Fence fence);
// Of a completed row whose result is not over, when it is sound. `select`: as Tables::select_answer.
// An extended code: nobody can tell.
Coded<std::optional<record::Answer>> stored_answer(Statement& select, const record::Row& row,
                                                   std::int64_t now_ms);
// The first answer that is not over at `now_ms`.
std::int64_t first_kept_answer_id(std::int64_t now_ms);

}  // namespace pawl::sqlite
