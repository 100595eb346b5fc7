// SPDX-License-Identifier: Apache-2.0
// The files of a store are moved, removed, replaced or cut while it is served: nothing is acknowledged any more, and
// the next start does not take what lies there for the store.
#include "store/sqlite/file_place.hpp"

#include <filesystem>
#include <fstream>

#include "store/sqlite/engine_fixture.hpp"
#include "store/sqlite/scratch_folder.hpp"

namespace pawl::sqlite {
namespace {

namespace files = std::filesystem;
using testing::HasSubstr;

class PlaceTest : public testing::Test {
  protected:
    Result<std::unique_ptr<Engine>> start() {
        auto file = open_store({.path = path_});
        if (!file) return fail(file.error());
        return Engine::start(std::move(*file), clock_, entropy_,
                             {.on_fatal = [this](const Error& e) { fatal_.push_back(e); }});
    }
    // The next claim is not acknowledged, nor is any start after it.
    void expect_lost(Engine& engine, const std::string& words) {
        const auto claimed = commit_one(engine, claim_of(2, engine.boot()));
        ASSERT_FALSE(claimed);
        EXPECT_EQ(claimed.error().code, Code::store_corrupt);
        EXPECT_THAT(claimed.error().text, HasSubstr(words));
        EXPECT_THAT(claimed.error().text, HasSubstr("Put back"));
        ASSERT_EQ(fatal_.size(), 1U);
        EXPECT_EQ(fatal_.front().code, Code::store_corrupt);
        EXPECT_EQ(commit_one(engine, claim_of(3, engine.boot())).error().code, Code::unavailable);
    }
    void expect_refused_start() {
        const auto later = start();
        ASSERT_FALSE(later);
        EXPECT_EQ(later.error().code, Code::store_corrupt);
    }

    ScratchFolder folder_;
    std::string path_ = folder_.path() + "/pawl.db";
    store::conformance::HandClock clock_;
    SeededEntropy entropy_{1};
    std::vector<Error> fatal_;
};

TEST_F(PlaceTest, AFileThatIsMovedAwayStopsTheStoreUntilItIsBack) {
    auto engine = start();
    ASSERT_TRUE(engine);
    const auto first = commit_one(**engine, claim_of(1, (*engine)->boot()));
    ASSERT_TRUE(first && commit_one(**engine, complete_of(first->row, "done")));
    files::rename(path_, path_ + ".old");
    expect_lost(**engine, "is not there any more");
    engine->reset();
    expect_refused_start();
    files::rename(path_ + ".old", path_);
    auto later = start();
    ASSERT_TRUE(later) << describe(later.error());
    EXPECT_EQ(commit_one(**later, claim_of(1, (*later)->boot(), 2))->outcome, Outcome::replay);
}

TEST_F(PlaceTest, AFileInItsPlaceIsNotTheStore) {
    auto engine = start();
    ASSERT_TRUE(engine);
    files::copy_file(path_, path_ + ".copy");
    files::rename(path_ + ".copy", path_);
    expect_lost(**engine, "Another file");
    engine->reset();
    expect_refused_start();
    files::remove(path_ + "-suspect");
    files::remove(path_ + "-wal");
    files::remove(path_ + "-shm");
    EXPECT_TRUE(start()) << "a person has decided";
}

TEST_F(PlaceTest, AFileThatIsCutStopsTheStore) {
    auto engine = start();
    ASSERT_TRUE(engine);
    files::resize_file(path_, files::file_size(path_) - 1);
    expect_lost(**engine, "was cut");
    engine->reset();
    expect_refused_start();
}

TEST_F(PlaceTest, ALogThatIsRemovedStopsTheStore) {
    auto engine = start();
    ASSERT_TRUE(engine);
    files::remove(path_ + "-wal");
    expect_lost(**engine, "log");
    engine->reset();
    expect_refused_start();
}

TEST_F(PlaceTest, AnIdleStoreLooksWhenItSweeps) {
    auto engine = start();
    ASSERT_TRUE(engine);
    EXPECT_TRUE((*engine)->sweep(10));
    files::remove(path_);
    EXPECT_FALSE((*engine)->sweep(10));
    EXPECT_EQ(fatal_.size(), 1U);
}

TEST_F(PlaceTest, AGrowingFileIsWhereItWas) {
    auto engine = start();
    ASSERT_TRUE(engine);
    Told told;
    told.run(**engine, 0, 200);
    EXPECT_TRUE(fatal_.empty());
    told.check(**engine);
}

TEST_F(PlaceTest, ALogWithoutItsFileIsNoNewStore) {
    auto engine = start();
    ASSERT_TRUE(engine);
    ASSERT_TRUE(commit_one(**engine, claim_of(1, (*engine)->boot())));
    files::copy_file(path_ + "-wal", path_ + "-kept");
    engine->reset();
    for (const bool empty : {false, true}) {
        files::remove(path_);
        if (empty) std::ofstream{path_};
        files::copy_file(path_ + "-kept", path_ + "-wal", files::copy_options::overwrite_existing);
        const auto later = start();
        ASSERT_FALSE(later);
        EXPECT_EQ(later.error().code, Code::store_corrupt);
        EXPECT_THAT(later.error().text, HasSubstr("-wal"));
        EXPECT_TRUE(files::exists(path_ + "-wal"));
    }
}

TEST(FilePlaceText, IsReadBackAndNothingElseIs) {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/a";
    std::ofstream(path) << "file";
    std::ofstream(path + "-wal") << "log";
    auto place = FilePlace::of(path);
    ASSERT_TRUE(place);
    auto again = FilePlace::in(place->text());
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->lost(path));
    EXPECT_EQ(again->text(), place->text());
    for (const char* bad : {"", "1", "1 2 3 4", "1 2 3 4 5", "1 2 x 4 5\n"})
        EXPECT_FALSE(FilePlace::in(bad)) << bad;
}

}  // namespace
}  // namespace pawl::sqlite
