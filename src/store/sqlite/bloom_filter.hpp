// SPDX-License-Identifier: Apache-2.0
// Says of an identity that it is certainly not in a sealed generation, or that it may be. A blocked Bloom
// filter (Putze, Sanders, Singler 2007): all bits of one identity lie in one cache line, so that a new key
// costs one memory access per generation. Identities are SHA-256, so their own bits serve as hashes.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/codec/digest.hpp"

namespace pawl::sqlite {

class BloomFilter {
  public:
    static constexpr std::size_t kBitsPerEntry = 16;  // about one false "may be" in 500
    static constexpr int kBitsSet = 7;

    explicit BloomFilter(std::size_t entries);
    // What bytes() wrote, also without the sum that early releases did not add; nullopt for anything else.
    static std::optional<BloomFilter> from(std::string_view bytes);
    // Says "may be" of everything.
    static BloomFilter full();

    void add(const Digest& identity);
    bool may_contain(const Digest& identity) const {
        const Block& block = blocks_[place_of(identity)];
        std::uint64_t bits = word(identity, 8);
        for (int i = 0; i < kBitsSet; ++i, bits >>= 9)
            if ((block.words[(bits >> 6) & 7] >> (bits & 63) & 1) == 0) return false;
        return true;
    }
    void prefetch(const Digest& identity) const {
        __builtin_prefetch(&blocks_[place_of(identity)]);
    }
    // The blocks and their CRC-32, lowest byte first: a bit that got lost would call a known key new.
    std::string bytes() const;

  private:
    struct alignas(64) Block {
        std::uint64_t words[8] = {};
    };

    static std::uint64_t word(const Digest& identity, std::size_t from) {
        std::uint64_t value = 0;
        std::memcpy(&value, identity.bytes.data() + from, sizeof value);
        return value;
    }
    std::size_t place_of(const Digest& identity) const {
        return word(identity, 16) & (blocks_.size() - 1);
    }

    std::vector<Block> blocks_;  // a power of two
};

}  // namespace pawl::sqlite
