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
//   parked         | the waiting fact                 | -  (facts only)
//   ignored        | at most the record               | -  (facts only)
//   attention      | the entry of the list            | -  (facts and deadlines only)
//   deferred       | when the deadline is asked again | -  (deadlines only)
//   recorded       | nothing                          | as `verdict` says: mismatch, stale, limited ...
//   contended      | nothing                          | `answer`: to be sent again
//   settled_before | nothing: somebody else sent it   | -  (waiting facts only)
#pragma once

#include <optional>

#include "core/flow/judge.hpp"
#include "store/port/flows.hpp"

namespace pawl::engine {

struct Sent {
    store::FlowSubject subject;  // of a creation: tenant, flow and business key
    flow::Event event;           // its time is set when it is judged
    bool creates = false;
    std::optional<record::Claim> claim{};        // of a request
    std::optional<flow::WaitingFact> settles{};  // that is being sent again
    bool may_read =
        false;  // the sender may see the entity, and so the first result of somebody else
    // A fact has to be acknowledged soon: what must be asked first is parked instead, and asked afterwards.
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
    std::uint64_t version = 0;  // after the commit
    std::string from{};         // states, of applied
    std::string to{};
    std::optional<flow::Refusal>
        refusal{};         // refused; applied, where another event overtook this one
    std::string reason{};  // parked, ignored, attention: in our words
    std::optional<record::Answer> answer{};    // of a request
    bool replayed = false;                     // the answer was given before
    std::optional<record::Verdict> verdict{};  // recorded
    std::optional<stock::Level> level{};       // of a change of stock
};

}  // namespace pawl::engine
