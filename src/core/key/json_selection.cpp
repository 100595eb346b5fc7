// SPDX-License-Identifier: Apache-2.0
// Ranges nest like the scopes they belong to, so one stack of paths serves the whole document.
#include "core/key/json_selection.hpp"

namespace pawl::key {

JsonSelection::JsonSelection(std::span<const JsonPath> include, std::span<const JsonPath> exclude) {
    root_.inside = include.empty();
    for (const JsonPath& path : include) reach(root_, {&path, false}, 0);
    for (const JsonPath& path : exclude) reach(root_, {&path, true}, 0);
    root_.to = live_.size();
}

void JsonSelection::reach(Scope& scope, const Live& live, std::size_t depth) {
    if (live.path->steps.size() > depth) {
        live_.push_back(live);
    } else if (live.exclude) {
        scope.excluded = true;
    } else {
        scope.inside = true;
        scope.ends = true;
    }
}

template <class Agrees>
JsonSelection::Scope JsonSelection::narrow(const Scope& scope, std::size_t depth, Agrees agrees) {
    Scope inner{live_.size(), live_.size(), scope.inside, false, false};
    for (std::size_t i = scope.from; i < scope.to; ++i) {
        const Live live = live_[i];
        if (agrees(live.path->steps[depth])) reach(inner, live, depth + 1);
    }
    inner.to = live_.size();
    return inner;
}

JsonSelection::Scope JsonSelection::member(const Scope& scope, std::size_t depth,
                                           std::string_view name) {
    return narrow(scope, depth, [name](const JsonPath::Step& step) {
        return !step.index && step.member == name;
    });
}

JsonSelection::Scope JsonSelection::element(const Scope& scope, std::size_t depth,
                                            std::size_t index) {
    return narrow(scope, depth,
                  [index](const JsonPath::Step& step) { return step.index == index; });
}

}  // namespace pawl::key
