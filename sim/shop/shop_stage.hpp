// SPDX-License-Identifier: Apache-2.0
// The shop of one seed from its opening to its end: faults while people come, then calm until everything has
// settled, then a night in which nobody is up for longer than facts wait, then a morning.
#pragma once

#include "sim/shop/clerk.hpp"
#include "sim/shop/shop_scenario.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/sqlite/engine.hpp"

namespace pawl::sim {

struct ShopReport {
    std::uint64_t seed = 0;
    std::uint64_t trace_hash = 0;
    std::uint64_t trace_events = 0;
    std::uint64_t sent = 0;
    std::uint64_t entities = 0;
    std::uint64_t store_calls = 0;
    std::uint64_t boots = 0;
    double virtual_seconds = 0;
    std::vector<Finding> findings;
    ShopRarities rarities;
};

class ShopStage {
  public:
    explicit ShopStage(ShopScenario scenario);
    ~ShopStage();

    ShopReport run();

  private:
    // A moment at which a node is made to crash.
    struct Aim {
        std::string_view step;  // empty: none
        std::uint64_t after = 0;
    };

    std::uint64_t begin_boot();
    void start(sqlite::StoreFile file);
    std::int64_t store_now() const;
    void boot(std::string name);
    void crash(std::uint64_t boot);
    void came_to(std::uint64_t boot, std::string_view step);
    void now_and_then(std::chrono::milliseconds mean, std::function<void()> what);
    void schedule_faults();
    void crash_some();
    void freeze_some();
    void cut_off_some();
    void step_clock();
    void crash_store();
    // Until that long has passed, or everything is at rest.
    void settle(std::chrono::seconds at_most);
    void live();
    void sleep_a_night();
    void set_dose(const ShopDose& dose);
    ShopNode* find(std::uint64_t boot);
    ShopEnding everything();

    ShopScenario scenario_;
    World world_;
    Chance chance_;
    ShopRarities rarities_;
    ShopBook book_;
    ShopAudit audit_;
    SeededEntropy entropy_;
    std::optional<store::MemoryShelf> memory_;
    std::optional<store::MemoryFlows> memory_flows_;
    std::unique_ptr<sqlite::Engine> engine_;
    WatchedFlows watched_;
    std::optional<store::SimulatedServer> server_;
    ShopFront front_;
    Provider provider_;
    Cashier cashier_;
    Receiver receiver_;
    People people_;
    Clerk clerk_;
    std::optional<ShopSurroundings> around_;
    ShopDose dose_;
    Aim aim_;
    std::uint64_t last_boot_ = 0;
    std::uint64_t boots_ = 0;
    std::uint64_t earlier_calls_ = 0;
    bool calm_ = false;
};

}  // namespace pawl::sim
