// SPDX-License-Identifier: Apache-2.0
// A store whose log is damaged is not served, and not shown as if it were whole.
#include "store/sqlite/log_check.hpp"

#include "runtime/task/system_loop.hpp"
#include "store/sqlite/file_looks.hpp"
#include "store/sqlite/killed_store.hpp"
#include "store/sqlite/log_damage.hpp"
#include "store/sqlite/rescue.hpp"

namespace pawl::sqlite {
namespace {

using testing::HasSubstr;
constexpr std::size_t kFrame = kFrameHeadInLog + 4'096;

std::string flipped(std::string bytes, std::size_t at) {
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    return bytes;
}

// Places that differ in what they are to SQLite, in every frame.
std::vector<std::size_t> places_in(const std::string& log) {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < kLogHead; at += 4) places.push_back(at);
    for (std::size_t frame = kLogHead; frame < log.size(); frame += kFrame)
        for (const std::size_t at : {0U, 5U, 9U, 17U, 24U, 2'000U, 4'119U})
            places.push_back(frame + at);
    return places;
}

TEST(LogCheck, AKilledStoreWithASoundLogIsServedWhole) {
    KilledStore store(8);
    store.put_back(store.log);
    auto engine = store.start();
    ASSERT_TRUE(engine) << describe(engine.error());
    store.told.check(**engine);
}

TEST(LogCheck, AStoreWithADamagedLogIsNotServedAndItsFilesStayAsTheyAre) {
    KilledStore store(6);
    for (const std::size_t at : places_in(store.log)) {
        store.put_back(flipped(store.log, at));
        const auto engine = store.start();
        ASSERT_FALSE(engine) << at;
        ASSERT_EQ(engine.error().code, Code::store_corrupt);
        ASSERT_THAT(engine.error().text, HasSubstr(store.path + "-wal"));
        ASSERT_THAT(engine.error().text, HasSubstr("Put back a copy"));
        ASSERT_EQ(bytes_of(store.path + "-wal"), flipped(store.log, at));
        ASSERT_EQ(bytes_of(store.path + "-shm"), store.index);
    }
}

// Without the index, as after a loss of power: refused, or everything but the very last commit is there.
TEST(LogCheck, WithoutItsIndexADamagedLogNeverHidesMoreThanTheLastCommit) {
    KilledStore store(6);
    std::vector<std::size_t> places = places_in(store.log);
    // Where it stands that the commit before the last is one: without it the two look like one.
    std::vector<std::size_t> commits;
    for (std::size_t frame = kLogHead; frame < store.log.size(); frame += kFrame)
        if (store.log.compare(frame + 4, 4, std::string(4, '\0')) != 0) commits.push_back(frame);
    const std::size_t before = commits[commits.size() - 2];
    std::erase_if(places, [&](std::size_t at) { return at >= before + 4 && at < before + 16; });
    Told but_the_last = store.told;
    but_the_last.completed.erase(5);
    int served = 0;
    for (const std::size_t at : places) {
        store.put_back(flipped(store.log, at), false);
        auto engine = store.start();
        if (!engine) {
            ASSERT_EQ(engine.error().code, Code::store_corrupt);
            continue;
        }
        ++served;
        but_the_last.check(**engine);
        // Its claim is in the commit before: never taken for new.
        const auto last = commit_one(**engine, claim_of(5, (*engine)->boot(), 2));
        ASSERT_TRUE(last);
        ASSERT_FALSE(record::is_acquired(last->outcome)) << at;
    }
    EXPECT_GT(served, 0);
}

TEST(LogCheck, ALogCutShortIsNotServed) {
    KilledStore store(4);
    for (std::size_t size = 0; size < store.log.size(); size += 1'371) {
        store.put_back(store.log.substr(0, size));
        const auto engine = store.start();
        ASSERT_FALSE(engine) << size;
        ASSERT_EQ(engine.error().code, Code::store_corrupt);
    }
}

TEST(LogCheck, WhatIsFoldedInIsSaidToBeSafe) {
    KilledStore store(6, 0);
    store.put_back(flipped(store.log, kLogHead + 500));
    const auto refused = store.start();
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text, HasSubstr("Nothing is lost"));
    // As it says.
    std::filesystem::remove(store.path + "-wal");
    std::filesystem::remove(store.path + "-shm");
    auto engine = store.start();
    ASSERT_TRUE(engine) << describe(engine.error());
    store.told.check(**engine);
}

TEST(LogCheck, ARescueDoesNotCopyLessThanWasAcknowledged) {
    KilledStore store(6);
    store.put_back(flipped(store.log, kLogHead + 500));
    mark_suspect(store.path);
    const auto refused = store.start();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::store_corrupt);
    store.put_back(store.log);
    auto engine = store.start();
    ASSERT_TRUE(engine);
    store.told.check(**engine);
}

TEST(LogCheck, LooksRefuseADamagedLogUnlessSomebodyServesIt) {
    KilledStore store(6);
    SystemLoop system;
    store.put_back(flipped(store.log, kLogHead + 500));
    auto refused = FileLooks::open(store.path, system.loop().clock());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::store_corrupt);
    store.put_back(store.log);
    auto engine = store.start();
    ASSERT_TRUE(engine);
    EXPECT_TRUE(FileLooks::open(store.path, system.loop().clock()));
}

// What lies behind the end of a log is of that boot alone.
TEST(LogCheck, EveryBootBeginsALogOfItsOwn) {
    KilledStore store(6);
    store.put_back(store.log);
    auto file = open_store({.path = store.path});
    ASSERT_TRUE(file);
    EXPECT_EQ(bytes_of(store.path + "-wal"), "");
}

}  // namespace
}  // namespace pawl::sqlite
