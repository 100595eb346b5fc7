// SPDX-License-Identifier: Apache-2.0
// OpenSSL's SHA-256 by its plain functions, which it calls deprecated: its EVP interface looks the algorithm
// up in a table under a lock at every start, which costs more than hashing a key and is paid by all threads
// on one lock.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "runtime/codec/digest.hpp"

#include <new>
#include <span>

#include <openssl/sha.h>

#include "runtime/result/assert.hpp"

namespace pawl {

namespace {

static_assert(std::is_trivially_copyable_v<SHA256_CTX>);

SHA256_CTX& context_in(std::span<std::byte> state) {
    return *std::launder(reinterpret_cast<SHA256_CTX*>(state.data()));
}

}  // namespace

DigestStream::DigestStream() {
    static_assert(sizeof(SHA256_CTX) == kStateBytes &&
                  alignof(SHA256_CTX) <= alignof(std::uint64_t));
    PAWL_ASSERT(SHA256_Init(new (state_.data()) SHA256_CTX) == 1);
}

void DigestStream::add(std::string_view bytes) {
    PAWL_ASSERT(SHA256_Update(&context_in(state_), bytes.data(), bytes.size()) == 1);
}

void DigestStream::add_part(std::string_view bytes) {
    std::array<char, 8> length{};
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] =
            static_cast<char>((static_cast<std::uint64_t>(bytes.size()) >> (56 - 8 * i)) & 0xFF);
    add({length.data(), length.size()});
    add(bytes);
}

Digest DigestStream::finish() {
    Digest digest;
    PAWL_ASSERT(SHA256_Final(digest.bytes.data(), &context_in(state_)) == 1);
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
