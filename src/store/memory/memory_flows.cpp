// SPDX-License-Identifier: Apache-2.0
#include "store/memory/memory_flows.hpp"

#include <algorithm>

namespace pawl::store {
namespace {

// Those that run, the earliest first.
std::vector<SagaRow> running(std::vector<SagaRow> found) {
    std::erase_if(found, [](const SagaRow& row) { return row.state != SagaState::running; });
    std::ranges::sort(found, {},
                      [](const SagaRow& row) { return std::pair(row.next_ms, row.number); });
    return found;
}

}  // namespace

template <class T>
Result<T> MemoryFlows::told(Result<T> found) {
    const bool failed = rows_.failed();
    rows_.forget_failure();
    if (failed) return fail(Code::store_corrupt, "A row of the store is damaged.", {}, "store");
    return found;
}

std::vector<Result<FlowReply>> MemoryFlows::commit_flows(std::span<const FlowCommit> commits) {
    std::vector<Result<FlowReply>> replies;
    replies.reserve(commits.size());
    for (const FlowCommit& one : commits)
        replies.push_back(told(carry_out(rows_, one, records_.now_ms(), records_.next_fence())));
    return replies;
}

Result<Loaded> MemoryFlows::load(const FlowSubject& subject) {
    return told<Loaded>(Loaded{rows_.entity(subject), records_.now_ms()});
}

Result<std::vector<flow::Entity>> MemoryFlows::page(const PageQuery& query) {
    const auto& entities = rows_.entities();
    const EntityKey first{query.tenant, query.flow, {}};
    auto at = query.after.empty()
                  ? entities.upper_bound({query.tenant, query.flow + '\0', {}})
                  : entities.lower_bound({query.tenant, query.flow, order_of_id(query.after)});
    std::vector<flow::Entity> page;
    while (page.size() < query.limit && at != entities.begin() && std::prev(at)->first >= first)
        if (--at; !rows_.is_damaged(at->first)) page.push_back(at->second);
    return page;
}

Result<std::vector<FlowStep>> MemoryFlows::history(const FlowSubject& subject, std::uint64_t after,
                                                   std::size_t limit) {
    const auto entity = rows_.entity(subject);
    std::vector<FlowStep> steps;
    if (!entity) return told<std::vector<FlowStep>>(steps);
    const EntityKey key{entity->tenant, entity->flow, order_of_id(entity->id)};
    for (FlowStep& step : rows_.history(key))
        if (step.history.version > after && steps.size() < limit) steps.push_back(std::move(step));
    return told<std::vector<FlowStep>>(std::move(steps));
}

Result<StatesSlice> MemoryFlows::states(const std::string& from, std::size_t limit) {
    const auto place = [](const EntityKey& key) {
        return key.tenant + '\0' + key.flow + '\0' + key.order;
    };
    StatesSlice slice;
    std::size_t seen = 0;
    for (const auto& [key, entity] : rows_.entities()) {
        if (!from.empty() && place(key) <= from) continue;
        if (seen++ == limit) return slice;
        slice.next = place(key);
        if (!rows_.is_damaged(key)) ++slice.entities[{key.tenant, key.flow, entity.state}];
    }
    slice.next.clear();
    return slice;
}

Result<std::optional<stock::Level>> MemoryFlows::level(const std::string& tenant,
                                                       const stock::Sku& sku) {
    return told<std::optional<stock::Level>>(rows_.level(tenant, sku));
}

Result<std::vector<WaitingEntry>> MemoryFlows::waiting(std::uint64_t after, std::size_t limit) {
    return rows_.waiting_above(after, limit);
}

Result<std::vector<AttentionEntry>> MemoryFlows::attention(std::uint64_t after, std::size_t limit) {
    return rows_.open_attention(after, limit);
}

Result<std::vector<AttentionEntry>> MemoryFlows::entries(const EntriesQuery& query) {
    return rows_.entries(query);
}

Result<DueRows> MemoryFlows::due(std::int64_t until_ms, std::size_t limit) {
    DueRows due;
    due.now_ms = records_.now_ms();
    for (const auto& [next_ms, key] : rows_.due()) {
        if (next_ms > until_ms || due.rows.size() == limit) break;
        if (rows_.is_damaged(key)) continue;
        const flow::Entity& entity = rows_.entities().at(key);
        due.rows.push_back({subject_of(entity), entity.version, entity.deadlines});
    }
    return due;
}

Result<std::int64_t> MemoryFlows::next_due_ms() {
    return rows_.due().empty() ? timer::kNever : rows_.due().begin()->first;
}

std::vector<ErrandReply> MemoryFlows::commit_errands(std::span<const Errand> errands) {
    std::vector<ErrandReply> replies;
    replies.reserve(errands.size());
    for (const Errand& one : errands)
        replies.push_back(told(carry_out(rows_, one, records_.now_ms())));
    return replies;
}

Result<SagaRows> MemoryFlows::due_sagas(std::int64_t until_ms, std::size_t limit) {
    SagaRows due{running(rows_.sagas()), records_.now_ms()};
    std::erase_if(due.rows, [&](const SagaRow& row) { return row.next_ms > until_ms; });
    if (due.rows.size() > limit) due.rows.resize(limit);
    return due;
}

Result<std::vector<SagaRow>> MemoryFlows::sagas(std::optional<SagaState> state, std::uint64_t after,
                                                std::size_t limit) {
    std::vector<SagaRow> found;
    for (SagaRow& saga : rows_.sagas())
        if (saga.number > after && found.size() < limit && (!state || saga.state == *state))
            found.push_back(std::move(saga));
    return found;
}

Result<std::vector<SagaRow>> MemoryFlows::look_at_sagas(const SagasQuery& query) {
    return rows_.look_at_sagas(query);
}

Result<OutboxLook> MemoryFlows::unsent(const std::string& sink, std::size_t limit) {
    return look_unsent(rows_, sink, records_.now_ms(), limit);
}

Result<std::vector<ParkedRow>> MemoryFlows::parked(const std::string& sink, std::size_t limit) {
    return look_parked(rows_, sink, limit);
}

Result<OutboxFigures> MemoryFlows::outbox_figures(const std::string& sink) {
    return look_figures(rows_, sink, records_.now_ms());
}

Result<std::vector<std::string>> MemoryFlows::sinks() { return rows_.sinks(); }

void MemoryFlows::fail_over() { rows_.lose(records_.now_ms() - records_.lost_tail_ms()); }

}  // namespace pawl::store
