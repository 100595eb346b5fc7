// SPDX-License-Identifier: Apache-2.0
// Every state can be reached, and left unless it is final.
#include <fmt/format.h>

#include "core/flow/findings.hpp"
#include "core/flow/graph.hpp"

namespace pawl::flow {

void check_graph(Findings& found) {
    const Definition& flow = found.definition();
    const Graph graph(flow);
    const std::size_t initial = graph.index_of(flow.initial);
    const StateSet reached = graph.reachable(initial);
    for (std::size_t i = 0; i < flow.states.size(); ++i) {
        const StateRule& state = flow.states[i];
        const std::string path = fmt::format("states.{}", state.name);
        if (initial != Graph::kNone && !reached[i])
            found.error(path, fmt::format("no event leads to `{}`", state.name),
                        "add an event that leads there, or remove the state");
        if (!state.final && graph.after(i).empty())
            found.error(path, fmt::format("no event leaves `{}`", state.name),
                        "write `final: true`, or add an event that leaves it");
    }
}

}  // namespace pawl::flow
