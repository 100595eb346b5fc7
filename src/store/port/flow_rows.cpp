// SPDX-License-Identifier: Apache-2.0
#include "store/port/flow_rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/plant/planted.hpp"
#include "store/port/attention_rows.hpp"

namespace pawl::store {
namespace {

constexpr std::array<std::string_view, 4> kOutcomes{"applied", "applied_before", "settled_before",
                                                    "lost"};

const flow::Bundle* bundle_of(const FlowCommit& commit) {
    return std::get_if<flow::Bundle>(&commit.decision);
}

FlowSubject subject_in(const FlowCommit& commit) {
    const flow::Bundle* bundle = bundle_of(commit);
    return bundle == nullptr ? commit.subject : subject_of(bundle->created);
}

bool is_among(const std::vector<flow::WaitingFact>& facts, const flow::WaitingFact& fact) {
    return std::ranges::any_of(
        facts, [key = flow::key_of(fact)](const auto& one) { return flow::key_of(one) == key; });
}

// Somebody else has sent it. It was looked for where it waits, unless it met an order that goes by another name.
bool is_settled(FlowRows& rows, const flow::Found& found) {
    if (!found.settles || is_among(found.waiting, *found.settles)) return false;
    const std::string& meeting = found.settles->meeting;
    const bool looked = !found.waiting.empty() && found.waiting.front().meeting == meeting;
    return looked || !is_among(rows.waiting(meeting), *found.settles);
}

// Who has a business key, and since when.
flow::Holder creator_of(const flow::Entity& entity) {
    flow::Holder holder{entity.id, 1, {}, entity.created_ms};
    for (const flow::Mark& mark : entity.marks)
        if (mark.version == holder.version) holder.by = mark.by;
    return holder;
}

void find_facts(FlowRows& rows, const std::vector<flow::Fact>& facts, flow::Found& found) {
    for (const flow::Fact& fact : facts)
        if (auto taken = rows.fact(fact.key)) found.facts.emplace(fact.key, *std::move(taken));
}

void find_for(FlowRows& rows, const flow::Bundle& bundle, const FlowSubject& subject,
              flow::Found& found) {
    find_facts(rows, bundle.take_facts, found);
    for (const flow::SagaStart& saga : bundle.sagas)
        if (auto begun = rows.saga_begun(saga.key))
            found.sagas.emplace(saga.key, *std::move(begun));
    for (const flow::Slot& slot : bundle.take_slots)
        for (flow::Slot& other : rows.slots(subject, slot.resource))
            found.slots.push_back(std::move(other));
    for (const flow::StockMove& move : bundle.moves)
        if (const auto level = rows.level(subject.tenant, move.sku))
            found.levels.emplace(move.sku, *level);
    if (bundle.course != flow::Course::created || subject.business_key.empty()) return;
    const auto other = rows.entity({subject.tenant, subject.flow, {}, subject.business_key});
    if (other) found.business_key = creator_of(*other);
}

flow::Found find(FlowRows& rows, const FlowCommit& commit, const FlowSubject& subject) {
    flow::Found found;
    if (commit.request) found.record = rows.record(commit.request->claim.identity);
    if (std::holds_alternative<StockChange>(commit.decision)) return found;
    found.entity = rows.entity(subject);
    found.settles = commit.settles;
    if (bundle_of(commit) != nullptr)
        found.waiting =
            rows.waiting(meeting_of(found.entity ? subject_of(*found.entity) : subject));
    if (const flow::Bundle* bundle = bundle_of(commit)) find_for(rows, *bundle, subject, found);
    if (const auto* told = std::get_if<flow::Arbitration>(&commit.decision)) {
        find_facts(rows, told->about, found);
        if (told->goes_on)
            found.settled_on = rows.settled_on(
                flow::attention_key(meeting_of(found.entity ? subject_of(*found.entity) : subject),
                                    told->reason, told->event));
        if (const auto fact = told->reverses ? rows.fact(*told->reverses) : std::nullopt)
            found.facts.emplace(fact->key, *fact);
    }
    return found;
}

// The record alone, as of a version; a reason that is stored, and that nobody is told.
flow::Refusal only_record(std::uint64_t judged_on) {
    return {.reason = flow::Reason::transition_refused, .judged_on = judged_on};
}

struct Judge {
    const flow::Found& found;
    const std::optional<flow::Request>& request;
    std::int64_t now_ms;
    record::Fence next;

