// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/file_looks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/sqlite/indexer.hpp"
#include "store/sqlite/log_check.hpp"
#include "store/sqlite/schema.hpp"

namespace pawl::sqlite {
namespace {

std::unexpected<Error> refused() {
    return fail(Code::store_readonly, "The store's file is open for reading only.", {},
                "store.sqlite");
}

// Whether SQLite may make its two files beside the store's.
bool may_write_beside(const std::string& path) {
    const std::string folder = std::filesystem::absolute(path).parent_path().string();
    return ::faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) == 0;
}

}  // namespace

Result<std::unique_ptr<FileLooks>> FileLooks::open(const std::string& path, const Clock& clock) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return fail(Code::not_found, fmt::format("There is no store at {}.", path), {},
                    "store.sqlite");
    if (std::filesystem::is_directory(path, ignored))
        return fail(Code::config_invalid,
                    fmt::format("{} is a folder; name the store's file in it, as in {}", path,
                                (std::filesystem::path(path) / "pawl.db").string()),
                    {}, "store.sqlite");
    FileOptions options;
    options.path = path;
    if (!may_write_beside(path)) {
        // What stands in a log is read through a file beside it, which cannot be made here.
        if (std::filesystem::file_size(path + "-wal", ignored) > 0 && !ignored)
            return fail(
                Code::store_readonly,
                fmt::format(
                    "{} has a log that is not folded in ({}-wal), which cannot be read where "
                    "nothing may be written. Copy both to a folder of yours, or look as somebody "
                    "who "
                    "may write there.",
                    path, path),
                {}, "store.sqlite");
        options.still = true;
    }
    // Whoever serves it has an index of what was sound when it was written.
    if (!LockFile::is_held(path)) {
        if (Status sound = check_log(path); !sound) return fail(sound.error());
    }
    auto connection = open_reader(options);
    if (!connection) return fail(std::move(connection.error()));
    StoreFile file;
    file.path = path;
    file.connection = std::move(*connection);
    std::unique_ptr<FileLooks> looks(new FileLooks(std::move(file)));
    if (Status loaded = looks->load(clock); !loaded) return fail(std::move(loaded.error()));
    return looks;
}

// Everything is read from the state of the file at BEGIN, however long it takes and whoever writes meanwhile.
Status FileLooks::load(const Clock& clock) {
    Connection& connection = tables_.connection;
    const auto failed = [&](int result) {
        return fail(failure_of(result, Phase::open, connection).error);
    };
    if (const int begun = connection.run("BEGIN"); begun != SQLITE_OK) return failed(begun);
    if (connection.ask("PRAGMA application_id") != std::to_string(kApplicationId))
        return fail(Code::store_corrupt, fmt::format("{} is not a store.", tables_.file.path), {},
                    "store.sqlite");
    const std::string version = connection.ask("PRAGMA user_version").value_or("0");
    const int known = schema_steps().back().number;
    if (version != std::to_string(known))
        return fail(Code::store_newer,
                    fmt::format("The store {} has format {}, this program reads format {}. Use the "
                                "program that serves it.",
                                tables_.file.path, version, known),
                    {}, "store.sqlite");
    Statement mark = connection.prepare("SELECT time_ms FROM mark WHERE id = 1");
    if (const int read = mark.step(); read != SQLITE_ROW) return failed(read);
    tables_.time.emplace(clock, mark.integer(0));
    mark.reset();
    std::vector<RecordId> unended;
    if (const int loaded = Indexer(tables_, {}, 0).load(unended); loaded != SQLITE_OK)
        return failed(loaded);
    look_ups_.emplace(connection, tables_.catalog, tables_.unresolved, *tables_.time, damage_,
                      false);
    return {};
}

Task<Result<store::Reply>> FileLooks::apply(record::Call) { co_return refused(); }
Task<Result<store::SweepReport>> FileLooks::sweep(std::size_t) { co_return refused(); }

Task<Result<std::optional<store::Stored>>> FileLooks::read(Digest identity) {
    co_return look_ups_->read(identity);
}

Task<Result<std::vector<record::Row>>> FileLooks::unresolved(store::UnresolvedQuery query) {
    co_return look_ups_->unresolved(query);
}

Task<Result<store::Totals>> FileLooks::totals() {
    co_return tables_.unresolved.totals(tables_.time->now_ms());
}

Task<Result<std::vector<store::TimelineEntry>>> FileLooks::timeline(Digest identity) {
    co_return look_ups_->timeline(identity);
}

Task<Result<std::vector<Digest>>> FileLooks::find(store::LookUp kind, std::string value,
                                                  std::size_t limit) {
    co_return look_ups_->find(kind, value, limit);
}

}  // namespace pawl::sqlite
