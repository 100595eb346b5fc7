// SPDX-License-Identifier: Apache-2.0
#include "app/flow_states.hpp"

#include <fmt/format.h>

#include "runtime/codec/visible.hpp"

namespace pawl::app {

Task<Result<Stranded>> find_stranded(store::Flows& flows,
                                     std::shared_ptr<const engine::Machines> machines,
                                     std::function<Task<bool>()> rest) {
    Stranded stranded;
    std::string from;
    bool ends = false;
    while (!ends) {
        const auto slice = co_await flows.states(from, kStatesSlice);
        if (!slice) co_return fail(slice.error());
        for (const auto& [standing, count] : slice->entities) {
            const flow::Machine* machine = machines->find(standing.flow);
            if (machine == nullptr || machine->state(standing.state) == nullptr)
                stranded.entities[standing] += count;
        }
        from = slice->next;
        stranded.is_whole = from.empty();
        ends = stranded.is_whole || co_await rest();
    }
    co_return stranded;
}

std::uint64_t count_in(const Stranded& stranded, const std::string& flow,
                       const std::string& state) {
    std::uint64_t count = 0;
    for (const auto& [standing, entities] : stranded.entities)
        if (standing.flow == flow && (state.empty() || standing.state == state)) count += entities;
    return count;
}

std::vector<std::string> lines_of(const Stranded& stranded, const engine::Machines& machines) {
    std::vector<std::string> lines;
    for (const auto& [standing, count] : stranded.entities) {
        const std::string what =
            machines.find(standing.flow) == nullptr
                ? fmt::format("flow `{}`, which is not served any more", visible(standing.flow))
                : fmt::format("flow `{}`, whose file does not have it", visible(standing.flow));
        lines.push_back(fmt::format(
            "{} {} in state `{}` of {}{}: what comes for them goes to a person. Put the state "
            "back, and "
            "an event that leads out of it",
            count, count == 1 ? "entity stands" : "entities stand", visible(standing.state), what,
            standing.tenant.empty() ? "" : fmt::format(" (tenant {})", visible(standing.tenant))));
    }
    return lines;
}

}  // namespace pawl::app
