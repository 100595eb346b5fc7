// SPDX-License-Identifier: Apache-2.0
// The service that gives money back, with a ledger of its own. It honours the key that it is told, fails before and
// after it has paid, and is not always heard.
#pragma once

#include <map>

#include "gateway/asker.hpp"
#include "sim/shop/shop_dose.hpp"
#include "sim/shop/shop_events.hpp"
#include "sim/shop/shop_rare.hpp"
#include "sim/world/world.hpp"

namespace pawl::sim {

class Cashier {
  public:
    Cashier(World& world, ShopRarities& rarities)
        : world_(world), chance_(world.chance_for("cashier")), rarities_(rarities) {}

    void set_dose(const ShopDose& dose) { dose_ = dose; }
    // What a call that arrives is answered.
    effect::Found take(const http::Request& request);
    bool is_lost() { return chance_.hit(dose_.refund_lost); }
    std::chrono::nanoseconds way() {
        return chance_.between(std::chrono::microseconds{100}, std::chrono::milliseconds{200});
    }
    const std::vector<Refund>& refunds() const { return refunds_; }
    World& world() { return world_; }

  private:
    World& world_;
    Chance chance_;
    ShopRarities& rarities_;
    ShopDose dose_;
    std::map<std::string, std::string> paid_;  // transactions by key
    std::vector<Refund> refunds_;
};

// A node's way there.
class CashierLine final : public gateway::Asker {
  public:
    // Both outlive it.
    CashierLine(Cashier& cashier, Loop& loop) : cashier_(cashier), loop_(loop) {}

    Task<effect::Found> ask(http::Target target, http::Request request,
                            MonotonicTime give_up) override;

  private:
    Cashier& cashier_;
    Loop& loop_;
};

}  // namespace pawl::sim
