// SPDX-License-Identifier: Apache-2.0
// A flow as it is declared: a value, right or wrong. `check.hpp` says what is wrong with it, `machine.hpp` makes
// what runs. Everything is referred to by its name, as in the file.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/flow/limits.hpp"
#include "core/flow/value.hpp"
#include "core/stock/reservation.hpp"
#include "core/timer/deadline.hpp"

namespace pawl::flow {

using Names = std::vector<std::string>;

inline bool holds(const Names& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

struct Field {
    std::string name;
    FieldType type = FieldType::text;
    bool required = true;
    bool operator==(const Field&) const = default;
};

// The closed list of conditions; no script runs. The value is the event's, else the entity's.
struct Guard {
    enum class Kind : std::uint8_t {
        same,  // the event's value is the entity's, at full precision
        equals,
        present,
        one_of,
        at_most,
        at_least,
        owner,    // the entity's value is the caller
        between,  // both ends in it; written `{ at_least: A, at_most: B }`
    };
    std::string field;
    Kind kind = Kind::same;
    Names values;  // equals, at_most, at_least: one; between: two; one_of: several
    bool operator==(const Guard&) const = default;
};
inline constexpr int kGuardKindCount = 8;

// These values together belong to one event of one entity: for ever, or while that is in one of the states.
struct UniqueRule {
    Names fields;
    Names while_in;
    bool operator==(const UniqueRule&) const = default;
};
// The resource is this entity's from `from` (included) to `to` (not), while it is in one of the states.
struct ExclusiveRule {
    std::string resource;
    std::string from;
    std::string to;
    Names while_in;
    bool operator==(const ExclusiveRule&) const = default;
};
// Where an event leads whose stock, or whose slot, is not to be had.
struct Branch {
    std::string to;
    std::string saga;
    bool operator==(const Branch&) const = default;
};

inline constexpr std::string_view kSame = "same";  // `to: same`: a transition that stays

struct Transition {
    Names from;
    std::string to;
    std::vector<Guard> require;
    std::optional<ExclusiveRule> exclusive;
    std::optional<stock::Action> stock;
    std::optional<Branch> short_of;
    std::optional<Branch> taken;
    std::string emit;    // type of the outgoing event; empty: none
    std::string before;  // the probe that is asked first
    std::string saga;    // started in the same commit
    bool operator==(const Transition&) const = default;
};

// SHA-256 over values that travel with it, valid for a short time.
struct TokenRule {
    std::string field;  // carries the token in hexadecimal
    Names over;
    std::string time;       // one of `over`: milliseconds since 1970, when it was made
    std::string station{};  // names who signed it, where stations are known; empty: nobody does
    std::chrono::milliseconds valid = kTokenValid;
    std::chrono::milliseconds skew = kTokenSkew;
    bool operator==(const TokenRule&) const = default;
};

enum class Early : std::uint8_t { none, park, ignore };
enum class Noop : std::uint8_t { refuse, ok };
enum class OnRepeat : std::uint8_t { replay, refuse, current };

struct EventRule {
    std::string name;
    bool external = false;  // reports a fact: never refused, always acknowledged
    std::vector<Field> fields;
    Names set;  // fields of the entity that take the event's values
    std::vector<UniqueRule> unique;
    std::string reverses;  // the event whose fact this one takes back; empty: none
    std::optional<TokenRule> token;
    Early early = Early::none;
    Noop noop = Noop::refuse;
    OnRepeat on_repeat = OnRepeat::replay;
    Names allow;  // callback, anyone, "role NAME"; empty: the default of callers.hpp
    std::vector<Transition> transitions;
    bool operator==(const EventRule&) const = default;
};

// What a fact that comes too late does: nothing, or it is compensated by a saga.
struct Late {
    std::string event;
    bool ignore = false;
    std::string saga;
    std::string emit;
    bool operator==(const Late&) const = default;
};

struct StateRule {
    std::string name;
    bool final = false;
    std::optional<timer::Rule> deadline;  // named as the state
    std::vector<Late> late;
    Names renewed_by{};  // who may renew the deadline: anyone, "role NAME"; empty: anyone
    bool operator==(const StateRule&) const = default;
};

// A deadline of the whole flow: ends when the entity first enters one of `until`.
struct FlowDeadline {
    timer::Rule rule;
    Names until;
    bool operator==(const FlowDeadline&) const = default;
};

struct Probe {
    std::string name;
    std::string call;  // "GET http://pay/orders/{business_key}"
    std::string paid;  // "$.paid == true"
    std::string event = "pay";
    std::vector<std::pair<std::string, std::string>> facts;  // name, where it stands in the answer
    std::chrono::milliseconds give_up = kGiveUp;
    bool operator==(const Probe&) const = default;
};

struct SagaStep {
    std::string name;
    std::string call;
    std::string compensate;
    bool operator==(const SagaStep&) const = default;
};
// Started once per key: a refund is keyed by the money fact that it reverses.
struct SagaRule {
    std::string name;
    std::string call;
    Names key;
    std::vector<SagaStep> steps;  // instead of `call`
    bool operator==(const SagaRule&) const = default;
};

// The member of a provider's notification that names the entity, and what it is compared with.
struct Correlate {
    std::string callback;
    std::string field = "business_key";
    bool operator==(const Correlate&) const = default;
};

struct Definition {
    std::string name;
    std::string initial;
    std::vector<Field> fields;
    bool items = false;
    std::optional<Correlate> correlate;
    Names check_code;  // fields that the ids' check code is made of
    std::vector<FlowDeadline> deadlines;
    std::vector<StateRule> states;
    std::vector<EventRule> events;
    EventRule create{.name = "create", .transitions = {Transition{}}};
    std::vector<Probe> probes;
    std::vector<SagaRule> sagas;
    bool operator==(const Definition&) const = default;
};

// What external events know without being told: which provider, account and transaction, what kind of fact.
inline constexpr std::string_view kFacts[] = {"provider",       "account", "out_trade_no",
                                              "transaction_id", "kind",    "refund_number"};

}  // namespace pawl::flow
