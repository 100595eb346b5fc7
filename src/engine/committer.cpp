// SPDX-License-Identifier: Apache-2.0
#include "engine/committer.hpp"

#include <array>
#include <utility>

#include "engine/deciding.hpp"
#include "engine/present.hpp"

namespace pawl::engine {
namespace {

constexpr std::array<std::string_view, kToldCount> kTold{
    "applied",   "repeated", "present",  "refused",   "parked",         "ignored",
    "attention", "deferred", "recorded", "contended", "settled_before",
};
constexpr int kHlcCountBits = 16;
// A millisecond's first number is drawn, so that two loops seldom give out the same one.
constexpr std::uint64_t kHlcFirstNumbers = 4'096;

}  // namespace

std::string_view name_of(Told told) { return kTold[std::to_underlying(told)]; }

void StoreNow::heard(std::int64_t now_ms, MonotonicTime at) {
    heard_ms_ = now_ms;
    heard_at_ = at;
}

std::optional<std::int64_t> StoreNow::at(MonotonicTime now) const {
    if (!heard_ms_) return std::nullopt;
    return *heard_ms_ +
           std::chrono::duration_cast<std::chrono::milliseconds>(now - heard_at_).count();
}

std::int64_t StoreNow::next_hlc(std::int64_t now_ms, Entropy& entropy) {
    const std::int64_t begins = now_ms << kHlcCountBits;
    if (hlc_ >= begins) return ++hlc_;
    hlc_ = begins + static_cast<std::int64_t>(entropy.below(kHlcFirstNumbers));
    return hlc_;
}

Task<Result<Outcome>> Committer::send(Sent sent) {
    Deciding deciding(setting_, store_now_, machines_, std::move(sent));
    co_return co_await deciding.run();
}

Task<Result<Outcome>> Committer::keep_for_people(Sent sent, std::string reason) {
    sent.subject = {sent.subject.tenant, sent.subject.flow, {}, {}};
    Deciding deciding(setting_, store_now_, machines_, std::move(sent), std::move(reason));
    co_return co_await deciding.run();
}

Task<Result<Outcome>> Committer::give_up(store::WaitingEntry entry) {
    Sent sent{.subject = std::move(entry.subject), .event = entry.fact.event};
    sent.settles = std::move(entry.fact);
    Deciding deciding(setting_, store_now_, machines_, std::move(sent), "waited in vain");
    co_return co_await deciding.run();
}

Task<Result<Outcome>> Committer::renew(store::FlowSubject subject, std::string deadline,
                                       std::vector<std::string> roles) {
    const std::shared_ptr<const Machines> machines = machines_;
    const flow::Machine* machine = machines->find(subject.flow);
    if (machine == nullptr) co_return fail(Code::not_found, "There is no such flow.", {}, "flows");
    for (int reloads = 0; reloads <= flow::kReloadsMax; ++reloads) {
        const Result<store::Loaded> loaded = co_await setting_.flows.load(subject);
        if (!loaded) co_return fail(loaded.error());
        if (!loaded->entity)
            co_return fail(Code::not_found, "There is no such entity.", {}, "flows");
        const flow::Entity& entity = *loaded->entity;
        const store::FlowSubject found = store::subject_of(entity);
        const auto decided = flow::renewal(*machine, entity, deadline, loaded->now_ms, roles);
        Outcome outcome{.told = Told::applied, .id = entity.id, .version = entity.version};
        if (const auto* refusal = std::get_if<flow::Refusal>(&decided)) {
            outcome.told = Told::refused;
            outcome.refusal = *refusal;
            outcome.answer = answer_of(*refusal, found);
            co_return outcome;
        }
        const Sure sure =
            co_await commit_surely(setting_, {found, std::get<flow::Renewal>(decided)});
        if (!sure.reply) co_return fail(sure.reply.error());
        if (sure.reply->outcome == store::FlowOutcome::lost) continue;
        if (sure.reply->next_due_ms != timer::kNever)
            setting_.aftermath.due(sure.reply->next_due_ms, sure.reply->now_ms);
        outcome.answer = answer_of_event(entity, machine);
        co_return outcome;
    }
    co_return Outcome{
        .told = Told::contended, .id = subject.id, .answer = answer_contended(subject)};
}

Task<Result<Outcome>> Committer::change_stock(std::string tenant, store::StockChange change,
                                              record::Claim claim,
                                              FingerprintUnder fingerprint_under) {
    std::optional<record::Claim> named(std::move(claim));
    name_claim(named, setting_.loop.entropy());
    for (;;) {
        const record::Answer answer = answer_of_stock(change);
        store::FlowCommit commit{{.tenant = tenant}, change};
        commit.request = flow::Request{*named, answer};
        Sure sure = co_await commit_surely(setting_, std::move(commit));
        if (!sure.reply) co_return fail(sure.reply.error());
        store::FlowReply& reply = *sure.reply;
        Outcome outcome{.told = Told::applied, .answer = answer, .level = reply.level};
        if (reply.outcome != store::FlowOutcome::lost) co_return outcome;
        flow::Lost& why = *reply.lost;
        if (why.why == flow::Lost::Why::stock)
            co_return co_await refuse_stock(tenant, change, *named, sure.may_arrive);
        if (!why.verdict) {
            setting_.aftermath.unsound({.tenant = tenant});
            co_return fail(Code::internal, "The rows of this SKU contradict each other.", {},
                           "stock");
        }
        if (follow_rule(*named, fingerprint_under, *why.verdict)) continue;
        const bool again = why.verdict->outcome == record::Outcome::replay && reply.answer;
        outcome.told = again ? Told::repeated : Told::recorded;
        outcome.replayed = again;
        outcome.answer = again ? std::move(reply.answer) : answer_recorded(*why.verdict);
        outcome.verdict = std::move(why.verdict);
        co_return outcome;
    }
}

// The refusal is kept under its key, so that no earlier sending takes effect after it was told.
Task<Result<Outcome>> Committer::refuse_stock(std::string tenant, store::StockChange change,
                                              record::Claim claim, bool may_arrive) {
    Outcome outcome{.told = Told::refused, .answer = answer_out_of_stock(change)};
    outcome.refusal = flow::Refusal{.reason = flow::Reason::out_of_stock};
    store::FlowCommit commit{{.tenant = tenant}, store::Answered{}};
    commit.request = flow::Request{claim, *outcome.answer};
    Sure kept = co_await commit_surely(setting_, std::move(commit));
    if (!kept.reply) co_return fail(told_after(std::move(kept.reply.error()), may_arrive));
    store::FlowReply& reply = *kept.reply;
    if (reply.outcome == store::FlowOutcome::applied) co_return outcome;
    if (reply.outcome == store::FlowOutcome::applied_before && reply.answer == outcome.answer)
        co_return outcome;
    // An earlier sending found enough, or somebody else used the key meanwhile.
    outcome = {.told = Told::recorded};
    if (reply.lost) outcome.verdict = std::move(reply.lost->verdict);
    outcome.replayed = reply.answer.has_value();
    if (outcome.replayed) outcome.told = Told::repeated;
    outcome.answer = outcome.replayed ? std::move(reply.answer) : answer_recorded(*outcome.verdict);
    co_return outcome;
}

}  // namespace pawl::engine
