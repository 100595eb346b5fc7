// SPDX-License-Identifier: Apache-2.0
// The nodes that are alive, as clients and persons find them. On an embedded store there is one at a time.
#pragma once

#include "sim/node/node.hpp"

namespace pawl::sim {

class Fleet {
  public:
    std::vector<std::unique_ptr<Node>>& nodes() { return nodes_; }
    const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
    Node* some(Chance& chance) const {
        return nodes_.empty() ? nullptr : nodes_[chance.below(nodes_.size())].get();
    }

  private:
    std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace pawl::sim
