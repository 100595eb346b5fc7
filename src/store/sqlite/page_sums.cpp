// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/page_sums.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include <sqlite3.h>

namespace pawl::sqlite {
namespace {

static_assert(std::endian::native == std::endian::little, "sums are read as they lie");

constexpr std::size_t kSummed = kPageBytes - kPageSumBytes;
constexpr std::size_t kPageSizeAt = 16;
constexpr std::size_t kReservedAt = 20;
constexpr std::size_t kSchemaAt = 60;  // user_version, highest byte first
constexpr unsigned char kFirstSummedSchema = 3;

// One file system over another. SQLite keeps the pointer for as long as the process lives.
struct Summing {
    std::string name;
    std::string below;
    sqlite3_vfs vfs{};

    sqlite3_vfs* real() const { return sqlite3_vfs_find(below.empty() ? nullptr : below.c_str()); }
    static sqlite3_vfs* real(sqlite3_vfs* vfs) {
        return static_cast<const Summing*>(vfs->pAppData)->real();
    }
};

// What SQLite allocates for a store's file; the real one lies behind it.
struct SummedFile {
    sqlite3_file head;
    bool sums;

    static SummedFile& of(sqlite3_file* file) { return *reinterpret_cast<SummedFile*>(file); }
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
static_assert(alignof(SummedFile) <= 8, "SQLite lays files at multiples of 8");

sqlite3_file* real(sqlite3_file* file) { return SummedFile::of(file).real(); }

bool is_page(int count, sqlite3_int64 offset) {
    return static_cast<std::size_t>(count) == kPageBytes &&
           static_cast<std::uint64_t>(offset) % kPageBytes == 0;
}

std::uint64_t number_at(sqlite3_int64 offset) {
    return static_cast<std::uint64_t>(offset) / kPageBytes + 1;
}

void learn(SummedFile& file, const void* bytes, int count, sqlite3_int64 offset) {
    if (offset == 0 && static_cast<std::size_t>(count) >= kFileHead)
        file.sums = page_kind({static_cast<const char*>(bytes), kFileHead}) == PageKind::summed;
}

int read(sqlite3_file* handle, void* out, int count, sqlite3_int64 offset) {
    SummedFile& file = SummedFile::of(handle);
    const int result = file.real()->pMethods->xRead(file.real(), out, count, offset);
    if (result != SQLITE_OK) return result;
    learn(file, out, count, offset);
    if (!file.sums || !is_page(count, offset)) return SQLITE_OK;
    char* page = static_cast<char*>(out);
    std::uint64_t stored = 0;
    std::memcpy(&stored, page + kSummed, sizeof stored);
    if (stored == 0) return SQLITE_OK;
    if (stored != page_sum({page, kSummed}, number_at(offset))) return SQLITE_CORRUPT;
    std::memset(page + kSummed, 0, kPageSumBytes);
    return SQLITE_OK;
}

int write(sqlite3_file* handle, const void* bytes, int count, sqlite3_int64 offset) {
    SummedFile& file = SummedFile::of(handle);
    learn(file, bytes, count, offset);
    if (!file.sums || !is_page(count, offset))
        return file.real()->pMethods->xWrite(file.real(), bytes, count, offset);
    std::array<char, kPageBytes> page;
    std::memcpy(page.data(), bytes, kSummed);
    const std::uint64_t sum = page_sum({page.data(), kSummed}, number_at(offset));
    std::memcpy(page.data() + kSummed, &sum, sizeof sum);
    return file.real()->pMethods->xWrite(file.real(), page.data(), count, offset);
}

int close(sqlite3_file* handle) { return real(handle)->pMethods->xClose(real(handle)); }

const sqlite3_io_methods* methods() {
    static const sqlite3_io_methods kMethods = [] {
        sqlite3_io_methods made{};
        made.iVersion = 2;
        made.xClose = close;
        made.xRead = read;
        made.xWrite = write;
        made.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
            return real(f)->pMethods->xTruncate(real(f), size);
        };
        made.xSync = [](sqlite3_file* f, int flags) {
            return real(f)->pMethods->xSync(real(f), flags);
        };
        made.xFileSize = [](sqlite3_file* f, sqlite3_int64* out) {
            return real(f)->pMethods->xFileSize(real(f), out);
        };
        made.xLock = [](sqlite3_file* f, int level) {
            return real(f)->pMethods->xLock(real(f), level);
        };
        made.xUnlock = [](sqlite3_file* f, int level) {
            return real(f)->pMethods->xUnlock(real(f), level);
        };
        made.xCheckReservedLock = [](sqlite3_file* f, int* out) {
            return real(f)->pMethods->xCheckReservedLock(real(f), out);
        };
        made.xFileControl = [](sqlite3_file* f, int what, void* argument) {
            return real(f)->pMethods->xFileControl(real(f), what, argument);
        };
        made.xSectorSize = [](sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); };
        made.xDeviceCharacteristics = [](sqlite3_file* f) {
            return real(f)->pMethods->xDeviceCharacteristics(real(f));
        };
        made.xShmMap = [](sqlite3_file* f, int page, int size, int extend, void volatile** out) {
            return real(f)->pMethods->xShmMap(real(f), page, size, extend, out);
        };
        made.xShmLock = [](sqlite3_file* f, int offset, int count, int flags) {
            return real(f)->pMethods->xShmLock(real(f), offset, count, flags);
        };
        made.xShmBarrier = [](sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); };
        made.xShmUnmap = [](sqlite3_file* f, int remove) {
            return real(f)->pMethods->xShmUnmap(real(f), remove);
        };
        return made;
    }();
    return &kMethods;
}

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* handle, int flags, int* out) {
    sqlite3_vfs* below = Summing::real(vfs);
    handle->pMethods = nullptr;
    if (below == nullptr) return SQLITE_CANTOPEN;
    if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return below->xOpen(below, name, handle, flags, out);
    auto* file = new (handle) SummedFile{};
    const int result = below->xOpen(below, name, file->real(), flags, out);
    if (file->real()->pMethods == nullptr) return result;
    file->head.pMethods = methods();
    // One that is made here reserves the bytes, and its first page may be written last.
    sqlite3_int64 size = 0;
    file->sums = result == SQLITE_OK &&
                 file->real()->pMethods->xFileSize(file->real(), &size) == 0 && size == 0;
    return result;
}

