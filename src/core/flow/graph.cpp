// SPDX-License-Identifier: Apache-2.0
#include "core/flow/graph.hpp"

#include <algorithm>

namespace pawl::flow {

Graph::Graph(const Definition& definition) : after_(definition.states.size()) {
    for (const StateRule& state : definition.states) names_.push_back(state.name);
    const auto join = [&](std::string_view from, std::string_view to) {
        const std::size_t a = index_of(from);
        const std::size_t b = index_of(to);
        if (a == kNone || b == kNone || a == b) return;
        if (std::ranges::find(after_[a], b) == after_[a].end()) after_[a].push_back(b);
    };
    for (const EventRule& event : definition.events)
        for (const Transition& transition : event.transitions)
            for (const std::string& from : transition.from) {
                join(from, transition.to);
                if (transition.short_of) join(from, transition.short_of->to);
                if (transition.taken) join(from, transition.taken->to);
            }
}

std::size_t Graph::index_of(std::string_view state) const {
    const auto at = std::ranges::find(names_, state);
    return at == names_.end() ? kNone : static_cast<std::size_t>(at - names_.begin());
}

StateSet Graph::reachable(std::size_t start, const StateSet& avoid) const {
    StateSet seen(names_.size(), false);
    const auto is_open = [&](std::size_t state) { return avoid.empty() || !avoid[state]; };
    std::vector<std::size_t> next;
    if (start != kNone && is_open(start)) next.push_back(start);
    while (!next.empty()) {
        const std::size_t state = next.back();
        next.pop_back();
        if (seen[state]) continue;
        seen[state] = true;
        for (const std::size_t one : after_[state])
            if (!seen[one] && is_open(one)) next.push_back(one);
    }
    return seen;
}

StateSet Graph::set_of(const Names& states) const {
    StateSet set(names_.size(), false);
    for (const std::string& state : states)
        if (const std::size_t at = index_of(state); at != kNone) set[at] = true;
    return set;
}

}  // namespace pawl::flow
