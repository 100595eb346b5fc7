// SPDX-License-Identifier: Apache-2.0
// An RSA key of a provider's, made for the tests: it signs as the provider, and gives what the merchant is given.
#pragma once

#include <string>
#include <string_view>

#include "runtime/codec/key_pair_fixture.hpp"
#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {

class ProviderKey {
  public:
    explicit ProviderKey(EVP_PKEY* made = EVP_RSA_gen(2048)) : pair_(made) {}

    PublicKey for_merchants() const { return *PublicKey::parse(pair_.public_pem()); }
    // RSASSA-PKCS1-v1_5 with SHA-256, in base64.
    std::string sign(std::string_view bytes) const { return to_base64(pair_.sign(bytes)); }

  private:
    KeyPair pair_;
};

}  // namespace pawl::callback
