// SPDX-License-Identifier: Apache-2.0
#include "engine/deciding.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine/present.hpp"
#include "gateway/patience.hpp"
#include "runtime/plant/planted.hpp"

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;
using Why = flow::Lost::Why;

// However often facts, slots and stock change hands between a judgement and its commit.
constexpr int kRoundsMax = 40;
constexpr std::chrono::nanoseconds kFactPauseMax = 20ms;

std::int64_t milliseconds_between(MonotonicTime from, MonotonicTime to) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(to - from).count();
}

flow::Refusal id_taken(const flow::Entity& entity) {
    flow::Refusal refusal{.reason = flow::Reason::business_key_taken,
                          .text = "another one has this id",
                          .judged_on = entity.version,
                          .state = entity.state};
    refusal.winner = flow::Holder{entity.id, 1, {}, entity.created_ms};
    return refusal;
}

}  // namespace

Error told_after(Error error, bool may_arrive) {
    if (!may_arrive || error.code == Code::unknown) return error;
    return {Code::unknown, "Nobody knows yet whether it took effect. Send the same again.",
            std::move(error.cause), std::move(error.place)};
}

void name_claim(std::optional<record::Claim>& claim, Entropy& entropy) {
    if (claim && claim->claim == record::ClaimId{})
        entropy.fill(std::as_writable_bytes(std::span{claim->claim.bytes}));
}

bool follow_rule(record::Claim& claim, const FingerprintUnder& fingerprint_under,
                 const record::Verdict& verdict) {
    if (verdict.outcome != record::Outcome::other_rule || !fingerprint_under) return false;
    const Digest& rule = record::rule_of(verdict.row);
    const std::optional<Digest> fingerprint = fingerprint_under(rule);
    if (!fingerprint || claim.rule == rule) return false;
    claim.rule = rule;
    claim.fingerprint = *fingerprint;
    return true;
}

Task<Sure> commit_surely(Setting setting, store::FlowCommit commit) {
    gateway::Patience patience(setting.loop, setting.loop.now() + kCommitPatience);
    Sure sure;
    for (;;) {
        sure.reply = co_await setting.flows.commit(commit);
        if (sure.reply) co_return sure;
        sure.may_arrive = sure.may_arrive || sure.reply.error().code == Code::unknown;
        // What was never applied is told at once.
        if (!sure.may_arrive || !co_await patience.next()) break;
    }
    sure.reply = fail(told_after(sure.reply.error(), sure.may_arrive));
    co_return sure;
}

Deciding::Deciding(Setting setting, StoreNow& store_now, std::shared_ptr<const Machines> machines,
                   Sent sent, std::string for_people)
    : setting_(setting),
      store_now_(store_now),
      machines_(std::move(machines)),
      machine_(machines_->find(sent.subject.flow)),
      sent_(std::move(sent)),
      for_people_(std::move(for_people)) {
    known_.may_read = sent_.may_read;
    if (machine_ == nullptr) return;
    rule_ = sent_.creates ? &machine_->definition().create : machine_->event(sent_.event.name);
    if (sent_.creates) sent_.event.name = machine_->definition().create.name;
}

bool Deciding::is_fact() const {
    return sight().has_fact() || (rule_ != nullptr && rule_->external);
}

flow::OnRepeat Deciding::on_repeat() const {
    return rule_ == nullptr ? flow::OnRepeat::replay : rule_->on_repeat;
}

Sight Deciding::sight() const {
    return {sent_, entity_, sent_.event.now_ms, rule_ != nullptr && rule_->external, machine_};
}

Error Deciding::after_error(Error error) const { return told_after(std::move(error), may_arrive_); }

Task<Result<Outcome>> Deciding::run() {
    Result<Outcome> outcome = co_await rounds();
    if (outcome) setting_.aftermath.decided(sent_, *outcome);
    co_return outcome;
}

