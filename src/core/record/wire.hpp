// SPDX-License-Identifier: Apache-2.0
// The bytes of which stored formats are made: integers in as few bytes as they need (LEB128, signed ones
// zigzag), texts with their length before them, digests as they are. Reading is strict: one value has one
// spelling, a length never reaches past the end, and after the first misfit nothing fits any more.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/codec/digest.hpp"

namespace pawl::record {

class WireWriter {
  public:
    void byte(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
    void number(std::uint64_t value);
    void whole(std::int64_t value);
    void raw(std::string_view value) { bytes_.append(value); }
    void text(std::string_view value);
    void reserve(std::size_t size) { bytes_.reserve(size); }
    // CRC-32 of everything so far, 4 bytes, lowest first.
    void seal();
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

class WireReader {
  public:
    explicit WireReader(std::string_view bytes) : rest_(bytes) {}
    std::uint8_t byte();
    std::uint64_t number();
    std::int64_t whole();
    std::string_view raw(std::size_t size);
    std::string_view text();
    Digest digest();
    void require(bool condition) { fits_ = fits_ && condition; }
    bool fits() const { return fits_; }
    bool at_end() const { return fits_ && rest_.empty(); }
    std::size_t left() const { return rest_.size(); }

  private:
    std::string_view rest_;  // of the caller's bytes, for the length of one decode
    bool fits_ = true;
};

inline constexpr std::size_t kSealSize = 4;
// What stands before the seal; empty when the seal does not fit it.
std::string_view unsealed(std::string_view bytes);

}  // namespace pawl::record
