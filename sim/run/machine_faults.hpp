// SPDX-License-Identifier: Apache-2.0
// What becomes of the machines of a world: nodes boot, crash, at a chosen step of their work too, freeze, and are cut
// off from their store, which goes out of reach. What else there is to a crash or a freeze the stage says.
#pragma once

#include <functional>
#include <span>

#include "sim/node/node_records.hpp"
#include "sim/outside/fleet.hpp"
#include "sim/outside/machine_dose.hpp"

namespace pawl::sim {

template <class NodeT>
class MachineFaults {
  public:
    using Span = std::chrono::nanoseconds;

    MachineFaults(World& world, Chance& chance, FleetOf<NodeT>& fleet)
        : world_(world), chance_(chance), fleet_(fleet) {}

    // All of them are set before anything runs.
    std::function<void(std::string name)> boot;
    std::function<void(const NodeT& node)> crashes;  // it is there still
    std::function<void(std::uint64_t boot)> is_gone;
    std::function<void(const NodeT& node, Span span)> freezes;
    std::function<void()> cuts_off;
    std::function<void(bool reachable)> reach_store;

    void set_dose(const MachineDose& dose) { dose_ = dose; }
    // From now on nothing new; what is wrong is put right.
    void end() {
        ended_ = true;
        aim_ = {};
        reach_store(true);
        for (const auto& node : fleet_.nodes()) {
            node->freeze(false);
            node->set_partition(Partition::none);
        }
    }
    bool ended() const { return ended_; }

    void now_and_then(std::chrono::milliseconds mean, std::function<void()> what) {
        if (mean.count() == 0) return;
        world_.after(chance_.between(Span(mean / 4), 2 * Span(mean)),
                     [this, mean, does = std::move(what)]() mutable {
                         if (ended_) return;
                         does();
                         now_and_then(mean, std::move(does));
                     });
    }
    void crash_now_and_then(std::span<const std::string_view> steps) {
        now_and_then(dose_.crash_every, [this, steps] {
            const NodeT* node = fleet_.some(chance_);
            if (node != nullptr && chance_.hit(dose_.crash_aimed))
                aim_ = {steps[chance_.below(steps.size())], chance_.below(6)};
            else if (node != nullptr)
                crash(node->boot());
        });
    }
    void freeze_now_and_then() {
        now_and_then(dose_.freeze_every, [this] { freeze_some(); });
    }
    void cut_off_now_and_then() {
        now_and_then(dose_.partition_every, [this] { cut_off_some(); });
    }
    void lose_store_now_and_then() {
        now_and_then(dose_.outage_every, [this] {
            world_.trace().mark("outage");
            reach_store(false);
            world_.after(chance_.between(kLeast, dose_.outage_max), [this] { reach_store(true); });
        });
    }

    // A node, or with 0 the store for one of them, is at this step of an event: before it is over, just after it.
    void came_to(std::uint64_t of, std::string_view step) {
        if (aim_.step != step || aim_.after-- > 0) return;
        aim_ = {};
        if (of == 0) {
            const NodeT* node = fleet_.some(chance_);
            if (node == nullptr) return;
            of = node->boot();
        }
        world_.defer([this, of] { crash(of); });
    }

  private:
    // A moment at which a node is made to crash.
    struct Aim {
        std::string_view step;  // empty: none
        std::uint64_t after = 0;
    };
    static constexpr std::chrono::milliseconds kLeast{50};
    static constexpr std::chrono::milliseconds kLeastFault{100};

    void crash(std::uint64_t of) {
        const NodeT* node = fleet_.find(of);
        if (node == nullptr) return;
        world_.trace().tell("crash", of, 0, "boot {}", of);
        crashes(*node);
        std::string name = node->name();
        fleet_.remove(node);
        is_gone(of);
        world_.after(
            chance_.between(std::chrono::milliseconds{20}, std::chrono::milliseconds{3'000}),
            [this, again = std::move(name)] { boot(again); });
    }
    void freeze_some() {
        NodeT* node = fleet_.some(chance_);
        if (node == nullptr || node->frozen()) return;
        const auto span = chance_.between(kLeastFault, dose_.freeze_max);
        const std::uint64_t of = node->boot();
        world_.trace().mark("freeze", of, static_cast<std::uint64_t>(span.count()));
        freezes(*node, span);
        node->freeze(true);
        world_.after(span, [this, of] {
            if (NodeT* there = fleet_.find(of)) there->freeze(false);
        });
    }
    void cut_off_some() {
        NodeT* node = fleet_.some(chance_);
        if (node == nullptr) return;
        const std::uint64_t of = node->boot();
        world_.trace().mark("partition", of);
        cuts_off();
        node->set_partition(chance_.hit(500) ? Partition::calls_lost : Partition::answers_lost);
        world_.after(chance_.between(kLeastFault, dose_.partition_max), [this, of] {
            if (NodeT* there = fleet_.find(of)) there->set_partition(Partition::none);
        });
    }

    World& world_;
    Chance& chance_;
    FleetOf<NodeT>& fleet_;
    MachineDose dose_;
    Aim aim_;
    bool ended_ = false;
};

}  // namespace pawl::sim