Task<Result<Outcome>> Deciding::rounds() {
    if (machine_ == nullptr && for_people_.empty())
        co_return fail(Code::not_found, fmt::format("There is no flow `{}`.", sent_.subject.flow),
                       {}, "flows");
    name_claim(sent_.claim, setting_.loop.entropy());
    if (sent_.creates && sent_.subject.id.empty()) {
        Result<std::string> id = co_await setting_.ids.next();
        if (!id) co_return fail(id.error());
        sent_.subject.id = *std::move(id);
    }
    const int reloads_max = is_fact() ? kFactReloadsMax : flow::kReloadsMax;
    for (int round = 0; round < kRoundsMax && reloads_ <= reloads_max; ++round) {
        if (const Status looked = co_await look(); !looked)
            co_return fail(after_error(looked.error()));
        Result<flow::Decision> decision = co_await judge_with_probe();
        if (!decision) co_return fail(after_error(decision.error()));
        if (Decided decided = co_await settle(*std::move(decision))) co_return *std::move(decided);
        if (reloads_ > flow::kReloadsMax)
            co_await setting_.loop.sleep_for(std::chrono::nanoseconds(
                setting_.loop.entropy().below(static_cast<std::uint64_t>(kFactPauseMax.count()))));
    }
    Outcome outcome{.told = Told::contended, .id = sent_.subject.id};
    if (sight().is_request()) outcome.answer = answer_contended(sent_.subject);
    co_return outcome;
}

// Creations judge nothing that is there; when it is, the commit says so.
Task<Status> Deciding::look() {
    const auto now_ms = store_now_.at(setting_.loop.now());
    const bool names_nothing = sent_.subject.id.empty() && sent_.subject.business_key.empty();
    const bool needs_no_entity = (sent_.creates && !must_look_) || names_nothing;
    if (needs_no_entity && now_ms) {
        seen(*now_ms);
        co_return Status{};
    }
    Result<store::Loaded> loaded =
        co_await setting_.flows.load({sent_.subject.tenant, sent_.subject.flow, sent_.subject.id,
                                      sent_.creates ? std::string() : sent_.subject.business_key});
    if (!loaded) co_return fail(loaded.error());
    store_now_.heard(loaded->now_ms, setting_.loop.now());
    entity_ = std::move(loaded->entity);
    const std::uint64_t version = entity_ ? entity_->version : 0;
    if (version != std::exchange(known_of_, version)) known_ = {.may_read = known_.may_read};
    seen(loaded->now_ms);
    co_return Status{};
}

void Deciding::seen(std::int64_t now_ms) {
    sent_.event.now_ms = now_ms;
    if (sent_.event.hlc == 0)
        sent_.event.hlc = store_now_.next_hlc(now_ms, setting_.loop.entropy());
}

flow::Decision Deciding::judge() const {
    const store::FlowSubject& subject = sent_.subject;
    if (!for_people_.empty()) {
        flow::Arbitration one{.kind = flow::Arbitration::Kind::attention, .reason = for_people_};
        if (entity_) one.id = entity_->id;
        if (entity_) one.judged_on = entity_->version;
        one.event = sent_.event;
        one.about = facts_said(sight());
        one.even_taken = sent_.contradicts;
        return one;
    }
    const flow::Creation key{subject.id, subject.tenant, subject.business_key};
    if (sent_.creates && entity_) return id_taken(*entity_);
    if (sent_.creates) return flow::create(*machine_, key, sent_.event, known_);
    if (!entity_) return flow::without_entity(*machine_, key, sent_.event);
    return flow::transition(*machine_, *entity_, sent_.event, known_);
}

// Of a fact that is taken nothing is told to people.
flow::Decision Deciding::judge_unrefused() const {
    flow::Decision decision = unrefused(sight(), judge());
    auto* told = std::get_if<flow::Arbitration>(&decision);
    if (told == nullptr || told->about.empty() || !known_.fact_taken) return decision;
    return flow::when_taken(std::move(*told), *known_.fact_taken);
}

