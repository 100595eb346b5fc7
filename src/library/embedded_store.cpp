// SPDX-License-Identifier: Apache-2.0
#include "library/embedded_store.hpp"

#include "store/sealed/sealed_records.hpp"
#include "store/sqlite/sqlite_records.hpp"

namespace pawl::library {
namespace {

class SqliteEmbedded final : public EmbeddedStore {
  public:
    Status open(std::string path, Loop& loop) {
        sqlite::FileOptions file;
        file.path = std::move(path);
        auto writer = sqlite::Writer::open(file, clock_, entropy_, {});
        if (!writer) return fail(std::move(writer.error()));
        writer_ = std::move(*writer);
        records_.emplace(*writer_, loop);
        sealed_.emplace(*records_, keys_);
        return {};
    }
    store::Records& records() override { return *sealed_; }
    std::uint64_t boot() const override { return writer_->boot(); }

  private:
    SystemClock clock_;
    SystemEntropy entropy_;  // the writer's own: it draws on its thread
    std::unique_ptr<sqlite::Writer> writer_;
    std::optional<sqlite::SqliteRecords> records_;
    // None: answers that a gateway has sealed are not given out as they lie.
    store::SealingKeys keys_;
    std::optional<store::SealedRecords> sealed_;
};

}  // namespace

Result<std::unique_ptr<EmbeddedStore>> open_embedded_store(std::string path, Loop& loop) {
    auto store = std::make_unique<SqliteEmbedded>();
    if (Status opened = store->open(std::move(path), loop); !opened)
        return fail(std::move(opened.error()));
    return store;
}

}  // namespace pawl::library
