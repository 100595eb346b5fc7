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
constexpr std::string_view kOfClaim = "claim";
static_assert(kSealBytes == kMarkBytes + kAeadTagBytes);

// What an answer is bound to; of one length, so that what follows it cannot be taken for part of it.
std::string place_of(const Digest& identity, record::Fence fence) {
    std::string place = "pawl answer 1";
    place += identity.view();
    for (int shift = 0; shift < 64; shift += 8)
        place.push_back(static_cast<char>(fence.number >> shift & 0xFF));
    return place;
}

std::string place_of(const Digest& identity, record::ClaimId claim) {
    std::string place = "pawl answer 2";
    place += identity.view();
    for (const std::uint8_t byte : claim.bytes) place.push_back(static_cast<char>(byte));
    return place;
}

std::string place_of(const Digest& place) {
    std::string text = "pawl text 1";
    text += place.view();
    return text;
}

std::optional<record::Answer> answer_in(const std::optional<std::string>& bytes) {
    if (!bytes) return std::nullopt;
    auto answer = record::decode_answer(*bytes);
    if (!answer) return std::nullopt;
    return std::move(*answer);
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

std::string SealingKey::sealed_bytes(std::string_view bytes, const std::string& place) const {
    std::string mark = derived(marking_, place, bytes);
    const std::string key = derived(sealing_, {}, mark);
    const std::string nonce = mark.substr(0, kAeadNonceBytes);
    return std::move(mark) + aead_seal(key, nonce, place, bytes);
}

std::optional<std::string> SealingKey::opened_bytes(std::string_view sealed,
                                                    const std::string& place) const {
    if (sealed.size() < kSealBytes) return std::nullopt;
    const std::string_view mark = sealed.substr(0, kMarkBytes);
    const std::string key = derived(sealing_, {}, mark);
    return aead_open(key, mark.substr(0, kAeadNonceBytes), place, sealed.substr(kMarkBytes));
}

record::Answer SealingKey::seal(const record::Answer& answer, const Digest& identity,
                                record::Fence fence) const {
    record::Answer sealed;
    sealed.status = answer.status;
    sealed.headers.emplace_back("", id_);
    sealed.body = sealed_bytes(record::encode(answer), place_of(identity, fence));
    return sealed;
}

record::Answer SealingKey::seal_by_claim(const record::Answer& answer, const Digest& identity,
                                         record::ClaimId claim) const {
    record::Answer sealed;
    sealed.status = answer.status;
    sealed.headers = {{"", id_}, {"", std::string(kOfClaim)}};
    sealed.body = sealed_bytes(record::encode(answer), place_of(identity, claim));
    return sealed;
}

std::optional<record::Answer> SealingKey::open(const record::Answer& sealed, const Digest& identity,
                                               record::Fence fence) const {
    return answer_in(opened_bytes(sealed.body, place_of(identity, fence)));
}

std::optional<record::Answer> SealingKey::open_by_claim(const record::Answer& sealed,
                                                        const Digest& identity,
                                                        record::ClaimId claim) const {
    return answer_in(opened_bytes(sealed.body, place_of(identity, claim)));
}

std::string SealingKey::seal_text(std::string_view text, const Digest& place) const {
    return std::string(1, '\0') + id_ + sealed_bytes(text, place_of(place));
}

std::optional<std::string> SealingKey::open_text(std::string_view sealed,
                                                 const Digest& place) const {
    if (text_sealed_under(sealed) != id_) return std::nullopt;
    return opened_bytes(sealed.substr(1 + id_.size()), place_of(place));
}

std::optional<std::string> sealed_under(const record::Answer& answer) {
    // No line of an HTTP message has an empty name.
    if (answer.headers.empty() || !answer.headers.front().first.empty()) return std::nullopt;
    if (answer.headers.size() > 1 && !is_bound_to_claim(answer)) return std::nullopt;
    return answer.headers.front().second;
}

bool is_bound_to_claim(const record::Answer& sealed) {
    return sealed.headers.size() == 2 && sealed.headers[1].first.empty() &&
           sealed.headers[1].second == kOfClaim;
}

std::optional<std::string> text_sealed_under(std::string_view text) {
    if (text.size() < 1 + 2 * kIdBytes + kSealBytes || text.front() != '\0') return std::nullopt;
    return std::string(text.substr(1, 2 * kIdBytes));
}

const SealingKey* SealingKeys::find(std::string_view id) const {
    if (current && current->id() == id) return &*current;
    for (const SealingKey& key : previous)
        if (key.id() == id) return &key;
    return nullptr;
}

}  // namespace pawl::store
