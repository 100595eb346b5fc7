// SPDX-License-Identifier: Apache-2.0
// The suite of flows on the store of the simulator.
#include "store/conformance/flow_rig.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/memory/simulated_flows.hpp"
#include "store/memory/simulated_records.hpp"

namespace pawl::store::conformance {
namespace {

class MemoryFlowRig final : public FlowRig {
  public:
    FlowStore& store() override { return flows_; }
    Records& records() override { return records_; }
    std::int64_t now_ms() const override { return shelf_.now_ms(); }
    void restart() override {
        server_.crash();
        shelf_.restart();
        shelf_.end_other_boots(++boot_);
    }

    void limit(UnresolvedLimits limits) override { shelf_.limit(limits); }
    bool damage(std::string_view table, std::size_t place, Harm) override {
        return flow_shelf_.damage(table, place);
    }
    DamageBook& damage_met() override { return flow_shelf_.damage_met(); }

  private:
    std::uint64_t boot_ = 1;
    MemoryShelf shelf_{hand().clock()};
    MemoryFlows flow_shelf_{shelf_};
    SimulatedServer server_{hand().loop(), shelf_};
    SimulatedRecords records_{server_, hand().loop()};
    SimulatedFlows flows_{server_, flow_shelf_, hand().loop()};
};

}  // namespace

std::vector<FlowStoreUnderTest> flow_stores_under_test() {
    return {{"memory", [] { return std::make_unique<MemoryFlowRig>(); }}};
}

}  // namespace pawl::store::conformance
