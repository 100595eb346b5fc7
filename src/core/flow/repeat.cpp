// SPDX-License-Identifier: Apache-2.0
#include "core/flow/repeat.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/flow/findings.hpp"

namespace pawl::flow {
namespace {

const EventRule& rule_of(const Again& again) {
    const EventRule* rule =
        again.entity == nullptr ? nullptr : again.machine.event(again.event.name);
    return rule == nullptr ? again.machine.definition().create : *rule;
}

bool is_same(FieldType type, const std::string& a, const std::string& b) {
    if (a == b) return true;
    const auto one = parse_value(type, a);
    const auto other = parse_value(type, b);
    return one && other && same(*one, *other);
}

// What a change of the file took away is not compared: nobody can say it any more.
Names values_unlike(const Again& again, const Given& first) {
    const Given& said = again.event.values;
    Given all = said;
    all.insert(first.begin(), first.end());
    Names unlike;
    for (const auto& [name, text] : all) {
        const auto type = type_of(again.machine.definition(), rule_of(again), name);
        if (!type) continue;
        const auto one = said.find(name);
        const auto other = first.find(name);
        const bool both = one != said.end() && other != first.end();
        if (!both || !is_same(*type, one->second, other->second)) unlike.push_back(name);
    }
    return unlike;
}

std::int64_t moved_by(stock::Action action, const stock::Change& change) {
    switch (action) {
        case stock::Action::confirm:
            return change.sold;
        case stock::Action::return_sold:
            return -change.sold;
        case stock::Action::release:
            return change.available;
        case stock::Action::reserve:
            break;
    }
    return change.reserved;
}

// An event that names no items moves all that there is, which is not compared.
bool is_other_part(const Again& again, const First& first) {
    if (again.event.items.empty()) return false;
    const auto& ways = rule_of(again).transitions;
    const auto way = std::ranges::find_if(ways, [&](const Transition& one) {
        return std::ranges::find(one.from, first.history.from) != one.from.end();
    });
    if (way == ways.end() || !way->stock) return false;
    const auto said = stock::merged(again.event.items);
    if (!said) return true;
    std::vector<stock::Line> moved;
    for (const StockMove& move : first.moves)
        if (const auto quantity = moved_by(*way->stock, move.change); quantity > 0)
            moved.push_back({move.sku, quantity});
    return *said != moved;
}

bool is_other_order(const Again& again, const First& first) {
    if (again.event.items.empty()) return !first.items.empty();
    const auto said = stock::merged(again.event.items);
    return !said || *said != first.items;
}

Names said_otherwise(const Again& again, const First& first) {
    Names unlike = values_unlike(again, first.history.values);
    const bool creates = again.entity == nullptr;
    if (creates ? is_other_order(again, first) : is_other_part(again, first))
        unlike.emplace_back("items");
    if (creates && again.business_key != first.business_key) unlike.emplace_back("business_key");
    return unlike;
}

std::string list_of(const Names& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += fmt::format("{}`{}`",
                            i == 0                  ? ""
                            : i + 1 == names.size() ? " and "
                                                    : ", ",
                            names[i]);
    return text;
}

}  // namespace

std::optional<Refusal> refuse_unlike(const Again& again, const Repeat& repeat, const First* first) {
    Refusal refusal{.reason = Reason::duplicate_request};
    if (again.entity != nullptr) refusal.judged_on = again.entity->version;
    if (again.entity != nullptr) refusal.state = again.entity->state;
    refusal.winner = Holder{repeat.id, repeat.version, {}, 0};
    refusal.text = "it took effect before, and what it said is not kept any more";
    if (first == nullptr) return refusal;
    const Names unlike = said_otherwise(again, *first);
    if (unlike.empty()) return std::nullopt;
    refusal.winner->at_ms = first->history.at_ms;
    refusal.text = fmt::format("it took effect before, with another {}", list_of(unlike));
    return refusal;
}

}  // namespace pawl::flow
