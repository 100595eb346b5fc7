// SPDX-License-Identifier: Apache-2.0
// One world with everything in it. First a phase in which things go wrong, then one in which nothing does any
// more and everything has to come to rest; what is found on the way is the report.
#pragma once

#include "sim/outside/person.hpp"
#include "sim/run/machine_faults.hpp"
#include "sim/run/report.hpp"

namespace pawl::sim {

struct Report : RunReport {
    static constexpr std::string_view kFlag;
    static constexpr std::string_view kMade = "effects";
    Rarities rarities;
};

class Stage {
  public:
    explicit Stage(Scenario scenario);
    ~Stage();

    Report run();

  private:
    void boot(std::string name);
    void hook_up();
    void count_phases(const Doing& doing);
    void schedule_faults();
    void brown_out();
    void crash_store();
    void schedule_right(Number caller);
    // Brings an upstream's report to nodes: often more than once, late, in any order, or never.
    void carry(Reported reported);
    void set_dose(const Dose& dose);
    void live();
    Ending ending();

    struct Store;

    Scenario scenario_;
    World world_;
    Chance chance_;
    Rarities rarities_;
    Book book_;
    Ledger ledger_;
    Audit audit_;
    Upstream upstream_;
    Wire wire_;
    ClaimsInFlight in_flight_;
    std::unique_ptr<Store> store_;
    std::optional<Surroundings> around_;
    Fleet fleet_;
    Front front_;
    Callers callers_;
    Person person_;
    MachineFaults<Node> faults_;
    Dose dose_;
    std::uint64_t last_boot_ = 0;
    std::uint64_t boots_ = 0;
};

}  // namespace pawl::sim
