// SPDX-License-Identifier: Apache-2.0
// The port to a store of flows: entities, their history, stock, waiting facts, and the records of the requests
// that moved them. Every store runs flow::judge inside its own commit (flow_rows.hpp) and is held to one
// conformance suite (store/conformance/flows_*).
//
// One mutating call, three outcomes: a FlowReply was committed and judged; Error codes `unavailable`
// (store_full, store_readonly, limited, request_invalid) were not applied; Error code `unknown` may have been
// applied and is settled by sending the same commit again, never by a look-up. Sent again it finds its own:
//
//   what it carries              the same commit again finds
//   ---------------------------  ---------------------------------------------------------
//   a request                    its record: applied_before, under the same claim
//   a waiting fact that settles  that it waits no more: settled_before
//   neither                      another version; what parks or waits for a person is there once
//
// A fact that waits is known by flow::key_of, an entry for people by flow::attention_key: a repeat finds the first
// one and writes nothing. For flow::kFactHorizon after a person has closed an entry, or a waiting fact has become
// one, a late repeat of that fact is known too.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/flow/judge.hpp"
#include "runtime/result/result.hpp"
#include "runtime/task/task.hpp"

namespace pawl::store {

// Whom a call is about: the id, or where it is empty the business key.
struct FlowSubject {
    std::string tenant;
    std::string flow;
    std::string id;
    std::string business_key;
    bool operator==(const FlowSubject&) const = default;
};

inline FlowSubject subject_of(const flow::Entity& entity) {
    return {entity.tenant, entity.flow, entity.id, entity.business_key};
}

// Where all that is told of it meets: by the business key, else by the id.
inline std::string meeting_of(const FlowSubject& subject) {
    return flow::meeting_of(subject.tenant, subject.flow, subject.business_key, subject.id);
}

// Nothing but the request's record becomes true: of a flow::Repeat, or of a flow::Present as of a version.
struct Answered {
    std::optional<std::uint64_t> judged_on;
};

// Stock that came in, was lost or was counted. Not below what is reserved and sold.
struct StockChange {
    enum class Kind : std::uint8_t { set, adjust };
    stock::Sku sku;
    Kind kind = Kind::set;
    std::int64_t quantity = 0;  // set: the total; adjust: so much more, or less
};

struct FlowCommit {
    FlowSubject subject;  // of a bundle: what the bundle itself names; of stock: only the tenant
    std::variant<flow::Bundle, flow::Refusal, flow::Arbitration, flow::Later, flow::Renewal,
                 Answered, StockChange>
        decision;
    std::optional<flow::Request> request{};      // not of Later and Renewal; of StockChange always
    std::optional<flow::WaitingFact> settles{};  // the fact that is being sent again
};

enum class FlowOutcome : std::uint8_t {
    applied,         // and durable
    applied_before,  // by this very claim, whose answer was lost; `answer` is the one it stored
    settled_before,  // somebody else has sent the waiting fact: nothing was written
    lost,            // nothing was written; `lost` says why
};
std::string_view name_of(FlowOutcome outcome);

struct FlowReply {
    FlowOutcome outcome = FlowOutcome::applied;
    std::optional<flow::Lost> lost;
    std::string id;                            // of the entity; empty: there is none
    std::uint64_t version = 0;                 // after the commit
    std::int64_t next_due_ms = timer::kNever;  // store time when a sweep has to look at it
    std::optional<flow::Refusal> told;         // as in the bundle
    std::vector<flow::WaitingFact> wakes;      // to be sent again now, oldest first
    std::optional<stock::Level> level;         // of a StockChange, after it
    std::optional<record::Answer> answer;      // of the record, where it is a repeat
    std::int64_t now_ms = 0;                   // store time of the commit
};

struct Loaded {
    std::optional<flow::Entity> entity;
    std::int64_t now_ms = 0;  // store time of the reading
};

struct PageQuery {
    std::string tenant;
    std::string flow;
    std::string after{};  // the last id of the page before; empty: from the newest
    std::size_t limit = 100;
};

// One row of an entity's history, with what moved in the same commit.
struct FlowStep {
    flow::History history;
    std::vector<flow::StockMove> moves;
    std::vector<flow::SagaStart> sagas;  // that began with it; not those that had begun before
    std::optional<Digest> request;       // the identity of the record that came with it
    bool operator==(const FlowStep&) const = default;
};

struct WaitingEntry {
    std::uint64_t number = 0;  // rising in the order in which they came to wait
    FlowSubject subject;
    flow::WaitingFact fact;
};

// What became of an entry and of the facts that it is about, in one commit.
enum class ClosedAs : std::uint8_t {
    settled,  // a person has put it right: they are taken, and move nothing any more
    left,     // a person leaves it to the machine: they stay free
    taken,    // the machine has taken them meanwhile, or a person with another entry
};
std::string_view name_of(ClosedAs as);

// Something that a person has to look at. While it is open its facts are free: whoever takes one, closes it.
struct AttentionEntry {
    std::uint64_t number = 0;  // rising
    FlowSubject subject;
    std::string reason;
    std::uint64_t judged_on = 0;  // 0: there was no entity
    std::optional<flow::Event> event;
    std::int64_t at_ms = 0;      // store time
    std::int64_t closed_ms = 0;  // store time; 0: it is open
    std::string closed_by{};     // of a person; empty: the machine
    std::string why{};           // it was closed, in that person's words
    std::vector<flow::Fact> about{};
    ClosedAs closed_as = ClosedAs::settled;
};

// Entries of one entity, open and closed, or of all those that are closed.
struct EntriesQuery {
    std::optional<FlowSubject> of{};  // with its business key, where it has one; nullopt: of all
    std::uint64_t behind = 0;         // the number of the last one before; 0: from the latest
    std::size_t limit = 100;
};

// A person's word about an entry. What it is about is done afterwards, and only when it is answered `closed`.
struct CloseAttention {
    std::uint64_t number = 0;
    std::string by;
    std::string why;
    ClosedAs as = ClosedAs::settled;  // or left
};
enum class Closing : std::uint8_t {
    closed,      // now, or before by the same word
    by_another,  // by another word
    taken,       // its fact is taken: there is nothing to be done for it
};

// Where an entity stands.
struct Standing {
    std::string tenant;
    std::string flow;
    std::string state;
    auto operator<=>(const Standing&) const = default;
};

struct StatesSlice {
    std::map<Standing, std::uint64_t> entities;  // how many
    std::string next;                            // where the next one begins; empty: that was all
};

class Flows {
  public:
    virtual ~Flows() = default;