Task<Result<flow::Decision>> Deciding::judge_with_probe() {
    asked_later_.reset();
    flow::Decision decision = judge_unrefused();
    const auto* ask = std::get_if<flow::Ask>(&decision);
    if (ask == nullptr) co_return decision;
    const bool is_timer = sent_.event.sender == flow::Sender::timer;
    if (sent_.store_first && (is_fact() || is_timer)) {
        flow::Decision later = put_off(sight());
        if (const auto* parked = std::get_if<flow::Arbitration>(&later))
            asked_later_ = parked->waiting;
        co_return later;
    }
    const flow::Probe probe = *machine_->probe(ask->probe);
    const MonotonicTime asked = setting_.loop.now();
    Finding finding = co_await setting_.inquiry.ask(probe, *entity_, asked + kProbePatience);
    known_.probed =
        finding.probed == flow::Probed::not_yet ? flow::Probed::unknown : finding.probed;
    if (known_.probed == flow::Probed::unknown && is_planted(Plant::unknown_is_unpaid))
        known_.probed = flow::Probed::unpaid;
    known_.probe_facts = std::move(finding.facts);
    sent_.event.now_ms += milliseconds_between(asked, setting_.loop.now());
    decision = judge_unrefused();
    if (std::holds_alternative<flow::Ask>(decision))
        co_return fail(Code::internal,
                       fmt::format("The event that `{}` reports asks a probe itself.", probe.name),
                       {}, "flows");
    co_return decision;
}

Task<Deciding::Decided> Deciding::settle(flow::Decision decision) {
    if (const auto* again = std::get_if<flow::Repeat>(&decision))
        co_return co_await repeat(flow::Repeat(*again));
    const bool nobody_there = !entity_ && !sent_.creates && sight().is_request();
    const auto* refusal = std::get_if<flow::Refusal>(&decision);
    const bool forbidden = refusal != nullptr && refusal->reason == flow::Reason::forbidden;
    // Only by its business key can something be meant that is not there yet.
    const bool may_come =
        std::holds_alternative<flow::Arbitration>(decision) && sent_.subject.id.empty();
    if (nobody_there && !forbidden && !may_come)
        co_return Decided(fail(Code::not_found, "There is no such entity.", {}, "flows"));
    Draft made = draft(sight(), decision);
    made.outcome.asks =
        sent_.store_first && (asked_later_ || std::holds_alternative<flow::Later>(decision));
    co_return co_await commit(std::move(made));
}

Task<Deciding::Decided> Deciding::commit(Draft made) {
    if (!made.commit) {
        // Without a record, what is refused now may be applied by the earlier sending yet.
        if (may_arrive_ && made.outcome.told == Told::refused)
            co_return Decided(fail(after_error({})));
        co_return Decided(std::move(made.outcome));
    }
    Sure sure = co_await commit_surely(setting_, *made.commit);
    may_arrive_ = may_arrive_ || sure.may_arrive;
    if (!sure.reply && is_fact() && is_planted(Plant::acknowledged_before_commit))
        co_return Decided(std::move(made.outcome));
    if (!sure.reply) co_return Decided(fail(after_error(sure.reply.error())));
    store_now_.heard(sure.reply->now_ms, setting_.loop.now());
    if (sure.reply->outcome == store::FlowOutcome::lost)
        co_return co_await lost(std::move(made), *std::move(sure.reply));
    co_return Decided(finish(std::move(made), *std::move(sure.reply)));
}

Outcome Deciding::finish(Draft made, store::FlowReply reply) {
    Outcome outcome = std::move(made.outcome);
    if (!reply.id.empty()) outcome.id = reply.id;
    if (reply.outcome == store::FlowOutcome::applied && outcome.told == Told::applied)
        outcome.version = reply.version;
    if (reply.outcome == store::FlowOutcome::settled_before) {
        outcome = {.told = Told::settled_before, .id = reply.id, .version = reply.version};
    } else if (reply.outcome == store::FlowOutcome::applied_before && reply.answer &&
               reply.answer != outcome.answer) {
        // An earlier sending was judged otherwise, and it was that one that arrived.
        outcome = {.told = Told::repeated, .id = id_in(*reply.answer), .answer = reply.answer};
    }
    const store::FlowSubject subject{sent_.subject.tenant, sent_.subject.flow, outcome.id,
                                     sent_.subject.business_key};
    if (asked_later_ && outcome.told == Told::parked)
        reply.wakes.push_back(*std::exchange(asked_later_, std::nullopt));
    if (!reply.wakes.empty()) setting_.aftermath.wakes(subject, std::move(reply.wakes));
    if (reply.next_due_ms != timer::kNever) setting_.aftermath.due(reply.next_due_ms, reply.now_ms);
    return outcome;
}

