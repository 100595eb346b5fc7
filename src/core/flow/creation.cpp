// SPDX-License-Identifier: Apache-2.0
// How entities begin, facts that come before them, and the renewing of their deadlines.
#include <algorithm>

#include <fmt/format.h>

#include "core/flow/deeds.hpp"
#include "core/flow/transition.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::flow {
namespace {

Refusal refuse(Objection why) {
    return {why.reason, std::move(why.text), 0, {}, std::move(why.winner)};
}

// Who has what this creation asks for.
std::optional<Decision> is_taken(const Event& event, const Circumstances& known) {
    if (known.fact_taken) {
        if (known.may_read || known.fact_taken->by == event.caller ||
            is_planted(Plant::told_to_stranger))
            return Repeat{known.fact_taken->id, known.fact_taken->version};
        return refuse({Reason::duplicate_request, "somebody else sent it first", known.fact_taken});
    }
    if (known.business_key_taken)
        return refuse({Reason::business_key_taken, "another one has this business key",
                       known.business_key_taken});
    if (known.slot_taken)
        return refuse({Reason::slot_taken, "the slot is taken", known.slot_taken});
    if (known.short_of)
        return refuse({Reason::out_of_stock,
                       fmt::format("there is not enough of `{}`", known.short_of->code),
                       {}});
    return std::nullopt;
}

std::expected<std::vector<stock::Line>, Objection> read_items(const Definition& flow,
                                                              const Event& event) {
    if (!flow.items) {
        if (event.items.empty()) return std::vector<stock::Line>();
        return std::unexpected(Objection{Reason::field_invalid, "this flow has no items", {}});
    }
    auto lines = stock::merged(event.items);
    if (!lines) return std::unexpected(Objection{Reason::field_invalid, lines.error().text, {}});
    return *std::move(lines);
}

}  // namespace

Decision create(const Machine& machine, const Creation& creation, const Event& event,
                const Circumstances& known) {
    const Definition& flow = machine.definition();
    const EventRule& rule = flow.create;
    const Transition& way = rule.transitions.front();
    if (!is_allowed(machine, rule, event))
        return refuse({Reason::forbidden, "this is not yours to create", {}});
    if (creation.business_key.size() > kBusinessKeyBytesMax)
        return refuse({Reason::field_invalid,
                       fmt::format("the business key has {} bytes, at most {}",
                                   creation.business_key.size(), kBusinessKeyBytesMax),
                       {}});
    auto values = read_values(machine, rule, event);
    if (!values) return refuse(values.error());
    auto items = read_items(flow, event);
    if (!items) return refuse(items.error());
    Entity entity;
    entity.id = creation.id;
    entity.tenant = creation.tenant;
    entity.flow = flow.name;
    entity.business_key = creation.business_key;
    entity.fields = *values;
    entity.items = std::move(*items);
    const Case one{machine, entity, event, rule, *std::move(values)};
    if (auto unusable = check_usable(one)) return refuse(std::move(*unusable));
    if (auto unmet = check_guards(one, way.require)) return refuse(std::move(*unmet));
    if (auto taken = is_taken(event, known)) return *std::move(taken);
    Bundle bundle;
    bundle.course = Course::created;
    bundle.to = flow.initial;
    bundle.ends = machine.state(flow.initial)->final;
    bundle.mark = Mark{rule.name, event.stamp, 1, event.caller, event.now_ms};
    bundle.history = {1,         Course::created,    rule.name,    {},           flow.initial,
                      way.emit,  event.values,       event.sender, event.caller, event.now_ms,
                      event.hlc, event.trace_context};
    auto moves = moves_of(one, way.stock, bundle.ends);
    if (!moves) return refuse(moves.error());
    bundle.moves = std::move(*moves);
    auto slot = slot_of(one, way);
    if (!slot) return refuse(slot.error());
    if (*slot && std::ranges::find((*slot)->while_in, flow.initial) != (*slot)->while_in.end())
        bundle.take_slots.push_back(**slot);
    bundle.take_facts = facts_of(one, flow.initial);
    arrive(one, flow.initial, bundle);
    if (!way.saga.empty()) {
        auto saga = saga_of(one, way.saga, known);
        if (!saga) return refuse(saga.error());
        bundle.sagas.push_back(std::move(*saga));
    }
    bundle.created = std::move(entity);
    return bundle;
}

Decision without_entity(const Machine& machine, const Creation& key, const Event& event) {
    const EventRule* rule = machine.event(event.name);
    if (rule == nullptr || !rule->external)
        return refuse({Reason::not_found, "there is no such entity", {}});
    if (!is_allowed(machine, *rule, event))
        return refuse(
            {Reason::forbidden, fmt::format("`{}` is not yours to send", event.name), {}});
    WaitingFact fact = waiting_fact(key.tenant, machine.definition().name, key.business_key, key.id,
                                    event, event.now_ms);
    return Arbitration{Arbitration::Kind::parked, "no order yet", {}, 0, std::move(fact), {}};
}

std::variant<Renewal, Refusal> renewal(const Machine& machine, const Entity& entity,
                                       std::string_view deadline, std::int64_t now_ms,
                                       const std::vector<std::string>& roles) {
    const auto running = std::ranges::find(entity.deadlines, deadline, &timer::Running::name);
    const auto told = [&](Reason reason, std::string text) {
        return Refusal{reason, std::move(text), entity.version, entity.state, {}};
    };
    if (running == entity.deadlines.end())
        return told(Reason::not_found, fmt::format("no deadline `{}` runs", deadline));
    const StateRule* state = machine.state(deadline);
    if (state == nullptr || !state->deadline)
        return told(Reason::transition_refused, fmt::format("`{}` is not renewed", deadline));
    if (!state->renewed_by.empty() && !has_role_of(state->renewed_by, roles))
        return told(Reason::forbidden, fmt::format("`{}` is not yours to renew", deadline));
    const auto due = timer::renewed_due_ms(*state->deadline, *running, entity.created_ms, now_ms);
    return Renewal{entity.version, std::string(deadline), *due};
}

}  // namespace pawl::flow
