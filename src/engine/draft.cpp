// SPDX-License-Identifier: Apache-2.0
#include "engine/draft.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/present.hpp"
#include "runtime/plant/planted.hpp"
#include "runtime/result/assert.hpp"

namespace pawl::engine {
namespace {

using Kind = flow::Arbitration::Kind;

constexpr std::string_view kAskedLater = "asked later";

flow::Arbitration arbitration(const Sight& sight, Kind kind, std::string reason) {
    flow::Arbitration one{.kind = kind, .reason = std::move(reason)};
    if (sight.entity) {
        one.id = sight.entity->id;
        one.judged_on = sight.entity->version;
    }
    return one;
}

flow::Arbitration parked(const Sight& sight, std::string reason) {
    flow::Arbitration one = arbitration(sight, Kind::parked, std::move(reason));
    const store::FlowSubject subject = sight.subject();
    one.waiting = flow::waiting_fact(subject.tenant, subject.flow, subject.business_key, subject.id,
                                     sight.sent.event, sight.now_ms);
    return one;
}

const timer::Running* due_deadline(const Sight& sight) {
    if (!sight.entity || sight.sent.event.sender != flow::Sender::timer) return nullptr;
    for (const timer::Running& running : sight.entity->deadlines)
        if (running.name == sight.sent.event.deadline && timer::is_due(running, sight.now_ms))
            return &running;
    return nullptr;
}

flow::Decision without_refusal(const Sight& sight, const flow::Refusal& refusal) {
    if (refusal.reason == flow::Reason::undecided) return parked(sight, refusal.text);
    flow::Arbitration one = arbitration(
        sight, Kind::attention, fmt::format("{}: {}", flow::name_of(refusal.reason), refusal.text));
    one.about = facts_said(sight);
    return one;
}

// A reload has taken away what the deadline stands on. It waits for that to come back, and a person is told.
bool is_stray(const Sight& sight, const timer::Running& running) {
    if (sight.machine == nullptr) return false;
    const flow::StateRule* state = sight.machine->state(sight.entity->state);
    return state == nullptr || event_of(*sight.machine, running.name).empty();
}

flow::Arbitration stray(const Sight& sight, const timer::Running& running) {
    const flow::Entity& entity = *sight.entity;
    flow::Arbitration one = arbitration(
        sight, Kind::attention,
        fmt::format(
            "{} {} stands in `{}`, and the deadline `{}` that runs there is not in the flow "
            "file any more: write the state and its deadline back and reload, or lead it on "
            "with an event. Until then it is looked at every few minutes",
            entity.flow, entity.id, entity.state, running.name));
    one.put_off = timer::asked_again(running, sight.now_ms);
    return one;
}

// What a request would be told to send again, a fact waits for.
void wait_for_person(const Sight& sight, flow::Decision& decision) {
    auto* one = std::get_if<flow::Arbitration>(&decision);
    if (one == nullptr || !one->told) return;
    one->waiting = parked(sight, {}).waiting;
    one->told.reset();
}

std::optional<flow::Request> request_of(const Sent& sent, const record::Answer& answer) {
    if (!sent.claim) return std::nullopt;
    return flow::Request{*sent.claim, sent.acknowledgement ? *sent.acknowledgement : answer};
}

// The commit with the answer of the outcome, which a request is told and its record keeps.
Draft with_commit(const Sight& sight, Outcome outcome, decltype(store::FlowCommit::decision) what) {
    Draft draft{.outcome = std::move(outcome), .commit = {}};
    store::FlowCommit commit{sight.subject(), std::move(what)};
    commit.request = request_of(sight.sent, draft.outcome.answer.value_or(record::Answer{}));
    if (!is_planted(Plant::woken_waits_on)) commit.settles = sight.sent.settles;
    if (commit.request) draft.outcome.answer = commit.request->answer;
    draft.commit = std::move(commit);
    return draft;
}

bool took_effect(const flow::Entity& entity, std::string_view event) {
    const auto mark = std::ranges::find(entity.marks, event, &flow::Mark::event);
    return mark != entity.marks.end() && mark->version > 0;
}

Draft of_bundle(const Sight& sight, const flow::Bundle& bundle) {
    const flow::Entity after =
        flow::after(sight.entity.value_or(flow::Entity{}), bundle, sight.now_ms);
    Outcome outcome{.told = Told::applied, .id = after.id, .version = after.version};
    if (sight.entity) outcome.from = sight.entity->state;
    outcome.to = after.state;
    outcome.is_second = bundle.course == flow::Course::compensated && sight.entity &&
                        took_effect(*sight.entity, bundle.history.event);
    if (bundle.told) {
        outcome.refusal = bundle.told;
        outcome.refusal->judged_on = after.version;
        outcome.refusal->state = after.state;
    }
    if (sight.is_request()) {
        const store::FlowSubject subject = store::subject_of(after);
        outcome.answer = outcome.refusal ? answer_of(*outcome.refusal, subject)
                         : bundle.course == flow::Course::created
                             ? answer_of_creation(after, sight.machine)
                             : answer_of_event(after, sight.machine);
    }
    return with_commit(sight, std::move(outcome), bundle);
}

Draft of_refusal(const Sight& sight, const flow::Refusal& refusal) {
    Outcome outcome{.told = Told::refused, .version = refusal.judged_on, .refusal = refusal};
    const store::FlowSubject subject = sight.subject();
    if (sight.entity) outcome.id = sight.entity->id;
    outcome.answer = answer_of(refusal, subject);
    // Its key may have a result already, which then is what is told.
    if (sight.sent.claim) return with_commit(sight, std::move(outcome), refusal);
    return {.outcome = std::move(outcome), .commit = {}};
}

Draft of_arbitration(const Sight& sight, flow::Arbitration one) {
    const Told told = one.kind == Kind::parked    ? Told::parked
                      : one.kind == Kind::ignored ? Told::ignored
                                                  : Told::attention;
    Outcome outcome{.told = told, .id = one.id, .version = one.judged_on, .reason = one.reason};
    outcome.refusal = one.told;
    if (sight.is_request())
        outcome.answer =
            one.told ? answer_of(*one.told, sight.subject()) : answer_of(one, sight.subject());
    const bool settles = sight.sent.settles.has_value();
    const bool writes = sight.sent.claim.has_value() || !one.stop.empty() ||
                        one.kind == Kind::attention || (one.kind == Kind::parked) != settles;
    if (!writes) return {.outcome = std::move(outcome), .commit = {}};
    if (!one.event) one.event = sight.sent.event;
    return with_commit(sight, std::move(outcome), std::move(one));
}

Draft of_later(const Sight& sight, const flow::Later& later) {
    Outcome outcome{.told = Told::deferred,
                    .id = sight.entity->id,
                    .version = later.judged_on,
                    .reason = "asked again later"};
    store::FlowCommit commit{sight.subject(), later};
    return {.outcome = std::move(outcome), .commit = std::move(commit)};
}

Draft of_present(const Sight& sight) {
    Outcome outcome{
        .told = Told::present, .id = sight.entity->id, .version = sight.entity->version};
    outcome.answer = answer_of_event(*sight.entity, sight.machine);
    if (sight.sent.settles)
        return with_commit(sight, std::move(outcome),
                           arbitration(sight, Kind::ignored, "it is so already"));
    if (sight.sent.claim)
        return with_commit(sight, std::move(outcome), store::Answered{sight.entity->version});
    return {.outcome = std::move(outcome), .commit = {}};
}

}  // namespace

store::FlowSubject Sight::subject() const {
    if (!entity) return sent.subject;
    return {entity->tenant, entity->flow, entity->id, entity->business_key};
}

std::string event_of(const flow::Machine& machine, std::string_view deadline) {
    const flow::StateRule* state = machine.state(deadline);
    if (state != nullptr && state->deadline) return state->deadline->event;
    for (const flow::FlowDeadline& one : machine.definition().deadlines)
        if (one.rule.name == deadline) return one.rule.event;
    return {};
}

std::vector<flow::Fact> facts_said(const Sight& sight) {
    if (sight.machine == nullptr) return {};
    if (sight.entity) return flow::facts_said(*sight.machine, *sight.entity, sight.sent.event);
    const store::FlowSubject& subject = sight.sent.subject;
    flow::Entity nobody;
    nobody.tenant = subject.tenant;
    nobody.flow = subject.flow;
    nobody.business_key = subject.business_key;
    return flow::facts_said(*sight.machine, nobody, sight.sent.event);
}

flow::Decision unrefused(const Sight& sight, flow::Decision decision) {
    const bool is_timer = sight.sent.event.sender == flow::Sender::timer;
    if (const timer::Running* due = due_deadline(sight); due != nullptr && is_stray(sight, *due))
        return stray(sight, *due);
    const auto* refusal = std::get_if<flow::Refusal>(&decision);
    // A caller who may not send it, or sends nonsense, is told so. What he says of the world is a fact.
    const auto* told = std::get_if<flow::Arbitration>(&decision);
    const bool undecided = refusal != nullptr ? refusal->reason == flow::Reason::undecided
                                              : told != nullptr && told->told;
    if (!is_timer && !sight.has_fact() && !(sight.is_external && undecided)) return decision;
    if (refusal != nullptr) decision = without_refusal(sight, flow::Refusal(*refusal));
    wait_for_person(sight, decision);
    if (!is_timer || std::holds_alternative<flow::Bundle>(decision) ||
        std::holds_alternative<flow::Later>(decision) ||
        std::holds_alternative<flow::Ask>(decision))
        return decision;
    flow::Arbitration* one = std::get_if<flow::Arbitration>(&decision);
    if (one == nullptr)
        one = &decision.emplace<flow::Arbitration>(
            arbitration(sight, Kind::ignored, "it is so already"));
    if (one->kind == Kind::parked) one->kind = Kind::ignored;
    one->waiting.reset();
    if (due_deadline(sight) != nullptr && !one->put_off) one->stop = sight.sent.event.deadline;
    return decision;
}

flow::Decision put_off(const Sight& sight) {
    const timer::Running* running = due_deadline(sight);
    if (running == nullptr) return parked(sight, std::string(kAskedLater));
    if (auto taken = timer::taken(*running, sight.now_ms))
        return flow::Later{*std::move(taken), sight.entity->version};
    return arbitration(sight, Kind::ignored, "somebody else asks");
}

Draft draft(const Sight& sight, const flow::Decision& decision) {
    if (const auto* bundle = std::get_if<flow::Bundle>(&decision)) return of_bundle(sight, *bundle);
    if (const auto* refusal = std::get_if<flow::Refusal>(&decision))
        return of_refusal(sight, *refusal);
    if (const auto* one = std::get_if<flow::Arbitration>(&decision))
        return of_arbitration(sight, *one);
    if (const auto* later = std::get_if<flow::Later>(&decision)) return of_later(sight, *later);
    PAWL_ASSERT(std::holds_alternative<flow::Present>(decision));
    return of_present(sight);
}

Draft draft(const Sight& sight, const flow::Repeat& repeat, record::Answer first) {
    Outcome outcome{.told = Told::repeated, .id = repeat.id, .version = repeat.version};
    outcome.answer = std::move(first);
    outcome.replayed = true;
    if (sight.sent.settles)
        return with_commit(sight, std::move(outcome),
                           arbitration(sight, Kind::ignored, "it was applied before"));
    if (sight.sent.claim) return with_commit(sight, std::move(outcome), store::Answered{});
    return {.outcome = std::move(outcome), .commit = {}};
}

}  // namespace pawl::engine
