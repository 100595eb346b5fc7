// SPDX-License-Identifier: Apache-2.0
// Opens a store's file for writing, or says in one sentence why it cannot be served from and what to do.
// Nothing about durability is taken on trust: what was asked of SQLite is read back.
#pragma once

#include "runtime/result/result.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/lock_file.hpp"

namespace pawl::sqlite {

inline constexpr std::string_view kInMemory = ":memory:";
inline constexpr int kBusyTimeoutMs = 1'000;
// Of SQLite's own pages in memory. The writer adds to the ends of its tables and needs little more than the inner
// pages; whatever the kernel still holds is a copy away.
inline constexpr int kWriterCacheBytes = 16 << 20;
inline constexpr int kReaderCacheBytes = 32 << 20;

struct FileOptions {
    std::string path;                  // kInMemory: no file, no lock
    std::string synchronous = "full";  // anything else is refused
    bool still = false;  // only for open_reader: nobody writes, as of Connection::Access::still
    std::string vfs{};   // empty: the system's; else a SimulatedDisk's, without a lock
};

struct StoreFile {
    std::string path;
    bool on_system_disk = false;
    LockFile lock;  // outlives the connection: members are destroyed in reverse order
    Connection connection;
};

// Errors: store_weak, store_locked, store_readonly, store_corrupt, store_newer, store_full, config_invalid
// for a folder that does not exist.
Result<StoreFile> open_store(const FileOptions& options);

// For reads beside the writer. Precondition: the store is open for writing in this process.
Result<Connection> open_reader(const FileOptions& options);

// Makes the names in the file's folder durable. Errors: unavailable.
Status sync_folder_of(const std::string& path);

}  // namespace pawl::sqlite
