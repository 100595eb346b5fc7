// SPDX-License-Identifier: Apache-2.0
// The disk fails at every operation in turn, fills up, and loses its power. Whatever happens: what was
// acknowledged is there, what was refused is not, and a store in doubt takes no more calls.
#include <sqlite3.h>

#include "store/sqlite/engine_fixture.hpp"
#include "store/sqlite/simulated_disk.hpp"

namespace pawl::sqlite {
namespace {

constexpr int kKeys = 14;
constexpr const char* kDisk = "disk_fault_test";
const FileOptions kFile{.path = "store.db", .synchronous = "full", .vfs = kDisk};

class DiskFaults : public testing::Test {
  protected:
    // Small generations, so that sealing and indexing meet the faults, too.
    Result<std::unique_ptr<Engine>> start(bool weak = false) {
        auto file = open_store(kFile);
        if (!file) return fail(file.error());
        if (weak) (void)file->connection.run("PRAGMA synchronous = NORMAL");
        return Engine::start(std::move(*file), clock_, entropy_,
                             {.generation = {.records = 5},
                              .on_fatal = [this](const Error& e) { told_.push_back(e); }});
    }
    void check_file() {
        Connection connection;
        ASSERT_EQ(connection.open("store.db", Connection::Access::write, kDisk), SQLITE_OK);
        ASSERT_EQ(connection.ask("PRAGMA integrity_check"), "ok");
    }

    store::conformance::HandClock clock_;
    SeededEntropy entropy_{1};
    std::vector<Error> told_;
};

std::uint64_t operations_of_a_whole_run(store::conformance::HandClock& clock) {
    SimulatedDisk disk(kDisk, 1);
    SeededEntropy entropy(1);
    auto engine = Engine::start(std::move(*open_store(kFile)), clock, entropy,
                                {.generation = {.records = 5}});
    Told told;
    told.run(**engine, 0, kKeys);
    EXPECT_EQ(told.completed.size(), static_cast<std::size_t>(kKeys));
    engine->reset();
    return disk.operations();
}

// R-ATOMIC: every call failed in turn, before and after it took effect
TEST_F(DiskFaults, EveryWriteAndSyncFailsOnce) {
    const std::uint64_t operations = operations_of_a_whole_run(clock_);
    ASSERT_GT(operations, 200U);
    std::size_t in_doubt = 0;
    for (const int code : {SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC, SQLITE_FULL}) {
        for (std::uint64_t number = 1; number <= operations && !HasFatalFailure(); ++number) {
            SCOPED_TRACE(fmt::format("code {} at operation {}", code, number));
            SimulatedDisk disk(kDisk, number);
            disk.fail_at(number, code, false);
            told_.clear();
            Told told;
            if (auto engine = start()) {
                told.run(**engine, 0, kKeys);
                ASSERT_LE(told_.size(), 1U);
                if (told.unknown) {
                    ASSERT_EQ(told_.size(), 1U);
                    ++in_doubt;
                    const auto later = commit_one(**engine, claim_of(500));
                    ASSERT_EQ(later.error().code, Code::unavailable);
                    told.refused.insert(500);
                }
                if (code == SQLITE_FULL) {
                    ASSERT_TRUE(told_.empty());
                }
            }
            disk.heal();
            auto again = start();
            ASSERT_TRUE(again) << describe(again.error());
            told.check(**again);
            again->reset();
            check_file();
        }
    }
    EXPECT_GT(in_doubt, 20U);
}

// E4. The power goes at any operation; each write that was not synced is lost, torn or kept.
TEST_F(DiskFaults, WhatWasAcknowledgedSurvivesALossOfPower) {
    const std::uint64_t operations = operations_of_a_whole_run(clock_);
    for (std::uint64_t seed = 1; seed <= 300 && !HasFatalFailure(); ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        SimulatedDisk disk(kDisk, seed);
        SeededEntropy dice(seed);
        Told told;
        int from = 0;
        for (int cuts = 0; cuts < 3; ++cuts, from += kKeys) {
            disk.cut_power_at(disk.operations() + 1 + dice.below(operations));
            if (auto engine = start()) told.run(**engine, from, from + kKeys);
            disk.restore_power();
        }
        auto again = start();
        ASSERT_TRUE(again) << describe(again.error());
        told.check(**again);
        again->reset();
        check_file();
    }
}

// The control run: without a flush at every commit the same test shows loss, or a log in which commits are
// missing under later ones.
TEST_F(DiskFaults, WithoutFullFlushesAcknowledgedCompletionsAreLost) {
    int lost = 0;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SimulatedDisk disk(kDisk, seed);
        SeededEntropy dice(seed);
        Told told;
        disk.cut_power_at(150 + dice.below(100));
        if (auto engine = start(true)) told.run(**engine, 0, kKeys);
        disk.restore_power();
        auto again = start();
        if (!again) {
            ASSERT_EQ(again.error().code, Code::store_corrupt);
            ++lost;
            continue;
        }
        for (const auto& [key, body] : told.completed) {
            const auto repeat = commit_one(**again, claim_of(key, (*again)->boot(), 2));
            lost += repeat && repeat->outcome == Outcome::replay ? 0 : 1;
        }
    }
    EXPECT_GT(lost, 0);
}

TEST_F(DiskFaults, AFullDiskRefusesCallsAndServesAgainWhenThereIsRoom) {
    SimulatedDisk disk(kDisk, 1);
    auto engine = start();
    ASSERT_TRUE(engine);
    Told told;
    told.run(**engine, 0, 20);
    disk.set_room(0);
    told.run(**engine, 20, 60);
    (*engine)->checkpoint();
    EXPECT_GE(told.refused.size(), 20U);
    EXPECT_FALSE(told.unknown);
    EXPECT_TRUE(told_.empty());
    const auto refused = commit_one(**engine, claim_of(100));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::store_full);
    EXPECT_EQ((*engine)->read(identity_of(1)).value()->answer->body, "body of 1");
    disk.set_room(std::nullopt);
    told.check(**engine);
    told.refused.clear();
    told.run(**engine, 60, 80);
    told.check(**engine, 2'000'000);
    EXPECT_GE(told.completed.size(), 40U);
}

TEST_F(DiskFaults, AStoreInDoubtSaysSoOnceAndTakesNoMoreCalls) {
    SimulatedDisk disk(kDisk, 1);
    auto engine = start();
    ASSERT_TRUE(engine);
    ASSERT_TRUE(commit_one(**engine, claim_of(1)));
    disk.fail_at(disk.operations() + 1, SQLITE_IOERR_FSYNC, true);
    const auto doubtful = commit_one(**engine, claim_of(2));
    ASSERT_FALSE(doubtful);
    EXPECT_EQ(doubtful.error().code, Code::unknown);
    disk.heal();
    for (int key = 3; key < 6; ++key)
        EXPECT_EQ(commit_one(**engine, claim_of(key)).error().code, Code::unavailable);
    EXPECT_FALSE((*engine)->sweep(10));
    EXPECT_FALSE((*engine)->tend());
    ASSERT_EQ(told_.size(), 1U);
    EXPECT_EQ(told_.front().code, Code::unknown);
}

}  // namespace
}  // namespace pawl::sqlite
