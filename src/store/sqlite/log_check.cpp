// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/log_check.hpp"

#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <sqlite3.h>

#include "store/sqlite/log_damage.hpp"

namespace pawl::sqlite {
namespace {

std::unexpected<Error> refused(Code code, std::string text, std::string cause = {}) {
    return fail(code, std::move(text), std::move(cause), "store.sqlite");
}

// A log as the file system that SQLite will use shows it.
class LogFile {
  public:
    static Result<LogFile> open(const std::string& path, const std::string& vfs) {
        LogFile log;
        sqlite3_vfs* system = sqlite3_vfs_find(vfs.empty() ? nullptr : vfs.c_str());
        int there = 0;
        (void)system->xAccess(system, path.c_str(), SQLITE_ACCESS_EXISTS, &there);
        if (there == 0) return log;
        log.memory_ = std::make_unique<char[]>(static_cast<std::size_t>(system->szOsFile));
        auto* file = reinterpret_cast<sqlite3_file*>(log.memory_.get());
        const int result = system->xOpen(system, path.c_str(), file,
                                         SQLITE_OPEN_READONLY | SQLITE_OPEN_WAL, nullptr);
        if (result != SQLITE_OK)
            return refused(Code::unavailable, fmt::format("The log {} cannot be opened.", path),
                           sqlite3_errstr(result));
        log.file_.reset(file);
        (void)file->pMethods->xFileSize(file, &log.size_);
        return log;
    }
    std::size_t read(std::uint64_t offset, std::span<char> out) {
        if (!file_ || static_cast<sqlite3_int64>(offset) >= size_) return 0;
        const auto left = static_cast<std::uint64_t>(size_) - offset;
        const std::size_t count = std::min<std::uint64_t>(left, out.size());
        const int result = file_->pMethods->xRead(file_.get(), out.data(), static_cast<int>(count),
                                                  static_cast<sqlite3_int64>(offset));
        if (result != SQLITE_OK && failed_ == SQLITE_OK) failed_ = result;
        return result == SQLITE_OK ? count : 0;
    }
    // The first error; SQLITE_OK: there was none.
    int failed() const { return failed_; }

  private:
    struct Close {
        void operator()(sqlite3_file* file) const { (void)file->pMethods->xClose(file); }
    };
    std::unique_ptr<char[]> memory_;
    std::unique_ptr<sqlite3_file, Close> file_;  // in `memory_`
    sqlite3_int64 size_ = 0;
    int failed_ = SQLITE_OK;
};

std::optional<LogIndex> index_beside(const std::string& path) {
    std::string bytes(kLogIndexHead, '\0');
    std::ifstream file(path + "-shm", std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return log_index_in(bytes);
}

std::string found(const std::string& path, const LogDamage& damage) {
    const std::string what =
        damage.frame == 0
            ? fmt::format("The store's log {}-wal has lost its head", path)
            : fmt::format("Frame {} of the store's log {}-wal is damaged", damage.frame, path);
    if (damage.all_folded)
        return fmt::format(
            "{}. Nothing is lost: {} holds everything that the log holds. Remove {}-wal and "
            "{}-shm, "
            "then start again.",
            what, path, path, path);
    return fmt::format(
        "{}: what was acknowledged from there on cannot be read, and would run again if the store "
        "were served without it. Put back a copy of {} and {}-wal. Where there is none: find out "
        "from your services what took effect since the last commit that {} holds, then move {}-wal "
        "and {}-shm away; operations that only the log knew are new operations from then on.",
        what, path, path, path, path, path);
}

}  // namespace

Status check_log(const std::string& path, const std::string& vfs) {
    auto log = LogFile::open(path + "-wal", vfs);
    if (!log) return fail(log.error());
    const auto index = vfs.empty() ? index_beside(path) : std::nullopt;
    const auto damage = damage_in(
        [&](std::uint64_t offset, std::span<char> out) { return log->read(offset, out); }, index);
    if (log->failed() != SQLITE_OK)
        return refused(Code::unavailable, fmt::format("The log {}-wal cannot be read.", path),
                       sqlite3_errstr(log->failed()));
    if (damage) return refused(Code::store_corrupt, found(path, *damage));
    return {};
}

}  // namespace pawl::sqlite
