// SPDX-License-Identifier: Apache-2.0
// The deeds of which a bundle is made, one function each: values, conditions, facts, stock, deadlines, sagas.
// Internal to this folder.
#pragma once

#include <expected>

#include "core/flow/bundle.hpp"
#include "core/flow/machine.hpp"

namespace pawl::flow {

// What one call of `transition` looks at. All of it outlives it.
struct Case {
    const Machine& machine;
    const Entity& entity;  // of creation: as it will be, without a version
    const Event& event;
    const EventRule& rule;
    Fields values{};  // of the event, as declared
};

// What is wrong with an event, before it is said to a request or to a fact.
struct Objection {
    Reason reason = Reason::guard_refused;
    std::string text;
    std::optional<Holder> winner{};
};
using Objected = std::optional<Objection>;

// nullptr: it is not among them.
const Value* find_value(const Fields& fields, std::string_view name);

// Of those whom `allow` names.
bool has_role_of(const Names& allow, const std::vector<std::string>& roles);
// What the event says; a fact's money also where the flow has no field for it.
std::optional<std::string> said_of(const Case& one, const std::string& name);
// A field after the event: what it sets, else what the entity has.
const Value* field_after(const Case& one, const std::string& name);

bool is_allowed(const Machine& machine, const EventRule& rule, const Event& event);

// Types, required ones, unknown ones.
std::expected<Fields, Objection> read_values(const Machine& machine, const EventRule& rule,
                                             const Event& event);
Objected check_guards(const Case& one, const std::vector<Guard>& guards);
// What a request says of its entity, and neither sets nor has a condition for, has to be so.
Objected check_said(const Case& one, const Transition& way);
// Right at all, apart from its age.
Objected check_token(const Case& one);
Objected check_token_age(const Case& one);

// The fields as they are after a creation, or after what a request sets.
Objected check_usable(const Case& one);

// A fact that does not say which one it is would not be known again, and its repeat would be another one.
Objected check_named(const Case& one);

// Of an event that takes back another one's fact: whether that is the entity's own.
struct Reversal {
    enum class Of : std::uint8_t {
        own,
        undone,  // of this entity and compensated: its own is another one
        other,   // nobody's, another entity's, or not said whose
    };
    Of of = Of::own;
    std::string why{};             // undone, other
    std::optional<Digest> fact{};  // other: what the store may know
};
Reversal reversal_of(const Case& one, const Circumstances& known);

// The unique facts that the event takes in this state; those whose values it does not carry are left out.
std::vector<Fact> facts_of(const Case& one, std::string_view state);
// The same, of one that takes effect: those that are for ever keep the money that they brought, which is what a refund
// takes back.
std::vector<Fact> facts_taken(const Case& one, std::string_view state);
// Those of them that are for ever, as far as the event says by itself which they are.
std::vector<Fact> facts_said(const Case& one);
// nullopt: the rule names no slot. Errors: a slot that ends before it begins, or without its fields.
std::expected<std::optional<Slot>, Objection> slot_of(const Case& one, const Transition& rule);
// `ends`: it leads to a final state, and what is reserved after the action is released.
std::expected<std::vector<StockMove>, Objection> moves_of(const Case& one,
                                                          std::optional<stock::Action> action,
                                                          bool ends);
// `undoes`: it takes back what the event itself reports. Errors: a key that nothing has told; what a request says of it
// and is not so; one that another entity has begun, which is of the same money.
std::expected<SagaStart, Objection> saga_of(const Case& one, std::string_view saga,
                                            const Circumstances& known, bool undoes = false);

// What begins and ends when the entity comes to this state.
void arrive(const Case& one, std::string_view state, Bundle& bundle);

}  // namespace pawl::flow
