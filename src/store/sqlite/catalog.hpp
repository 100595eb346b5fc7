// SPDX-License-Identifier: Apache-2.0
// The generations of records, newest last, and where in them an identity may live. The writer's thread
// changes the catalog; the reader's thread looks, so both hold its mutex for as long as a look takes. What
// the catalog says is a hint: the row on disk decides, as each connection sees it.
//
//   open     takes new records; indexed in memory
//   sealed   full, or old; still indexed in memory, its index is being written to disk
//   ready    indexed on disk, behind a filter
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "store/sqlite/bloom_filter.hpp"
#include "store/sqlite/recent.hpp"

namespace pawl::sqlite {

// Rises in the order of first claims.
struct RecordId {
    std::int64_t value = 0;
    static RecordId of(std::uint32_t generation, std::uint32_t position) {
        return {(static_cast<std::int64_t>(generation) << 32) | position};
    }
    std::uint32_t generation() const { return static_cast<std::uint32_t>(value >> 32); }
    std::uint32_t position() const { return static_cast<std::uint32_t>(value); }
    auto operator<=>(const RecordId&) const = default;
};

enum class Stage : std::uint8_t { open = 1, sealed = 2, ready = 3 };

struct Generation {
    std::uint32_t number = 0;
    Stage stage = Stage::open;
    std::int64_t opened_ms = 0;
    std::uint32_t records = 0;          // positions given out, once sealed
    std::int64_t due_ms = 0;            // when the cleaner looks at it; the writer's thread only
    std::unique_ptr<Recent> recent;     // open, sealed
    std::optional<BloomFilter> filter;  // ready
};

// Where an identity may live, newest first.
struct Candidates {
    std::vector<RecordId> recent;            // found in an index in memory
    std::vector<std::uint32_t> generations;  // ready ones whose filter does not rule it out
};

class Catalog {
  public:
    Candidates candidates(const Digest& identity) const;
    // Whether there are any; from any thread.
    bool may_know(const Digest& identity) const;
    // Of names in memory; positions may repeat.
    std::vector<RecordId> named(std::int64_t hash) const;
    // Of every generation, oldest first.
    std::vector<std::uint32_t> numbers() const;
    // Changes whenever a generation changes its stage or goes; a look that began before may have missed a row.
    std::uint64_t version() const;
    bool is_ready(RecordId record) const;

    // The writer's thread only, from here on.
    RecordId add(const Digest& identity);
    void add_name(RecordId record, std::int64_t hash);
    struct Size {
        std::uint32_t positions = 0;
        std::size_t names = 0;
    };
    Size open_size() const;
    void cut_open(Size size);
    const std::deque<Generation>& generations() const { return generations_; }
    const Generation& open() const { return generations_.back(); }
    const Generation* find(std::uint32_t number) const;
    void push(Generation generation);
    void seal_open(Generation next);
    void make_ready(std::uint32_t number, BloomFilter filter);
    void set_due(std::uint32_t number, std::int64_t due_ms);
    void drop(std::uint32_t number);

  private:
    mutable std::mutex mutex_;
    std::deque<Generation> generations_;  // oldest first; the last one is open
    std::uint64_t version_ = 0;
};

}  // namespace pawl::sqlite
