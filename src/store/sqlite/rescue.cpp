// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/rescue.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include "store/sqlite/failure.hpp"
#include "store/sqlite/file_place.hpp"
#include "store/sqlite/log_check.hpp"
#include "store/sqlite/store_file.hpp"

namespace pawl::sqlite {
namespace {

namespace files = std::filesystem;

std::string mark_of(const std::string& path) { return path + "-suspect"; }
std::string fresh_of(const std::string& path) { return path + "-fresh"; }

std::unexpected<Error> stuck(const std::string& what, const std::string& reason) {
    return fail(Code::unavailable, "The store's rescue after a disk error failed: " + what, reason,
                "store.sqlite");
}

Status sync_file(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int reason = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (synced) return {};
    return stuck("the copy cannot be synced", std::strerror(reason));
}

Status rename_durably(const std::string& from, const std::string& to) {
    if (::rename(from.c_str(), to.c_str()) != 0)
        return stuck("a file cannot be renamed", std::strerror(errno));
    return sync_folder_of(to);
}

Status copy_what_can_be_read(const std::string& path) {
    if (Status sound = check_log(path); !sound) return sound;
    const std::string part = fresh_of(path) + ".part";
    std::error_code ignored;
    files::remove(part, ignored);
    Connection connection;
    int result = connection.open(path, Connection::Access::write);
    if (result == SQLITE_OK) {
        const std::unique_ptr<char, void (*)(void*)> sql(
            sqlite3_mprintf("VACUUM INTO %Q", part.c_str()), sqlite3_free);
        result = connection.run(sql.get());
    }
    if (result != SQLITE_OK) return fail(failure_of(result, Phase::open, connection).error);
    if (Status synced = sync_file(part); !synced) return synced;
    return rename_durably(part, fresh_of(path));
}

Status serve_from_fresh(const std::string& path) {
    // The copy holds what the log held. A log left beside the copy would be played into it.
    std::error_code failed;
    for (const std::string& old : {path + "-wal", path + "-shm"}) {
        files::remove(old, failed);
        if (failed) return stuck("an old log cannot be removed", failed.message());
    }
    if (Status synced = sync_folder_of(path); !synced) return synced;
    if (Status renamed = rename_durably(fresh_of(path), path); !renamed) return renamed;
    files::remove(mark_of(path), failed);
    return sync_folder_of(path);
}

Status check_place(const std::string& path) {
    std::ifstream mark(mark_of(path), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(mark), {}};
    auto place = FilePlace::in(text);
    if (!place) return {};
    const auto lost = place->lost(path);
    if (!lost) return {};
    return fail(Code::store_corrupt,
                fmt::format("While it was served: {} {}", *lost, put_back_words(path)), {},
                "store.sqlite");
}

}  // namespace

std::string put_back_words(const std::string& path) {
    return fmt::format(
        "Put back the files {} and {}-wal themselves (moved, not copied), then start again. Where "
        "they are gone: find out from your services what took effect, then remove {}-suspect; what "
        "lies there then is served, and operations that it does not hold are new ones.",
        path, path, path);
}

void mark_suspect(const std::string& path, std::string_view place) {
    const int descriptor = ::open(mark_of(path).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) return;
    if (!place.empty()) (void)!::pwrite(descriptor, place.data(), place.size(), 0);
    (void)::fsync(descriptor);
    ::close(descriptor);
    (void)sync_folder_of(path);
}

Status rescue(const std::string& path) {
    std::error_code ignored;
    if (files::exists(fresh_of(path), ignored)) return serve_from_fresh(path);
    if (!files::exists(mark_of(path), ignored)) return {};
    if (Status there = check_place(path); !there) return there;
    if (!files::exists(path, ignored)) {
        files::remove(mark_of(path), ignored);
        return {};
    }
    return write_fresh(path);
}

Status write_fresh(const std::string& path) {
    if (Status copied = copy_what_can_be_read(path); !copied) return copied;
    return serve_from_fresh(path);
}

}  // namespace pawl::sqlite
