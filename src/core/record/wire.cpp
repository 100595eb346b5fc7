// SPDX-License-Identifier: Apache-2.0
#include "core/record/wire.hpp"

#include <array>

#include "core/record/crc32.hpp"

namespace pawl::record {
namespace {

std::array<char, kSealSize> seal_of(std::string_view bytes) {
    const std::uint32_t sum = crc32(bytes);
    return {static_cast<char>(sum), static_cast<char>(sum >> 8), static_cast<char>(sum >> 16),
            static_cast<char>(sum >> 24)};
}

constexpr std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

}  // namespace

void WireWriter::number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
}

void WireWriter::whole(std::int64_t value) { number(zigzag(value)); }

void WireWriter::text(std::string_view value) {
    number(value.size());
    raw(value);
}

void WireWriter::seal() {
    const auto sum = seal_of(bytes_);
    bytes_.append(sum.data(), sum.size());
}

std::uint8_t WireReader::byte() {
    const std::string_view found = raw(1);
    return found.empty() ? 0 : static_cast<std::uint8_t>(found.front());
}

std::uint64_t WireReader::number() {
    std::uint64_t value = 0;
    for (int shift = 0; fits_; shift += 7) {
        const std::uint8_t part = byte();
        // The tenth byte holds the 64th bit only.
        require(shift < 63 || part <= 1);
        value |= static_cast<std::uint64_t>(part & 0x7f) << shift;
        if ((part & 0x80) != 0) continue;
        require(part != 0 || shift == 0);
        break;
    }
    return fits_ ? value : 0;
}

std::int64_t WireReader::whole() { return unzigzag(number()); }

std::string_view WireReader::raw(std::size_t size) {
    require(size <= rest_.size());
    if (!fits_) return {};
    const std::string_view found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
}

std::string_view WireReader::text() { return raw(number()); }

Digest WireReader::digest() {
    const std::string_view found = raw(Digest{}.bytes.size());
    return fits_ ? digest_from(found) : Digest{};
}

std::string_view unsealed(std::string_view bytes) {
    if (bytes.size() <= kSealSize) return {};
    const std::string_view body = bytes.substr(0, bytes.size() - kSealSize);
    const auto sum = seal_of(body);
    return bytes.substr(body.size()) == std::string_view(sum.data(), sum.size())
               ? body
               : std::string_view{};
}

}  // namespace pawl::record
