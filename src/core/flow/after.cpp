// SPDX-License-Identifier: Apache-2.0
// An entity after a bundle. Times count from the commit, not from when the bundle was judged, so that no
// deadline is early (L4); deadlines that the bundle does not name keep what the row says, so that a renewal in
// between is not lost.
#include <algorithm>

#include "core/flow/judge.hpp"
#include "core/flow/money.hpp"

namespace pawl::flow {
namespace {

// By which of its event's rules it is unique: its names, whether or not it told of money.
std::vector<std::string_view> rule_of(const Fact& fact) {
    std::vector<std::string_view> names;
    for (const auto& [name, text] : fact.values)
        if (!is_money(name)) names.emplace_back(name);
    return names;
}

void take_fact(Entity& entity, Fact fact, std::int64_t now_ms) {
    fact.holder.at_ms = now_ms;
    // Of those that last, the last one of each event is what its sagas are keyed by.
    if (fact.while_in.empty())
        std::erase_if(entity.facts, [&](const Fact& one) {
            return one.while_in.empty() && one.event == fact.event && rule_of(one) == rule_of(fact);
        });
    entity.facts.push_back(std::move(fact));
}

void take_stock(Entity& entity, const StockMove& move) {
    const auto held = std::ranges::find(entity.stock, move.sku, &HeldStock::sku);
    if (held == entity.stock.end())
        entity.stock.push_back({move.sku, move.after});
    else
        held->reservation = move.after;
}

void change_deadlines(Entity& entity, const Bundle& bundle, std::int64_t now_ms) {
    std::erase_if(entity.deadlines, [&](const timer::Running& running) {
        return std::ranges::find(bundle.stop, running.name) != bundle.stop.end();
    });
    for (const timer::Rule& rule : bundle.start)
        entity.deadlines.push_back(timer::started(rule, entity.created_ms, now_ms));
}

}  // namespace

Entity after(const Entity& before, const Bundle& bundle, std::int64_t now_ms) {
    Entity entity = bundle.course == Course::created ? bundle.created : before;
    if (bundle.course == Course::created) entity.created_ms = now_ms;
    entity.state = bundle.to;
    entity.version = bundle.judged_on + 1;
    entity.ended_ms = bundle.ends ? now_ms : 0;
    for (const auto& [name, value] : bundle.set) entity.fields.insert_or_assign(name, value);
    if (bundle.mark) {
        Mark mark = *bundle.mark;
        if (mark.version == entity.version) mark.at_ms = now_ms;
        std::erase_if(entity.marks, [&](const Mark& one) { return one.event == mark.event; });
        entity.marks.push_back(std::move(mark));
    }
    for (const StockMove& move : bundle.moves) take_stock(entity, move);
    std::erase_if(entity.facts, [&](const Fact& fact) {
        return std::ranges::find(bundle.free_facts, fact.key) != bundle.free_facts.end();
    });
    // A compensated fact is the store's to remember: a list of them would grow without end.
    if (bundle.course != Course::compensated)
        for (const Fact& fact : bundle.take_facts) take_fact(entity, fact, now_ms);
    std::erase_if(entity.slots, [&](const Slot& slot) {
        return std::ranges::find(bundle.free_slots, slot) != bundle.free_slots.end();
    });
    for (Slot slot : bundle.take_slots) {
        slot.holder.at_ms = now_ms;
        entity.slots.push_back(std::move(slot));
    }
    change_deadlines(entity, bundle, now_ms);
    return entity;
}

}  // namespace pawl::flow
