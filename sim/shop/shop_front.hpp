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

    ShopFront(World& world, ShopFleet& fleet, ShopAudit& audit, ShopRarities& rarities,
              StoreNow store_now)
        : world_(world),
          chance_(world.chance_for("front")),
          fleet_(fleet),
          audit_(audit),
          rarities_(rarities),
          store_now_(std::move(store_now)) {}

    void set_dose(const ShopDose& dose) { dose_ = dose; }
    // One sending, on the loop of the outside.
    Task<Heard> ask(Wish wish);
    // One notification; what comes back is a status.
    Task<std::optional<int>> tell(Notice notice);
    std::uint64_t sent() const { return sent_; }

  private:
    // Hands it to a node, and calls back when its answer leaves; not at all when the node dies before.
    template <class Answer>
    using Arrive = std::function<void(ShopNode& node, std::function<void(Answer)> back)>;

    // There and back, as the network takes it.
    template <class Answer>
    Task<std::optional<Answer>> cross(Arrive<Answer> arrive);
    template <class Answer>
    void carry(const Arrive<Answer>& arrive, pawl::Promise<Answer> slot);
    void answered(const Wish& wish, std::int64_t sent_ms, const Result<engine::Outcome>& told);
    void heard(const Notice& notice, int status, MonotonicTime arrived,
               std::chrono::milliseconds stepped);
    void count(const Wish& wish, const engine::Outcome& outcome);

    World& world_;
    Chance chance_;
    ShopFleet& fleet_;
    ShopAudit& audit_;
    ShopRarities& rarities_;
    StoreNow store_now_;
    ShopDose dose_;
    std::uint64_t sent_ = 0;
};

}  // namespace pawl::sim
