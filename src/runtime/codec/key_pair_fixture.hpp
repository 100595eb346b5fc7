// SPDX-License-Identifier: Apache-2.0
// A pair of keys that a test makes: it signs with the one, and gives the other to what is tested.
#pragma once

#include <string>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

namespace pawl {

class KeyPair {
  public:
    // `made`: becomes its own.
    explicit KeyPair(EVP_PKEY* made) : key_(made) {}
    KeyPair(const KeyPair&) = delete;
    KeyPair& operator=(const KeyPair&) = delete;
    ~KeyPair() { EVP_PKEY_free(key_); }

    std::string public_pem() const {
        BIO* bio = BIO_new(BIO_s_mem());
        PEM_write_bio_PUBKEY(bio, key_);
        char* bytes = nullptr;
        const long size = BIO_get_mem_data(bio, &bytes);
        std::string pem(bytes, static_cast<std::size_t>(size));
        BIO_free(bio);
        return pem;
    }

    // With SHA-256: RSASSA-PKCS1-v1_5, or ECDSA in DER.
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
        out.resize(size);
        return out;
    }

  private:
    EVP_PKEY* key_;
};

}  // namespace pawl
