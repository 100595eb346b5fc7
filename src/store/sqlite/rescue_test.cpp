// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include "store/sqlite/engine_fixture.hpp"
#include "store/sqlite/rescue.hpp"
#include "store/sqlite/scratch_folder.hpp"

namespace pawl::sqlite {
namespace {

namespace files = std::filesystem;

class RescueTest : public testing::Test {
  protected:
    std::unique_ptr<Engine> start() {
        auto file = open_store({.path = path_});
        EXPECT_TRUE(file) << describe(file.error());
        auto engine = Engine::start(std::move(*file), clock_, entropy_);
        EXPECT_TRUE(engine);
        return std::move(*engine);
    }
    // A store that was left by a kill: the log is still there.
    void leave_killed_store() {
        const auto engine = start();
        told_.run(*engine, 0, 50);
        files::copy_file(path_ + "-wal", path_ + "-kept");
        files::copy_file(path_, path_ + "-kept.db");
    }
    void put_back_killed_store() {
        files::rename(path_ + "-kept", path_ + "-wal");
        files::rename(path_ + "-kept.db", path_);
    }
    std::uint64_t inode() const {
        struct stat status{};
        return ::stat(path_.c_str(), &status) == 0 ? status.st_ino : 0;
    }

    ScratchFolder folder_;
    std::string path_ = folder_.path() + "/pawl.db";
    store::conformance::HandClock clock_;
    SeededEntropy entropy_{1};
    Told told_;
};

TEST_F(RescueTest, AMarkedStoreIsServedFromAFreshCopy) {
    leave_killed_store();
    put_back_killed_store();
    mark_suspect(path_);
    const std::uint64_t before = inode();
    const auto engine = start();
    EXPECT_NE(inode(), before);
    told_.check(*engine);
    EXPECT_FALSE(files::exists(path_ + "-suspect"));
    EXPECT_FALSE(files::exists(path_ + "-fresh"));
    EXPECT_FALSE(files::exists(path_ + "-fresh.part"));
}

TEST_F(RescueTest, AStoreWithoutAMarkIsLeftAsItIs) {
    leave_killed_store();
    put_back_killed_store();
    const std::uint64_t before = inode();
    const auto engine = start();
    EXPECT_EQ(inode(), before);
    told_.check(*engine);
}

TEST_F(RescueTest, ACopyThatWasCutShortIsMadeAgain) {
    leave_killed_store();
    put_back_killed_store();
    mark_suspect(path_);
    std::ofstream(path_ + "-fresh.part") << "half a copy";
    told_.check(*start());
}

TEST_F(RescueTest, ACompleteCopyIsPutInPlaceWithoutTheOldLog) {
    leave_killed_store();  // closed: the file is whole, no log
    files::copy_file(path_, path_ + "-fresh");
    put_back_killed_store();
    mark_suspect(path_);
    // As killed before the old log was removed, and after.
    for (const bool log_removed : {false, true}) {
        if (log_removed) {
            files::copy_file(path_, path_ + "-fresh");
            files::remove(path_ + "-wal");
            mark_suspect(path_);
        }
        told_.check(*start(), log_removed ? 2'000'000 : 1'000'000);
        EXPECT_FALSE(files::exists(path_ + "-suspect"));
    }
}

TEST_F(RescueTest, AMarkWithoutAStoreIsNothingToRescue) {
    mark_suspect(path_);
    EXPECT_TRUE(start());
}

}  // namespace
}  // namespace pawl::sqlite