    flow::Judgement operator()(const flow::Bundle& one) const {
        return flow::judge(found, one, request, now_ms, next);
    }
    flow::Judgement operator()(const flow::Refusal& one) const {
        return flow::judge(found, one, request, now_ms, next);
    }
    flow::Judgement operator()(const flow::Arbitration& one) const {
        return flow::judge(found, one, request, now_ms, next);
    }
    flow::Judgement operator()(const flow::Later& one) const { return flow::judge(found, one); }
    flow::Judgement operator()(const flow::Renewal& one) const { return flow::judge(found, one); }
    flow::Judgement operator()(const Answered& one) const {
        const std::uint64_t present = found.entity ? found.entity->version : 0;
        return flow::judge(found, only_record(one.judged_on.value_or(present)), request, now_ms,
                           next);
    }
    flow::Judgement operator()(const StockChange&) const {
        return flow::judge(found, only_record(0), request, now_ms, next);
    }
};

std::vector<flow::SagaStart> start_sagas(FlowRows& rows, const flow::Write& write,
                                         const FlowSubject& of, std::int64_t now_ms) {
    std::vector<flow::SagaStart> started;
    for (const flow::SagaStart& saga : write.sagas)
        if (rows.start_saga({.subject = of,
                             .version = write.history->version,
                             .start = saga,
                             .next_ms = now_ms}))
            started.push_back(saga);
    return started;
}

// A deadline that ends comes once; what is said or tried again may come after somebody has seen to it. What he settled
// when the entity was another version is told again all the same.
bool comes_again(const flow::Arbitration& told) {
    if (told.put_off) return true;
    return told.stop.empty() && told.event &&
           (told.event->sender == flow::Sender::callback ||
            told.event->sender == flow::Sender::probe);
}

void write_waiting(FlowRows& rows, const FlowSubject& of, const flow::Found& found,
                   const flow::Write& write, std::int64_t now_ms) {
    const std::int64_t horizon_ms = flow::kFactHorizon.count();
    // What became an entry for people has left nothing else that would know a repeat.
    if (write.leaves) rows.drop_waiting(*write.leaves, write.attention ? now_ms + horizon_ms : 0);
    if (write.waits) rows.put_waiting(of, *write.waits, now_ms);
    if (!write.attention) return;
    const flow::Arbitration& told = *write.attention;
    rows.put_attention({.subject = of,
                        .reason = told.reason,
                        .judged_on = told.judged_on,
                        .event = told.event,
                        .at_ms = now_ms,
                        .about = told.about},
                       comes_again(told) && !found.settled_on ? now_ms - horizon_ms : now_ms);
}

void write_record(FlowRows& rows, const flow::Found& found, const flow::Write& write) {
    if (write.record) rows.put_record(found.record, *write.record, *write.answer);
}

void write_facts(FlowRows& rows, const FlowSubject& of, const flow::Write& write,
                 std::int64_t now_ms) {
    for (const Digest& key : write.facts_freed) rows.drop_fact(of, key);
    for (const flow::Fact& fact : write.facts) {
        rows.put_fact(of, fact);
        close_taken(rows, fact, now_ms);
    }
}

void write_rows(FlowRows& rows, const FlowSubject& subject, const flow::Found& found,
                const flow::Write& write, std::int64_t now_ms) {
    const FlowSubject of = write.entity   ? subject_of(*write.entity)
                           : found.entity ? subject_of(*found.entity)
                                          : subject;
    if (write.entity) rows.put_entity(*write.entity);
    if (write.history) {
        FlowStep step{*write.history, write.reservations, start_sagas(rows, write, of, now_ms), {}};
        if (write.record) step.request = write.record->identity;
        rows.add_step(of, step);
    }
    for (const auto& [sku, level] : write.levels) rows.put_level(of.tenant, sku, level);
    write_facts(rows, of, write, now_ms);
    for (const flow::Slot& slot : write.slots_freed) rows.drop_slot(of, slot);
    for (const flow::Slot& slot : write.slots) rows.put_slot(of, slot);
    if (is_planted(Plant::parked_fact_dropped) && !found.entity)
        for (const flow::WaitingFact& fact : found.waiting) rows.drop_waiting(fact, 0);
    write_waiting(rows, of, found, write, now_ms);
    write_record(rows, found, write);
}

FlowReply lost(FlowRows& rows, const FlowCommit& commit, flow::Lost why) {
    FlowReply reply;
    reply.outcome = FlowOutcome::lost;
    if (why.verdict) {
        why.verdict->store = nullptr;  // it points into the commit, which the reply outlives
        const record::Row& row = why.verdict->row;
        reply.answer = rows.answer(row);
        if (why.verdict->outcome == record::Outcome::replay &&
            row.claim == commit.request->claim.claim)
            reply.outcome = FlowOutcome::applied_before;
    }
    if (reply.outcome == FlowOutcome::lost) reply.lost = std::move(why);
    return reply;
}

Result<FlowReply> change_stock(FlowRows& rows, const FlowCommit& commit, const flow::Found& found,
                               const flow::Write& write) {
    const auto& change = std::get<StockChange>(commit.decision);
    const std::string& tenant = commit.subject.tenant;
    stock::Level level = rows.level(tenant, change.sku).value_or(stock::Level{});
    if (rows.failed()) return FlowReply{};
    const stock::Outcome outcome = change.kind == StockChange::Kind::set
                                       ? stock::set(level, change.quantity)
                                       : stock::adjust(level, change.quantity);
    FlowReply reply;
    reply.level = level;
    if (outcome == stock::Outcome::moved) {
        rows.put_level(tenant, change.sku, level);
        write_record(rows, found, write);
        return reply;
    }
    if (outcome == stock::Outcome::overflowed)
        return fail(Code::request_invalid, "There cannot be so many of one SKU.", {}, "stock");
    reply.outcome = FlowOutcome::lost;
    reply.lost = flow::Lost{.why = outcome == stock::Outcome::shortage ? flow::Lost::Why::stock
                                                                       : flow::Lost::Why::unsound,
                            .sku = change.sku};
    return reply;
}

void describe(FlowReply& reply, const std::optional<flow::Entity>& entity) {
    if (!entity) return;
    reply.id = entity->id;
    reply.version = entity->version;
    reply.next_due_ms = timer::earliest_ms(entity->deadlines);
}

// A new key of somebody who has no room for another is told so before anything is judged.
std::optional<FlowReply> refused_record(FlowRows& rows, const FlowCommit& commit,
                                        const flow::Found& found) {
    if (!commit.request || !rows.is_over_limit(commit.request->claim)) return std::nullopt;
    FlowReply reply;
    reply.outcome = FlowOutcome::lost;
    reply.lost = flow::Lost{.why = flow::Lost::Why::record};
    reply.lost->verdict = record::Verdict{.outcome = record::Outcome::limited, .row = found.record};
    return reply;
}

Result<FlowReply> applied(FlowRows& rows, const FlowCommit& commit, const FlowSubject& subject,
                          const flow::Found& found, const flow::Write& write, std::int64_t now_ms) {
    if (std::holds_alternative<StockChange>(commit.decision))
        return change_stock(rows, commit, found, write);
    write_rows(rows, subject, found, write, now_ms);
    FlowReply reply;
    if (const flow::Bundle* bundle = bundle_of(commit)) reply.told = bundle->told;
    reply.wakes = write.wakes;
    describe(reply, write.entity ? write.entity : found.entity);
    return reply;
}

}  // namespace

std::string_view name_of(FlowOutcome outcome) { return kOutcomes[std::to_underlying(outcome)]; }

Result<FlowReply> carry_out(FlowRows& rows, const FlowCommit& commit, std::int64_t now_ms,
                            record::Fence next) {
    if (std::holds_alternative<StockChange>(commit.decision) && !commit.request)
        return fail(Code::request_invalid, "A change of stock needs a key to be made once.", {},
                    "stock");
    const FlowSubject subject = subject_in(commit);
    const flow::Found found = find(rows, commit, subject);
    const bool settled = is_settled(rows, found);
    Result<FlowReply> reply = FlowReply{};
    if (auto refused = refused_record(rows, commit, found)) {
        reply = *std::move(refused);
    } else if (settled) {
        reply->outcome = FlowOutcome::settled_before;
        describe(*reply, found.entity);
    } else if (!rows.failed()) {
        flow::Judgement judgement =
            std::visit(Judge{found, commit.request, now_ms, next}, commit.decision);
        if (auto* why = std::get_if<flow::Lost>(&judgement)) {
            reply = lost(rows, commit, std::move(*why));
            describe(*reply, found.entity);
            if (reply->outcome == FlowOutcome::applied_before && bundle_of(commit) != nullptr)
                reply->wakes = found.waiting;
        } else {
            reply = applied(rows, commit, subject, found, std::get<flow::Write>(judgement), now_ms);
        }
    }
    if (reply) reply->now_ms = now_ms;
    return reply;
}

Digest key_of(const AttentionEntry& entry) {
    return flow::attention_key(meeting_of(entry.subject), entry.reason, entry.event);
}

std::string order_of_id(std::string_view id) {
    std::string text(4, '\0');
    for (std::size_t byte = 0; byte < 4; ++byte)
        text[byte] = static_cast<char>(id.size() >> (8 * (3 - byte)) & 0xFF);
    return text.append(id);
}

}  // namespace pawl::store
