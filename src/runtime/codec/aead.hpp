// SPDX-License-Identifier: Apache-2.0
// AES-256-GCM: bytes that only a key's holder can read, and that nobody can change, or move to where other bytes
// are bound to them, unnoticed. OpenSSL stays behind it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl {

inline constexpr std::size_t kAeadKeyBytes = 32;
inline constexpr std::size_t kAeadNonceBytes = 12;
inline constexpr std::size_t kAeadTagBytes = 16;

// Precondition: `key` and `nonce` have their lengths, and the two together never sealed other bytes. `bound` is not
// hidden. Shape: the bytes, hidden, and the tag.
std::string aead_seal(std::string_view key, std::string_view nonce, std::string_view bound,
                      std::string_view bytes);
// nullopt: another key, nonce or `bound`, or not what was sealed.
std::optional<std::string> aead_open(std::string_view key, std::string_view nonce,
                                     std::string_view bound, std::string_view sealed);

}  // namespace pawl
