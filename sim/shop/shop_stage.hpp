// SPDX-License-Identifier: Apache-2.0
// The shop of one seed from its opening to its end: faults while people come, then calm until everything has
// settled, then nights in which nobody is up for longer than facts wait, and what comes back in the mornings.
#pragma once

#include "sim/run/machine_faults.hpp"
#include "sim/run/report.hpp"
#include "sim/shop/clerk.hpp"
#include "sim/shop/shop_scenario.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/sqlite/engine.hpp"

namespace pawl::sim {

struct ShopReport : RunReport {
    static constexpr std::string_view kFlag = " --flows";
    static constexpr std::string_view kMade = "entities";
    ShopRarities rarities;
};

class ShopStage {
  public:
    explicit ShopStage(ShopScenario scenario);
    ~ShopStage();

    ShopReport run();

  private:
    std::uint64_t begin_boot();
    void start(sqlite::StoreFile file);
    std::int64_t store_now() const;
    void boot(std::string name);
    void hook_up();
    void schedule_faults();
    void step_clock();
    void crash_store();
    // Until that long has passed, or everything is at rest.
    void settle(std::chrono::seconds at_most);
    void live();
    void sleep_a_night();
    void visit_again();
    void let_days_pass();
    void set_dose(const ShopDose& dose);
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
    ShopFleet fleet_;
    ShopFront front_;
    Provider provider_;
    Cashier cashier_;
    Receiver receiver_;
    People people_;
    Clerk clerk_;
    std::optional<ShopSurroundings> around_;
    MachineFaults<ShopNode> faults_;
    ShopDose dose_;
    std::uint64_t last_boot_ = 0;
    std::uint64_t boots_ = 0;
    std::uint64_t earlier_calls_ = 0;
};

}  // namespace pawl::sim
