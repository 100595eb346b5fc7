// SPDX-License-Identifier: Apache-2.0
#include "app/store_place.hpp"

#include <fmt/format.h>

#include "store/port/direct_flows.hpp"
#include "store/sealed/key_register.hpp"
#include "store/sealed/sealed_flows.hpp"
#include "store/sealed/sealed_records.hpp"
#include "store/sqlite/file_flows.hpp"
#include "store/sqlite/sqlite_flows.hpp"
#include "store/sqlite/sqlite_records.hpp"
#include "surface/config/read_encryption.hpp"

namespace pawl::app {
namespace {

std::string_view remedy_of(Code code) {
    switch (code) {
        case Code::store_corrupt:
            return " Put back a copy, or name another store path.";
        case Code::store_full:
            return " Make room on its disk, then start again.";
        case Code::store_readonly:
            return " Give this process the right to write it.";
        case Code::unavailable:
            return " Look at its disk and its rights, then start again.";
        default:
            return "";
    }
}

// Says which store it is and what to do, where the store itself has not.
Error placed(Error error, const std::string& path) {
    if (error.text.ends_with(fmt::format("({})", path))) {
        error.text += fmt::format(".{}", remedy_of(error.code));
        return error;
    }
    if (error.text.find(path) != std::string::npos) return error;
    if (error.text.ends_with('.')) error.text.pop_back();
    error.text = fmt::format("{}: {}.{}", error.text, path, remedy_of(error.code));
    return error;
}

class SqlitePlace final : public StorePlace {
  public:
    static Result<std::unique_ptr<StorePlace>> open(const config::Config& config,
                                                    std::function<void(const Error&)> on_fatal) {
        auto place = std::unique_ptr<SqlitePlace>(new SqlitePlace);
        auto keys = config::sealing_keys_of(config.store.encryption);
        if (!keys) return fail(std::move(keys.error()));
        place->keys_ = std::move(*keys);
        sqlite::EngineOptions options;
        options.on_fatal = std::move(on_fatal);
        options.unresolved = {config.limits.unresolved_per_caller_max,
                              config.limits.unresolved_per_tenant_max,
                              config.limits.stored_bytes_per_tenant_max == 0
                                  ? store::kStoredBytesUnlimited
                                  : config.limits.stored_bytes_per_tenant_max};
        const std::string& path = config.store.path;
        sqlite::leave_memory_uncounted();
        sqlite::FileOptions file;
        file.path = path;
        auto writer =
            sqlite::Writer::open(file, place->clock_, place->entropy_, std::move(options));
        if (!writer) return fail(placed(std::move(writer.error()), path));
        place->writer_ = std::move(*writer);
        return place;
    }

    std::unique_ptr<store::Records> records_for(Loop& loop) override {
        auto records = std::make_unique<sqlite::SqliteRecords>(*writer_, loop);
        if (!keys_.current) return records;
        return std::make_unique<store::SealedRecords>(std::move(records), keys_);
    }
    std::unique_ptr<store::FlowStore> flows_for(Loop& loop) override {
        auto flows = std::make_unique<sqlite::SqliteFlows>(*writer_, loop);
        if (!keys_.current) return flows;
        return std::make_unique<store::SealedFlows>(std::move(flows), keys_, writer_->damage());
    }
    const store::SealingKeys& keys() const override { return keys_; }
    std::uint64_t boot() const override { return writer_->boot(); }
    api::StoreFigures figures() const override {
        api::StoreFigures figures;
        figures.commit_seconds = &writer_->meters().commit_seconds;
        figures.commits = &writer_->meters().commits;
        figures.calls = &writer_->meters().calls;
        figures.stored_bytes = &writer_->meters().stored_bytes;
        figures.upkeep_failures = &writer_->meters().upkeep_failures;
        figures.damaged_rows = &writer_->damage().rows();
        return figures;
    }
    std::vector<store::DamagedRow> new_damage() override { return writer_->damage().news(); }
    void close() override { writer_.reset(); }

  private:
    SqlitePlace() = default;

    SystemClock clock_;
    SystemEntropy entropy_;
    store::SealingKeys keys_;
    std::unique_ptr<sqlite::Writer> writer_;
};

class FileToRead final : public cli::FlowsToRead {
  public:
    FileToRead(std::unique_ptr<sqlite::FileLooks> looks, store::SealingKeys keys)
        : keys_(std::move(keys)), looks_(std::move(looks)) {}

    store::FlowStore& flows() override { return flows_; }
    store::Records& records() override { return records_; }

  private:
    store::SealingKeys keys_;
    std::unique_ptr<sqlite::FileLooks> looks_;
    sqlite::FileFlows shelf_{*looks_};
    store::DirectFlows direct_{shelf_};
    store::SealedFlows flows_{direct_, keys_, looks_->damage()};
    store::SealedRecords records_{*looks_, keys_};
};

}  // namespace

Result<std::unique_ptr<StorePlace>> open_store(const config::Config& config,
                                               std::function<void(const Error&)> on_fatal) {
    return SqlitePlace::open(config, std::move(on_fatal));
}

Result<std::unique_ptr<store::Records>> open_store_to_read(const std::string& path, Loop& loop) {
    auto looks = sqlite::FileLooks::open(path, loop.clock());
    if (!looks) return fail(placed(std::move(looks.error()), path));
    // Without the keys: what an answer says is not shown.
    static const store::SealingKeys kNone;
    return std::make_unique<store::SealedRecords>(std::move(*looks), kNone);
}

Result<std::unique_ptr<cli::FlowsToRead>> open_flows_to_read(const config::Config& config,
                                                             Loop& loop) {
    auto keys = config::sealing_keys_of(config.store.encryption);
    if (!keys) return fail(std::move(keys.error()));
    auto looks = sqlite::FileLooks::open(config.store.path, loop.clock());
    if (!looks) return fail(placed(std::move(looks.error()), config.store.path));
    return std::make_unique<FileToRead>(std::move(*looks), std::move(*keys));
}

}  // namespace pawl::app
