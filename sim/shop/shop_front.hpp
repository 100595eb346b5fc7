// SPDX-License-Identifier: Apache-2.0
// The network between the shop's people and its nodes: what is sent is delayed, lost, copied; answers come or are
// lost. Every answer that leaves a node is told to the auditors, whether its sender sees it or not: it might have.
#pragma once

#include "runtime/task/promise.hpp"
#include "sim/shop/shop_dose.hpp"
#include "sim/shop/shop_node.hpp"

namespace pawl::sim {

class ShopFront {
  public:
    // What came back; nullopt: nothing, in time.
    using Heard = std::optional<Result<engine::Outcome>>;
    using StoreNow = std::function<std::int64_t()>;

    ShopFront(World& world, ShopAudit& audit, ShopRarities& rarities, StoreNow store_now)
        : world_(world),
          chance_(world.chance_for("front")),
          audit_(audit),
          rarities_(rarities),
          store_now_(std::move(store_now)) {}

    void set_dose(const ShopDose& dose) { dose_ = dose; }
    // One sending, on the loop of the outside.
    Task<Heard> ask(Wish wish);
    std::vector<std::unique_ptr<ShopNode>>& nodes() { return nodes_; }
    ShopNode* some_node(Chance& chance) const {
        return nodes_.empty() ? nullptr : nodes_[chance.below(nodes_.size())].get();
    }
    std::uint64_t sent() const { return sent_; }

  private:
    using Slot = pawl::Promise<Heard>;

    void carry(Wish wish, Slot slot);
    void arrive(Wish wish, Slot slot, std::int64_t sent_ms);
    void answer(const Wish& wish, Slot slot, std::int64_t sent_ms, Result<engine::Outcome> told);
    void count(const Wish& wish, const engine::Outcome& outcome);

    World& world_;
    Chance chance_;
    ShopAudit& audit_;
    ShopRarities& rarities_;
    StoreNow store_now_;
    ShopDose dose_;
    std::uint64_t sent_ = 0;
    std::vector<std::unique_ptr<ShopNode>> nodes_;
};

}  // namespace pawl::sim
