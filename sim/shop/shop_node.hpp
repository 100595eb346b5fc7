// SPDX-License-Identifier: Apache-2.0
// One boot of one node that serves flows: the production classes of the engine, a committer, a desk, notifications and
// a maker of ids per seat, with the sweep, the parking and the retention beside the first. It ends as a process does:
// nothing it was about to do happens any more.
#pragma once

#include "engine/calls/saga_runner.hpp"
#include "engine/committed_facts.hpp"
#include "engine/desk.hpp"
#include "engine/id_maker.hpp"
#include "engine/notifications.hpp"
#include "engine/parking.hpp"
#include "engine/sweeper.hpp"
#include "runtime/task/promise.hpp"
#include "sim/outside/fleet.hpp"
#include "sim/shop/cashier.hpp"
#include "sim/shop/receiver.hpp"
#include "sim/shop/shop_flows.hpp"
#include "sim/world/world.hpp"
#include "stream/relay.hpp"

namespace pawl::sim {

class Provider;

// The sink of the shop's outgoing events, carried there by the node of this name alone.
inline constexpr std::string_view kWarehouse = "warehouse";
inline constexpr std::string_view kRelaysOn = "node-1";
inline constexpr std::size_t kSeatsMax = 2;
// Longer than facts wait, as the configuration wants it.
inline constexpr std::chrono::hours kKeepsFinished{48};

// What all nodes of a shop share.
struct ShopSurroundings {
    World& world;
    store::SimulatedServer& server;
    WatchedFlows& flows;
    Provider& provider;
    Cashier& cashier;
    Receiver& receiver;
    ShopRarities& rarities;
    std::shared_ptr<const engine::Machines> machines;
    std::shared_ptr<const engine::CallbackAccounts> accounts;
};

class ShopNode {
  public:
    using Answer = std::move_only_function<void(Result<engine::Outcome>)>;

    ShopNode(ShopSurroundings& around, std::string name, std::uint64_t boot, std::size_t seats);
    ~ShopNode();
    ShopNode(const ShopNode&) = delete;
    ShopNode& operator=(const ShopNode&) = delete;

    std::uint64_t boot() const { return boot_; }
    const std::string& name() const { return name_; }
    std::size_t seats() const { return seats_.size(); }
    // What somebody sends, to one of the seats. `answer` is not called when the node dies before.
    void accept(std::size_t seat, Wish wish, Answer answer);
    // Likewise a notification, which is answered with a status.
    void hear(std::size_t seat, Notice notice, std::function<void(int)> answer);
    void freeze(bool frozen);
    bool frozen() const { return seats_.front()->room.frozen(); }
    void set_partition(Partition partition) { partition_ = partition; }
    void skew_wall(std::chrono::milliseconds by);
    const ShopDoing& doing() const { return doing_; }

    // Told which commit of this node leaves, or that it asks.
    std::function<void(std::uint64_t boot, std::string_view step)> on_step;

  private:
    // The provider, asked over the network.
    class Question final : public engine::Inquiry {
      public:
        Question(ShopNode& node, Loop& loop) : node_(node), loop_(loop) {}
        Task<engine::Finding> ask(flow::Probe probe, flow::Entity entity,
                                  MonotonicTime give_up) override;

      private:
        ShopNode& node_;
        Loop& loop_;
    };
    struct Watch final : engine::NotificationWatch {
        void heard(const engine::HeardNotification&) override {}
    };
    struct Seat {
        Seat(ShopNode& node, std::size_t number);
        Room room;
        ShopFlows flows;
        store::SimulatedRecords records;
        engine::IdMaker ids;
        Question question;
        engine::Observer observer;
        engine::Desk desk;
        engine::Committer committer;
        engine::CommittedFacts facts;
        Watch watch;
        engine::Notifications notifications;
        TaskGroup serving;
    };

    void send_out(Seat& seat);
    static Task<Result<engine::Outcome>> decide(Seat& seat, Wish wish);
    static Task<void> serve(Seat& seat, Wish wish, Answer answer);
    Task<void> take(Seat& seat, Notice notice, std::function<void(int)> answer);
    static Task<void> retire(Seat& seat);
    void step(std::string_view step) {
        if (on_step) on_step(boot_, step);
    }

    ShopSurroundings& around_;
    std::string name_;
    std::uint64_t boot_;
    ShopDoing doing_;
    Partition partition_ = Partition::none;
    std::vector<std::unique_ptr<Seat>> seats_;
    std::optional<engine::Sweeper> sweeper_;
    std::optional<engine::Parking> parking_;
    std::optional<CashierLine> cashier_line_;
    engine::SagaFigures saga_figures_;
    std::optional<engine::SagaRunner> refunds_;
    std::optional<ReceiverSink> sink_;
    stream::RelayFigures relay_figures_;
    std::optional<stream::Relay> relay_;
};

using ShopFleet = FleetOf<ShopNode>;

}  // namespace pawl::sim
