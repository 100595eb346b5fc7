// SPDX-License-Identifier: Apache-2.0
// The C functions behind SimulatedDisk: one per method of SQLite's file and file system interfaces.
#pragma once

#include <sqlite3.h>

#include "store/sqlite/simulated_disk.hpp"

namespace pawl::sqlite {

struct DiskMethods {
    static sqlite3_vfs vfs_of(SimulatedDisk& disk);

  private:
    // What SQLite allocates for an open file; `handle` is made and ended by open and close.
    struct Handle {
        SimulatedDisk* disk = nullptr;
        std::shared_ptr<SimulatedDisk::File> file;
        std::map<int, bool> shared_held;  // slot -> exclusive
        int level = SQLITE_LOCK_NONE;
    };
    struct OpenFile {
        sqlite3_file head;
        Handle* handle;
    };

    static Handle& opened(sqlite3_file* file) { return *reinterpret_cast<OpenFile*>(file)->handle; }
    static SimulatedDisk& disk_of(sqlite3_vfs* vfs) {
        return *static_cast<SimulatedDisk*>(vfs->pAppData);
    }
    static const sqlite3_io_methods* io();

    static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out);
    static int remove(sqlite3_vfs* vfs, const char* name, int sync);
    static int access(sqlite3_vfs* vfs, const char* name, int flags, int* out);
    static int full_path(sqlite3_vfs* vfs, const char* name, int size, char* out);

    static int close(sqlite3_file* file);
    static int read(sqlite3_file* file, void* out, int count, sqlite3_int64 offset);
    static int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset);
    static int truncate(sqlite3_file* file, sqlite3_int64 size);
    static int sync(sqlite3_file* file, int flags);
    static int size(sqlite3_file* file, sqlite3_int64* out);
    static int lock(sqlite3_file* file, int level);
    static int unlock(sqlite3_file* file, int level);
    static int reserved(sqlite3_file* file, int* out);
    static int map_shared(sqlite3_file* file, int region, int size, int extend,
                          void volatile** out);
    static int lock_shared(sqlite3_file* file, int offset, int count, int flags);
    static int unmap_shared(sqlite3_file* file, int remove);
};

}  // namespace pawl::sqlite
