// SPDX-License-Identifier: Apache-2.0
// What errands read and write, in the same maps.
#include <algorithm>
#include <functional>
#include <limits>

#include "store/memory/memory_flow_rows.hpp"
#include "store/port/flow_format.hpp"

namespace pawl::store {
namespace {

bool is_unsent(const HeldRow& row) { return row.as != HeldRow::As::sent; }

}  // namespace

std::optional<std::uint64_t> MemoryFlowRows::position(const std::string& sink) {
    return find_in(positions_, sink);
}

std::vector<std::string> MemoryFlowRows::sinks() {
    std::vector<std::string> names;
    for (const auto& [name, position] : positions_) names.push_back(name);
    return names;
}

std::uint64_t MemoryFlowRows::last_step() { return steps_.empty() ? 0 : steps_.rbegin()->first; }

StoredStep MemoryFlowRows::readable(const StoredStep& step) {
    if (!is_damaged("flow_step", step.number)) return step;
    return {.number = step.number, .is_damaged = true};
}

std::optional<StoredStep> MemoryFlowRows::step(std::uint64_t number) {
    const auto found = find_in(steps_, number);
    return found ? std::optional(readable(*found)) : std::nullopt;
}

std::vector<StoredStep> MemoryFlowRows::outgoing(std::uint64_t after, std::size_t limit) {
    std::vector<StoredStep> found;
    for (auto at = steps_.upper_bound(after); at != steps_.end() && found.size() < limit; ++at)
        if (!at->second.step.history.type.empty()) found.push_back(readable(at->second));
    return found;
}

std::uint64_t MemoryFlowRows::count_outgoing(std::uint64_t after, std::size_t limit) {
    return outgoing(after, limit).size();
}

std::optional<HeldRow> MemoryFlowRows::held(const std::string& sink, std::uint64_t number) {
    const auto found = find_in(held_, {sink, number});
    if (!found) return std::nullopt;
    return found->row;
}

std::optional<HeldRow> MemoryFlowRows::first_held(const std::string& sink, const FlowSubject& of) {
    const EntityKey key = key_of(of);
    for (auto at = held_.lower_bound({sink, 0}); at != held_.end() && at->first.first == sink; ++at)
        if (is_unsent(at->second.row) && at->second.of == key) return at->second.row;
    return std::nullopt;
}

std::vector<HeldRow> MemoryFlowRows::held_as(const std::string& sink, HeldRow::As as,
                                             std::int64_t until_ms, std::size_t limit) {
    std::vector<HeldRow> found;
    for (auto at = held_.lower_bound({sink, 0}); at != held_.end() && at->first.first == sink; ++at)
        if (at->second.row.as == as && at->second.row.due_ms <= until_ms)
            found.push_back(at->second.row);
    std::ranges::sort(found, {},
                      [](const HeldRow& row) { return std::pair(row.due_ms, row.number); });
    if (found.size() > limit) found.resize(limit);
    return found;
}

HeldCounts MemoryFlowRows::held_counts(const std::string& sink) {
    HeldCounts counts;
    for (auto at = held_.lower_bound({sink, 0}); at != held_.end() && at->first.first == sink;
         ++at) {
        const HeldRow& row = at->second.row;
        if (row.as == HeldRow::As::sent)
            ++counts.sent;
        else if (row.as == HeldRow::As::parked)
            ++counts.parked;
        else if (++counts.unsent == 1)
            counts.oldest_unsent = row.number;
    }
    return counts;
}

std::optional<HeldRow> MemoryFlowRows::held_after(const std::string& sink, std::uint64_t number) {
    const auto held = find_in(held_, {sink, number});
    if (!held) return std::nullopt;
    for (auto at = held_.upper_bound({sink, number}); at != held_.end() && at->first.first == sink;
         ++at)
        if (is_unsent(at->second.row) && at->second.of == held->of) return at->second.row;
    return std::nullopt;
}

void MemoryFlowRows::put_position(const std::string& sink, std::uint64_t number) {
    change(positions_, sink, number);
}

void MemoryFlowRows::put_held(const std::string& sink, const FlowSubject& of, const HeldRow& row) {
    change(held_, {sink, row.number}, Held{key_of(of), row});
}

void MemoryFlowRows::drop_held(const std::string& sink, std::uint64_t number) {
    change(held_, {sink, number}, std::nullopt);
}

void MemoryFlowRows::drop_sink(const std::string& sink) {
    change(positions_, sink, std::nullopt);
    for (auto at = held_.lower_bound({sink, 0}); at != held_.end() && at->first.first == sink;
         at = held_.lower_bound({sink, 0}))
        drop_held(sink, at->first.second);
}

std::optional<AttentionEntry> MemoryFlowRows::attention_entry(std::uint64_t number) {
    failed_ |= is_damaged("flow_attention", number);
    return find_in(attention_, number);
}

void MemoryFlowRows::put_attention_entry(const AttentionEntry& entry) {
    change(attention_, entry.number, entry);
}

std::optional<SagaRow> MemoryFlowRows::saga(std::uint64_t number) {
    failed_ |= is_damaged("flow_saga", number);
    return find_in(sagas_, number);
}

void MemoryFlowRows::put_saga(const SagaRow& row) { change(sagas_, row.number, row); }

std::int64_t MemoryFlowRows::window(id::Machine machine) {
    return find_in(windows_, machine).value_or(0);
}

void MemoryFlowRows::put_window(id::Machine machine, std::int64_t until_ms) {
    change(windows_, machine, until_ms);
}

std::vector<StoredStep> MemoryFlowRows::steps(std::uint64_t after, std::size_t limit) {
    std::vector<StoredStep> found;
    for (auto at = steps_.upper_bound(after); at != steps_.end() && found.size() < limit; ++at)
        found.push_back(readable(at->second));
    return found;
}

std::optional<flow::Entity> MemoryFlowRows::entity_to_retire(const FlowSubject& subject) {
    return is_damaged(key_of(subject)) ? std::nullopt : find_in(entities_, key_of(subject));
}

std::uint64_t MemoryFlowRows::last_step_of(const FlowSubject& subject) {
    const auto numbers = find_in(history_, key_of(subject));
    return numbers && !numbers->empty() ? numbers->back() : 0;
}

bool MemoryFlowRows::has_open_saga(const FlowSubject& subject) {
    const EntityKey key = key_of(subject);
    return std::ranges::any_of(sagas_, [&](const auto& one) {
        const auto& [number, saga] = one;
        return key_of(saga.subject) == key &&
               (saga.state != SagaState::done || is_damaged("flow_saga", number));
    });
}

void MemoryFlowRows::remove_entity(const flow::Entity& entity) {
    const FlowSubject of = subject_of(entity);
    const EntityKey key = key_of(of);
    for (const flow::Slot& slot : entity.slots) drop_slot(of, slot);
    for (const flow::Fact& fact : entity.facts)
        if (!fact.while_in.empty()) drop_fact(of, fact.key);
    for (const std::uint64_t number : find_in(history_, key).value_or(std::vector<std::uint64_t>{}))
        change(steps_, number, std::nullopt);
    change(history_, key, std::nullopt);
    remember([this, key, before = find_in(entities_, key)] { set_entity(key, before); });
    set_entity(key, std::nullopt);
}

void MemoryFlowRows::drop_closed(std::int64_t until_ms, std::int64_t now_ms, std::size_t limit) {
    std::vector<std::uint64_t> over;
    for (const auto& [number, entry] : attention_)
        if (entry.closed_ms != 0 && entry.closed_ms <= until_ms && over.size() < limit)
            over.push_back(number);
    for (const std::uint64_t number : over) change(attention_, number, std::nullopt);
    over.clear();
    for (const auto& [number, one] : waiting_)
        if (one.remember_until_ms != 0 && one.remember_until_ms <= now_ms && over.size() < limit)
            over.push_back(number);
    for (const std::uint64_t number : over) {
        change(waiting_of_key_, flow::key_of(waiting_.at(number).entry.fact), std::nullopt);
        change(waiting_, number, std::nullopt);
    }
}

// Counted when it matters, as the shelf does.
std::uint64_t MemoryFlowRows::stored_bytes(std::uint64_t tenant) const {
    std::uint64_t bytes = 0;
    const auto add = [&](const std::string& owner, const auto& row) {
        record::Claim whose;
        whose.tenant = owner;
        if (burdened_by(whose).tenant == tenant) bytes += encode(row).size();
    };
    for (const auto& [key, entity] : entities_) add(key.tenant, entity);
    for (const auto& [number, step] : steps_) add(step.subject.tenant, step);
    for (const auto& [key, one] : facts_) add(one.tenant, one.fact);
    for (const auto& [resource, slots] : slots_)
        for (const flow::Slot& slot : slots) add(std::get<0>(resource), slot);
    for (const auto& [number, saga] : sagas_) add(saga.subject.tenant, saga);
    for (const auto& [number, one] : waiting_) add(one.entry.subject.tenant, one.entry);
    for (const auto& [number, entry] : attention_) add(entry.subject.tenant, entry);
    return bytes;
}

std::vector<FlowStep> MemoryFlowRows::history(const EntityKey& key) {
    std::vector<FlowStep> found;
    for (const std::uint64_t number :
         find_in(history_, key).value_or(std::vector<std::uint64_t>{})) {
        failed_ |= is_damaged("flow_step", number);
        found.push_back(steps_.at(number).step);
    }
    return found;
}

std::vector<WaitingEntry> MemoryFlowRows::waiting_above(std::uint64_t after, std::size_t limit) {
    std::vector<WaitingEntry> found;
    for (auto at = waiting_.upper_bound(after); at != waiting_.end() && found.size() < limit; ++at)
        if (at->second.remember_until_ms == 0 && !is_damaged("flow_waiting", at->first))
            found.push_back(at->second.entry);
    return found;
}

std::vector<AttentionEntry> MemoryFlowRows::open_attention(std::uint64_t after, std::size_t limit) {
    std::vector<AttentionEntry> found;
    for (auto at = attention_.upper_bound(after); at != attention_.end() && found.size() < limit;
         ++at)
        if (at->second.closed_ms == 0 && !is_damaged("flow_attention", at->first))
            found.push_back(at->second);
    return found;
}

std::vector<AttentionEntry> MemoryFlowRows::entries(const EntriesQuery& query) {
    using Place = std::pair<std::int64_t, std::uint64_t>;
    const auto place = [&query](const AttentionEntry& entry) {
        return Place{query.of ? 0 : entry.closed_ms, entry.number};
    };
    Place end{std::numeric_limits<std::int64_t>::max(), 0};
    if (query.behind != 0) {
        const auto last = find_in(attention_, query.behind);
        if (!last && !query.of) return {};
        end = query.of ? Place{0, query.behind} : place(*last);
    }
    std::vector<AttentionEntry> found;
    for (const auto& [number, entry] : attention_) {
        const bool fits =
            query.of ? meeting_of(entry.subject) == meeting_of(*query.of) : entry.closed_ms != 0;
        if (fits && place(entry) < end && !is_damaged("flow_attention", number))
            found.push_back(entry);
    }
    std::ranges::sort(found, std::greater<>{}, place);
    if (found.size() > query.limit) found.resize(query.limit);
    return found;
}

std::vector<SagaRow> MemoryFlowRows::look_at_sagas(const SagasQuery& query) {
    std::vector<SagaRow> found;
    const auto add = [&](std::uint64_t number, const SagaRow& saga) {
        if (!is_damaged("flow_saga", number)) return found.push_back(saga);
        SagaRow& damaged = found.emplace_back();
        damaged.number = number;
        damaged.start.key = saga.start.key;
        damaged.is_damaged = true;
    };
    for (const auto& [number, saga] : sagas_) {
        const bool is_wanted =
            query.keys.empty() ? number > query.after && saga.state != SagaState::done &&
                                     found.size() < query.limit
                               : std::ranges::find(query.keys, saga.start.key) != query.keys.end();
        if (is_wanted) add(number, saga);
    }
    return found;
}

std::vector<SagaRow> MemoryFlowRows::sagas() {
    std::vector<SagaRow> found;
    for (const auto& [number, saga] : sagas_)
        if (!is_damaged("flow_saga", number)) found.push_back(saga);
    return found;
}

}  // namespace pawl::store
