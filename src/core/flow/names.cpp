// SPDX-License-Identifier: Apache-2.0
#include "core/flow/names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace pawl::flow {
namespace {

constexpr std::array<std::string_view, kFieldTypeCount> kTypes{"text", "integer", "money",
                                                               "boolean", "time"};
constexpr std::array<std::string_view, kGuardKindCount> kGuards{
    "same", "equals", "present", "one_of", "at_most", "at_least", "owner", "between"};
constexpr std::array<std::string_view, 3> kEarly{"none", "park", "ignore"};
constexpr std::array<std::string_view, 2> kNoop{"refuse", "ok"};
constexpr std::array<std::string_view, 3> kOnRepeat{"replay", "refuse", "current"};

template <class Enum, std::size_t N>
std::optional<Enum> find_in(const std::array<std::string_view, N>& names, std::string_view name) {
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) return std::nullopt;
    return static_cast<Enum>(at - names.begin());
}

}  // namespace

std::string_view name_of(FieldType type) { return kTypes[std::to_underlying(type)]; }
std::string_view name_of(Guard::Kind kind) { return kGuards[std::to_underlying(kind)]; }
std::string_view name_of(Early early) { return kEarly[std::to_underlying(early)]; }
std::string_view name_of(Noop noop) { return kNoop[std::to_underlying(noop)]; }
std::string_view name_of(OnRepeat on_repeat) { return kOnRepeat[std::to_underlying(on_repeat)]; }

std::optional<FieldType> field_type_from(std::string_view name) {
    return find_in<FieldType>(kTypes, name);
}
std::optional<Guard::Kind> guard_kind_from(std::string_view name) {
    return find_in<Guard::Kind>(kGuards, name);
}
std::optional<Early> early_from(std::string_view name) { return find_in<Early>(kEarly, name); }
std::optional<Noop> noop_from(std::string_view name) { return find_in<Noop>(kNoop, name); }
std::optional<OnRepeat> on_repeat_from(std::string_view name) {
    return find_in<OnRepeat>(kOnRepeat, name);
}

std::span<const std::string_view> field_type_names() { return kTypes; }
std::span<const std::string_view> guard_kind_names() { return kGuards; }
std::span<const std::string_view> early_names() { return kEarly; }
std::span<const std::string_view> noop_names() { return kNoop; }
std::span<const std::string_view> on_repeat_names() { return kOnRepeat; }

}  // namespace pawl::flow
