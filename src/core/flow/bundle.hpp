// SPDX-License-Identifier: Apache-2.0
// Everything that becomes true together, as a value. A store applies it whole or not at all; `judge.hpp` says
// what that means for the rows it finds.
#pragma once

#include <variant>

#include "core/flow/event.hpp"
#include "core/flow/refusal.hpp"
#include "core/stock/level.hpp"

namespace pawl::flow {

// Of a row of history, which is also the row of the outbox when it has a type.
enum class Course : std::uint8_t {
    created,
    applied,
    compensated,  // the fact came too late: the state stays, a saga undoes it
    branched,     // no stock or no slot: the event led to `short` or `taken`
};
std::string_view name_of(Course course);

struct History {
    std::uint64_t version = 0;  // also its number in the entity's sequence
    Course course = Course::applied;
    std::string event;
    std::string from;
    std::string to;
    std::string type;  // of the outgoing event; empty: none is sent
    Given values;
    Sender sender = Sender::caller;
    std::string caller;
    std::int64_t at_ms = 0;  // store time of the commit
    std::int64_t hlc = 0;
    std::string trace_context;
    bool operator==(const History&) const = default;
};

struct StockMove {
    stock::Sku sku;
    stock::Change change;
    stock::Reservation after;
    bool operator==(const StockMove&) const = default;
};

// Started once per key, whoever asks.
struct SagaStart {
    std::string name;
    Digest key;
    Texts values;
    bool operator==(const SagaStart&) const = default;
};

struct Bundle {
    Course course = Course::applied;
    Entity created;  // course created: the whole; else only id, tenant and flow
    std::uint64_t judged_on = 0;
    std::string to;
    Fields set;
    std::optional<Mark> mark;
    History history;
    std::vector<StockMove> moves;  // one per SKU, sorted
    std::vector<Fact> take_facts;
    std::vector<Digest> free_facts;
    std::vector<Slot> take_slots;
    std::vector<Slot> free_slots;
    std::vector<timer::Rule> start;  // their due time counts from the commit
    Names stop;
    std::string fired;  // the deadline that has to be due; empty: none
    std::vector<SagaStart> sagas;
    std::optional<Refusal> told;  // the request's own event was overtaken by this one
    bool ends = false;            // `to` is a final state
    bool operator==(const Bundle&) const = default;
};

// A fact that waits for its order, or for its order to come so far. It meets the order under this key, which
// both write in their commits.
struct WaitingFact {
    std::string meeting;
    std::string tenant;
    std::string flow;
    Event event;
    std::int64_t until_ms = 0;         // then a person has to look
    std::optional<Digest> known_as{};  // its key, where what it says is hidden from the store
    bool operator==(const WaitingFact&) const = default;
};
// The same for every repeat of a fact: where, what, of which values, items and stamp; not when.
Digest key_of(const WaitingFact& fact);
// Of a business key, else of an id.
std::string meeting_of(std::string_view tenant, std::string_view flow,
                       std::string_view business_key, std::string_view id);
// One that came now, and waits until the horizon of facts. Unit: store time.
WaitingFact waiting_fact(std::string tenant, std::string flow, std::string_view business_key,
                         std::string_view id, Event event, std::int64_t now_ms);

// What became of an event that changes nothing and is not refused.
struct Arbitration {
    enum class Kind : std::uint8_t { parked, ignored, attention };
    Kind kind = Kind::ignored;
    std::string reason;
    std::string id;  // empty: there is no entity
    std::uint64_t judged_on = 0;
    std::optional<WaitingFact> waiting;
    std::string stop;                         // the deadline that waits for a person now
    std::optional<timer::Running> put_off{};  // the deadline that is tried again then
    std::optional<Event> event{};             // what was judged, for a person who has to look
    std::optional<Refusal> told{};            // the request's own event waits for that person
    // Of attention: which facts for ever he decides about. Nothing is told of one that is taken.
    std::vector<Fact> about{};
    // Told also where one of them is taken: it says something else of it, and who closes the entry is told that.
    bool even_taken = false;
    // Once a person has settled it, and nothing has happened since, the event goes on as if there were nothing.
    bool goes_on = false;
    // What it takes back, which is not its entity's own: a store that knows that fact says whose it is.
    std::optional<Digest> reverses{};
    bool operator==(const Arbitration&) const = default;
};
std::string_view name_of(Arbitration::Kind kind);
// The same whenever a person would be told the same again: where, why, of what. Neither when, nor at which version.
Digest attention_key(std::string_view meeting, std::string_view reason,
                     const std::optional<Event>& event);

struct Ask {  // the probe first; then the same event again
    std::string probe;
    bool operator==(const Ask&) const = default;
};
struct Later {  // the deadline asks again
    timer::Running deadline;
    std::uint64_t judged_on = 0;
    bool operator==(const Later&) const = default;
};
struct Repeat {  // the first result
    std::string id;
    std::uint64_t version = 0;  // 0: a person has settled it
    bool operator==(const Repeat&) const = default;
};
struct Present {  // nothing to do: the entity as it is
    bool operator==(const Present&) const = default;
};

using Decision = std::variant<Bundle, Refusal, Arbitration, Ask, Later, Repeat, Present>;

}  // namespace pawl::flow
