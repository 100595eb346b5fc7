// SPDX-License-Identifier: Apache-2.0
// One event and one entity: what becomes true together, or what is told instead. Pure; nothing is read but
// what is given. The engine calls it again with what it has learnt: a probe's answer, or why the store did not
// take the bundle (`learnt` in judge.hpp). Whether the Repeat of a request is the first one again: repeat.hpp.
//
//   asked in this order              a request                   a fact (an external event)
//   -------------------------------  --------------------------  ------------------------------------------
//   event known, sender allowed      not_found, forbidden        the same: nobody's word is no fact
//   values as declared, token        field_invalid, token_*      attention
//   unique values another entity's   duplicate_request           attention
//   unique values seen before        Repeat, or another's: 409   Repeat
//   stamp not above the highest      stale_version               attention if it names a payment, else ignored
//   If-Match                         version_conflict            -
//   deadline due and running         ignored: a recorded no-op   -
//   no transition from this state    noop or transition_refused  late, parked, ignored
//   takes back what is not its own   -                           ignored: compensated here; else attention
//   what it says of its entity       amount_mismatch, guard_...  -
//   conditions                       guard_refused, ...          attention
//   `before`                         asks; then as it was told   the same
//   slot, stock                      taken, short, else 409      taken, short
#pragma once

#include "core/flow/bundle.hpp"
#include "core/flow/machine.hpp"

namespace pawl::flow {

Decision transition(const Machine& machine, const Entity& entity, const Event& event,
                    const Circumstances& circumstances = {});

// The event `create`.
Decision create(const Machine& machine, const Creation& creation, const Event& event,
                const Circumstances& circumstances = {});

// A fact whose order is not there: it waits under the order's business key.
Decision without_entity(const Machine& machine, const Creation& key, const Event& event);

// The facts for ever that an event says of itself, be it in order or not; of `entity` only whose it is need be
// known. For a person who decides about them.
std::vector<Fact> facts_said(const Machine& machine, const Entity& entity, const Event& event);
// Of an entry for people when its fact was found to be taken: there is nothing to decide where it was this entity's, or
// settled by a person; another one's is left to its holder.
Decision when_taken(Arbitration told, const Holder& holder);

// A later due time for a deadline of the present state. One write; no row of history.
struct Renewal {
    std::uint64_t judged_on = 0;
    std::string deadline;
    std::int64_t due_ms = 0;
    bool operator==(const Renewal&) const = default;
};
std::variant<Renewal, Refusal> renewal(const Machine& machine, const Entity& entity,
                                       std::string_view deadline, std::int64_t now_ms,
                                       const std::vector<std::string>& roles = {});

}  // namespace pawl::flow
