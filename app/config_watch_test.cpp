// SPDX-License-Identifier: Apache-2.0
#include "app/config_watch.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace pawl::app {
namespace {

class WatchedFile : public testing::Test {
  protected:
    ~WatchedFile() override { std::filesystem::remove(path_); }
    void write(const std::string& text) { std::ofstream(path_) << text; }
    std::string path_ = testing::TempDir() + "watched-" + std::to_string(getpid());
};

TEST_F(WatchedFile, AChangeIsSeenOnceAndOnlyWhenItHasSettled) {
    write("one");
    ConfigWatch watch({path_});
    EXPECT_FALSE(watch.look());
    write("three");
    EXPECT_FALSE(watch.look());
    write("of four");
    EXPECT_FALSE(watch.look()) << "still being written";
    EXPECT_TRUE(watch.look());
    EXPECT_FALSE(watch.look());
}

TEST_F(WatchedFile, AReplacedFileIsAChangeAlsoOfTheSameSize) {
    write("one");
    ConfigWatch watch({path_});
    std::ofstream(path_ + ".new") << "two";
    std::filesystem::rename(path_ + ".new", path_);
    EXPECT_FALSE(watch.look());
    EXPECT_TRUE(watch.look());
}

TEST_F(WatchedFile, WhatWasLoadedOtherwiseIsNoChange) {
    write("one");
    ConfigWatch watch({path_});
    write("three");
    EXPECT_FALSE(watch.look());
    watch.loaded();
    EXPECT_FALSE(watch.look());
}

TEST_F(WatchedFile, AFileThatIsGoneIsNoChangeUntilItIsBack) {
    write("one");
    ConfigWatch watch({path_});
    std::filesystem::remove(path_);
    EXPECT_FALSE(watch.look());
    EXPECT_FALSE(watch.look());
    write("two");
    EXPECT_FALSE(watch.look());
    EXPECT_TRUE(watch.look());
    ConfigWatch none({});
    EXPECT_FALSE(none.look());
}

TEST_F(WatchedFile, OneOfSeveralIsNamedWhenAllHaveSettled) {
    const std::string other = path_ + ".flow";
    write("one");
    std::ofstream(other) << "a flow";
    ConfigWatch watch({path_, other});
    std::ofstream(other) << "another flow";
    EXPECT_FALSE(watch.look());
    write("three");
    EXPECT_FALSE(watch.look()) << "the other one is being written";
    EXPECT_EQ(watch.look(), path_);
    EXPECT_FALSE(watch.look());
    std::ofstream(other) << "the last flow";
    EXPECT_FALSE(watch.look());
    EXPECT_EQ(watch.look(), other);
    std::filesystem::remove(other);
}

TEST_F(WatchedFile, WhatIsFollowedFromNowOnKeepsWhatWasLoadedBefore) {
    const std::string other = path_ + ".flow";
    write("one");
    std::ofstream(other) << "a flow";
    ConfigWatch watch({path_});
    write("three");
    watch.follow({path_, other});
    EXPECT_FALSE(watch.look());
    EXPECT_EQ(watch.look(), path_);
    watch.follow({path_});
    std::ofstream(other) << "nobody's flow";
    EXPECT_FALSE(watch.look());
    EXPECT_FALSE(watch.look());
    std::filesystem::remove(other);
}

}  // namespace
}  // namespace pawl::app
