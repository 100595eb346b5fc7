// SPDX-License-Identifier: Apache-2.0
// The suite on sealed stores: nobody who asks sees a difference.
#include "store/conformance/rig.hpp"
#include "store/memory/simulated_records.hpp"
#include "store/port/direct_records.hpp"
#include "store/sealed/sealed_records.hpp"
#include "store/sqlite/engine.hpp"

namespace pawl::store::conformance {
namespace {

SealingKeys some_keys() {
    return {SealingKey::parse(std::string(2 * kSealingKeyBytes, 'a')).value(), {}};
}

class SealedMemoryRig final : public Rig {
  public:
    Records& records() override { return sealed_; }
    std::uint64_t boot() const override { return boot_; }
    std::int64_t now_ms() const override { return shelf_.now_ms(); }
    bool tells_digests() const override { return false; }
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
    SealingKeys keys_ = some_keys();
    SealedRecords sealed_{records_, keys_};
};

class SealedEngineRig final : public Rig {
  public:
    SealedEngineRig() {
        start(std::move(*sqlite::open_store({.path = std::string(sqlite::kInMemory)})));
    }
    Records& records() override {
        engine_->tend();  // as between two commits
        return *sealed_;
    }
    std::uint64_t boot() const override { return engine_->boot(); }
    std::int64_t now_ms() const override { return engine_->now_ms(); }
    bool durable() const override { return false; }
    bool tells_digests() const override { return false; }
    void restart() override {
        sealed_.reset();
        records_.reset();
        sqlite::StoreFile file = std::move(*engine_).release();
        engine_.reset();
        start(std::move(file));
    }
    void limit(UnresolvedLimits limits) override {
        unresolved_ = limits;
        restart();
    }

  private:
    void start(sqlite::StoreFile file) {
        auto started =
            sqlite::Engine::start(std::move(file), hand().clock(), hand().loop().entropy(),
                                  {.generation = {.records = 7}, .unresolved = unresolved_});
        PAWL_ASSERT(started.has_value());
        engine_ = std::move(*started);
        records_.emplace(*engine_);
        sealed_.emplace(*records_, keys_);
    }

    UnresolvedLimits unresolved_;
    SealingKeys keys_ = some_keys();
    std::unique_ptr<sqlite::Engine> engine_;
    std::optional<DirectRecords> records_;
    std::optional<SealedRecords> sealed_;
};

}  // namespace

std::vector<StoreUnderTest> stores_under_test() {
    return {{"sealed_memory", [] { return std::make_unique<SealedMemoryRig>(); }},
            {"sealed_sqlite", [] { return std::make_unique<SealedEngineRig>(); }}};
}

}  // namespace pawl::store::conformance
