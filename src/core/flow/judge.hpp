// SPDX-License-Identifier: Apache-2.0
// What a store does inside its commit: the rows it has read, and a decision, give the rows to write or the one
// reason why nothing is written. Pure, so that every store decides alike; unique indexes, exclusion constraints
// and CHECKs only say the same again.
//
// Before it reads, a store takes the row of the entity and, for a creation or a waiting fact, the row of their
// meeting. An order and a fact that come at once then see each other: whoever is second finds what the first
// one wrote (the fact in `waiting`, the order under its business key).
#pragma once

#include <map>

#include "core/flow/transition.hpp"
#include "core/record/judge.hpp"

namespace pawl::flow {

struct Found {
    std::optional<Entity> entity;  // under the id, or of a waiting fact under its business key
    std::optional<Holder> business_key;
    std::map<Digest, Fact> facts;    // those of the decision that exist: taken, or decided about
    std::map<Digest, Holder> sagas;  // who has begun those of the decision
    std::vector<Slot> slots;         // of the decision's resources
    std::map<stock::Sku, stock::Level> levels;
    std::vector<WaitingFact> waiting;  // at the entity's meeting
    std::optional<std::uint64_t>
        settled_on;                      // by a person, the same entry: the version that he saw
    std::optional<WaitingFact> settles;  // the one of them that is being sent again
    record::Row record;                  // of the request
};

// The record of a request, claimed and completed in the commit itself.
struct Request {
    record::Claim claim;
    record::Answer answer;
};

// Answers that make the caller of `transition` call it again, or tell the first result.
struct Lost {
    enum class Why : std::uint8_t {
        record,   // the request's key: its record says the rest
        version,  // somebody else's bundle came first: load and judge again
        not_due,  // the deadline was renewed or has ended
        fact,
        slot,
        business_key,
        reversed,  // what the fact takes back is known, and whose it is
        saga,      // its saga was begun by another entity
        settled,   // a person has settled what would be told to people
        stock,
        unsound,  // rows contradict each other: nothing is written, an alarm
    };
    Why why = Why::version;
    std::optional<Holder> holder{};
    std::optional<stock::Sku> sku{};
    std::optional<record::Verdict> verdict{};
};
std::string_view name_of(Lost::Why why);

// Rows to write. What is not set stays as it is.
struct Write {
    std::optional<Entity> entity;
    std::optional<History> history;
    std::vector<std::pair<stock::Sku, stock::Level>> levels;
    std::vector<StockMove> reservations;
    std::vector<Fact> facts;
    std::vector<Digest> facts_freed;
    std::vector<Slot> slots;
    std::vector<Slot> slots_freed;
    std::vector<SagaStart> sagas;  // each unless the entity has begun it before
    std::optional<WaitingFact> waits;
    std::optional<Arbitration> attention;
    std::optional<WaitingFact> leaves;  // it is settled now
    std::vector<WaitingFact> wakes;     // facts to send again now
    std::optional<record::Row> record;
    std::optional<record::Answer> answer;  // of the record
};
using Judgement = std::variant<Write, Lost>;

Judgement judge(const Found& found, const Bundle& bundle, const std::optional<Request>& request,
                std::int64_t now_ms, record::Fence next);
// A refusal that becomes the result of its record; written only if the entity is as it was judged.
Judgement judge(const Found& found, const Refusal& refusal, const std::optional<Request>& request,
                std::int64_t now_ms, record::Fence next);
Judgement judge(const Found& found, const Arbitration& arbitration,
                const std::optional<Request>& request, std::int64_t now_ms, record::Fence next);
Judgement judge(const Found& found, const Renewal& renewal);
Judgement judge(const Found& found, const Later& later);

// What the next call of `transition` knows beside what it knew.
Circumstances learnt(Circumstances known, const Lost& lost);

// The entity after a bundle, as of a commit at this time.
Entity after(const Entity& entity, const Bundle& bundle, std::int64_t now_ms);

}  // namespace pawl::flow
