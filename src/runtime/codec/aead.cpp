// SPDX-License-Identifier: Apache-2.0
#include "runtime/codec/aead.hpp"

#include <memory>

#include <openssl/evp.h>

#include "runtime/result/assert.hpp"

namespace pawl {
namespace {

struct FreedContext {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreedContext>;

const unsigned char* in(std::string_view bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}
unsigned char* out(std::string& bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

int length(std::string_view bytes) { return static_cast<int>(bytes.size()); }

// Looked up once: OpenSSL looks for it by name at each use else. Never given back, as the library itself.
const EVP_CIPHER* cipher() {
    static const EVP_CIPHER* const kCipher = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
    return kCipher;
}

}  // namespace

std::string aead_seal(std::string_view key, std::string_view nonce, std::string_view bound,
                      std::string_view bytes) {
    PAWL_ASSERT(key.size() == kAeadKeyBytes && nonce.size() == kAeadNonceBytes);
    const Context context(EVP_CIPHER_CTX_new());
    std::string sealed(bytes.size() + kAeadTagBytes, '\0');
    int size = 0;
    bool good = EVP_EncryptInit_ex(context.get(), cipher(), nullptr, in(key), in(nonce)) == 1;
    good = good && EVP_EncryptUpdate(context.get(), nullptr, &size, in(bound), length(bound)) == 1;
    good =
        good && EVP_EncryptUpdate(context.get(), out(sealed), &size, in(bytes), length(bytes)) == 1;
    int rest = 0;
    good = good && EVP_EncryptFinal_ex(context.get(), out(sealed) + size, &rest) == 1;
    good = good && EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, kAeadTagBytes,
                                       out(sealed) + bytes.size()) == 1;
    PAWL_ASSERT(good);
    return sealed;
}

std::optional<std::string> aead_open(std::string_view key, std::string_view nonce,
                                     std::string_view bound, std::string_view sealed) {
    PAWL_ASSERT(key.size() == kAeadKeyBytes && nonce.size() == kAeadNonceBytes);
    if (sealed.size() < kAeadTagBytes) return std::nullopt;
    const std::string_view hidden = sealed.substr(0, sealed.size() - kAeadTagBytes);
    std::string tag(sealed.substr(hidden.size()));
    const Context context(EVP_CIPHER_CTX_new());
    std::string bytes(hidden.size(), '\0');
    int size = 0;
    bool good = EVP_DecryptInit_ex(context.get(), cipher(), nullptr, in(key), in(nonce)) == 1;
    good = good && EVP_DecryptUpdate(context.get(), nullptr, &size, in(bound), length(bound)) == 1;
    good = good &&
           EVP_DecryptUpdate(context.get(), out(bytes), &size, in(hidden), length(hidden)) == 1;
    good = good &&
           EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kAeadTagBytes, out(tag)) == 1;
    int rest = 0;
    if (!good || EVP_DecryptFinal_ex(context.get(), out(bytes) + size, &rest) != 1)
        return std::nullopt;
    return bytes;
}

}  // namespace pawl
