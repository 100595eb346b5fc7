// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/store_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include "store/sqlite/failure.hpp"
#include "store/sqlite/log_check.hpp"
#include "store/sqlite/page_sums.hpp"
#include "store/sqlite/rescue.hpp"
#include "store/sqlite/schema.hpp"

namespace pawl::sqlite {
namespace {

constexpr std::string_view kHeader{"SQLite format 3\0", 16};

std::unexpected<Error> refused(Code code, std::string text) {
    return fail(code, std::move(text), {}, "store.sqlite");
}

Status check_path(const std::string& path) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
    if (!std::filesystem::is_directory(folder, ignored))
        return refused(
            Code::config_invalid,
            fmt::format(
                "The store's folder {} does not exist. Create it, or name another store path.",
                folder.string()));
    // SQLite would take an empty file for a new store, and remove the log.
    const auto size_of = [](const std::string& name) -> std::uintmax_t {
        std::error_code missing;
        const std::uintmax_t size = std::filesystem::file_size(name, missing);
        return missing ? 0 : size;
    };
    if (!std::filesystem::is_directory(path, ignored) && size_of(path) == 0 &&
        size_of(path + "-wal") > 0)
        return refused(
            Code::store_corrupt,
            fmt::format(
                "The store's file {} is missing or empty, and its log {}-wal is there. Put back "
                "the file, or a copy of both. To begin with an empty store, move {}-wal "
                "away: every operation is a new one then.",
                path, path, path));
    if (!std::filesystem::exists(path, ignored)) return {};
    if (std::filesystem::is_directory(path, ignored))
        return refused(Code::config_invalid,
                       fmt::format("{} is a folder; name the store's file in it, as in {}", path,
                                   (std::filesystem::path(path) / "pawl.db").string()));
    // Reading a pipe waits for its other end.
    if (!std::filesystem::is_regular_file(path, ignored))
        return refused(
            Code::config_invalid,
            fmt::format("{} is a pipe or a device; name a regular file for the store, or "
                        "one that is not there yet",
                        path));
    std::array<char, kHeader.size()> start{};
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), start.size());
    const std::string_view seen(start.data(), static_cast<std::size_t>(file.gcount()));
    if (!seen.empty() && seen != kHeader)
        return refused(
            Code::store_corrupt,
            fmt::format(
                "{} is not a store: it does not begin as an SQLite file. Name another store "
                "path, or put back a copy.",
                path));
    return {};
}

