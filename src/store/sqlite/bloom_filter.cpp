// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/bloom_filter.hpp"

#include <algorithm>

#include "core/record/crc32.hpp"

namespace pawl::sqlite {
namespace {

constexpr std::size_t kBlockBits = 512;

}  // namespace

BloomFilter::BloomFilter(std::size_t entries)
    : blocks_(std::bit_ceil(std::max<std::size_t>(entries * kBitsPerEntry / kBlockBits, 1))) {}

BloomFilter BloomFilter::full() {
    BloomFilter filter(1);
    std::ranges::fill(filter.blocks_.front().words, ~std::uint64_t{0});
    return filter;
}

std::optional<BloomFilter> BloomFilter::from(std::string_view bytes) {
    if (bytes.size() % sizeof(Block) == sizeof(std::uint32_t)) {
        std::uint32_t sum = 0;
        std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
        bytes.remove_suffix(sizeof sum);
        if (record::crc32(bytes) != sum) return std::nullopt;
    }
    const std::size_t blocks = bytes.size() / sizeof(Block);
    if (blocks == 0 || bytes.size() % sizeof(Block) != 0 || !std::has_single_bit(blocks))
        return std::nullopt;
    BloomFilter filter(1);
    filter.blocks_.resize(blocks);
    std::memcpy(filter.blocks_.data(), bytes.data(), bytes.size());
    return filter;
}

void BloomFilter::add(const Digest& identity) {
    Block& block = blocks_[place_of(identity)];
    std::uint64_t bits = word(identity, 8);
    for (int i = 0; i < kBitsSet; ++i, bits >>= 9)
        block.words[(bits >> 6) & 7] |= std::uint64_t{1} << (bits & 63);
}

std::string BloomFilter::bytes() const {
    std::string bytes(reinterpret_cast<const char*>(blocks_.data()),
                      blocks_.size() * sizeof(Block));
    const std::uint32_t sum = record::crc32(bytes);
    return bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

}  // namespace pawl::sqlite
