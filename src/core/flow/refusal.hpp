// SPDX-License-Identifier: Apache-2.0
// What a request is told that changes nothing. Facts are told none of these: they are arbitrated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/flow/entity.hpp"

namespace pawl::flow {

enum class Reason : std::uint8_t {
    transition_refused,
    guard_refused,
    amount_mismatch,
    field_invalid,
    out_of_stock,
    slot_taken,
    business_key_taken,
    duplicate_request,  // the unique values are another's, or came with other values
    stale_version,
    version_invalid,
    version_conflict,
    forbidden,
    not_found,
    token_invalid,
    token_expired,
    undecided,  // the probe could not say; the same request may be sent again
};
inline constexpr int kReasonCount = 16;

struct ReasonRow {
    Reason reason;
    std::string_view name;  // as on the wire and in metrics
    int http_status;
    bool stored;  // becomes the result of the request's record; else the next one is judged anew
};
const ReasonRow& row_of(Reason reason);
inline std::string_view name_of(Reason reason) { return row_of(reason).name; }

struct Refusal {
    Reason reason = Reason::transition_refused;
    std::string text;             // for people
    std::uint64_t judged_on = 0;  // the version that it speaks about; 0: there is no entity
    std::string state;
    std::optional<Holder> winner;  // who has it, or who was first
    bool operator==(const Refusal&) const = default;
};

}  // namespace pawl::flow
