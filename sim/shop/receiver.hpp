// SPDX-License-Identifier: Apache-2.0
// Who gets the shop's outgoing events: a warehouse with a book of its own. The way to it loses events, and answers
// after the event has arrived; it refuses now and then, and asks for patience.
#pragma once

#include "sim/shop/shop_dose.hpp"
#include "sim/shop/shop_events.hpp"
#include "sim/shop/shop_rare.hpp"
#include "sim/world/world.hpp"
#include "stream/sink.hpp"

namespace pawl::sim {

class Receiver {
  public:
    Receiver(World& world, ShopRarities& rarities)
        : world_(world), chance_(world.chance_for("receiver")), rarities_(rarities) {}

    void set_dose(const ShopDose& dose) { dose_ = dose; }
    // What an event that arrives is answered.
    stream::Delivered take(const stream::Event& event);
    bool is_lost() { return chance_.hit(dose_.event_lost); }
    std::chrono::nanoseconds way() {
        return chance_.between(std::chrono::microseconds{100}, std::chrono::milliseconds{40});
    }
    const std::vector<Received>& received() const { return received_; }
    World& world() { return world_; }

  private:
    World& world_;
    Chance chance_;
    ShopRarities& rarities_;
    ShopDose dose_;
    std::set<std::string> known_;
    std::vector<Received> received_;
};

// One relay's way there.
class ReceiverSink final : public stream::Sink {
  public:
    // Both outlive it.
    ReceiverSink(Receiver& receiver, Loop& loop) : receiver_(receiver), loop_(loop) {}

    std::size_t batch_max() const override { return 1; }
    std::size_t parallel_max() const override { return 16; }
    Task<std::vector<stream::Delivered>> deliver(std::vector<stream::Event> events) override;

  private:
    Receiver& receiver_;
    Loop& loop_;
};

}  // namespace pawl::sim
