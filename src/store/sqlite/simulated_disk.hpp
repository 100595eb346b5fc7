// SPDX-License-Identifier: Apache-2.0
// A disk in memory that SQLite takes for a real one (a VFS), for the simulator and for fault tests. It fails
// at a chosen operation, fills up, and loses its power: what was written and not synced is then kept, lost
// or torn, each write for itself, as its entropy decides.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/entropy/entropy.hpp"

struct sqlite3_file;
struct sqlite3_vfs;

namespace pawl::sqlite {

class SimulatedDisk {
  public:
    // Registers a VFS of this name until it goes. Precondition: no other of the name is registered.
    SimulatedDisk(std::string name, std::uint64_t seed);
    SimulatedDisk(const SimulatedDisk&) = delete;
    SimulatedDisk& operator=(const SimulatedDisk&) = delete;
    // Precondition: every connection is closed.
    ~SimulatedDisk();

    const std::string& vfs() const { return name_; }

    // Writes, syncs, cuts of a file's length and growth of the shared index, counted from 1.
    std::uint64_t operations() const;
    // Operation `number` is answered with an SQLite code; with `for_good` all later ones are, too.
    void fail_at(std::uint64_t number, int result, bool for_good);
    void heal();
    // No file grows past this; nullopt: there is room.
    void set_room(std::optional<std::size_t> bytes);

    // From operation `number` on nothing is carried out any more, reads neither.
    void cut_power_at(std::uint64_t number);
    // At once.
    void cut_power();
    bool has_power() const;
    // Precondition: every connection is closed.
    void restore_power();

  private:
    friend struct DiskMethods;

    struct Write {
        std::size_t offset = 0;
        std::string bytes;
        bool cuts = false;  // the file ends at `offset`
    };
    struct File {
        std::string content;
        std::string synced;
        std::vector<Write> unsynced;
        std::vector<std::unique_ptr<char[]>> shared;  // regions of the index
        std::map<int, int> shared_locks;              // slot -> holders; -1: exclusive
        std::map<int, int> file_locks;                // level -> holders
    };

    // SQLITE_OK, or what this operation is answered.
    int count_operation();
    std::shared_ptr<File> file_of(const std::string& path);
    static void apply(const Write& write, std::string& content);
    void lose_unsynced(File& file);

    std::string name_;
    std::unique_ptr<sqlite3_vfs> vfs_;
    mutable std::mutex mutex_;
    SeededEntropy entropy_;
    std::map<std::string, std::shared_ptr<File>>
        files_;  // shared with open handles, as on any disk
    std::uint64_t operations_ = 0;
    std::uint64_t fail_at_ = 0;
    int fail_with_ = 0;
    bool fail_for_good_ = false;
    std::optional<std::size_t> room_;
    std::uint64_t power_until_ = ~std::uint64_t{0};
    bool power_ = true;
};

}  // namespace pawl::sqlite
