// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/disk_methods.hpp"

#include <algorithm>
#include <cstring>

namespace pawl::sqlite {

sqlite3_vfs DiskMethods::vfs_of(SimulatedDisk& disk) {
    sqlite3_vfs vfs{};
    vfs.iVersion = 2;
    vfs.szOsFile = sizeof(OpenFile);
    vfs.mxPathname = 512;
    vfs.zName = disk.name_.c_str();
    vfs.pAppData = &disk;
    vfs.xOpen = open;
    vfs.xDelete = remove;
    vfs.xAccess = access;
    vfs.xFullPathname = full_path;
    vfs.xRandomness = [](sqlite3_vfs* self, int count, char* out) {
        SimulatedDisk& of = disk_of(self);
        const std::scoped_lock held(of.mutex_);
        of.entropy_.fill(std::as_writable_bytes(std::span(out, static_cast<std::size_t>(count))));
        return count;
    };
    vfs.xSleep = [](sqlite3_vfs*, int microseconds) { return microseconds; };
    vfs.xCurrentTime = [](sqlite3_vfs*, double* out) {
        *out = 2'461'000.5;
        return SQLITE_OK;
    };
    vfs.xCurrentTimeInt64 = [](sqlite3_vfs*, sqlite3_int64* out) {
        *out = 2'461'000LL * 86'400'000;
        return SQLITE_OK;
    };
    vfs.xGetLastError = [](sqlite3_vfs*, int, char*) { return 0; };
    return vfs;
}

const sqlite3_io_methods* DiskMethods::io() {
    static const sqlite3_io_methods kMethods = [] {
        sqlite3_io_methods methods{};
        methods.iVersion = 2;
        methods.xClose = close;
        methods.xRead = read;
        methods.xWrite = write;
        methods.xTruncate = truncate;
        methods.xSync = sync;
        methods.xFileSize = size;
        methods.xLock = lock;
        methods.xUnlock = unlock;
        methods.xCheckReservedLock = reserved;
        methods.xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; };
        methods.xSectorSize = [](sqlite3_file*) { return 4'096; };
        methods.xDeviceCharacteristics = [](sqlite3_file*) {
            return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
        };
        methods.xShmMap = map_shared;
        methods.xShmLock = lock_shared;
        methods.xShmBarrier = [](sqlite3_file* file) {
            const std::scoped_lock held(opened(file).disk->mutex_);
        };
        methods.xShmUnmap = unmap_shared;
        return methods;
    }();
    return &kMethods;
}

int DiskMethods::open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
    SimulatedDisk& disk = disk_of(vfs);
    const std::scoped_lock held(disk.mutex_);
    file->pMethods = nullptr;
    if (!disk.power_) return SQLITE_CANTOPEN;
    const bool present = name != nullptr && disk.files_.contains(name);
    if (!present && (flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
    auto handle = std::make_unique<Handle>();
    handle->disk = &disk;
    handle->file = name == nullptr ? std::make_shared<SimulatedDisk::File>() : disk.file_of(name);
    reinterpret_cast<OpenFile*>(file)->handle = handle.release();
    file->pMethods = io();
    if (out != nullptr) *out = flags;
    return SQLITE_OK;
}

int DiskMethods::remove(sqlite3_vfs* vfs, const char* name, int) {
    SimulatedDisk& disk = disk_of(vfs);
    const std::scoped_lock held(disk.mutex_);
    if (const int result = disk.count_operation(); result != SQLITE_OK) return result;
    return disk.files_.erase(name) == 0 ? SQLITE_IOERR_DELETE_NOENT : SQLITE_OK;
}

int DiskMethods::access(sqlite3_vfs* vfs, const char* name, int, int* out) {
    SimulatedDisk& disk = disk_of(vfs);
    const std::scoped_lock held(disk.mutex_);
    const auto found = disk.files_.find(name);
    *out = found != disk.files_.end() && !found->second->content.empty() ? 1 : 0;
    return SQLITE_OK;
}

int DiskMethods::full_path(sqlite3_vfs*, const char* name, int size, char* out) {
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
}

int DiskMethods::close(sqlite3_file* file) {
    delete reinterpret_cast<OpenFile*>(file)->handle;
    return SQLITE_OK;
}

int DiskMethods::read(sqlite3_file* file, void* out, int count, sqlite3_int64 offset) {
    const Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    if (!handle.disk->power_) return SQLITE_IOERR_READ;
    const std::string& content = handle.file->content;
    const auto from = std::min(static_cast<std::size_t>(offset), content.size());
    const std::size_t got = std::min(static_cast<std::size_t>(count), content.size() - from);
    std::memcpy(out, content.data() + from, got);
    std::memset(static_cast<char*>(out) + got, 0, static_cast<std::size_t>(count) - got);
    return got == static_cast<std::size_t>(count) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int DiskMethods::write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
    const Handle& handle = opened(file);
    SimulatedDisk& disk = *handle.disk;
    const std::scoped_lock held(disk.mutex_);
    if (const int result = disk.count_operation(); result != SQLITE_OK) return result;
    SimulatedDisk::Write made;
    made.offset = static_cast<std::size_t>(offset);
    made.bytes.assign(static_cast<const char*>(bytes), static_cast<std::size_t>(count));
    const std::size_t end = made.offset + made.bytes.size();
    if (disk.room_ && end > *disk.room_ && end > handle.file->content.size()) return SQLITE_FULL;
    SimulatedDisk::apply(made, handle.file->content);
    handle.file->unsynced.push_back(std::move(made));
    return SQLITE_OK;
}

int DiskMethods::truncate(sqlite3_file* file, sqlite3_int64 size) {
    const Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    if (const int result = handle.disk->count_operation(); result != SQLITE_OK) return result;
    SimulatedDisk::Write made;
    made.offset = static_cast<std::size_t>(size);
    made.cuts = true;
    SimulatedDisk::apply(made, handle.file->content);
    handle.file->unsynced.push_back(std::move(made));
    return SQLITE_OK;
}

int DiskMethods::sync(sqlite3_file* file, int) {
    const Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    if (const int result = handle.disk->count_operation(); result != SQLITE_OK) return result;
    for (const SimulatedDisk::Write& made : handle.file->unsynced)
        SimulatedDisk::apply(made, handle.file->synced);
    handle.file->unsynced.clear();
    return SQLITE_OK;
}

int DiskMethods::size(sqlite3_file* file, sqlite3_int64* out) {
    const Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    *out = static_cast<sqlite3_int64>(handle.file->content.size());
    return SQLITE_OK;
}

int DiskMethods::lock(sqlite3_file* file, int level) {
    Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    auto& holders = handle.file->file_locks;
    if (level <= handle.level) return SQLITE_OK;
    const auto others_at = [&](int from) {
        int count = 0;
        for (const auto& [at, number] : holders) count += at >= from ? number : 0;
        return count - (handle.level >= from ? 1 : 0);
    };
    // Shared ones exclude a pending writer, a writer excludes a second one, exclusive excludes all.
    const int excluded_from = level == SQLITE_LOCK_SHARED      ? SQLITE_LOCK_PENDING
                              : level == SQLITE_LOCK_EXCLUSIVE ? SQLITE_LOCK_SHARED
                                                               : SQLITE_LOCK_RESERVED;
    if (others_at(excluded_from) > 0) return SQLITE_BUSY;
    if (handle.level != SQLITE_LOCK_NONE) --holders[handle.level];
    handle.level = level;
    ++holders[level];
    return SQLITE_OK;
}

int DiskMethods::unlock(sqlite3_file* file, int level) {
    Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    if (level >= handle.level) return SQLITE_OK;
    --handle.file->file_locks[handle.level];
    handle.level = level;
    if (level != SQLITE_LOCK_NONE) ++handle.file->file_locks[level];
    return SQLITE_OK;
}

int DiskMethods::reserved(sqlite3_file* file, int* out) {
    const Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    *out = 0;
    for (const auto& [at, number] : handle.file->file_locks)
        if (at >= SQLITE_LOCK_RESERVED && number > 0) *out = 1;
    return SQLITE_OK;
}

int DiskMethods::map_shared(sqlite3_file* file, int region, int size, int extend,
                            void volatile** out) {
    const Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    auto& regions = handle.file->shared;
    const auto wanted = static_cast<std::size_t>(region);
    *out = nullptr;
    if (wanted >= regions.size() && extend == 0) return SQLITE_OK;
    while (wanted >= regions.size()) {
        if (const int result = handle.disk->count_operation(); result != SQLITE_OK)
            return SQLITE_IOERR_SHMSIZE;
        regions.push_back(std::make_unique<char[]>(static_cast<std::size_t>(size)));
    }
    *out = regions[wanted].get();
    return SQLITE_OK;
}

int DiskMethods::lock_shared(sqlite3_file* file, int offset, int count, int flags) {
    Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    auto& holders = handle.file->shared_locks;
    const bool exclusive = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
    if ((flags & SQLITE_SHM_UNLOCK) != 0) {
        for (int slot = offset; slot < offset + count; ++slot) {
            const auto mine = handle.shared_held.find(slot);
            if (mine == handle.shared_held.end()) continue;
            holders[slot] = mine->second ? 0 : holders[slot] - 1;
            handle.shared_held.erase(mine);
        }
        return SQLITE_OK;
    }
    for (int slot = offset; slot < offset + count; ++slot) {
        if (handle.shared_held.contains(slot)) continue;
        if (exclusive ? holders[slot] != 0 : holders[slot] < 0) return SQLITE_BUSY;
    }
    for (int slot = offset; slot < offset + count; ++slot) {
        if (!handle.shared_held.emplace(slot, exclusive).second) continue;
        holders[slot] = exclusive ? -1 : holders[slot] + 1;
    }
    return SQLITE_OK;
}

int DiskMethods::unmap_shared(sqlite3_file* file, int remove) {
    const Handle& handle = opened(file);
    const std::scoped_lock held(handle.disk->mutex_);
    if (remove != 0) handle.file->shared.clear();
    return SQLITE_OK;
}

}  // namespace pawl::sqlite