Task<Deciding::Decided> Deciding::lost(Draft made, store::FlowReply reply) {
    flow::Lost why = std::move(*reply.lost);
    if (why.why == Why::record)
        co_return co_await on_record(std::move(*why.verdict), std::move(reply.answer));
    if (why.why == Why::unsound) {
        setting_.aftermath.unsound(sent_.subject);
        co_return Decided(fail(Code::internal,
                               "The rows of this entity contradict each other; nothing was "
                               "changed, and somebody has to look.",
                               {}, "flows"));
    }
    if (why.why == Why::not_due)
        co_return Decided(Outcome{.told = Told::ignored,
                                  .id = reply.id,
                                  .version = reply.version,
                                  .reason = "the deadline was renewed or has ended"});
    if (why.why == Why::version) {
        if (is_planted(Plant::loser_told_applied)) co_return Decided(std::move(made.outcome));
        if (may_arrive_ && !sent_.claim) {
            const Result<bool> ours = co_await is_ours(*made.commit);
            if (!ours) co_return Decided(fail(after_error(ours.error())));
            reply.outcome = store::FlowOutcome::applied_before;
            if (*ours) co_return Decided(finish(std::move(made), std::move(reply)));
        }
        may_arrive_ = false;  // what was judged on the version before is refused whenever it comes
        must_look_ = sent_.creates;
        ++reloads_;
    }
    known_ = flow::learnt(std::move(known_), why);
    co_return std::nullopt;
}

// Whether the row of history that made the next version is the one of this bundle.
Task<Result<bool>> Deciding::is_ours(store::FlowCommit commit) {
    const auto* bundle = std::get_if<flow::Bundle>(&commit.decision);
    if (bundle == nullptr) co_return false;
    const Result<std::vector<store::FlowStep>> steps = co_await setting_.flows.history(
        {bundle->created.tenant, bundle->created.flow, bundle->created.id, {}}, bundle->judged_on,
        1);
    if (!steps) co_return fail(steps.error());
    if (steps->empty()) co_return false;
    flow::History there = steps->front().history;
    there.at_ms = bundle->history.at_ms;
    co_return there == bundle->history;
}

Task<Deciding::Decided> Deciding::on_record(record::Verdict verdict,
                                            std::optional<record::Answer> answer) {
    if (follow_rule(*sent_.claim, sent_.fingerprint_under, verdict)) co_return std::nullopt;
    if (verdict.outcome == record::Outcome::replay && !answer)
        verdict.outcome = record::Outcome::expired;  // it took effect all the same
    Outcome outcome{.told = Told::recorded, .id = entity_ ? entity_->id : std::string()};
    if (verdict.outcome != record::Outcome::replay) {
        if (sight().is_request()) outcome.answer = answer_recorded(verdict);
        outcome.verdict = std::move(verdict);
        co_return Decided(std::move(outcome));
    }
    outcome.told = Told::repeated;
    outcome.replayed = true;
    if (!sent_.acknowledgement) outcome.id = id_in(*answer);
    // A refusal made nothing, and is told as it was.
    const bool made = answer->status < 400 && sight().is_request();
    if (made && on_repeat() == flow::OnRepeat::refuse) {
        answer = answer_duplicate(verdict.row, answer);
    } else if (made && (on_repeat() == flow::OnRepeat::current ||
                        is_planted(Plant::answer_of_the_moment))) {
        if (const auto entity = co_await entity_of(outcome.id))
            answer = answer_of_event(*entity, machine_);
    }
    outcome.answer = std::move(answer);
    outcome.verdict = std::move(verdict);
    co_return Decided(std::move(outcome));
}

}  // namespace pawl::engine
