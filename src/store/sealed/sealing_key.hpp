// SPDX-License-Identifier: Apache-2.0
// Seals an answer for the record that it belongs to. The sealed answer is an answer, so that every store keeps it as
// it keeps others: the status as it was, one header line without a name that holds the key's id, and as its body
//
//   body   = mark:32 hidden tag:16
//   mark   = HMAC(marking key, identity, fence, answer)
//   hidden = AES-256-GCM(answer; key = HMAC(sealing key, mark), nonce = the mark's first 12 bytes;
//            bound to identity and fence)
//
// where answer is its stored form (row_format.md). The keys come from the one that is configured. Key and nonce
// follow from the mark, and the mark from all that is sealed: the same pair seals the same bytes again, or nothing. So
// a completion that is sent again is the same answer again, and no count of messages wears a key out.
//
// An answer whose fence is given out only with its commit is bound to its claim instead; a second line without a name
// says so. Texts of flows are sealed likewise, each for its place (sealed_flows.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record/row.hpp"
#include "runtime/result/result.hpp"

namespace pawl::store {

inline constexpr std::size_t kSealingKeyBytes = 32;
// What sealing adds to an answer beyond its headers, which move into its body.
inline constexpr std::size_t kSealBytes = 48;

class SealingKey {
  public:
    // Shape: 64 hexadecimal digits. Errors: config_invalid.
    static Result<SealingKey> parse(std::string_view text);

    // Names the key without telling it: 16 hexadecimal digits.
    const std::string& id() const { return id_; }
    record::Answer seal(const record::Answer& answer, const Digest& identity,
                        record::Fence fence) const;
    // For a commit that claims and completes in one.
    record::Answer seal_by_claim(const record::Answer& answer, const Digest& identity,
                                 record::ClaimId claim) const;
    // nullopt: of another key or another record, or changed.
    std::optional<record::Answer> open(const record::Answer& sealed, const Digest& identity,
                                       record::Fence fence) const;
    std::optional<record::Answer> open_by_claim(const record::Answer& sealed,
                                                const Digest& identity,
                                                record::ClaimId claim) const;
    // Shape: a zero byte, the key's id, mark, hidden. Two places that differ never have the same bytes.
    std::string seal_text(std::string_view text, const Digest& place) const;
    std::optional<std::string> open_text(std::string_view sealed, const Digest& place) const;

  private:
    explicit SealingKey(std::string_view secret);
    std::string sealed_bytes(std::string_view bytes, const std::string& place) const;
    std::optional<std::string> opened_bytes(std::string_view sealed,
                                            const std::string& place) const;

    std::string marking_;
    std::string sealing_;
    std::string id_;
};

// The id of the key under which an answer is sealed; nullopt: it is not.
std::optional<std::string> sealed_under(const record::Answer& answer);
// Of one that is sealed: it is bound to its claim.
bool is_bound_to_claim(const record::Answer& sealed);
std::optional<std::string> text_sealed_under(std::string_view text);

// None: answers are kept as they are.
struct SealingKeys {
    std::optional<SealingKey> current;
    std::vector<SealingKey> previous;

    const SealingKey* find(std::string_view id) const;
};

}  // namespace pawl::store
