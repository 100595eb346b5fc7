// SPDX-License-Identifier: Apache-2.0
#include "store/memory/memory_flow_rows.hpp"

#include <algorithm>
#include <ranges>

namespace pawl::store {
namespace {

EntityKey key_of(const flow::Entity& entity) {
    return {entity.tenant, entity.flow, order_of_id(entity.id)};
}

}  // namespace

EntityKey key_of(const FlowSubject& subject) {
    return {subject.tenant, subject.flow, order_of_id(subject.id)};
}

std::optional<flow::Entity> MemoryFlowRows::entity(const FlowSubject& subject) {
    EntityKey key = key_of(subject);
    if (subject.id.empty()) {
        const auto order = find_in(by_business_key_,
                                   EntityKey{subject.tenant, subject.flow, subject.business_key});
        if (!order) return std::nullopt;
        key.order = *order;
    }
    if (!is_damaged(key)) return find_in(entities_, key);
    failed_ = true;
    return std::nullopt;
}

std::optional<flow::Fact> MemoryFlowRows::fact(const Digest& key) {
    failed_ |= damaged_facts_.contains(key);
    const auto found = find_in(facts_, key);
    if (!found) return std::nullopt;
    return found->fact;
}

std::optional<flow::Holder> MemoryFlowRows::saga_begun(const Digest& key) {
    const auto number = find_in(saga_of_key_, key);
    if (!number) return std::nullopt;
    failed_ |= is_damaged("flow_saga", *number);
    const SagaRow& row = sagas_.at(*number);
    return flow::Holder{row.subject.id, row.version, {}, 0};
}

std::optional<std::uint64_t> MemoryFlowRows::settled_on(const Digest& entry) {
    for (const auto& [number, one] : attention_ | std::views::reverse) {
        if (one.closed_ms == 0 || store::key_of(one) != entry) continue;
        failed_ |= is_damaged("flow_attention", number);
        if (one.closed_as == ClosedAs::settled) return one.judged_on;
    }
    return std::nullopt;
}

std::vector<flow::Slot> MemoryFlowRows::slots(const FlowSubject& of, const std::string& resource) {
    failed_ |= damaged_slots_.contains({of.tenant, of.flow, resource});
    return find_in(slots_, {of.tenant, of.flow, resource}).value_or(std::vector<flow::Slot>{});
}

std::optional<stock::Level> MemoryFlowRows::level(const std::string& tenant,
                                                  const stock::Sku& sku) {
    failed_ |= damaged_levels_.contains({tenant, sku});
    return find_in(levels_, {tenant, sku});
}

std::vector<flow::WaitingFact> MemoryFlowRows::waiting(const std::string& meeting) {
    std::vector<flow::WaitingFact> facts;
    for (const auto& [number, one] : waiting_)
        if (one.remember_until_ms == 0 && one.entry.fact.meeting == meeting) {
            failed_ |= is_damaged("flow_waiting", number);
            facts.push_back(one.entry.fact);
        }
    return facts;
}

record::Row MemoryFlowRows::record(const Digest& identity) {
    const record::Row* row = records_.row_of(identity);
    if (row != nullptr) return *row;
    record::Row absent;
    absent.identity = identity;
    return absent;
}

bool MemoryFlowRows::is_over_limit(const record::Claim& claim) {
    return records_.is_over_limit(claim);
}

std::optional<record::Answer> MemoryFlowRows::answer(const record::Row& row) {
    return records_.answer_of(row);
}

void MemoryFlowRows::remember(std::function<void()> undo) {
    const std::int64_t tail_ms = records_.lost_tail_ms();
    if (tail_ms == 0) return;
    tail_.push_back({records_.now_ms(), std::move(undo)});
    while (tail_.front().at_ms < records_.now_ms() - tail_ms) tail_.pop_front();
}

void MemoryFlowRows::set_entity(const EntityKey& key, std::optional<flow::Entity> entity) {
    const auto name = [&](const flow::Entity& one) {
        return EntityKey{key.tenant, key.flow, one.business_key};
    };
    if (const auto before = find_in(entities_, key)) {
        due_.erase({timer::earliest_ms(before->deadlines), key});
        if (!before->business_key.empty()) by_business_key_.erase(name(*before));
        entities_.erase(key);
    }
    if (!entity) return;
    const std::int64_t next_ms = timer::earliest_ms(entity->deadlines);
    if (next_ms != timer::kNever) due_.emplace(next_ms, key);
    if (!entity->business_key.empty()) by_business_key_.emplace(name(*entity), key.order);
    entities_.emplace(key, *std::move(entity));
}

void MemoryFlowRows::put_entity(const flow::Entity& entity) {
    const EntityKey key = key_of(entity);
    remember([this, key, before = find_in(entities_, key)] { set_entity(key, before); });
    set_entity(key, entity);
}

void MemoryFlowRows::add_step(const FlowSubject& subject, const FlowStep& step) {
    const EntityKey key = key_of(subject);
    const std::uint64_t number = last_step() + 1;
    const FlowSubject of{subject.tenant, subject.flow, subject.id, {}};
    change(steps_, number, StoredStep{number, of, step});
    auto numbers = find_in(history_, key).value_or(std::vector<std::uint64_t>{});
    numbers.push_back(number);
    change(history_, key, std::move(numbers));
}

void MemoryFlowRows::put_level(const std::string& tenant, const stock::Sku& sku,
                               const stock::Level& level) {
    change(levels_, {tenant, sku}, level);
}

void MemoryFlowRows::put_fact(const FlowSubject& of, const flow::Fact& fact) {
    change(facts_, fact.key, OwnedFact{of.tenant, fact});
}
void MemoryFlowRows::drop_fact(const FlowSubject&, const Digest& key) {
    change(facts_, key, std::nullopt);
}

void MemoryFlowRows::put_slot(const FlowSubject& of, const flow::Slot& slot) {
    auto taken = slots(of, slot.resource);
    taken.push_back(slot);
    change(slots_, {of.tenant, of.flow, slot.resource}, std::move(taken));
}

void MemoryFlowRows::drop_slot(const FlowSubject& of, const flow::Slot& slot) {
    // Also of those that it is damaged beside.
    auto taken =
        find_in(slots_, {of.tenant, of.flow, slot.resource}).value_or(std::vector<flow::Slot>{});
    std::erase_if(taken, [&](const flow::Slot& one) {
        return one.from == slot.from && one.to == slot.to && one.holder.id == slot.holder.id;
    });
    change(slots_, {of.tenant, of.flow, slot.resource}, std::move(taken));
}

bool MemoryFlowRows::start_saga(const SagaRow& saga) {
    if (saga_of_key_.contains(saga.start.key)) return false;
    SagaRow begun = saga;
    begun.number = ++last_number_;
    change(saga_of_key_, saga.start.key, begun.number);
    change(sagas_, last_number_, std::move(begun));
    return true;
}

void MemoryFlowRows::put_waiting(const FlowSubject& subject, const flow::WaitingFact& fact,
                                 std::int64_t now_ms) {
    const Digest key = flow::key_of(fact);
    if (const auto number = find_in(waiting_of_key_, key)) {
        const std::int64_t until_ms = waiting_.at(*number).remember_until_ms;
        if (until_ms == 0 || until_ms > now_ms) return;
        change(waiting_, *number, std::nullopt);
    }
    ++last_number_;
    change(waiting_of_key_, key, last_number_);
    change(waiting_, last_number_, Waiting{{last_number_, subject, fact}});
}

void MemoryFlowRows::drop_waiting(const flow::WaitingFact& fact, std::int64_t remember_until_ms) {
    const Digest key = flow::key_of(fact);
    const auto number = find_in(waiting_of_key_, key);
    if (!number) return;
    if (remember_until_ms == 0) {
        change(waiting_of_key_, key, std::nullopt);
        change(waiting_, *number, std::nullopt);
        return;
    }
    Waiting remembered = waiting_.at(*number);
    remembered.remember_until_ms = remember_until_ms;
    change(waiting_, *number, std::move(remembered));
}

void MemoryFlowRows::put_attention(AttentionEntry entry, std::int64_t closed_after_ms) {
    const Digest key = store::key_of(entry);
    for (const auto& [number, known] : attention_)
        if ((known.closed_ms == 0 || known.closed_ms > closed_after_ms) &&
            store::key_of(known) == key)
            return;
    entry.number = ++last_number_;
    change(attention_, last_number_, std::move(entry));
}

std::vector<AttentionEntry> MemoryFlowRows::open_about(const Digest& fact) {
    std::vector<AttentionEntry> open;
    for (const auto& [number, entry] : attention_)
        if (entry.closed_ms == 0 &&
            std::ranges::find(entry.about, fact, &flow::Fact::key) != entry.about.end())
            open.push_back(entry);
    return open;
}

void MemoryFlowRows::put_record(const record::Row& before, const record::Row& after,
                                const record::Answer& answer) {
    records_.put_completed(before, after, answer);
}

void MemoryFlowRows::lose(std::int64_t since_ms) {
    while (!tail_.empty()) {
        const Undo undo = std::move(tail_.back());
        tail_.pop_back();
        if (undo.at_ms >= since_ms) undo.undo();
    }
}

}  // namespace pawl::store
