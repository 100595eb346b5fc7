// SPDX-License-Identifier: Apache-2.0
#include "core/flow/told.hpp"

#include <algorithm>

namespace pawl::flow {
namespace {

bool is_required(const std::vector<Field>& fields, const std::string& name) {
    return std::ranges::any_of(fields,
                               [&](const Field& one) { return one.name == name && one.required; });
}

// A fact whose lasting names are missing is not taken; any other rule whose values are missing is left out.
bool is_sure(const Definition& flow, const EventRule& event, const UniqueRule& rule) {
    if (event.external && rule.while_in.empty()) return true;
    return std::ranges::all_of(rule.fields, [&](const std::string& name) {
        return is_required(event.fields, name) || is_required(flow.fields, name);
    });
}

}  // namespace

Told::Told(const Definition& definition)
    : reached_(definition.states.size(), false), known_(definition.states.size()) {
    add_words(definition);
    const Graph graph(definition);
    const std::size_t initial = graph.index_of(definition.initial);
    if (initial == Graph::kNone) return;
    reached_[initial] = true;
    known_[initial].assign(words_.size(), false);
    for (bool changed = true; changed;) {
        changed = false;
        for (const EventRule& event : definition.events)
            for (const Transition& way : event.transitions)
                for (const std::string& from : way.from) {
                    const auto go = [&](const std::string& to, bool is_branch) {
                        const Step step{event, graph.index_of(from), graph.index_of(to), is_branch};
                        changed = take(step, to) || changed;
                    };
                    go(way.to == kSame ? from : way.to, false);
                    if (way.short_of) go(way.short_of->to, true);
                    if (way.taken) go(way.taken->to, true);
                }
    }
}

void Told::add_words(const Definition& definition) {
    for (const EventRule& event : definition.events) {
        // What took money back is not what a saga is keyed by.
        if (!event.reverses.empty()) continue;
        for (const UniqueRule& rule : event.unique)
            if (is_sure(definition, event, rule))
                words_.push_back({&event, rule.fields, rule.while_in, false});
        for (const std::string& name : event.set)
            if (is_required(event.fields, name)) words_.push_back({&event, {name}, {}, true});
    }
}

bool Told::take(const Step& step, const std::string& to) {
    if (step.from == Graph::kNone || step.to == Graph::kNone || !reached_[step.from]) return false;
    std::vector<bool> known(words_.size(), false);
    for (std::size_t i = 0; i < words_.size(); ++i) {
        const Word& word = words_[i];
        const bool lasts = word.while_in.empty() || holds(word.while_in, to);
        const bool was_known = !reached_[step.to] || known_[step.to][i];
        const bool said = word.event == &step.event && !(word.is_field && step.is_branch);
        known[i] = was_known && lasts && (known_[step.from][i] || said);
    }
    if (reached_[step.to] && known == known_[step.to]) return false;
    reached_[step.to] = true;
    known_[step.to] = std::move(known);
    return true;
}

bool Told::is_told(std::size_t state, const std::string& name) const {
    if (!reached_[state]) return true;
    for (std::size_t i = 0; i < words_.size(); ++i)
        if (known_[state][i] && holds(words_[i].names, name)) return true;
    return false;
}

}  // namespace pawl::flow
