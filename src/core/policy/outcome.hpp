// SPDX-License-Identifier: Apache-2.0
// What an attempt's end means for its record: it took effect, it provably did not, or nobody knows. One
// table per profile over the classes of status codes (protocol "Outcome classification", rulings 12). The
// upstream's own word, `Pawl-Outcome`, overrides the table, in either direction.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/policy/route.hpp"

namespace pawl::policy {

// How far an attempt came.
enum class AnswerKind : std::uint8_t {
    answered,   // a whole, readable answer
    not_sent,   // proven that no byte of this request left
    no_answer,  // it may have left, and no readable answer came
};

// The upstream's own word (header Pawl-Outcome).
enum class Declared : std::uint8_t { applied, not_applied, unknown };

// complete: store the answer. release: free the key. uncertain: keep it until there is evidence.
enum class OutcomeClass : std::uint8_t { complete, release, uncertain };

struct Ended {
    AnswerKind kind = AnswerKind::no_answer;
    int status = 0;  // answered
    std::optional<Declared>
        declared;  // answered; the word of an answer that broke off is not trusted
};

// Total. `transactional`: the upstream rolls back on every 5xx it answers.
OutcomeClass classify(Profile profile, bool transactional, const Ended& ended);

// An answer by which the upstream refused: a 4xx that it does not declare to have been applied. Its result is
// kept for `retention.refused`.
bool is_refusal(const Ended& ended);

// The table itself, for `check` and the docs.
struct OutcomeRow {
    Profile profile;
    OutcomeClass informational;         // 1xx: never a final answer
    OutcomeClass success;               // 2xx
    OutcomeClass redirect;              // 3xx
    OutcomeClass client;                // 4xx, except `released` and `doubtful`
    OutcomeClass server;                // 5xx
    OutcomeClass server_transactional;  // 5xx of a transactional route
    OutcomeClass other;                 // no status code of HTTP
    std::array<int, 5>
        released;  // 4xx that say "not now" or "not you": nothing was done; 0: unused
    int doubtful;  // the 4xx that says neither: 408; 0: none
};
const OutcomeRow& outcome_row(Profile profile);

std::string_view name_of(OutcomeClass outcome);

}  // namespace pawl::policy
