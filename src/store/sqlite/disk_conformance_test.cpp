// SPDX-License-Identifier: Apache-2.0
// The suite on files, with the writer's and the reader's threads. A restart is a kill: the files are copied
// as they lie while the store is open, and a new one is opened on the copy.
#include <filesystem>

#include "store/conformance/rig.hpp"
#include "store/sqlite/scratch_folder.hpp"
#include "store/sqlite/sqlite_records.hpp"

namespace pawl::store::conformance {
namespace {

class DiskRig final : public Rig {
  public:
    explicit DiskRig(sqlite::GenerationLimits limits) : limits_(limits) { start(); }
    ~DiskRig() override { records_.reset(); }

    Records& records() override { return *records_; }
    std::uint64_t boot() const override { return writer_->boot(); }
    std::int64_t now_ms() const override { return writer_->now_ms(); }
    int patience() const override { return 800; }
    void restart() override {
        const std::string killed = path();
        ++runs_;
        for (const std::string end : {"-wal", ""})
            if (std::filesystem::exists(killed + end))
                std::filesystem::copy_file(killed + end, path() + end);
        records_.reset();
        writer_.reset();
        start();
    }
    void limit(UnresolvedLimits limits) override {
        unresolved_ = limits;
        restart();
    }

  private:
    std::string path() const { return folder_.path() + "/" + std::to_string(runs_) + ".db"; }
    void start() {
        auto opened =
            sqlite::Writer::open({.path = path()}, hand().clock(), hand().loop().entropy(),
                                 {.generation = limits_, .unresolved = unresolved_});
        PAWL_ASSERT(opened.has_value());
        writer_ = std::move(*opened);
        records_.emplace(*writer_, hand().loop());
    }

    sqlite::ScratchFolder folder_;
    int runs_ = 0;
    sqlite::GenerationLimits limits_;
    UnresolvedLimits unresolved_;
    std::unique_ptr<sqlite::Writer> writer_;
    std::optional<sqlite::SqliteRecords> records_;
};

}  // namespace

std::vector<StoreUnderTest> stores_under_test() {
    return {
        {"sqlite_on_disk", [] { return std::make_unique<DiskRig>(sqlite::GenerationLimits{}); }},
        {"sqlite_on_disk_small_generations",
         [] { return std::make_unique<DiskRig>(sqlite::GenerationLimits{.records = 7}); }}};
}

}  // namespace pawl::store::conformance
