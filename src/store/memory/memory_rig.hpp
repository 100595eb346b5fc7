// SPDX-License-Identifier: Apache-2.0
// The simulator's store for the conformance suite, as it is and under what is built upon it.
#pragma once

#include "store/conformance/rig.hpp"
#include "store/memory/simulated_records.hpp"

namespace pawl::store::conformance {

class MemoryRig : public Rig {
  public:
    Records& records() override { return records_; }
    std::uint64_t boot() const override { return boot_; }
    std::int64_t now_ms() const override { return shelf_.now_ms(); }
    void restart() override {
        server_.crash();
        shelf_.restart();
        shelf_.end_other_boots(++boot_);
    }
    void limit(UnresolvedLimits limits) override { shelf_.limit(limits); }

  private:
    std::uint64_t boot_ = 1;
    MemoryShelf shelf_{hand().clock()};
    SimulatedServer server_{hand().loop(), shelf_};
    SimulatedRecords records_{server_, hand().loop()};
};

}  // namespace pawl::store::conformance
