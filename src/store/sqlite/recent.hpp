// SPDX-License-Identifier: Apache-2.0
// The index of a generation that still takes records, or is being indexed on disk: identity to position, and
// the names under which people look for its records. In memory, so that a claim costs no page of a random
// index; read back from the records themselves when the store is opened.
//
// Positions count from 1 in the order of arrival. A position whose record is gone stays; who asks reads the
// record and sees.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/codec/digest.hpp"

namespace pawl::sqlite {

struct Name {
    std::int64_t hash = 0;
    std::uint32_t position = 0;
};

struct Doubt {
    Digest identity;
    std::uint32_t position = 0;
};

class Recent {
  public:
    // `seed` keeps callers who choose their keys from choosing where they land.
    Recent(std::size_t expected, std::uint64_t seed);

    // The position that it gets.
    std::uint32_t add(const Digest& identity);
    // Another identity that the latest position may have: its row cannot be read.
    void add_doubt(const Digest& identity) { doubts_.push_back({identity, size()}); }
    // A position whose record is gone.
    void skip() { identities_.emplace_back(); }
    void add_name(Name name) { names_.push_back(name); }
    // 0: not here. The latest, when an identity came twice.
    std::uint32_t find(const Digest& identity) const;
    // Takes back what came after; for a batch that was not committed.
    void cut(std::uint32_t positions, std::size_t names);

    std::uint32_t size() const { return static_cast<std::uint32_t>(identities_.size()); }
    const Digest& identity(std::uint32_t position) const { return identities_[position - 1]; }
    const std::vector<Name>& names() const { return names_; }
    const std::vector<Doubt>& doubts() const { return doubts_; }

  private:
    std::size_t slot_of(const Digest& identity) const;
    void place(std::uint32_t position);
    void rebuild(std::size_t slots);

    std::uint64_t seed_;
    std::vector<std::uint32_t> slots_;  // a power of two, at most half full; 0: free
    std::vector<Digest> identities_;
    std::vector<Name> names_;
    std::vector<Doubt> doubts_;  // none, on a sound disk
};

}  // namespace pawl::sqlite
