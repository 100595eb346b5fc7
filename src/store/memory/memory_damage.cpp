// SPDX-License-Identifier: Apache-2.0
// Rows that a test has damaged: they are there, and cannot be read.
#include "store/memory/memory_flow_rows.hpp"

#include <iterator>

#include <fmt/format.h>

namespace pawl::store {
namespace {

template <class Map>
const typename Map::key_type* key_at(const Map& map, std::size_t place) {
    return place < map.size() ? &std::next(map.begin(), static_cast<std::ptrdiff_t>(place))->first
                              : nullptr;
}

template <class Map, class Set>
bool mark(const Map& map, std::size_t place, Set& damaged) {
    const auto* key = key_at(map, place);
    if (key != nullptr) damaged.insert(*key);
    return key != nullptr;
}

}  // namespace

bool MemoryFlowRows::damage(std::string_view table, std::size_t place) {
    const auto number = [&](const auto& map) {
        const std::uint64_t* key = key_at(map, place);
        if (key != nullptr) damaged_numbers_.emplace(table, *key);
        return key != nullptr;
    };
    if (table == "flow_entity") return mark(entities_, place, damaged_entities_);
    if (table == "flow_fact") return mark(facts_, place, damaged_facts_);
    if (table == "flow_slot") return mark(slots_, place, damaged_slots_);
    if (table == "stock_level") return mark(levels_, place, damaged_levels_);
    if (table == "flow_step") return number(steps_);
    if (table == "flow_saga") return number(sagas_);
    if (table == "flow_waiting") return number(waiting_);
    return table == "flow_attention" && number(attention_);
}

bool MemoryFlowRows::is_damaged(const EntityKey& key) {
    if (!damaged_entities_.contains(key)) return false;
    damage_met_.met("flow_entity", fmt::format("{} {}", key.flow, key.order.substr(4)));
    return true;
}

bool MemoryFlowRows::is_damaged(std::string_view table, std::uint64_t number) {
    if (damaged_numbers_.empty() || !damaged_numbers_.contains({std::string(table), number}))
        return false;
    damage_met_.met(table, fmt::format("number {}", number));
    return true;
}

}  // namespace pawl::store
