// SPDX-License-Identifier: Apache-2.0
// From a decision to the commit that makes it true and the outcome that its sender is told then. Pure: what the
// answer of a request shows is worked out before the commit. Internal to this folder.
#pragma once

#include <optional>

#include "core/flow/transition.hpp"
#include "engine/sent.hpp"

namespace pawl::engine {

// What one event is judged on.
struct Sight {
    const Sent& sent;
    const std::optional<flow::Entity>& entity;
    std::int64_t now_ms = 0;                 // store time, as far as it is known
    bool is_external = false;                // the event reports a fact
    const flow::Machine* machine = nullptr;  // of its flow; nullptr: it is not served

    bool has_fact() const {
        return sent.event.sender == flow::Sender::callback ||
               sent.event.sender == flow::Sender::probe || sent.settles.has_value();
    }
    bool is_request() const { return sent.event.sender == flow::Sender::caller && !sent.settles; }
    // By id where there is an entity.
    store::FlowSubject subject() const;
};

struct Draft {
    Outcome outcome;                          // once it is committed
    std::optional<store::FlowCommit> commit;  // nullopt: there is nothing to write
};

// Which event a deadline sends; empty: the flow has no such deadline any more.
std::string event_of(const flow::Machine& machine, std::string_view deadline);

// What a person decides about when he looks at this event.
std::vector<flow::Fact> facts_said(const Sight& sight);

// Whom a refusal reaches nobody by: a fact waits or goes to a person, and so does a deadline that cannot fire;
// a deadline whose event changes nothing ends, because it would be due for ever.
flow::Decision unrefused(const Sight& sight, flow::Decision decision);

// What must be asked first, put off: a fact waits, a deadline is left to its taker.
flow::Decision put_off(const Sight& sight);

// Precondition: neither an Ask nor a Repeat.
Draft draft(const Sight& sight, const flow::Decision& decision);
// `first`: the first result, or what is shown instead.
Draft draft(const Sight& sight, const flow::Repeat& repeat, record::Answer first);

}  // namespace pawl::engine
