// SPDX-License-Identifier: Apache-2.0
// Who reports facts: the payment provider and the courier. They report early, late, several times, from other
// nodes at once, with a wrong amount, and a second payment for what is paid; until they are acknowledged they go
// on. The provider's own ledger is what a probe is answered from, sometimes late, sometimes not at all.
#pragma once

#include "runtime/task/group.hpp"
#include "sim/shop/shop_front.hpp"

namespace pawl::sim {

class Provider {
  public:
    Provider(World& world, ShopBook& book, ShopFront& front);

    void set_dose(const ShopDose& dose) { dose_ = dose; }
    // Somebody pays now: it counts at once, and is reported in time or not.
    void pay(Number purchase);
    // The courier hands the parcel over.
    void deliver(Number purchase);
    // Facts that have not been acknowledged.
    std::size_t waiting() const { return waiting_; }

    // What a probe is told; nullopt: it is told nothing.
    std::optional<engine::Finding> look(const flow::Entity& entity);
    std::chrono::nanoseconds way() {
        return chance_.between(std::chrono::milliseconds{1}, dose_.probe_late_max);
    }

  private:
    Task<void> report_payment(Number money);
    Task<void> report_delivery(Number delivery);
    // Until it is acknowledged, and some more.
    Task<void> report(Wish fact, bool& acknowledged);
    Wish fact_of(Number purchase, std::string event, flow::Given values);
    // The notification's own number: another one each time it is told, or the same.
    void name_event(Wish& fact);

    World& world_;
    Chance chance_;
    ShopBook& book_;
    ShopFront& front_;
    ShopDose dose_;
    std::size_t waiting_ = 0;
    std::uint64_t last_event_ = 0;
    TaskGroup reports_;
};

}  // namespace pawl::sim
