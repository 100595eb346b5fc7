// SPDX-License-Identifier: Apache-2.0
#include "store/sqlite/page_sums.hpp"

#include <sqlite3.h>

#include "store/sqlite/killed_store.hpp"
#include "store/sqlite/schema.hpp"

namespace pawl::sqlite {
namespace {

std::string some_page() {
    std::string page(kPageBytes - kPageSumBytes, '\0');
    SeededEntropy(3).fill(std::as_writable_bytes(std::span(page)));
    return page;
}

// Files are full of them.
TEST(PageSum, IsTheSameInEveryRelease) {
    std::string page(kPageBytes - kPageSumBytes, '\0');
    for (std::size_t i = 0; i < page.size(); ++i) page[i] = static_cast<char>(i * 31 % 251);
    EXPECT_EQ(page_sum(page, 7), 0x317B'3D1F'8780'5588U);
}

TEST(PageSum, ChangesWithEveryBit) {
    std::string page = some_page();
    const std::uint64_t sum = page_sum(page, 7);
    for (std::size_t bit = 0; bit < page.size() * 8; ++bit) {
        page[bit / 8] = static_cast<char>(page[bit / 8] ^ 1 << bit % 8);
        ASSERT_NE(page_sum(page, 7), sum) << bit;
        page[bit / 8] = static_cast<char>(page[bit / 8] ^ 1 << bit % 8);
    }
    EXPECT_EQ(page_sum(page, 7), sum);
}

// A page that was written in another one's place.
TEST(PageSum, ChangesWithThePlace) {
    const std::string page = some_page();
    for (std::uint64_t place = 1; place < 1'000; ++place)
        ASSERT_NE(page_sum(page, place), page_sum(page, place + 1));
}

TEST(PageKinds, AreToldByTheHead) {
    const KilledStore store(1, 0);
    std::string head = store.file.substr(0, kFileHead);
    EXPECT_EQ(page_kind(head), PageKind::summed);
    EXPECT_EQ(page_kind(""), PageKind::none);
    EXPECT_EQ(page_kind(head.substr(0, kFileHead - 1)), PageKind::none);
    head[20] = 0;
    EXPECT_EQ(page_kind(head), PageKind::other) << "of a schema that has sums";
    head[63] = 2;
    EXPECT_EQ(page_kind(head), PageKind::plain);
    head[20] = 9;
    EXPECT_EQ(page_kind(head), PageKind::other);
    head[20] = 8;
    head[16] = 0x20;
    EXPECT_EQ(page_kind(head), PageKind::other);
}

TEST(PageSums, StandInEveryPageThatIsFoldedIn) {
    const KilledStore store(20, 0);
    ASSERT_GT(store.file.size(), 10 * kPageBytes);
    std::size_t summed = 0;
    for (std::size_t at = 0; at < store.file.size(); at += kPageBytes) {
        const std::string_view page = std::string_view(store.file).substr(at, kPageBytes);
        std::uint64_t stored = 0;
        std::memcpy(&stored, page.data() + kPageBytes - kPageSumBytes, sizeof stored);
        if (stored == 0) continue;  // never written: free
        EXPECT_EQ(stored,
                  page_sum(page.substr(0, kPageBytes - kPageSumBytes), at / kPageBytes + 1));
        ++summed;
    }
    EXPECT_GT(summed, 9U);
}

// The log carries none, so that another program may fold it in.
TEST(PageSums, OfAPageThatAnotherProgramWroteAreNotMissed) {
    KilledStore store(20, 10);
    store.put_back(store.log);
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(store.path.c_str(), &other), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(other, "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr, nullptr),
              SQLITE_OK);
    const std::string copy = store.path + "-copy";
    ASSERT_EQ(
        sqlite3_exec(other, ("VACUUM INTO '" + copy + "'").c_str(), nullptr, nullptr, nullptr),
        SQLITE_OK);
    ASSERT_EQ(sqlite3_close(other), SQLITE_OK);
    store.told.check(**store.start());
    std::filesystem::rename(copy, store.path);
    store.told.check(**store.start());
}

// As releases before schema 3 have made it: the file is written anew, with room for sums.
TEST(PageSums, AreGivenToAFileThatHasNone) {
    KilledStore store(20, 0);
    store.put_back("", false);
    const std::string plain = store.path + "-plain";
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(plain.c_str(), &other), SQLITE_OK);
    const std::string copy = "ATTACH '" + store.path +
                             "' AS full; PRAGMA user_version = 2; PRAGMA application_id = " +
                             std::to_string(kApplicationId) + ";";
    ASSERT_EQ(sqlite3_exec(other, copy.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    for (const SchemaStep& step : schema_steps().first(2))
        ASSERT_EQ(sqlite3_exec(other, std::string(step.sql).c_str(), nullptr, nullptr, nullptr),
                  SQLITE_OK);
    for (const char* table :
         {"mark", "generation", "record", "identity", "name", "unresolved", "answer", "timeline"}) {
        const std::string move = fmt::format(
            "DELETE FROM main.{0}; INSERT INTO main.{0} SELECT * FROM full.{0};", table);
        ASSERT_EQ(sqlite3_exec(other, move.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << table;
    }
    ASSERT_EQ(sqlite3_close(other), SQLITE_OK);
    std::filesystem::rename(plain, store.path);
    ASSERT_EQ(page_kind(bytes_of(store.path).substr(0, kFileHead)), PageKind::plain);
    store.told.check(**store.start());
    EXPECT_EQ(page_kind(bytes_of(store.path).substr(0, kFileHead)), PageKind::summed);
    store.told.check(**store.start(), 2'000'000);
}

}  // namespace
}  // namespace pawl::sqlite
