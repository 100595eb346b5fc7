// SPDX-License-Identifier: Apache-2.0
// Slicing-by-8 (Kounavis and Berry, 2005): table k holds the effect of a byte that k more bytes follow.
#include "core/record/crc32.hpp"

#include <array>

namespace pawl::record {
namespace {

constexpr std::uint32_t kPolynomial = 0xedb88320;  // bits reversed
constexpr std::size_t kSlices = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, kSlices>;

consteval Tables tables() {
    Tables made{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t sum = byte;
        for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1) * kPolynomial;
        made[0][byte] = sum;
    }
    for (std::size_t slice = 1; slice < kSlices; ++slice)
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = made[slice - 1][byte];
            made[slice][byte] = before >> 8 ^ made[0][before & 0xff];
        }
    return made;
}
constexpr Tables kTables = tables();

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t sum = ~std::uint32_t{0};
    for (; bytes.size() >= kSlices; bytes.remove_prefix(kSlices)) {
        std::uint32_t folded = 0;
        for (std::size_t i = 0; i < kSlices; ++i) {
            const std::uint32_t held = i < sizeof sum ? sum >> (8 * i) : 0;
            folded ^= kTables[kSlices - 1 - i][(held ^ static_cast<std::uint8_t>(bytes[i])) & 0xff];
        }
        sum = folded;
    }
    for (const char byte : bytes)
        sum = sum >> 8 ^ kTables[0][(sum ^ static_cast<std::uint8_t>(byte)) & 0xff];
    return ~sum;
}

}  // namespace pawl::record
