// SPDX-License-Identifier: Apache-2.0
// The network between nodes and the upstream. What has left a node is out of that node's hands: it arrives,
// is lost, or lies about and lands after the attempt was given up or the node died, but never later after
// its owner's end than the effect horizon of its route: that is what a horizon promises.
#pragma once

#include <map>

#include "gateway/gateway.hpp"
#include "gateway/prober.hpp"
#include "sim/audit/auditor.hpp"
#include "sim/outside/upstream.hpp"
#include "sim/world/world.hpp"
#include "store/port/reply_slot.hpp"

namespace pawl::sim {

// What a node is doing right now; read when it crashes.
struct Doing {
    int connecting = 0;
    int sending = 0;
    int claiming = 0;
    int completing = 0;
    int releasing = 0;
    int suspecting = 0;
    int withdrawing = 0;
};

class Wire {
  public:
    using Slot = store::ReplySlot<effect::Found>;

    Wire(World& world, Upstream& upstream, Audit& audit, Rarities& rarities)
        : world_(world),
          chance_(world.chance_for("wire")),
          upstream_(upstream),
          audit_(audit),
          rarities_(rarities) {}

    void set_dose(const Dose& dose) { dose_ = dose; }
    const Dose& dose() const { return dose_; }
    World& world() { return world_; }
    Chance& chance() { return chance_; }
    Rarities& rarities() { return rarities_; }

    struct Sending {
        Arrival arrival;
        std::uint64_t boot = 0;
        std::chrono::milliseconds horizon{};  // nothing lands later than this after its owner's end
        MonotonicTime give_up{};
    };
    // Answers the slot by `give_up` at the latest.
    void send(Sending sending, const std::shared_ptr<Slot>& slot);
    void ask(Question question, MonotonicTime give_up, const std::shared_ptr<Slot>& slot);
    // Whether a caller may, asked of somebody else over a net of the same kind.
    void ask_who_may(Number caller, MonotonicTime give_up, const std::shared_ptr<Slot>& slot);
    // A node has died. What it sent goes on.
    void node_died(std::uint64_t boot);
    std::size_t under_way() const { return flights_.size(); }

    // Called when a node may be made to crash: bytes left, an answer came.
    std::function<void(std::uint64_t boot, std::string_view step)> on_step;
    // What that somebody knows.
    std::function<bool(Number caller)> may;

  private:
    struct Flight {
        Sending sending;
        std::weak_ptr<Slot> slot;
        AlarmId landing;
        AlarmId verdict;
        bool given_up = false;
        bool orphaned = false;
    };

    using Tell = std::function<void(MonotonicTime, effect::Found)>;
    Tell tell_to(const std::shared_ptr<Slot>& slot);
    void land(std::uint64_t number);
    void react(Flight& flight, std::uint64_t number, Reaction reaction);
    // The gateway hears nothing more: at once as a reset, or by its own patience.
    void fall_silent(Flight& flight, std::uint64_t number, bool reset);
    void conclude(std::uint64_t number, effect::Found found);
    void tidy(std::uint64_t number);
    static effect::Found found_of(Reaction reaction);

    World& world_;
    Chance chance_;
    Upstream& upstream_;
    Audit& audit_;
    Rarities& rarities_;
    Dose dose_;
    std::map<std::uint64_t, Flight> flights_;
    std::uint64_t last_flight_ = 0;
};

// Makes the effects of one seat.
class WireEffects final : public gateway::EffectSource, public gateway::Asker {
  public:
    WireEffects(Wire& wire, Loop& loop, std::uint64_t boot, Doing& doing)
        : wire_(wire), loop_(loop), boot_(boot), doing_(doing) {}

    std::unique_ptr<effect::Effect> make(const policy::Route& route,
                                         std::shared_ptr<const http::Request> request,
                                         http::Peer peer) override;
    Task<effect::Found> ask(http::Target target, http::Request request,
                            MonotonicTime give_up) override;

  private:
    Wire& wire_;
    Loop& loop_;
    std::uint64_t boot_;
    Doing& doing_;
};

Promise promise_of(std::string_view path);

}  // namespace pawl::sim
