// SPDX-License-Identifier: Apache-2.0
// Facts that take back what another one brought: a refund that a provider reports. An entity may be told of refunds of
// more money than its own (of a second payment, which was compensated; of a payment that nobody told of), and only that
// of its own changes it.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/flow/deeds.hpp"

namespace pawl::flow {
namespace {

// Which fact of `reversed` the event names.
std::vector<Fact> named_facts(const Case& one, const EventRule& reversed) {
    std::vector<Fact> facts =
        facts_of({one.machine, one.entity, one.event, reversed, one.values}, one.entity.state);
    std::erase_if(facts, [](const Fact& fact) { return !fact.while_in.empty(); });
    return facts;
}

std::string shown(const Fact& fact) {
    std::vector<std::string> parts;
    for (const auto& [name, text] : fact.values) parts.push_back(fmt::format("{} {}", name, text));
    return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

Reversal reversal_of(const Case& one, const Circumstances& known) {
    using Of = Reversal::Of;
    if (one.rule.reverses.empty()) return {Of::own};
    const EventRule& reversed = *one.machine.event(one.rule.reverses);
    const std::vector<Fact> facts = named_facts(one, reversed);
    if (facts.empty())
        return {Of::other, fmt::format("`{}` says not which `{}` it takes back", one.rule.name,
                                       reversed.name)};
    for (const Fact& fact : facts)
        if (std::ranges::find(one.entity.facts, fact.key, &Fact::key) != one.entity.facts.end())
            return {Of::own};
    const std::string what = shown(facts.front());
    if (!known.reversed)
        return {
            Of::other,
            fmt::format("it takes back a `{}` that is not known here ({})", reversed.name, what),
            facts.front().key};
    if (known.reversed->id == one.entity.id)
        return {Of::undone, fmt::format("it takes back another `{}`, which was compensated ({})",
                                        reversed.name, what)};
    return {Of::other, fmt::format("it takes back a `{}` of {} ({})", reversed.name,
                                   known.reversed->id, what)};
}

}  // namespace pawl::flow
