// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/simulated_disk.hpp"

#include <algorithm>
#include <cstring>

#include <sqlite3.h>

#include "runtime/result/assert.hpp"
#include "store/sqlite/disk_methods.hpp"

namespace pawl::sqlite {
namespace {

constexpr std::size_t kSector = 512;

}  // namespace

SimulatedDisk::SimulatedDisk(std::string name, std::uint64_t seed)
    : name_(std::move(name)), vfs_(std::make_unique<sqlite3_vfs>()), entropy_(seed) {
    PAWL_ASSERT(sqlite3_vfs_find(name_.c_str()) == nullptr);
    *vfs_ = DiskMethods::vfs_of(*this);
    PAWL_ASSERT(sqlite3_vfs_register(vfs_.get(), 0) == SQLITE_OK);
}

SimulatedDisk::~SimulatedDisk() { sqlite3_vfs_unregister(vfs_.get()); }

std::uint64_t SimulatedDisk::operations() const {
    const std::scoped_lock lock(mutex_);
    return operations_;
}

void SimulatedDisk::fail_at(std::uint64_t number, int result, bool for_good) {
    const std::scoped_lock lock(mutex_);
    fail_at_ = number;
    fail_with_ = result;
    fail_for_good_ = for_good;
}

void SimulatedDisk::heal() { fail_at(0, SQLITE_OK, false); }

void SimulatedDisk::set_room(std::optional<std::size_t> bytes) {
    const std::scoped_lock lock(mutex_);
    room_ = bytes;
}

void SimulatedDisk::cut_power_at(std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    power_until_ = number;
}

void SimulatedDisk::cut_power() {
    const std::scoped_lock lock(mutex_);
    power_ = false;
}

bool SimulatedDisk::has_power() const {
    const std::scoped_lock lock(mutex_);
    return power_;
}

void SimulatedDisk::restore_power() {
    const std::scoped_lock lock(mutex_);
    for (auto& [path, file] : files_) {
        lose_unsynced(*file);
        file->shared.clear();
        file->shared_locks.clear();
        file->file_locks.clear();
    }
    power_until_ = ~std::uint64_t{0};
    power_ = true;
}

int SimulatedDisk::count_operation() {
    ++operations_;
    if (operations_ >= power_until_) power_ = false;
    if (!power_) return SQLITE_IOERR;
    const bool fails =
        fail_at_ != 0 && (operations_ == fail_at_ || (fail_for_good_ && operations_ > fail_at_));
    return fails ? fail_with_ : SQLITE_OK;
}

std::shared_ptr<SimulatedDisk::File> SimulatedDisk::file_of(const std::string& path) {
    auto& file = files_[path];
    if (!file) file = std::make_shared<File>();
    return file;
}

void SimulatedDisk::apply(const Write& write, std::string& content) {
    if (write.cuts) {
        content.resize(std::min(content.size(), write.offset));
        return;
    }
    if (content.size() < write.offset + write.bytes.size())
        content.resize(write.offset + write.bytes.size());
    std::memcpy(content.data() + write.offset, write.bytes.data(), write.bytes.size());
}

void SimulatedDisk::lose_unsynced(File& file) {
    for (Write& write : file.unsynced) {
        switch (entropy_.below(3)) {
            case 0:  // lost
                continue;
            case 1:  // torn: some of its sectors arrived
                if (!write.cuts)
                    write.bytes.resize(entropy_.below(write.bytes.size() / kSector + 1) * kSector);
                break;
            default:
                break;
        }
        apply(write, file.synced);
    }
    file.unsynced.clear();
    file.content = file.synced;
}

}  // namespace pawl::sqlite
