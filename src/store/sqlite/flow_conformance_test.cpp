// SPDX-License-Identifier: Apache-2.0
// The suite of flows on SQLite: on the engine without threads, and on files with the writer's and the reader's
// threads, where a restart is a kill: the files are copied as they lie while the store is open.
#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "runtime/codec/text.hpp"

#include "store/conformance/flow_rig.hpp"
#include "store/port/direct_flows.hpp"
#include "store/port/direct_records.hpp"
#include "store/sqlite/scratch_folder.hpp"
#include "store/sqlite/sqlite_flows.hpp"
#include "store/sqlite/sqlite_records.hpp"

namespace pawl::store::conformance {
namespace {

// Of each table, by what its rows are ordered.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kKeys{
    {{"flow_entity", "key"},
     {"flow_fact", "key"},
     {"stock_level", "key"},
     {"flow_step", "number"},
     {"flow_slot", "number"},
     {"flow_saga", "number"},
     {"flow_waiting", "number"},
     {"flow_attention", "number"},
     {"flow_held", "number"}}};

bool damage_in(sqlite::Connection& connection, std::string_view table, std::size_t place,
               Harm harm) {
    const auto key =
        std::ranges::find(kKeys, table, &std::pair<std::string_view, std::string_view>::first);
    const std::string row = fmt::format(
        "{0} = (SELECT {0} FROM {1} ORDER BY {0} LIMIT 1 OFFSET {2})", key->second, table, place);
    const auto put = [&](const std::string& set) {
        const std::string sql = fmt::format("UPDATE {} SET {} WHERE {}", table, set, row);
        PAWL_ASSERT(connection.run(sql.c_str()) == 0);
        return connection.ask("SELECT changes()") == "1";
    };
    if (table == "stock_level") return put("sold = 9223372036854775807");
    if (table == "flow_held") return put("held = 9");
    const auto present =
        connection.ask(fmt::format("SELECT lower(hex(row)) FROM {} WHERE {}", table, row));
    if (!present || present->empty()) return false;
    return put(fmt::format("row = x'{}'", to_hex(harmed(*from_hex(*present), harm))));
}

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
    bool damage(std::string_view table, std::size_t place, Harm harm) override {
        flows_.reset();
        records_.reset();
        sqlite::StoreFile file = std::move(*engine_).release();
        engine_.reset();
        const bool done = damage_in(file.connection, table, place, harm);
        start(std::move(file));
        return done;
    }
    DamageBook& damage_met() override { return engine_->damage(); }

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
    bool damage(std::string_view table, std::size_t place, Harm harm) override {
        stop();
        bool done = false;
        {
            sqlite::Connection connection;
            PAWL_ASSERT(connection.open(path(), sqlite::Connection::Access::write) == 0);
            done = damage_in(connection, table, place, harm);
        }
        start();
        return done;
    }
    DamageBook& damage_met() override { return writer_->damage(); }

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
