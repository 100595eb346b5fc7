// SPDX-License-Identifier: Apache-2.0
// The SQLite engine without threads, on a file in memory, for the conformance suite: as it is and under what is built
// upon it.
#pragma once

#include "store/conformance/rig.hpp"
#include "store/port/direct_records.hpp"
#include "store/sqlite/engine.hpp"

namespace pawl::store::conformance {

class EngineRig : public Rig {
  public:
    explicit EngineRig(sqlite::GenerationLimits limits) : limits_(limits) {
        start(std::move(*sqlite::open_store({.path = std::string(sqlite::kInMemory)})));
    }
    Records& records() override {
        engine_->tend();  // as between two commits
        return *records_;
    }
    std::uint64_t boot() const override { return engine_->boot(); }
    std::int64_t now_ms() const override { return engine_->now_ms(); }
    bool durable() const override { return false; }
    void restart() override {
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
                                  {.generation = limits_, .unresolved = unresolved_});
        PAWL_ASSERT(started.has_value());
        engine_ = std::move(*started);
        records_.emplace(*engine_);
    }

    sqlite::GenerationLimits limits_;
    UnresolvedLimits unresolved_;
    std::unique_ptr<sqlite::Engine> engine_;
    std::optional<DirectRecords> records_;
};

}  // namespace pawl::store::conformance
