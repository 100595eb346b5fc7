// SPDX-License-Identifier: Apache-2.0
// SHA-256, one-shot and streaming, and hashes over parts: every part is preceded by its length, so that no
// two lists of parts give the same bytes ("a","bc" and "ab","c" differ).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

namespace pawl {

struct Digest {
    std::array<std::uint8_t, 32> bytes{};
    auto operator<=>(const Digest&) const = default;
    std::string_view view() const {
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
};

// Not mixed further: a digest is uniform already.
struct DigestHash {
    std::size_t operator()(const Digest& digest) const {
        std::size_t value = 0;
        std::memcpy(&value, digest.bytes.data(), sizeof value);
        return value;
    }
};

// Unit: exactly 32 bytes; anything else is a programmer's error.
Digest digest_from(std::string_view raw);

Digest sha256(std::string_view bytes);
// SHA-256 over tag and parts, each as 8-byte big-endian length and bytes. The tag keeps domains apart.
Digest sha256_parts(std::string_view tag, std::initializer_list<std::string_view> parts);

// Streaming SHA-256.
class DigestStream {
  public:
    DigestStream();
    void add(std::string_view bytes);
    // 8-byte big-endian length, then the bytes.
    void add_part(std::string_view bytes);
    // Ends the stream; it is not added to afterwards.
    Digest finish();

  private:
    static constexpr std::size_t kStateBytes = 112;  // of OpenSSL's SHA256_CTX
    alignas(std::uint64_t) std::array<std::byte, kStateBytes> state_;
};

}  // namespace pawl
