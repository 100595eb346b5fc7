// SPDX-License-Identifier: Apache-2.0
// An RSA key of a provider's, made for the tests: it signs as the provider, and gives what the merchant is given.
#pragma once

#include <string>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {

class ProviderKey {
  public:
    explicit ProviderKey(EVP_PKEY* made = EVP_RSA_gen(2048)) : key_(made) {}
    ProviderKey(const ProviderKey&) = delete;
    ProviderKey& operator=(const ProviderKey&) = delete;
    ~ProviderKey() { EVP_PKEY_free(key_); }

    PublicKey for_merchants() const {
        BIO* bio = BIO_new(BIO_s_mem());
        PEM_write_bio_PUBKEY(bio, key_);
        char* bytes = nullptr;
        const long size = BIO_get_mem_data(bio, &bytes);
        const std::string pem(bytes, static_cast<std::size_t>(size));
        BIO_free(bio);
        return *PublicKey::parse(pem);
    }

    // RSASSA-PKCS1-v1_5 with SHA-256, in base64.
    std::string sign(std::string_view bytes) const {
        EVP_MD_CTX* context = EVP_MD_CTX_new();
        EVP_DigestSignInit(context, nullptr, EVP_sha256(), nullptr, key_);
        const auto* in = reinterpret_cast<const unsigned char*>(bytes.data());
        std::size_t size = 0;
        EVP_DigestSign(context, nullptr, &size, in, bytes.size());
        std::string out(size, '\0');
        EVP_DigestSign(context, reinterpret_cast<unsigned char*>(out.data()), &size, in,
                       bytes.size());
        EVP_MD_CTX_free(context);
        return to_base64(out);
    }

  private:
    EVP_PKEY* key_;
};

}  // namespace pawl::callback
