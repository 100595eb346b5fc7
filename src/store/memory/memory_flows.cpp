// SPDX-License-Identifier: Apache-2.0
#include "store/memory/memory_flows.hpp"

#include <ranges>

namespace pawl::store {
namespace {

template <class Entry>
std::vector<Entry> above(const std::map<std::uint64_t, Entry>& entries, std::uint64_t after,
                         std::size_t limit) {
    std::vector<Entry> found;
    for (auto at = entries.upper_bound(after); at != entries.end() && found.size() < limit; ++at)
        found.push_back(at->second);
    return found;
}

}  // namespace

std::vector<Result<FlowReply>> MemoryFlows::commit_flows(std::span<const FlowCommit> commits) {
    std::vector<Result<FlowReply>> replies;
    replies.reserve(commits.size());
    for (const FlowCommit& one : commits)
        replies.push_back(carry_out(rows_, one, records_.now_ms(), records_.next_fence()));
    return replies;
}

Result<Loaded> MemoryFlows::load(const FlowSubject& subject) {
    return Loaded{rows_.entity(subject), records_.now_ms()};
}

Result<std::vector<flow::Entity>> MemoryFlows::page(const PageQuery& query) {
    const auto& entities = rows_.entities();
    const EntityKey first{query.tenant, query.flow, {}};
    auto at = query.after.empty()
                  ? entities.upper_bound({query.tenant, query.flow + '\0', {}})
                  : entities.lower_bound({query.tenant, query.flow, order_of_id(query.after)});
    std::vector<flow::Entity> page;
    while (page.size() < query.limit && at != entities.begin() && std::prev(at)->first >= first)
        page.push_back((--at)->second);
    return page;
}

Result<std::vector<FlowStep>> MemoryFlows::history(const FlowSubject& subject, std::uint64_t after,
                                                   std::size_t limit) {
    const auto entity = rows_.entity(subject);
    std::vector<FlowStep> steps;
    if (!entity) return steps;
    const auto at = rows_.history().find({entity->tenant, entity->flow, order_of_id(entity->id)});
    if (at == rows_.history().end()) return steps;
    for (const FlowStep& step : at->second)
        if (step.history.version > after && steps.size() < limit) steps.push_back(step);
    return steps;
}

Result<std::optional<stock::Level>> MemoryFlows::level(const std::string& tenant,
                                                       const stock::Sku& sku) {
    return rows_.level(tenant, sku);
}

Result<std::vector<WaitingEntry>> MemoryFlows::waiting(std::uint64_t after, std::size_t limit) {
    return above(std::as_const(rows_).waiting(), after, limit);
}

Result<std::vector<AttentionEntry>> MemoryFlows::attention(std::uint64_t after, std::size_t limit) {
    return above(rows_.attention(), after, limit);
}

Result<DueRows> MemoryFlows::due(std::int64_t until_ms, std::size_t limit) {
    DueRows due;
    due.now_ms = records_.now_ms();
    for (const auto& [next_ms, key] : rows_.due()) {
        if (next_ms > until_ms || due.rows.size() == limit) break;
        const flow::Entity& entity = rows_.entities().at(key);
        due.rows.push_back({{entity.tenant, entity.flow, entity.id, entity.business_key},
                            entity.version,
                            entity.deadlines});
    }
    return due;
}

Result<std::int64_t> MemoryFlows::next_due_ms() {
    return rows_.due().empty() ? timer::kNever : rows_.due().begin()->first;
}

void MemoryFlows::fail_over() { rows_.lose(records_.now_ms() - records_.lost_tail_ms()); }

}  // namespace pawl::store
