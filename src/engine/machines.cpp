// SPDX-License-Identifier: Apache-2.0
#include "engine/machines.hpp"

#include "runtime/result/assert.hpp"

namespace pawl::engine {

Machines::Machines(std::vector<flow::Machine> machines) {
    for (flow::Machine& machine : machines) {
        std::string name = machine.definition().name;
        const bool is_new = machines_.emplace(std::move(name), std::move(machine)).second;
        PAWL_ASSERT(is_new);
    }
}

const flow::Machine* Machines::find(std::string_view flow) const {
    const auto at = machines_.find(flow);
    return at == machines_.end() ? nullptr : &at->second;
}

}  // namespace pawl::engine