sqlite3_vfs vfs_of(Summing& over) {
    sqlite3_vfs made{};
    made.iVersion = 2;
    made.szOsFile = static_cast<int>(sizeof(SummedFile)) + over.real()->szOsFile;
    made.mxPathname = over.real()->mxPathname;
    made.zName = over.name.c_str();
    made.pAppData = &over;
    made.xOpen = open;
    made.xDelete = [](sqlite3_vfs* vfs, const char* name, int sync) {
        sqlite3_vfs* below = Summing::real(vfs);
        return below->xDelete(below, name, sync);
    };
    made.xAccess = [](sqlite3_vfs* vfs, const char* name, int flags, int* out) {
        sqlite3_vfs* below = Summing::real(vfs);
        return below->xAccess(below, name, flags, out);
    };
    made.xFullPathname = [](sqlite3_vfs* vfs, const char* name, int size, char* out) {
        sqlite3_vfs* below = Summing::real(vfs);
        return below->xFullPathname(below, name, size, out);
    };
    made.xRandomness = [](sqlite3_vfs* vfs, int count, char* out) {
        sqlite3_vfs* below = Summing::real(vfs);
        return below->xRandomness(below, count, out);
    };
    made.xSleep = [](sqlite3_vfs* vfs, int microseconds) {
        sqlite3_vfs* below = Summing::real(vfs);
        return below->xSleep(below, microseconds);
    };
    made.xCurrentTime = [](sqlite3_vfs* vfs, double* out) {
        sqlite3_vfs* below = Summing::real(vfs);
        return below->xCurrentTime(below, out);
    };
    made.xCurrentTimeInt64 = [](sqlite3_vfs* vfs, sqlite3_int64* out) {
        sqlite3_vfs* below = Summing::real(vfs);
        return below->xCurrentTimeInt64(below, out);
    };
    made.xGetLastError = [](sqlite3_vfs* vfs, int size, char* out) {
        sqlite3_vfs* below = Summing::real(vfs);
        return below->xGetLastError(below, size, out);
    };
    return made;
}

}  // namespace

PageKind page_kind(std::string_view file_head) {
    if (file_head.size() < kFileHead) return PageKind::none;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(file_head[at]); };
    if ((byte(kPageSizeAt) << 8 | byte(kPageSizeAt + 1)) != kPageBytes) return PageKind::other;
    if (byte(kReservedAt) == kPageSumBytes) return PageKind::summed;
    const bool early = byte(kSchemaAt) == 0 && byte(kSchemaAt + 1) == 0 &&
                       byte(kSchemaAt + 2) == 0 && byte(kSchemaAt + 3) < kFirstSummedSchema;
    return byte(kReservedAt) == 0 && early ? PageKind::plain : PageKind::other;
}

// Four chains, so that the processor need not wait for one. Each step is one-to-one in its word: a page that
// differs in one word, or in its number, has another sum for certain.
std::uint64_t page_sum(std::string_view bytes, std::uint64_t page_number) {
    constexpr std::uint64_t kFactor = 0x9E37'79B9'7F4A'7C15;
    constexpr std::size_t kChains = 4;
    std::array<std::uint64_t, kChains> chains{page_number, 1, 2, 3};
    const auto mixed = [](std::uint64_t chain, std::uint64_t word) {
        return std::rotl((chain ^ word) * kFactor, 29);
    };
    std::size_t at = 0;
    for (; at + sizeof chains <= bytes.size(); at += sizeof chains) {
        std::array<std::uint64_t, kChains> words;
        std::memcpy(words.data(), bytes.data() + at, sizeof words);
        for (std::size_t i = 0; i < kChains; ++i) chains[i] = mixed(chains[i], words[i]);
    }
    for (; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        std::uint64_t& chain = chains[at / sizeof word % kChains];
        chain = mixed(chain, word);
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t chain : chains) sum = mixed(sum, chain);
    return sum == 0 ? 1 : sum;
}

std::string vfs_with_page_sums(const std::string& vfs) {
    static std::mutex mutex;
    static std::map<std::string, std::unique_ptr<Summing>> made;
    const std::scoped_lock lock(mutex);
    std::unique_ptr<Summing>& summing = made[vfs];
    if (!summing) {
        summing = std::make_unique<Summing>();
        summing->name = vfs + "+sums";
        summing->below = vfs;
        if (summing->real() == nullptr) {
            made.erase(vfs);
            return vfs;  // SQLite says that there is none
        }
        summing->vfs = vfs_of(*summing);
        if (sqlite3_vfs_register(&summing->vfs, 0) != SQLITE_OK) {
            made.erase(vfs);
            return vfs;
        }
    }
    return summing->name;
}

}  // namespace pawl::sqlite
