// SPDX-License-Identifier: Apache-2.0
// One boot of one node: the production classes of the gateway, one home per seat, with the chores that the
// program does beside them. It ends as a process does: nothing it was about to do happens any more.
#pragma once

#include "gateway/callbacks.hpp"
#include "gateway/gateway.hpp"
#include "gateway/prober.hpp"
#include "sim/node/node_records.hpp"
#include "sim/outside/fleet.hpp"
#include "store/sealed/sealed_records.hpp"

namespace pawl::sim {

// What all nodes of a world share.
struct Surroundings {
    World& world;
    Wire& wire;
    store::SimulatedServer& server;
    ClaimsInFlight& in_flight;
    Rarities& rarities;
    std::shared_ptr<const gateway::Routes> routes;
    gateway::HomeLimits limits;
    store::SealingKeys keys;  // none: answers are stored as they are
};

class Node final : public gateway::Observer {
  public:
    using Answer = std::move_only_function<void(http::Response)>;

    Node(Surroundings& around, std::string name, std::uint64_t boot, std::size_t seats);
    ~Node() override;

    std::uint64_t boot() const { return boot_; }
    const std::string& name() const { return name_; }
    // A request of a client, on one of the seats. `answer` is not called when the node dies before.
    void accept(std::size_t seat, http::Request request, Answer answer);
    std::size_t seats() const { return seats_.size(); }
    void freeze(bool frozen);
    void set_partition(Partition partition) { partition_ = partition; }
    bool frozen() const { return seats_.front()->room.frozen(); }
    const Doing& doing() const { return doing_; }
    std::size_t attempts_running() const;
    std::size_t words_in_hand() const;
    // A person's visit: looks through the unresolved records and settles what can be settled.
    // `decide` is told a record, as read just now, and says what the person knows of it, or nothing.
    using Decide = std::function<std::optional<record::Settle>(const store::Stored&)>;
    void visit(Decide decide);
    // What a person says who looked some time ago.
    void say(record::Settle word);
    // A report of an upstream; the network brings it to any node.
    void hear(Digest identity, gateway::CallbackReport report);
    void answered(const gateway::RequestNote& note) override;
    void passed(const gateway::PassedNote&) override {}

    // Told which mutating call of this node leaves.
    std::function<void(std::uint64_t boot, std::string_view step)> on_call;

  private:
    struct Seat {
        Seat(Node& node, std::size_t number);
        Room room;
        NodeRecords way;
        store::SealedRecords records;
        gateway::HomeFigures figures;
        gateway::Home home;
        WireEffects effects;
        std::optional<gateway::Gateway> gateway;
        std::optional<TaskGroup> chores;
    };

    static void serve(Seat& seat, http::Plan plan, http::Request asked, Answer tell);
    Task<void> sweep();
    Task<void> probe();
    Task<void> note_replays(Seat& seat);
    Task<void> settle_by_hand(Decide decide);
    Task<void> settle_at_home(record::Settle word);
    Task<void> take_report(Digest identity, gateway::CallbackReport report);

    Surroundings& around_;
    std::string name_;
    std::uint64_t boot_;
    Doing doing_;
    Partition partition_ = Partition::none;
    std::vector<std::unique_ptr<Seat>> seats_;
    gateway::ProberFigures prober_figures_;
    std::unique_ptr<gateway::Prober> prober_;
    gateway::CallbackFigures callback_figures_;
    std::optional<gateway::Callbacks> callbacks_;
};

using Fleet = FleetOf<Node>;

}  // namespace pawl::sim