// A head whose bytes on page size or room for sums have flipped would have every page read as it is not.
Status check_pages(const std::string& path) {
    std::string head(kFileHead, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    switch (page_kind(head)) {
        case PageKind::none:
        case PageKind::summed:
            return {};
        case PageKind::plain:
            return write_fresh(path);
        case PageKind::other:
            break;
    }
    return refused(
        Code::store_corrupt,
        fmt::format("The head of {} is damaged, or another program has made it. Put back "
                    "a copy, or name another store path.",
                    path));
}

Error error_of(int result, const Connection& connection, const std::string& path) {
    Error error = failure_of(result, Phase::open, connection).error;
    if ((result & 0xFF) == SQLITE_CANTOPEN) error.code = Code::store_readonly;
    error.text += fmt::format(" ({})", path);
    return error;
}

Status set(Connection& connection, const std::string& path, const std::string& pragma) {
    const int result = connection.run(pragma.c_str());
    if (result != SQLITE_OK) return fail(error_of(result, connection, path));
    return {};
}

Status tune(Connection& connection, const std::string& path, int cache_bytes) {
    return set(
        connection, path,
        fmt::format(
            "PRAGMA cache_size = -{}; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA "
            "busy_timeout = {};",
            cache_bytes / 1024, kBusyTimeoutMs));
}

Status make_durable(Connection& connection, const std::string& path) {
    if (sqlite3_db_readonly(connection.handle(), "main") == 1)
        return refused(
            Code::store_readonly,
            fmt::format("The store {} cannot be written. Give this process the right to write it.",
                        path));
    if (Status done = set(connection, path, "PRAGMA journal_mode = WAL"); !done) return done;
    if (connection.ask("PRAGMA journal_mode") != "wal")
        return refused(Code::store_weak,
                       fmt::format("The file system of {} does not let SQLite keep a write-ahead "
                                   "log. Put the store on a local disk.",
                                   path));
    if (Status done = set(connection, path,
                          "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA "
                          "cache_spill = OFF;");
        !done)
        return done;
    if (connection.ask("PRAGMA synchronous") != "2" ||
        connection.ask("PRAGMA mmap_size").value_or("0") != "0")
        return refused(Code::store_weak,
                       "SQLite does not flush at every commit (synchronous is not FULL).");
    return {};
}

// What an earlier boot did not finish may lie behind its last commit, and would pass for this boot's once the
// log has been written over up to there: check_log counts on a log for each boot. Another program that is
// reading keeps the log from being cut; it is folded in then, and goes on.
Status begin_log_anew(Connection& connection, const std::string& path) {
    const int result = sqlite3_wal_checkpoint_v2(connection.handle(), nullptr,
                                                 SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    if (result == SQLITE_OK || (result & 0xFF) == SQLITE_BUSY) return {};
    return fail(error_of(result, connection, path));
}

}  // namespace

Status sync_folder_of(const std::string& path) {
    const std::string folder = std::filesystem::absolute(path).parent_path().string();
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int reason = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (synced) return {};
    return fail(Code::unavailable, "The store's folder cannot be synced.", std::strerror(reason),
                "store.sqlite");
}

Result<StoreFile> open_store(const FileOptions& options) {
    if (options.synchronous != "full")
        return refused(Code::store_weak,
                       fmt::format("synchronous: {} would let an acknowledged request be lost with "
                                   "the power. Only `full` is served.",
                                   options.synchronous));
    StoreFile file;
    file.path = options.path;
    const bool on_disk = options.path != kInMemory;
    file.on_system_disk = on_disk && options.vfs.empty();
    if (file.on_system_disk) {
        if (Status fit = check_path(options.path); !fit) return fail(fit.error());
        Result<LockFile> lock = LockFile::take(options.path);
        if (!lock) return fail(lock.error());
        file.lock = std::move(*lock);
        if (Status rescued = rescue(options.path); !rescued) return fail(rescued.error());
    }
    if (on_disk) {
        if (Status sound = check_log(options.path, options.vfs); !sound) return fail(sound.error());
    }
    if (file.on_system_disk) {
        if (Status summed = check_pages(options.path); !summed) return fail(summed.error());
    }
    const int result = file.connection.open(options.path, Connection::Access::write, options.vfs);
    if (result != SQLITE_OK) return fail(error_of(result, file.connection, options.path));
    if (Status tuned = tune(file.connection, options.path, kWriterCacheBytes); !tuned)
        return fail(tuned.error());
    if (on_disk) {
        if (Status durable = make_durable(file.connection, options.path); !durable)
            return fail(durable.error());
    }
    if (Status present = bring_up_to_date(file.connection); !present) return fail(present.error());
    if (on_disk) {
        if (Status begun = begin_log_anew(file.connection, options.path); !begun)
            return fail(begun.error());
    }
    if (file.on_system_disk) {
        if (Status synced = sync_folder_of(options.path); !synced) return fail(synced.error());
    }
    return file;
}

Result<Connection> open_reader(const FileOptions& options) {
    Connection connection;
    const auto access = options.still ? Connection::Access::still : Connection::Access::read;
    const int result = connection.open(options.path, access, options.vfs);
    if (result != SQLITE_OK) return fail(error_of(result, connection, options.path));
    if (Status tuned = tune(connection, options.path, kReaderCacheBytes); !tuned)
        return fail(tuned.error());
    return connection;
}

}  // namespace pawl::sqlite
