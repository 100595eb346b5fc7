// SPDX-License-Identifier: Apache-2.0
#include "core/flow/transition.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/flow/deeds.hpp"
#include "core/flow/findings.hpp"
#include "core/flow/instead.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::flow {
namespace {

const Mark* mark_of(const Entity& entity, std::string_view event) {
    const auto at = std::ranges::find(entity.marks, event, &Mark::event);
    return at == entity.marks.end() ? nullptr : &*at;
}

bool is_settled_by_hand(const Holder& holder) { return holder.version == 0; }

std::optional<Decision> repeated(const Case& one, const Circumstances& known) {
    std::optional<Holder> holder = known.fact_taken;
    if (!holder) {
        const std::vector<Fact> facts = facts_of(one, one.entity.state);
        for (const Fact& fact : facts)
            for (const Fact& held : one.entity.facts)
                if (held.key == fact.key) holder = held.holder;
    }
    if (!holder) return std::nullopt;
    if (is_settled_by_hand(*holder) && one.rule.external) return Repeat{one.entity.id, 0};
    const bool is_fact = one.rule.external;
    if (holder->id != one.entity.id)
        return object(
            one, {Reason::duplicate_request,
                  fmt::format("{} to {}", is_fact ? "the fact belongs" : "its unique values belong",
                              holder->id),
                  holder});
    const bool may_have_it = is_fact || known.may_read || holder->by == one.event.caller ||
                             is_planted(Plant::told_to_stranger);
    if (may_have_it) return Repeat{holder->id, holder->version};
    return refuse(one, {Reason::duplicate_request, "somebody else sent it first", holder});
}

std::optional<Decision> outdated(const Case& one) {
    if (one.event.stamp) {
        const Mark* mark = mark_of(one.entity, one.event.name);
        if (mark != nullptr) {
            const auto order = record::order_of(one.event.stamp, mark->stamp);
            if (order == std::partial_ordering::unordered)
                return object(one, {Reason::version_invalid,
                                    "stamps of two kinds, or none and one, never mix",
                                    {}});
            if (order <= 0) {
                // One that names a payment is of money that is there, whatever its stamp.
                if (one.rule.external && facts_said(one).empty()) return ignore(one, "stale");
                return object(one, {Reason::stale_version, "a newer one was accepted", {}});
            }
        }
    }
    const bool other = one.event.if_match && *one.event.if_match != one.entity.version &&
                       !is_planted(Plant::if_match_ignored);
    if (other && !one.rule.external)
        return refuse(
            one,
            {Reason::version_conflict, fmt::format("the version is {}", one.entity.version), {}});
    return std::nullopt;
}

// A timer is a no-op unless its deadline runs and is due.
bool is_fired(const Case& one) {
    return std::ranges::any_of(one.entity.deadlines, [&](const timer::Running& running) {
        return running.name == one.event.deadline && timer::is_due(running, one.event.now_ms);
    });
}

Bundle begin(const Case& one, Course course, std::string_view to) {
    Bundle bundle;
    bundle.course = course;
    bundle.created.id = one.entity.id;
    bundle.created.tenant = one.entity.tenant;
    bundle.created.flow = one.entity.flow;
    bundle.judged_on = one.entity.version;
    bundle.to = to;
    bundle.ends = one.machine.state(to)->final;
    bundle.fired = one.event.deadline;
    bundle.mark = Mark{one.rule.name, one.event.stamp, one.entity.version + 1, one.event.caller,
                       one.event.now_ms};
    bundle.history = {one.entity.version + 1, course,           one.rule.name,
                      one.entity.state,       bundle.to,        {},
                      one.event.values,       one.event.sender, one.event.caller,
                      one.event.now_ms,       one.event.hlc,    one.event.trace_context};
    if (is_planted(Plant::history_without_version)) --bundle.history.version;
    return bundle;
}

Decision compensate(const Case& one, const Late& late, const Circumstances& known) {
    Bundle bundle = begin(one, Course::compensated, one.entity.state);
    const Mark* applied = mark_of(one.entity, one.rule.name);
    const bool before = applied != nullptr && applied->version > 0;
    if (before && is_planted(Plant::second_payment_ignored)) return ignore(one, "paid before");
    bundle.history.type = !late.emit.empty() ? late.emit
                          : before           ? "duplicate_payment"
                                             : "late_payment";
    // Who was first stays known; of this one, only its stamp.
    bundle.mark.reset();
    if (one.event.stamp) {
        bundle.mark = applied != nullptr ? *applied : Mark{one.rule.name, {}, 0, {}, 0};
        bundle.mark->stamp = one.event.stamp;
    }
    bundle.take_facts = facts_of(one, one.entity.state);
    std::erase_if(bundle.take_facts, [](const Fact& fact) { return !fact.while_in.empty(); });
    if (is_planted(Plant::late_before_unique)) bundle.take_facts.clear();
    auto saga = saga_of(one, late.saga, known, true);
    if (!saga) return object(one, saga.error());
    bundle.sagas.push_back(std::move(*saga));
    return bundle;
}

// The state's own answer when no transition leads on.
Decision without_transition(const Case& one, const Answer& answer, const Circumstances& known) {
    switch (answer.kind) {
        case AnswerKind::late:
            if (answer.late->ignore) return ignore(one, "late");
            return compensate(one, *answer.late, known);
        case AnswerKind::park:
            return park(one);
        case AnswerKind::ignore:
            return ignore(one, "early");
        case AnswerKind::noop:
            if (one.rule.noop == Noop::ok) return Present{};
            break;
        default:
            break;
    }
    Objection why{Reason::transition_refused,
                  fmt::format("`{}` is not possible in `{}`", one.rule.name, one.entity.state),
                  {}};
    if (const Mark* first = mark_of(one.entity, one.rule.name);
        first != nullptr && first->version > 0)
        why.winner = Holder{one.entity.id, first->version, first->by, first->at_ms};
    return object(one, std::move(why));
}

std::optional<Objection> add_saga(const Case& one, const std::string& name,
                                  const Circumstances& known, Bundle& bundle) {
    if (name.empty()) return std::nullopt;
    auto saga = saga_of(one, name, known, bundle.course == Course::branched);
    if (!saga) return saga.error();
    bundle.sagas.push_back(std::move(*saga));
    return std::nullopt;
}

// No stock or no slot: the event leads elsewhere, and what it holds is given back.
Decision branch(const Case& one, const Branch& way, std::string_view type,
                const Circumstances& known) {
    Bundle bundle = begin(one, Course::branched, way.to);
    bundle.history.type = fmt::format("{}.{}", one.entity.flow, type);
    auto moves = moves_of({one.machine, one.entity, Event{}, one.rule, {}}, stock::Action::release,
                          bundle.ends);
    if (!moves) return object(one, moves.error());
    bundle.moves = std::move(*moves);
    bundle.take_facts = facts_of(one, way.to);
    arrive(one, way.to, bundle);
    if (auto why = add_saga(one, way.saga, known, bundle)) return object(one, std::move(*why));
    return bundle;
}

Decision apply(const Case& one, const Transition& rule, const Circumstances& known) {
    const std::string& to = rule.to == kSame ? one.entity.state : rule.to;
    if (known.slot_taken && rule.exclusive) {
        if (rule.taken) return branch(one, *rule.taken, "slot_taken", known);
        return object(one, {Reason::slot_taken, "the slot is taken", known.slot_taken});
    }
    if (known.short_of && rule.stock) {
        if (rule.short_of) return branch(one, *rule.short_of, "out_of_stock", known);
        return object(one, {Reason::out_of_stock,
                            fmt::format("there is not enough of `{}`", known.short_of->code),
                            {}});
    }
    Bundle bundle = begin(one, Course::applied, to);
    bundle.history.type = rule.emit;
    for (const std::string& name : one.rule.set)
        if (const auto at = one.values.find(name); at != one.values.end()) bundle.set.insert(*at);
    auto moves = moves_of(one, rule.stock, bundle.ends);
    if (!moves) return object(one, moves.error());
    bundle.moves = std::move(*moves);
    auto slot = slot_of(one, rule);
    if (!slot) return object(one, slot.error());
    bundle.take_facts = facts_taken(one, to);
    arrive(one, to, bundle);
    if (*slot && std::ranges::find((*slot)->while_in, to) != (*slot)->while_in.end())
        bundle.take_slots.push_back(**slot);
    if (auto why = add_saga(one, rule.saga, known, bundle)) return object(one, std::move(*why));
    return bundle;
}

const timer::Running* running_of(const Case& one) {
    const auto at =
        std::ranges::find(one.entity.deadlines, one.event.deadline, &timer::Running::name);
    return at == one.entity.deadlines.end() ? nullptr : &*at;
}

// A deadline waits for what that person does; a request is told to come again. Of what has no name he can only say
// that he has seen to it, and the event goes on.
Arbitration waits_for_person(const Case& one, Arbitration told, std::string why) {
    told.stop.clear();
    told.goes_on = true;
    if (const timer::Running* running = running_of(one))
        told.put_off = timer::asked_again(*running, one.event.now_ms);
    if (one.event.sender != Sender::timer)
        told.told = refuse(one, {Reason::undecided, std::move(why), {}});
    return told;
}

// What the probe found is known, was not this entity's to keep, and would not be now. Otherwise it is its own, of an
// earlier round of the flow, and no machine says what becomes of it.
bool is_going_back(const Case& one, const Probe& probe, const Repeat& repeat) {
    const Answer& answer = one.machine.answer(one.entity.state, *one.machine.event(probe.event));
    return answer.kind == AnswerKind::late &&
           std::ranges::none_of(one.entity.facts, [&](const Fact& fact) {
               return fact.holder.version == repeat.version;
           });
}

// The probe found the money: its fact is applied, and the request is told that it came too late. Money that a person
// has settled moves nothing any more, and the event goes on as if there were none.
Decision found_paid(const Case& one, const Probe& probe, const Transition& rule,
                    Circumstances known) {
    Event paid = one.event;
    paid.name = probe.event;
    paid.values = known.probe_facts;
    paid.items.clear();
    paid.sender = Sender::probe;
    paid.stamp.reset();
    paid.if_match.reset();
    known.probed = Probed::not_yet;
    Decision decision = transition(one.machine, one.entity, paid, known);
    if (const auto* repeat = std::get_if<Repeat>(&decision)) {
        if (repeat->version == 0 || is_going_back(one, probe, *repeat))
            return apply(one, rule, known);
        Arbitration told = for_person(
            one, fmt::format("`{}` found `{}`, which took effect before", probe.name, probe.event));
        told.event = paid;
        decision = std::move(told);
    }
    if (auto* told = std::get_if<Arbitration>(&decision);
        told != nullptr && told->kind == Arbitration::Kind::attention)
        return waits_for_person(
            one, std::move(*told),
            fmt::format("`{}` found `{}`, which a person has to look at", probe.name, probe.event));
    if (auto* bundle = std::get_if<Bundle>(&decision);
        bundle != nullptr && one.event.sender == Sender::caller)
        bundle->told =
            refuse(one, {Reason::transition_refused,
                         fmt::format("`{}` found that `{}` has happened", probe.name, probe.event),
                         {}});
    return decision;
}

Decision unsettled(const Case& one, const Probe& probe) {
    if (one.event.sender != Sender::timer)
        return refuse(one, {Reason::undecided,
                            fmt::format("`{}` could not say whether `{}` has happened", probe.name,
                                        probe.event),
                            {}});
    const timer::Running& running = *running_of(one);
    if (timer::is_given_up(running, probe.give_up, one.event.now_ms))
        return waits_for_person(one, for_person(one, fmt::format("`{}` gave up", probe.name)), {});
    return Later{timer::asked_again(running, one.event.now_ms), one.entity.version};
}

// It takes back what is not the entity's own: nothing changes.
std::optional<Decision> reverses_other(const Case& one, const Circumstances& known) {
    Reversal reversal = reversal_of(one, known);
    if (reversal.of == Reversal::Of::own) return std::nullopt;
    if (reversal.of == Reversal::Of::undone) return ignore(one, std::move(reversal.why));
    Decision decision = object(one, {Reason::guard_refused, std::move(reversal.why), {}});
    if (auto* arbitration = std::get_if<Arbitration>(&decision))
        arbitration->reverses = reversal.fact;
    return decision;
}

Decision transitioned(const Case& one, const Circumstances& known) {
    const Answer& answer = one.machine.answer(one.entity.state, one.rule);
    if (answer.kind == AnswerKind::late && is_planted(Plant::late_payment_applied))
        return apply(one, one.rule.transitions.front(), known);
    if (answer.kind != AnswerKind::transition) return without_transition(one, answer, known);
    const Transition& rule = *answer.transition;
    if (auto old = check_token_age(one)) return object(one, std::move(*old));
    if (auto elsewhere = reverses_other(one, known)) return *std::move(elsewhere);
    const bool sets = !one.rule.external && !one.rule.set.empty();
    if (auto unusable = sets ? check_usable(one) : std::nullopt)
        return object(one, std::move(*unusable));
    if (auto untrue = check_said(one, rule)) return object(one, std::move(*untrue));
    if (auto unmet = check_guards(one, rule.require)) return object(one, std::move(*unmet));
    if (rule.before.empty() || known.probed == Probed::unpaid) return apply(one, rule, known);
    const Probe& probe = *one.machine.probe(rule.before);
    if (known.probed == Probed::not_yet) return Ask{probe.name};
    if (known.probed == Probed::paid && is_planted(Plant::found_paid_forgotten))
        return apply(one, rule, known);
    Decision decision =
        known.probed == Probed::paid ? found_paid(one, probe, rule, known) : unsettled(one, probe);
    const auto* told = std::get_if<Arbitration>(&decision);
    const bool seen_to = known.settled && told != nullptr && told->goes_on;
    return seen_to ? apply(one, rule, known) : decision;
}

Decision judged(const Machine& machine, const Entity& entity, const Event& event,
                const Circumstances& known) {
    const EventRule* rule = event.name == "create" ? nullptr : machine.event(event.name);
    if (rule == nullptr)
        return Refusal{Reason::not_found,
                       fmt::format("there is no event `{}`", event.name),
                       entity.version,
                       entity.state,
                       {}};
    Case one{machine, entity, event, *rule};
    if (!is_allowed(machine, *rule, event))
        return refuse(
            one, {Reason::forbidden, fmt::format("`{}` is not yours to send", event.name), {}});
    if (machine.state(entity.state) == nullptr)
        return object(one, {Reason::transition_refused,
                            fmt::format("the flow has no state `{}` any more", entity.state),
                            {}});
    auto values = read_values(machine, *rule, event);
    if (!values) return object(one, values.error());
    one.values = std::move(*values);
    if (auto nameless = check_named(one)) return object(one, std::move(*nameless));
    if (auto wrong = check_token(one)) return object(one, std::move(*wrong));
    const bool skipped = is_planted(Plant::late_before_unique) &&
                         machine.answer(entity.state, *rule).kind == AnswerKind::late;
    // What is taken is then the probe's fact, not this event's own.
    Circumstances own = known;
    if (known.probed == Probed::paid) own.fact_taken.reset();
    if (auto first = skipped ? std::nullopt : repeated(one, own)) return *std::move(first);
    if (auto old = outdated(one)) return *std::move(old);
    if (event.sender == Sender::timer && !is_fired(one))
        return ignore(one, "the deadline does not run, or is not due");
    return transitioned(one, known);
}

}  // namespace

Decision transition(const Machine& machine, const Entity& entity, const Event& event,
                    const Circumstances& known) {
    Decision decision = judged(machine, entity, event, known);
    auto* told = std::get_if<Arbitration>(&decision);
    const bool probed = known.probed == Probed::paid;  // it was looked at with the probe's fact
    if (told == nullptr || told->about.empty() || !known.fact_taken || probed) return decision;
    return when_taken(std::move(*told), *known.fact_taken);
}

std::vector<Fact> facts_said(const Machine& machine, const Entity& entity, const Event& event) {
    const EventRule* rule = machine.event(event.name);
    if (rule == nullptr || !rule->external) return {};
    Case one{machine, entity, event, *rule};
    for (const auto& [name, text] : event.values)
        if (const auto type = type_of(machine.definition(), *rule, name))
            if (const auto value = parse_value(*type, text)) one.values.emplace(name, *value);
    return facts_said(one);
}

Decision when_taken(Arbitration told, const Holder& holder) {
    if (is_settled_by_hand(holder)) return Repeat{told.id, 0};
    if (!told.id.empty() && holder.id == told.id) return Repeat{told.id, holder.version};
    told.about.clear();
    return told;
}

}  // namespace pawl::flow
