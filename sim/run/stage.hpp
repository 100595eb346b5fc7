// SPDX-License-Identifier: Apache-2.0
// One world with everything in it. First a phase in which things go wrong, then one in which nothing does any
// more and everything has to come to rest; what is found on the way is the report.
#pragma once

#include "sim/outside/person.hpp"
#include "sim/run/scenario.hpp"

namespace pawl::sim {

struct Report {
    std::uint64_t seed = 0;
    std::uint64_t trace_hash = 0;
    std::uint64_t trace_events = 0;
    std::uint64_t requests = 0;
    std::uint64_t effects = 0;
    std::uint64_t store_calls = 0;
    std::uint64_t boots = 0;
    double virtual_seconds = 0;
    std::vector<Finding> findings;
    Rarities rarities;
};

class Stage {
  public:
    explicit Stage(Scenario scenario);
    ~Stage();

    Report run();

  private:
    // A moment at which a node is made to crash.
    struct Aim {
        std::string_view step;  // empty: none
        std::uint64_t after = 0;
    };

    void boot(std::string name);
    void crash(std::uint64_t boot);
    void came_to(std::uint64_t boot, std::string_view step);
    void count_phases(const Doing& doing);
    void schedule_crash();
    void schedule_freeze();
    void schedule_outage();
    void schedule_partition();
    void schedule_brown_out();
    void schedule_store_crash();
    void schedule_right(Number caller);
    // Brings an upstream's report to nodes: often more than once, late, in any order, or never.
    void carry(Reported reported);
    void set_dose(const Dose& dose);
    std::chrono::nanoseconds about(std::chrono::milliseconds mean) {
        return chance_.between(mean / 4, 2 * mean);
    }
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
    Dose dose_;
    Aim aim_;
    std::uint64_t last_boot_ = 0;
    std::uint64_t boots_ = 0;
    bool calm_ = false;
};

}  // namespace pawl::sim
