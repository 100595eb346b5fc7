// SPDX-License-Identifier: Apache-2.0
#include "runtime/codec/signature.hpp"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "runtime/result/assert.hpp"

namespace pawl {
namespace {

constexpr std::size_t kP256Half = 32;

template <class T, void (*Free)(T*)>
struct Freed {
    void operator()(T* object) const { Free(object); }
};
using Context = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX, EVP_MD_CTX_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG, ECDSA_SIG_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

struct FreedBio {
    void operator()(BIO* bio) const { BIO_free(bio); }
};
using Bio = std::unique_ptr<BIO, FreedBio>;

EVP_PKEY* read_key(std::string_view pem) {
    const auto open = [pem] {
        return Bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    };
    if (EVP_PKEY* key = PEM_read_bio_PUBKEY(open().get(), nullptr, nullptr, nullptr)) return key;
    const Certificate certificate(PEM_read_bio_X509(open().get(), nullptr, nullptr, nullptr));
    return certificate ? X509_get_pubkey(certificate.get()) : nullptr;
}

bool is_p256(const EVP_PKEY* key) {
    std::array<char, 64> name{};
    std::size_t size = 0;
    return EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, name.data(), name.size(),
                                          &size) == 1 &&
           std::string_view(name.data(), size) == "prime256v1";
}

// From r and s to the form that OpenSSL reads; empty when they are no numbers of this curve's size.
std::string der_of(std::string_view signature) {
    if (signature.size() != 2 * kP256Half) return {};
    const Signature parts(ECDSA_SIG_new());
    BIGNUM* r = BN_bin2bn(bytes_of(signature), kP256Half, nullptr);
    BIGNUM* s = BN_bin2bn(bytes_of(signature.substr(kP256Half)), kP256Half, nullptr);
    PAWL_ASSERT(parts && r != nullptr && s != nullptr && ECDSA_SIG_set0(parts.get(), r, s) == 1);
    std::string der(static_cast<std::size_t>(i2d_ECDSA_SIG(parts.get(), nullptr)), '\0');
    auto* out = reinterpret_cast<unsigned char*>(der.data());
    i2d_ECDSA_SIG(parts.get(), &out);
    return der;
}

}  // namespace

Digest hmac_sha256(std::string_view secret, std::string_view bytes) {
    Digest digest;
    unsigned int size = 0;
    PAWL_ASSERT(HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes_of(bytes),
                     bytes.size(), digest.bytes.data(), &size) != nullptr);
    return digest;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

Result<PublicKey> PublicKey::parse(std::string_view pem) {
    const std::shared_ptr<EVP_PKEY> key(read_key(pem), [](EVP_PKEY* gone) { EVP_PKEY_free(gone); });
    ERR_clear_error();  // what the first reading left behind
    if (!key) return fail(Code::config_invalid, "it is no PEM of a public key or certificate");
    if (EVP_PKEY_is_a(key.get(), "RSA") == 1) {
        if (EVP_PKEY_get_bits(key.get()) < kRsaBitsMin)
            return fail(Code::config_invalid, "its RSA key has fewer than 2048 bits");
        return PublicKey(key, Kind::rsa);
    }
    if (EVP_PKEY_is_a(key.get(), "EC") == 1 && is_p256(key.get()))
        return PublicKey(key, Kind::p256);
    return fail(Code::config_invalid, "its key is neither RSA nor of the curve P-256");
}

bool PublicKey::verifies(std::string_view bytes, std::string_view signature) const {
    std::string der;
    if (kind_ == Kind::p256) {
        der = der_of(signature);
        if (der.empty()) return false;
        signature = der;
    }
    const Context context(EVP_MD_CTX_new());
    auto* key = static_cast<EVP_PKEY*>(key_.get());
    PAWL_ASSERT(context &&
                EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1);
    const bool good = EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(),
                                       bytes_of(bytes), bytes.size()) == 1;
    ERR_clear_error();
    return good;
}

}  // namespace pawl
