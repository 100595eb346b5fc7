// SPDX-License-Identifier: Apache-2.0
// What is sent to an entity, and what its sender is told. Of a request the answer is made before the commit,
// because it becomes true with it: what it shows of an entity is what the bundle makes of it, never a time that
// only the commit knows.
//
//   told           | something was written            | a request is answered
//   ---------------+----------------------------------+------------------------------------------------
//   applied        | the bundle                       | `answer`
//   repeated       | at most the request's record     | `answer`: the first result, marked as a replay
//   present        | at most the request's record     | `answer`: the entity as it is
//   refused        | at most the request's record     | `answer`: a problem document
//   parked         | the waiting fact                 | `answer`: acknowledged  (facts only)
//   ignored        | at most the record               | `answer`: acknowledged  (facts and deadlines only)
//   attention      | the entry of the list            | `answer`: acknowledged  (facts and deadlines); where a probe
//                  |                                  | found what a person looks at: a problem document
//   deferred       | when the deadline is asked again | -  (deadlines only)
//   recorded       | nothing                          | `answer`: as `verdict` says: mismatch, stale, limited ...
//   contended      | nothing                          | `answer`: to be sent again
//   settled_before | nothing: somebody else sent it   | -  (waiting facts only)
#pragma once

#include <functional>
#include <optional>

#include "core/flow/judge.hpp"
#include "store/port/flows.hpp"

namespace pawl::engine {

// The fingerprint of the same request under another rule; nullopt: that rule is no longer known.
using FingerprintUnder = std::function<std::optional<Digest>(const Digest& rule)>;

struct Sent {
    store::FlowSubject
        subject;        // of a creation: tenant, flow, business key, and an id of its own or none
    flow::Event event;  // its time is set when it is judged, its `hlc` where it has none
    bool creates = false;
    // Of a request, or of a callback that is remembered with its effect. A claim id of zeros is drawn here.
    std::optional<record::Claim> claim{};
    FingerprintUnder fingerprint_under{};
    // Of a callback with a claim: what its record keeps, whatever comes of it.
    std::optional<record::Answer> acknowledgement{};
    std::optional<flow::WaitingFact> settles{};  // that is being sent again
    // It came under the id of another one, which people are told even if its fact is known.
    bool contradicts = false;
    // The sender may see the entity, and so the first result of somebody else.
    bool may_read = false;
    // What must be asked first is asked later: a fact, which has to be acknowledged soon, is parked and sent
    // again; a deadline is left to its taker, who sends it again without this.
    bool store_first = false;
};

enum class Told : std::uint8_t {
    applied,
    repeated,
    present,
    refused,
    parked,
    ignored,
    attention,
    deferred,
    recorded,
    contended,
    settled_before,
};
inline constexpr int kToldCount = 11;
std::string_view name_of(Told told);

struct Outcome {
    Told told = Told::applied;
    std::string id{};           // of the entity; empty: there is none
    std::uint64_t version = 0;  // after the commit; of a repeat: that it made
    std::string from{};         // states, of applied
    std::string to{};
    // refused; applied, where another event overtook this one; attention, where this one has to come again
    std::optional<flow::Refusal> refusal{};
    std::string reason{};                      // parked, ignored, attention: in our words
    std::optional<record::Answer> answer{};    // of a request
    bool replayed = false;                     // the answer was given before
    std::optional<record::Verdict> verdict{};  // recorded; repeated, where the record said so
    std::optional<stock::Level> level{};       // of a change of stock
    bool asks = false;       // parked, deferred: what must be asked first has not been asked yet
    bool is_second = false;  // applied: compensated, because the same event took effect before
};

}  // namespace pawl::engine
