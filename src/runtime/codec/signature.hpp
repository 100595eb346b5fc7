// SPDX-License-Identifier: Apache-2.0
// Proofs of who wrote some bytes: HMAC with a shared secret, and signatures with a public key in the two forms
// that JSON Web Tokens use most (RFC 7518: RS256, ES256). OpenSSL stays behind it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/codec/digest.hpp"
#include "runtime/result/result.hpp"

namespace pawl {

Digest hmac_sha256(std::string_view secret, std::string_view bytes);

// Takes as long for equal as for different bytes; only the lengths show.
bool equal_in_constant_time(std::string_view a, std::string_view b);

inline constexpr int kRsaBitsMin = 2048;

// Shared by all loops: verifying changes nothing in it.
class PublicKey {
  public:
    enum class Kind : std::uint8_t { rsa, p256 };

    // PEM of a public key ("BEGIN PUBLIC KEY") or of a certificate. Errors: config_invalid, with what is wrong.
    static Result<PublicKey> parse(std::string_view pem);

    Kind kind() const { return kind_; }
    // rsa: RSASSA-PKCS1-v1_5 with SHA-256. p256: ECDSA with SHA-256; `signature` is r and s, 32 bytes each.
    bool verifies(std::string_view bytes, std::string_view signature) const;

  private:
    PublicKey(std::shared_ptr<void> key, Kind kind) : key_(std::move(key)), kind_(kind) {}

    std::shared_ptr<void> key_;
    Kind kind_;
};

}  // namespace pawl
