// SPDX-License-Identifier: Apache-2.0
// The nodes that are alive, as whoever is outside finds them. On an embedded store there is one at a time.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/world/chance.hpp"

namespace pawl::sim {

template <class NodeT>
class FleetOf {
  public:
    std::vector<std::unique_ptr<NodeT>>& nodes() { return nodes_; }
    const std::vector<std::unique_ptr<NodeT>>& nodes() const { return nodes_; }
    NodeT* some(Chance& chance) const {
        return nodes_.empty() ? nullptr : nodes_[chance.below(nodes_.size())].get();
    }
    // nullptr: it is not alive any more.
    NodeT* find(std::uint64_t boot) const {
        const auto at =
            std::ranges::find(nodes_, boot, [](const auto& one) { return one->boot(); });
        return at == nodes_.end() ? nullptr : at->get();
    }
    void remove(const NodeT* node) {
        std::erase_if(nodes_, [node](const auto& one) { return one.get() == node; });
    }

  private:
    std::vector<std::unique_ptr<NodeT>> nodes_;
};

}  // namespace pawl::sim
