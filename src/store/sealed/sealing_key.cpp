// SPDX-License-Identifier: Apache-2.0
#include "store/sealed/sealing_key.hpp"

#include "core/record/row_format.hpp"
#include "runtime/codec/aead.hpp"
#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::store {
namespace {

constexpr std::size_t kMarkBytes = 32;
constexpr std::size_t kIdBytes = 8;
static_assert(kSealBytes == kMarkBytes + kAeadTagBytes);

// What an answer is bound to; of one length, so that what follows it cannot be taken for part of it.
std::string place_of(const Digest& identity, record::Fence fence) {
    std::string place = "pawl answer 1";
    place += identity.view();
    for (int shift = 0; shift < 64; shift += 8)
        place.push_back(static_cast<char>(fence.number >> shift & 0xFF));
    return place;
}

std::string derived(std::string_view secret, std::string_view purpose, std::string_view from = {}) {
    return std::string(hmac_sha256(secret, std::string(purpose) + std::string(from)).view());
}

}  // namespace

SealingKey::SealingKey(std::string_view secret)
    : marking_(derived(secret, "pawl marks answers")),
      sealing_(derived(secret, "pawl seals answers")),
      id_(to_hex(derived(secret, "pawl names keys").substr(0, kIdBytes))) {}

Result<SealingKey> SealingKey::parse(std::string_view text) {
    const auto secret = from_hex(text);
    if (!secret || secret->size() != kSealingKeyBytes)
        return fail(
            Code::config_invalid,
            "an encryption key has 64 hexadecimal digits; `openssl rand -hex 32` makes one");
    return SealingKey(*secret);
}

record::Answer SealingKey::seal(const record::Answer& answer, const Digest& identity,
                                record::Fence fence) const {
    const std::string place = place_of(identity, fence);
    const std::string bytes = record::encode(answer);
    std::string mark = derived(marking_, place, bytes);
    const std::string key = derived(sealing_, {}, mark);
    const std::string nonce = mark.substr(0, kAeadNonceBytes);
    record::Answer sealed;
    sealed.status = answer.status;
    sealed.headers.emplace_back("", id_);
    sealed.body = std::move(mark);
    sealed.body += aead_seal(key, nonce, place, bytes);
    return sealed;
}

std::optional<record::Answer> SealingKey::open(const record::Answer& sealed, const Digest& identity,
                                               record::Fence fence) const {
    if (sealed.body.size() < kSealBytes) return std::nullopt;
    const std::string_view mark = std::string_view(sealed.body).substr(0, kMarkBytes);
    const std::string key = derived(sealing_, {}, mark);
    const auto bytes = aead_open(key, mark.substr(0, kAeadNonceBytes), place_of(identity, fence),
                                 std::string_view(sealed.body).substr(kMarkBytes));
    if (!bytes) return std::nullopt;
    auto answer = record::decode_answer(*bytes);
    if (!answer) return std::nullopt;
    return std::move(*answer);
}

std::optional<std::string> sealed_under(const record::Answer& answer) {
    // No line of an HTTP message has an empty name.
    if (answer.headers.size() != 1 || !answer.headers.front().first.empty()) return std::nullopt;
    return answer.headers.front().second;
}

const SealingKey* SealingKeys::find(std::string_view id) const {
    if (current && current->id() == id) return &*current;
    for (const SealingKey& key : previous)
        if (key.id() == id) return &key;
    return nullptr;
}

}  // namespace pawl::store
