// SPDX-License-Identifier: Apache-2.0
// Where the deadlines of a flow run, and what they send there. For the checks: nothing that runs asks.
#pragma once

#include <string>
#include <vector>

#include "core/flow/graph.hpp"

namespace pawl::flow {

struct Place {
    const timer::Rule* rule;
    StateSet runs;
    // Of those, where it may have ended before: it has fired, or the entity was in one of `until` and came back.
    StateSet may_have_ended;
    std::string path;

    bool surely_runs(std::size_t state) const { return runs[state] && !may_have_ended[state]; }
};

// Points into the definition.
std::vector<Place> places_of(const Definition& flow);

// What its event does in this state; nullptr: it is not possible there.
const Transition* fires(const Definition& flow, const timer::Rule& rule, const std::string& state);

// Sent by deadlines, and by nobody else.
bool is_for_deadlines_only(const EventRule& event, const std::vector<Place>& places);

}  // namespace pawl::flow
