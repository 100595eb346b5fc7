// SPDX-License-Identifier: Apache-2.0
// What the auditors are told: answers as they leave a node, effects as they happen, calls as a store commits
// them. References are good for the length of the telling.
#pragma once

#include "core/record/call.hpp"
#include "net/http/message.hpp"
#include "sim/history/ledger.hpp"

namespace pawl::sim {

// How an answer reads to its client.
enum class Tone : std::uint8_t {
    settled,    // the upstream's last word on the operation, first or repeated
    released,   // the upstream's refusal of this attempt; the key is free
    doubtful,   // the upstream's 5xx, passed on as an unknown outcome
    uncertain,  // Pawl's: nobody knows
    in_progress,
    mismatch,
    stale,  // Pawl's: a newer version was accepted
    limited,
    expired,
    unavailable,  // Pawl's: nothing was executed
    malformed,    // Pawl's: the request was not fit to be executed
    forbidden,    // Pawl's: its caller has no right to it, or none any more
    strange,      // none of these: always a finding
};
std::string_view name_of(Tone tone);

struct Answered {
    Number exchange = 0;
    Number intent = 0;
    Number name = 0;
    Number operation = 0;
    MonotonicTime sent_at{};  // of the request
    MonotonicTime at{};
    Tone tone = Tone::strange;
    bool marked = false;         // Idempotent-Replayed: true
    const Said* said = nullptr;  // the upstream's answer that it carries
    std::string_view code;       // of a problem document
    const http::Response& response;
};
// The tone and what belongs to it.
Answered read_answer(const http::Response& response, const Ledger& ledger);

struct Committed {
    const record::Call& call;
    const record::Row& before;
    const record::Row& after;
    record::Outcome outcome;
    std::int64_t now_ms = 0;
    Number name = 0;      // 0: no client's
    bool awaited = true;  // a claim: its sender still waits for the answer
};

// Bytes of an attempt left a node.
struct Sent {
    Number exchange = 0;
    record::Fence fence;
    MonotonicTime at{};
    std::string version{};  // as the upstream is told
};

}  // namespace pawl::sim
