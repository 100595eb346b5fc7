// SPDX-License-Identifier: Apache-2.0
// Timelines are written behind the commits they tell of: entries wait in a bounded queue, and what passes
// the bound is dropped and counted. An entry lies beside its record, so that entries of one moment lie on
// one page, and goes with it; what is written together for one record is one row.
//
//   entries = (at:whole step:text outcome:text fence:number detail:text count:number) ...   as in wire.hpp
#pragma once

#include <deque>
#include <mutex>

#include "runtime/meter/meter.hpp"
#include "store/port/records.hpp"
#include "store/sqlite/transaction.hpp"

namespace pawl::sqlite {

inline constexpr std::size_t kNotesMax = 65'536;
inline constexpr std::size_t kNotesPerStep = 2'000;
inline constexpr std::size_t kTimelineMax = 1'000;

// Filled from any thread, emptied by the writer's.
class NoteQueue {
  public:
    // True when no other note was waiting.
    bool push(store::TimelineEntry entry);
    // At most `limit`, oldest first.
    std::vector<store::TimelineEntry> take(std::size_t limit);
    std::size_t size() const;
    std::uint64_t dropped() const { return dropped_.value(); }

  private:
    mutable std::mutex mutex_;
    std::deque<store::TimelineEntry> notes_;
    Counter dropped_;
};

std::string encode_entry(const store::TimelineEntry& entry);

// Entries of operations without a record are dropped. SQLITE_OK or an extended code.
int write_notes(Tables& tables, Transaction& transaction,
                const std::vector<store::TimelineEntry>& notes, std::int64_t& last_number);

// Appends what `bytes` holds, as far as it can be read.
void decode_entries(std::string_view bytes, const Digest& identity,
                    std::vector<store::TimelineEntry>& entries);

}  // namespace pawl::sqlite
