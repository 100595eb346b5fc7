// SPDX-License-Identifier: Apache-2.0
// Names of states and sources, the digest by which answers are compared, and the public name of an
// operation: base64url (RFC 4648, section 5, without padding) of its identity.
#include "core/record/row.hpp"

#include <algorithm>

#include "runtime/codec/text.hpp"

namespace pawl::record {
namespace {

constexpr std::string_view kReferencePrefix = "op_";

// Row by row as in the enumerations.
constexpr std::array<std::string_view, kStateCount> kStateNames{
    "absent", "in_progress", "open", "uncertain", "completed", "tombstone", "freed"};
constexpr std::array<std::string_view, 4> kSourceNames{"owner", "probe", "callback", "person"};

}  // namespace

std::string_view name_of(State state) { return kStateNames[static_cast<std::size_t>(state)]; }

std::string_view name_of(Source source) { return kSourceNames[static_cast<std::size_t>(source)]; }

Digest digest_of(const Answer& answer) {
    DigestStream stream;
    stream.add_part("pawl-answer-1");
    stream.add_part(std::to_string(answer.status));
    stream.add_part(answer.body_kept ? "kept" : "dropped");
    stream.add_part(std::to_string(answer.headers.size()));
    for (const auto& [name, value] : answer.headers) {
        stream.add_part(name);
        stream.add_part(value);
    }
    stream.add_part(answer.body);
    return stream.finish();
}

CallerDigest caller_digest(std::string_view tenant, std::string_view caller) {
    CallerDigest digest;
    if (caller.empty()) return digest;
    const Digest whole = sha256_parts("pawl-caller-1", {tenant, caller});
    std::ranges::copy_n(whole.bytes.begin(), digest.bytes.size(), digest.bytes.begin());
    return digest;
}

std::string reference_of(const Digest& identity) {
    return std::string(kReferencePrefix) + to_base64url(identity.view());
}

std::optional<Digest> identity_from(std::string_view reference) {
    if (reference.size() != kReferenceLength || !reference.starts_with(kReferencePrefix))
        return std::nullopt;
    const auto bytes = from_base64url(reference.substr(kReferencePrefix.size()));
    if (!bytes) return std::nullopt;
    const Digest identity = digest_from(*bytes);
    // One identity has one name: the spare bits are zero.
    return reference_of(identity) == reference ? std::optional(identity) : std::nullopt;
}

}  // namespace pawl::record
