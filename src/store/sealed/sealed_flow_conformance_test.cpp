// SPDX-License-Identifier: Apache-2.0
// The suite of flows on a sealed store: nobody who asks sees a difference.
#include "store/conformance/flow_rig.hpp"
#include "store/memory/memory_flows.hpp"
#include "store/memory/simulated_flows.hpp"
#include "store/memory/simulated_records.hpp"
#include "store/sealed/sealed_flows.hpp"
#include "store/sealed/sealed_records.hpp"

namespace pawl::store::conformance {
namespace {

class SealedFlowRig final : public FlowRig {
  public:
    FlowStore& store() override { return sealed_; }
    Records& records() override { return sealed_records_; }
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
    SealingKeys keys_{SealingKey::parse(std::string(2 * kSealingKeyBytes, 'a')).value(), {}};
    DamageBook damage_;
    MemoryShelf shelf_{hand().clock()};
    MemoryFlows flow_shelf_{shelf_};
    SimulatedServer server_{hand().loop(), shelf_};
    SimulatedRecords records_{server_, hand().loop()};
    SimulatedFlows flows_{server_, flow_shelf_, hand().loop()};
    SealedRecords sealed_records_{records_, keys_};
    SealedFlows sealed_{flows_, keys_, damage_};
};

}  // namespace

std::vector<FlowStoreUnderTest> flow_stores_under_test() {
    return {{"sealed_memory", [] { return std::make_unique<SealedFlowRig>(); }}};
}

}  // namespace pawl::store::conformance