    // Judged on the rows as they are then, and written whole or not at all; another one that waits for the same
    // flush is neither delayed nor failed by it.
    // Errors: as above; request_invalid for a change of stock without a request, or above stock::kQuantityMax.
    // Durable: when it answers. Cancel: never; it is carried out.
    virtual Task<Result<FlowReply>> commit(FlowCommit commit) = 0;

    // Settled: its facts are taken in the same commit, and every other open entry about one of them is closed. Errors:
    // not_found; request_invalid: a person does not take; as commit. Durable: when it answers. Cancel: never.
    virtual Task<Result<Closing>> close_attention(CloseAttention word) = 0;
    // Takes away entities that came to their end, and entries that were closed, longer ago than that: with their
    // history, slots, and facts that end with a state. What some sink has not been sent stays; facts for ever and
    // sagas stay always, so that no money moves twice. At most `limit` of each kind, oldest first.
    // What has a compensation that is not done stays, too. `keeps_entities`: only closed entries go.
    // How many entities went: as many as `limit` when there may be more. Errors: as commit.
    virtual Task<Result<std::size_t>> retire(std::size_t limit, std::int64_t older_than_ms,
                                             bool keeps_entities = false) = 0;

    // The readings. As of a moment after the call was made, never from a cache that nobody checks.
    // Errors: unavailable.
    virtual Task<Result<Loaded>> load(FlowSubject subject) = 0;
    // Newest first. Ids are compared as numbers: the longer one is greater, then byte by byte. A page begins
    // behind an id, not at a place, so that what is created meanwhile neither repeats nor hides anything.
    virtual Task<Result<std::vector<flow::Entity>>> page(PageQuery query) = 0;
    // Oldest first: the versions above `after`, at most `limit`.
    virtual Task<Result<std::vector<FlowStep>>> history(FlowSubject subject, std::uint64_t after,
                                                        std::size_t limit) = 0;
    // How many entities of every tenant and flow stand in which state, so many at a time: from what the slice before
    // it says, the first from "". What changes meanwhile may be counted or not.
    virtual Task<Result<StatesSlice>> states(std::string from, std::size_t limit) = 0;
    virtual Task<Result<std::optional<stock::Level>>> level(std::string tenant, stock::Sku sku) = 0;
    // Oldest first: numbers above `after`, at most `limit`; of every tenant.
    virtual Task<Result<std::vector<WaitingEntry>>> waiting(std::uint64_t after,
                                                            std::size_t limit) = 0;
    // Those that are open.
    virtual Task<Result<std::vector<AttentionEntry>>> attention(std::uint64_t after,
                                                                std::size_t limit) = 0;
    // Of one entity the latest first, also what was told under its business key before it was there. Of all: those
    // that are closed, the latest closed first; behind one that is gone there are none.
    virtual Task<Result<std::vector<AttentionEntry>>> entries(EntriesQuery query) = 0;
};

}  // namespace pawl::store
