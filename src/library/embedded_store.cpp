// SPDX-License-Identifier: Apache-2.0
#include "library/embedded_store.hpp"

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
        return {};
    }
    store::Records& records() override { return *records_; }
    std::uint64_t boot() const override { return writer_->boot(); }

  private:
    SystemClock clock_;
    SystemEntropy entropy_;  // the writer's own: it draws on its thread
    std::unique_ptr<sqlite::Writer> writer_;
    std::optional<sqlite::SqliteRecords> records_;
};

}  // namespace

Result<std::unique_ptr<EmbeddedStore>> open_embedded_store(std::string path, Loop& loop) {
    auto store = std::make_unique<SqliteEmbedded>();
    if (Status opened = store->open(std::move(path), loop); !opened)
        return fail(std::move(opened.error()));
    return store;
}

}  // namespace pawl::library
