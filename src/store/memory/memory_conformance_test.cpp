// SPDX-License-Identifier: Apache-2.0
// The suite on the simulator's store, with answers at once and with delays.
#include "store/conformance/rig.hpp"
#include "store/memory/simulated_records.hpp"

namespace pawl::store::conformance {
namespace {

class MemoryRig final : public Rig {
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

}  // namespace

std::vector<StoreUnderTest> stores_under_test() {
    return {{"memory", [] { return std::make_unique<MemoryRig>(); }}};
}

}  // namespace pawl::store::conformance
