// SPDX-License-Identifier: Apache-2.0
// Who reports facts: the payment provider, by signed notifications, and the courier. They report early, late, days
// late, several times, from other nodes at once, with a wrong amount, and a second payment for what is paid; until
// they are acknowledged they go on. With the provider's come others that are forged, misdirected, or unreadable. The
// provider's own ledger is what a probe is answered from, sometimes late, sometimes not at all.
#pragma once

#include "runtime/task/group.hpp"
#include "sim/shop/notice.hpp"
#include "sim/shop/shop_front.hpp"

namespace pawl::sim {

class Provider {
  public:
    Provider(World& world, ShopBook& book, ShopFront& front);

    void set_dose(const ShopDose& dose) { dose_ = dose; }
    // Somebody pays now: it counts at once, and is reported in time or not.
    void pay(Number purchase);
    // It is closed unpaid.
    void close(Number purchase);
    // The courier hands the parcel over; a try to pay is declined.
    void deliver(Number purchase) { tell_of(purchase, "deliver"); }
    void decline(Number purchase) { tell_of(purchase, "failed"); }
    // Money has gone back; where somebody wants to know, it is reported.
    void gave_back(const Refund& refund);
    // Notifications that were held back for days begin to be told.
    void day_begins();
    // Once more of some that were acknowledged long ago.
    void tell_again_of_old();
    // Facts that have not been acknowledged; those held back not counted.
    std::size_t waiting() const { return waiting_; }

    // What a probe is told; nullopt: it is told nothing.
    std::optional<engine::Finding> look(const flow::Entity& entity);
    std::chrono::nanoseconds way() {
        return chance_.between(std::chrono::milliseconds{1}, dose_.probe_late_max);
    }
    // Of the ways of a probe; what is not told is drawn in look().
    bool is_lost() { return false; }

  private:
    Task<void> report_payment(Number money);
    Task<void> report_unreadable(Number unreadable, std::string account);
    void tell_of(Number purchase, std::string event);
    Task<void> report_message(Number message);
    // Until it is acknowledged, and some more.
    Task<void> report(Notice notice, bool& acknowledged);
    Task<void> tell(Notice notice);
    // As it is signed already.
    Task<void> pass_on(Notice notice);
    // What comes to an open address beside it; only what is unreadable is pursued.
    void stray(const Notice& beside);
    Notice notice_of(Number money);
    // The notification's own number: another one each time it is told, or the same.
    void name_event(Notice& notice);
    std::chrono::nanoseconds pause_before_first();

    World& world_;
    Chance chance_;
    ShopBook& book_;
    ShopFront& front_;
    ShopDose dose_;
    std::size_t waiting_ = 0;
    std::uint64_t last_message_ = 0;
    std::map<std::string, std::uint64_t> last_event_;  // by account
    std::vector<Number> held_back_;                    // money
    TaskGroup reports_;
};

}  // namespace pawl::sim
