// SPDX-License-Identifier: Apache-2.0
// Who comes to the shop: shoppers with their orders, bookers who want the same rooms, packers with their scans, payers,
// and who fills the shelves. Each goes a way that is drawn step by step, mostly forward; who does not leave tries
// again with the same key until there is a last word.
#pragma once

#include "sim/shop/provider.hpp"

namespace pawl::sim {

// As long as the shop's orders wait for money at first.
inline constexpr std::chrono::seconds kUnpaidFor{15};

struct ShopTraffic {
    Number purchases = 130;
    Number bookings = 40;
    Number boxes = 30;
    Number payments = 30;
    std::chrono::nanoseconds pause = std::chrono::milliseconds{300};  // between those who come
};

class People {
  public:
    using StoreNow = std::function<std::int64_t()>;
    static constexpr int kSkus = 5;

    People(World& world, ShopBook& book, ShopFront& front, Provider& provider, ShopTraffic traffic,
           StoreNow store_now);

    void set_dose(const ShopDose& dose) { dose_ = dose; }
    void start();
    bool all_came() const { return came_all_ && going_ == 0; }
    // Some send what they sent days ago, and want what they might have wanted then.
    void come_back();
    // From now on nobody leaves.
    void be_patient() { patient_ = true; }
    // Wishes whose senders wait for a last word.
    std::vector<Number> waiting() const { return {waiting_.begin(), waiting_.end()}; }

    static std::vector<stock::Sku> skus();

  private:
    using Told = std::optional<engine::Outcome>;

    Task<void> fill_shelves();
    Task<void> come();
    Task<void> going(Task<void> way);
    Task<void> buy(Number purchase);
    Task<void> step(Number purchase, std::size_t& ahead);
    Task<void> book_room(Number purchase);
    Task<void> pack_box(Number box);
    Task<void> pay_online(Number purchase);
    Number refund_of(Number purchase);
    Task<void> scan(std::string box, Number purchase, std::string terminal);
    // Until the last word, or its sender leaves.
    Task<Told> have(Number wish);
    // Now, or meanwhile.
    Task<void> go(Number wish);
    Task<void> meanwhile(Number wish);

    Number event_of(Number purchase, std::string event, std::string caller,
                    flow::Given values = {});
    Number creation_of(Number purchase, std::string caller, flow::Given values,
                       std::vector<stock::Line> items = {});
    Number renewal_of(Number purchase, std::string deadline);
    Number repeat_of(Number purchase);
    Number reuse_key_of(Number purchase);
    std::vector<stock::Line> draw_items();
    std::string new_key() { return fmt::format("k{}", ++last_key_); }
    Loop& loop() { return world_.outside().loop(); }

    World& world_;
    Chance chance_;
    ShopBook& book_;
    ShopFront& front_;
    Provider& provider_;
    ShopTraffic traffic_;
    StoreNow store_now_;
    ShopDose dose_;
    bool patient_ = false;
    bool came_all_ = false;
    std::size_t going_ = 0;
    std::uint64_t last_key_ = 0;
    std::set<Number> waiting_;
    std::map<Number, std::vector<Number>> wishes_of_;  // by purchase
    TaskGroup errands_;
};

}  // namespace pawl::sim
