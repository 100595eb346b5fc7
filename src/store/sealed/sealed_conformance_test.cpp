// SPDX-License-Identifier: Apache-2.0
// The suite on sealed stores: nobody who asks sees a difference.
#include "store/memory/memory_rig.hpp"
#include "store/sealed/sealed_records.hpp"
#include "store/sqlite/engine_rig.hpp"

namespace pawl::store::conformance {
namespace {

// What `Inner` keeps is sealed.
template <class Inner>
class SealedRig final : public Inner {
  public:
    using Inner::Inner;
    Records& records() override {
        Records& inner = Inner::records();
        if (!sealed_) sealed_.emplace(inner, keys_);
        return *sealed_;
    }
    bool tells_digests() const override { return false; }
    void restart() override {
        sealed_.reset();
        Inner::restart();
    }

  private:
    SealingKeys keys_{SealingKey::parse(std::string(2 * kSealingKeyBytes, 'a')).value(), {}};
    std::optional<SealedRecords> sealed_;
};

}  // namespace

std::vector<StoreUnderTest> stores_under_test() {
    return {
        {"sealed_memory", [] { return std::make_unique<SealedRig<MemoryRig>>(); }},
        {"sealed_sqlite", [] {
             return std::make_unique<SealedRig<EngineRig>>(sqlite::GenerationLimits{.records = 7});
         }}};
}

}  // namespace pawl::store::conformance
