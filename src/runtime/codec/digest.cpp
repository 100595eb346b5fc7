// SPDX-License-Identifier: Apache-2.0
#include "runtime/codec/digest.hpp"

#include <openssl/evp.h>

#include "runtime/result/assert.hpp"

namespace pawl {

struct DigestStream::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    State() { PAWL_ASSERT(context != nullptr && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { EVP_MD_CTX_free(context); }
};

DigestStream::DigestStream() : state_(std::make_unique<State>()) {}
DigestStream::~DigestStream() = default;
DigestStream::DigestStream(DigestStream&&) noexcept = default;
DigestStream& DigestStream::operator=(DigestStream&&) noexcept = default;

void DigestStream::add(std::string_view bytes) {
    PAWL_ASSERT(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

void DigestStream::add_part(std::string_view bytes) {
    std::array<char, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<char>((static_cast<std::uint64_t>(bytes.size()) >> (56 - 8 * i)) & 0xFF);
    add({length.data(), length.size()});
    add(bytes);
}

Digest DigestStream::finish() {
    Digest digest;
    unsigned length = 0;
    PAWL_ASSERT(EVP_DigestFinal_ex(state_->context, digest.bytes.data(), &length) == 1 && length == 32);
    return digest;
}

Digest digest_from(std::string_view raw) {
    Digest digest;
    PAWL_ASSERT(raw.size() == digest.bytes.size());
    std::memcpy(digest.bytes.data(), raw.data(), raw.size());
    return digest;
}

Digest sha256(std::string_view bytes) {
    DigestStream stream;
    stream.add(bytes);
    return stream.finish();
}

Digest sha256_parts(std::string_view tag, std::initializer_list<std::string_view> parts) {
    DigestStream stream;
    stream.add_part(tag);
    for (std::string_view part : parts) stream.add_part(part);
    return stream.finish();
}

}  // namespace pawl
