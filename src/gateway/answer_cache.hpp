// SPDX-License-Identifier: Apache-2.0
// Completed results of one home loop, bounded in bytes. S3-FIFO (Yang et al., SOSP 2023): a small queue for
// newcomers, a main queue for what was asked again, a ghost list of names. Holds nothing but completed
// rows; a hit is judged like a claim: stamp, rule, fingerprint, and the end of the result's time.
//
// What it counts is what the allocator gives out for it: nodes, places in the queues, each header line, and the
// ghosts. So the bound is one of memory, whatever the answers look like.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>

#include "core/record/row.hpp"

namespace pawl::gateway {

struct CachedResult {
    record::Settled settled;
    std::shared_ptr<const record::Answer> answer;  // shared with the replies that are being written
    std::int64_t first_seen_ms = 0;
};

class AnswerCache {
  public:
    // Of a name that was pushed out: its place in the list and its node in the table.
    static constexpr std::size_t kGhostBytes = 64;

    explicit AnswerCache(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    // nullptr when absent. The pointer is good until the next call.
    const CachedResult* find(const Digest& identity);
    void put(const Digest& identity, CachedResult result);
    void drop(const Digest& identity);
    std::size_t bytes() const { return bytes_ + ghosts_.size() * kGhostBytes; }
    std::size_t ghosts() const { return ghosts_.size(); }
    std::size_t entries() const { return entries_.size(); }

  private:
    struct Entry {
        CachedResult result;
        std::size_t bytes = 0;
        std::uint8_t hits = 0;
        bool main = false;
        std::uint64_t number = 0;
    };
    struct Ticket {
        Digest identity;
        std::uint64_t number = 0;  // of the entry it was given for; a replaced entry has another
    };

    static std::size_t bytes_of(const CachedResult& result);
    void make_room();
    bool evict_from_small();
    bool evict_from_main();
    void remember_ghost(const Digest& identity);
    // No more of them than entries.
    void forget_ghosts();

    std::size_t bytes_max_;
    std::size_t bytes_ = 0;
    std::size_t small_bytes_ = 0;
    std::uint64_t last_number_ = 0;
    std::unordered_map<Digest, Entry, DigestHash> entries_;
    std::deque<Ticket> small_;
    std::deque<Ticket> main_;
    // By the leading half of a half: to take one for another costs a place in the wrong queue.
    std::deque<std::uint64_t> ghosts_;
    std::unordered_map<std::uint64_t, std::uint32_t> ghost_count_;
};

}  // namespace pawl::gateway
