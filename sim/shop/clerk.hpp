// SPDX-License-Identifier: Apache-2.0
// Who looks at the attention list: closes an entry, and pays back by hand what he was told is his. He reads the
// list, goes away, and comes back when it may be out of date; he says the same again when he has not heard what came
// of it.
#pragma once

#include "runtime/task/group.hpp"
#include "sim/shop/watched_flows.hpp"
#include "sim/world/world.hpp"

namespace pawl::sim {

class Clerk {
  public:
    // All outlive it.
    Clerk(World& world, ShopBook& book, WatchedFlows& flows, ShopRarities& rarities);

    void start() { work_.spawn(look_now_and_then()); }

  private:
    Task<void> look_now_and_then();
    Task<void> see_to(store::AttentionEntry entry);
    store::Closing say(const store::CloseAttention& word, const store::AttentionEntry& entry);
    void act(const store::AttentionEntry& entry, store::ClosedAs as);
    // Money that the flow may take when it is told again.
    bool may_be_left(const store::AttentionEntry& entry) const;

    World& world_;
    Chance chance_;
    ShopBook& book_;
    WatchedFlows& flows_;
    ShopRarities& rarities_;
    TaskGroup work_;
};

}  // namespace pawl::sim
