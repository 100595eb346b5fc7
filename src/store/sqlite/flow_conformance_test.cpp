// SPDX-License-Identifier: Apache-2.0
// The suite of flows on SQLite: on the engine without threads, and on files with the writer's and the reader's
// threads, where a restart is a kill: the files are copied as they lie while the store is open.
#include <filesystem>

#include "store/conformance/flow_rig.hpp"
#include "store/port/direct_flows.hpp"
#include "store/port/direct_records.hpp"
#include "store/sqlite/scratch_folder.hpp"
#include "store/sqlite/sqlite_flows.hpp"
#include "store/sqlite/sqlite_records.hpp"

namespace pawl::store::conformance {
namespace {

class EngineFlowRig final : public FlowRig {
  public:
    EngineFlowRig() {
        start(std::move(*sqlite::open_store({.path = std::string(sqlite::kInMemory)})));
    }
    FlowStore& store() override { return *flows_; }
    Records& records() override { return *records_; }
    std::int64_t now_ms() const override { return engine_->now_ms(); }
    void restart() override {
        flows_.reset();
        records_.reset();
        sqlite::StoreFile file = std::move(*engine_).release();
        engine_.reset();
        start(std::move(file));
    }
    void limit(UnresolvedLimits limits) override {
        limits_ = limits;
        restart();
    }

  private:
    void start(sqlite::StoreFile file) {
        auto started = sqlite::Engine::start(std::move(file), hand().clock(),
                                             hand().loop().entropy(), {.unresolved = limits_});
        PAWL_ASSERT(started.has_value());
        engine_ = std::move(*started);
        flows_.emplace(*engine_);
        records_.emplace(*engine_);
    }

    UnresolvedLimits limits_;
    std::unique_ptr<sqlite::Engine> engine_;
    std::optional<DirectFlows> flows_;
    std::optional<DirectRecords> records_;
};

class DiskFlowRig final : public FlowRig {
  public:
    DiskFlowRig() { start(); }
    ~DiskFlowRig() override { stop(); }

    FlowStore& store() override { return *flows_; }
    Records& records() override { return *records_; }
    std::int64_t now_ms() const override { return writer_->now_ms(); }
    void restart() override {
        const std::string killed = path();
        ++runs_;
        for (const std::string end : {"-wal", ""})
            if (std::filesystem::exists(killed + end))
                std::filesystem::copy_file(killed + end, path() + end);
        stop();
        start();
    }
    void limit(UnresolvedLimits limits) override {
        limits_ = limits;
        restart();
    }

  private:
    std::string path() const { return folder_.path() + "/" + std::to_string(runs_) + ".db"; }
    void start() {
        auto opened = sqlite::Writer::open({.path = path()}, hand().clock(),
                                           hand().loop().entropy(), {.unresolved = limits_});
        PAWL_ASSERT(opened.has_value());
        writer_ = std::move(*opened);
        flows_.emplace(*writer_, hand().loop());
        records_.emplace(*writer_, hand().loop());
    }
    void stop() {
        flows_.reset();
        records_.reset();
        writer_.reset();
    }

    sqlite::ScratchFolder folder_;
    int runs_ = 0;
    UnresolvedLimits limits_;
    std::unique_ptr<sqlite::Writer> writer_;
    std::optional<sqlite::SqliteFlows> flows_;
    std::optional<sqlite::SqliteRecords> records_;
};

}  // namespace

std::vector<FlowStoreUnderTest> flow_stores_under_test() {
    return {{"sqlite_in_memory", [] { return std::make_unique<EngineFlowRig>(); }},
            {"sqlite_on_disk", [] { return std::make_unique<DiskFlowRig>(); }}};
}

}  // namespace pawl::store::conformance
