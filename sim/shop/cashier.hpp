// SPDX-License-Identifier: Apache-2.0
// The services that flows call: who gives money back, and who does what a payment has bought, each with a ledger of its
// own. They honour the key that they are told, fail before and after they have acted, and are not always heard.
#pragma once

#include <boost/json/object.hpp>

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
    const std::vector<Work>& works() const { return works_; }
    // Told of every refund that is made.
    std::function<void(const Refund&)> on_refund;
    World& world() { return world_; }

  private:
    void write_down(const boost::json::object& asked, const std::string& key);

    World& world_;
    Chance chance_;
    ShopRarities& rarities_;
    ShopDose dose_;
    std::set<std::string> acted_;    // under these keys
    std::set<std::string> refused_;  // for good
    std::vector<Refund> refunds_;
    std::vector<Work> works_;
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
