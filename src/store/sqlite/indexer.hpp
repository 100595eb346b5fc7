// SPDX-License-Identifier: Apache-2.0
// Generations change their stage here. The open one is sealed when it is full or old; then its index, which
// is in memory, is written to disk in sorted order, a slice at a time between the batches, so that no page
// of it is written twice; then it stands behind its filter and memory is given back. A kill in between
// costs nothing: sealed generations are indexed anew from their records.
#pragma once

#include <functional>

#include "store/sqlite/transaction.hpp"

namespace pawl::sqlite {

struct GenerationLimits {
    std::uint32_t records = 200'000;
    std::chrono::milliseconds age = std::chrono::hours(24);
};
inline constexpr std::size_t kIndexedPerStep = 2'000;

// The order in which a sealed generation is written: positions and names by their leading byte, each bucket
// sorted when its turn comes. A bucket may hold everything, when all came with one key or one trace.
struct IndexPlan {
    std::uint32_t number = 0;
    std::array<std::vector<std::uint32_t>, 256> positions;
    std::array<std::vector<Name>, 256> names;
    std::size_t bucket = 0;   // whose turn it is
    std::size_t written = 0;  // of the bucket: its positions, then its names
};

class Indexer {
  public:
    Indexer(Tables& tables, GenerationLimits limits, std::uint64_t seed)
        : tables_(tables), limits_(limits), seed_(seed) {}

    // Reads the catalog and what belongs in memory from the file; `unended` gets the unresolved records whose
    // owner has not been told gone. SQLITE_OK or an extended code.
    int load(std::vector<RecordId>& unended);
    // The record because of which load() found the store damaged; none: it was not a record.
    std::optional<RecordId> nobodys() const { return nobodys_; }
    // Of the records that load() read.
    std::uint64_t highest_fence() const { return highest_fence_; }
    bool must_seal() const;
    // One step: seals, or writes a slice. False: there was nothing to do.
    Coded<bool> step();
    bool pending() const;

  private:
    Generation fresh(std::uint32_t number, std::int64_t opened_ms) const;
    using OnUnresolved = std::function<void(RecordId, const record::Row&)>;
    int check_listed();
    int load_records(Generation& generation, const OnUnresolved& found_unresolved);
    // False: nobody could say whose record it is, and its key would be taken for a new one.
    bool add_unreadable(Recent& recent, RecordId record, std::string_view frame);
    int load_unresolved(const OnUnresolved& found_unresolved);
    int seal();
    int write_slice(const Generation& generation);
    int write_entry(const Generation& generation, std::size_t bucket, std::size_t place);
    void sort_bucket(std::size_t bucket, const Generation& generation);
    int finish(const Generation& generation);
    void draw_plan(const Generation& generation);

    Tables& tables_;
    GenerationLimits limits_;
    std::uint64_t seed_;
    std::optional<IndexPlan> plan_;
    std::uint64_t highest_fence_ = 0;
    std::optional<RecordId> nobodys_;
};

}  // namespace pawl::sqlite
