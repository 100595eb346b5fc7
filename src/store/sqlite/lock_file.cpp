// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/lock_file.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace pawl::sqlite {
namespace {

constexpr std::chrono::milliseconds kLookTakes{20};

std::string holder_in(int descriptor) {
    std::array<char, 32> text{};
    const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
    std::string holder(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    while (!holder.empty() && (holder.back() < '0' || holder.back() > '9')) holder.pop_back();
    return holder.empty() ? "another process" : "process " + holder;
}

}  // namespace

LockFile& LockFile::operator=(LockFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

LockFile::~LockFile() {
    // The file stays: removing it would let two processes hold locks on two files of one name.
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<LockFile> LockFile::take(const std::string& store_path) {
    const std::string path = store_path + "-lock";
    LockFile lock;
    lock.descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock.descriptor_ < 0) {
        const int reason = errno;
        return fail(
            Code::store_readonly,
            fmt::format(
                "The store {} cannot be written: {} cannot be opened. Give this process the right "
                "to write in that folder, or name another store path.",
                store_path, path),
            std::strerror(reason), "store.sqlite");
    }
    int tries = 0;
    while (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        // Somebody may only be looking whether it is held.
        if (reason == EWOULDBLOCK && tries++ == 0) {
            std::this_thread::sleep_for(kLookTakes);
            continue;
        }
        return fail(
            Code::store_locked,
            fmt::format(
                "The store {} is in use by {}. Stop that process, or give this one another store "
                "path.",
                store_path, holder_in(lock.descriptor_)),
            std::strerror(reason), "store.sqlite");
    }
    const std::string holder = fmt::format("{}\n", ::getpid());
    // Only people read it: a full disk must not keep the store from starting.
    if (::ftruncate(lock.descriptor_, 0) == 0)
        (void)!::pwrite(lock.descriptor_, holder.data(), holder.size(), 0);
    return lock;
}

bool LockFile::is_held(const std::string& store_path) {
    LockFile look;
    look.descriptor_ = ::open((store_path + "-lock").c_str(), O_RDONLY | O_CLOEXEC);
    if (look.descriptor_ < 0) return false;
    return ::flock(look.descriptor_, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace pawl::sqlite
