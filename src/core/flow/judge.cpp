// SPDX-License-Identifier: Apache-2.0
#include "core/flow/judge.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/plant/planted.hpp"

namespace pawl::flow {
namespace {

constexpr std::array<std::string_view, 11> kNames{"record",  "version",      "not_due",  "fact",
                                                  "slot",    "business_key", "reversed", "saga",
                                                  "settled", "stock",        "unsound"};
using Why = Lost::Why;

// The claim and the completion of the request's record, in one commit; nobody ever sees it in progress.
std::optional<Lost> keep(const Found& found, const std::optional<Request>& request,
                         std::int64_t now_ms, record::Fence next, Write& write) {
    if (!request) return std::nullopt;
    record::Verdict claimed = record::judge(found.record, request->claim, now_ms, next);
    if (!record::is_acquired(claimed.outcome))
        return Lost{.why = Why::record, .verdict = std::move(claimed)};
    const record::Complete complete{request->claim.identity, request->claim.claim,
                                    claimed.row.fence, request->answer};
    record::Verdict stored = record::judge(claimed.row, complete, now_ms, next);
    if (stored.outcome != record::Outcome::stored) return Lost{.why = Why::unsound};
    write.record = std::move(stored.row);
    write.answer = request->answer;
    return std::nullopt;
}

bool is_as_judged(const Found& found, std::uint64_t judged_on) {
    return (found.entity ? found.entity->version : 0) == judged_on;
}

bool is_due(const Found& found, const std::string& deadline, std::int64_t now_ms) {
    return found.entity &&
           std::ranges::any_of(found.entity->deadlines, [&](const timer::Running& running) {
               return running.name == deadline && timer::is_due(running, now_ms);
           });
}

bool overlap(const Slot& a, const Slot& b) {
    return a.resource == b.resource && a.from < b.to && b.from < a.to;
}

std::optional<Lost> take_rows(const Found& found, const Bundle& bundle, Write& write) {
    for (const Fact& fact : bundle.take_facts) {
        const auto at = found.facts.find(fact.key);
        const bool freed =
            std::ranges::find(bundle.free_facts, fact.key) != bundle.free_facts.end();
        if (at != found.facts.end() && !freed && !is_planted(Plant::fact_taken_twice))
            return Lost{.why = Why::fact, .holder = at->second.holder};
    }
    for (const Slot& slot : bundle.take_slots)
        for (const Slot& other : found.slots)
            if (other.holder.id != slot.holder.id && overlap(slot, other) &&
                !is_planted(Plant::slot_given_twice))
                return Lost{.why = Why::slot, .holder = other.holder};
    if (bundle.course == Course::created && !bundle.created.business_key.empty() &&
        found.business_key)
        return Lost{.why = Why::business_key, .holder = found.business_key};
    for (const SagaStart& saga : bundle.sagas) {
        const auto at = found.sagas.find(saga.key);
        if (at != found.sagas.end() && at->second.id != bundle.created.id)
            return Lost{.why = Why::saga, .holder = at->second};
    }
    for (const StockMove& move : bundle.moves) {
        const auto at = found.levels.find(move.sku);
        stock::Level level = at == found.levels.end() ? stock::Level{} : at->second;
        const stock::Outcome outcome = stock::apply(level, move.change);
        if (outcome == stock::Outcome::shortage) return Lost{.why = Why::stock, .sku = move.sku};
        if (outcome != stock::Outcome::moved) return Lost{.why = Why::unsound, .sku = move.sku};
        write.levels.emplace_back(move.sku, level);
    }
    return std::nullopt;
}

// One row may be written, but no bundle: the version stays, and with it every bundle that is under way.
Write only_deadline(Entity entity, timer::Running running) {
    for (timer::Running& one : entity.deadlines)
        if (one.name == running.name) one = running;
    Write write;
    write.entity = std::move(entity);
    return write;
}

const timer::Running* running_in(const Found& found, std::string_view deadline) {
    if (!found.entity) return nullptr;
    const auto at = std::ranges::find(found.entity->deadlines, deadline, &timer::Running::name);
    return at == found.entity->deadlines.end() ? nullptr : &*at;
}

}  // namespace

std::string_view name_of(Lost::Why why) { return kNames[std::to_underlying(why)]; }

Judgement judge(const Found& found, const Bundle& bundle, const std::optional<Request>& request,
                std::int64_t now_ms, record::Fence next) {
    Write write;
    if (auto lost = keep(found, request, now_ms, next, write)) return *std::move(lost);
    const bool fires = !bundle.fired.empty();
    const bool any_version = fires && is_planted(Plant::deadline_without_version);
    if (!any_version && !is_as_judged(found, bundle.judged_on)) return Lost{.why = Why::version};
    const bool any_time = any_version || is_planted(Plant::deadline_not_due);
    if (fires && !is_due(found, bundle.fired, now_ms) && !any_time)
        return Lost{.why = Why::not_due};
    if (auto lost = take_rows(found, bundle, write)) return *std::move(lost);
    write.entity = after(found.entity.value_or(Entity{}), bundle, now_ms);
    write.history = bundle.history;
    write.history->at_ms = now_ms;
    write.reservations = bundle.moves;
    write.facts = bundle.take_facts;
    for (Fact& fact : write.facts) fact.holder.at_ms = now_ms;
    write.facts_freed = bundle.free_facts;
    write.slots = bundle.take_slots;
    for (Slot& slot : write.slots) slot.holder.at_ms = now_ms;
    write.slots_freed = bundle.free_slots;
    write.sagas = bundle.sagas;
    write.leaves = found.settles;
    for (const WaitingFact& fact : found.waiting)
        if (!found.settles || key_of(fact) != key_of(*found.settles)) write.wakes.push_back(fact);
    return write;
}

Judgement judge(const Found& found, const Refusal& refusal, const std::optional<Request>& request,
                std::int64_t now_ms, record::Fence next) {
    Write write;
    if (auto lost = keep(found, request, now_ms, next, write)) return *std::move(lost);
    if (!is_as_judged(found, refusal.judged_on)) return Lost{.why = Why::version};
    if (!row_of(refusal.reason).stored) return Write{};
    return write;
}

Judgement judge(const Found& found, const Arbitration& arbitration,
                const std::optional<Request>& request, std::int64_t now_ms, record::Fence next) {
    Write write;
    if (auto lost = keep(found, request, now_ms, next, write)) return *std::move(lost);
    if (!is_as_judged(found, arbitration.judged_on)) return Lost{.why = Why::version};
    if (arbitration.reverses)
        if (const auto at = found.facts.find(*arbitration.reverses); at != found.facts.end())
            return Lost{.why = Why::reversed, .holder = at->second.holder};
    // Renewed meanwhile, which raises no version: it runs on.
    const bool stops = running_in(found, arbitration.stop) != nullptr;
    if (stops && !is_due(found, arbitration.stop, now_ms)) return Lost{.why = Why::not_due};
    if (arbitration.put_off && !is_due(found, arbitration.put_off->name, now_ms))
        return Lost{.why = Why::not_due};
    if (arbitration.told && !row_of(arbitration.told->reason).stored) {
        write.record.reset();
        write.answer.reset();
    }
    for (const Fact& fact : arbitration.about)
        if (const auto at = found.facts.find(fact.key);
            at != found.facts.end() && !arbitration.even_taken)
            return Lost{.why = Why::fact, .holder = at->second.holder};
    if (arbitration.goes_on && found.settled_on == arbitration.judged_on)
        return Lost{.why = Why::settled};
    // One that waits already goes on as it is, with its own end.
    if (!found.settles && !(request && is_planted(Plant::seen_without_effect)))
        write.waits = arbitration.waiting;
    if (arbitration.kind != Arbitration::Kind::parked && !arbitration.waiting)
        write.leaves = found.settles;
    if (arbitration.kind == Arbitration::Kind::attention && !is_planted(Plant::attention_dropped))
        write.attention = arbitration;
    if (stops) {
        write.entity = *found.entity;
        std::erase_if(write.entity->deadlines,
                      [&](const timer::Running& one) { return one.name == arbitration.stop; });
    }
    if (arbitration.put_off)
        write.entity = *only_deadline(*found.entity, *arbitration.put_off).entity;
    return write;
}

Judgement judge(const Found& found, const Renewal& renewal) {
    const timer::Running* running = running_in(found, renewal.deadline);
    if (running == nullptr || !is_as_judged(found, renewal.judged_on))
        return Lost{.why = Why::version};
    // Of two renewals the later one holds, whichever comes first.
    timer::Running renewed = *running;
    renewed.due_ms = is_planted(Plant::renewal_shortens)
                         ? renewal.due_ms
                         : std::max(running->due_ms, renewal.due_ms);
    renewed.next_ms = std::max(running->next_ms, renewed.due_ms);
    renewed.asked = 0;
    return only_deadline(*found.entity, std::move(renewed));
}

Judgement judge(const Found& found, const Later& later) {
    const timer::Running* running = running_in(found, later.deadline.name);
    if (running == nullptr || !is_as_judged(found, later.judged_on))
        return Lost{.why = Why::version};
    if (running->due_ms > later.deadline.due_ms) return Lost{.why = Why::not_due};
    return only_deadline(*found.entity, later.deadline);
}

Circumstances learnt(Circumstances known, const Lost& lost) {
    if (lost.why == Why::fact) known.fact_taken = lost.holder;
    if (lost.why == Why::slot) known.slot_taken = lost.holder;
    if (lost.why == Why::business_key) known.business_key_taken = lost.holder;
    if (lost.why == Why::reversed) known.reversed = lost.holder;
    if (lost.why == Why::saga) known.saga_begun = lost.holder;
    if (lost.why == Why::settled) known.settled = true;
    if (lost.why == Why::stock) known.short_of = lost.sku;
    // What was asked and found about another version is no answer about this one.
    if (lost.why == Why::version) known = {.may_read = known.may_read};
    return known;
}

}  // namespace pawl::flow
