// SPDX-License-Identifier: Apache-2.0
// What a store refuses to be opened on, each with the sentence that says what to do.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/sqlite/schema.hpp"
#include "store/sqlite/scratch_folder.hpp"
#include "store/sqlite/store_file.hpp"

namespace pawl::sqlite {
namespace {

using testing::HasSubstr;

class StoreFileTest : public testing::Test {
  protected:
    std::string path(const std::string& name = "pawl.db") const {
        return folder_.path() + "/" + name;
    }
    // What opening says; empty: nothing.
    Error refusal() const {
        const auto opened = open_store({.path = path()});
        return opened ? Error{} : opened.error();
    }
    void write(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }

    ScratchFolder folder_;
};

TEST_F(StoreFileTest, WhatWasAskedOfSqliteIsReadBack) {
    const auto opened = open_store({.path = path()});
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_EQ(opened->connection.ask("PRAGMA journal_mode"), "wal");
    EXPECT_EQ(opened->connection.ask("PRAGMA synchronous"), "2");
    EXPECT_EQ(opened->connection.ask("PRAGMA mmap_size"), "0");
    EXPECT_EQ(opened->connection.ask("PRAGMA wal_autocheckpoint"), "0");
    EXPECT_EQ(opened->connection.ask("PRAGMA user_version"),
              std::to_string(schema_steps().back().number));
}

TEST_F(StoreFileTest, AnythingWeakerThanFullIsRefused) {
    for (const char* weak : {"normal", "off", "NORMAL", ""}) {
        const auto opened = open_store({.path = path(), .synchronous = weak});
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, Code::store_weak);
        EXPECT_THAT(opened.error().text, HasSubstr("full"));
    }
    EXPECT_FALSE(std::filesystem::exists(path()));
}

// field case 31: two servers on one store
TEST_F(StoreFileTest, ASecondProcessIsToldWhoHoldsTheStoreAndWhatToDo) {
    auto first = open_store({.path = path()});
    ASSERT_TRUE(first);
    const Error error = refusal();
    EXPECT_EQ(error.code, Code::store_locked);
    EXPECT_THAT(error.text, HasSubstr("process " + std::to_string(::getpid())));
    EXPECT_THAT(error.text, HasSubstr("another store path"));
    {
        const StoreFile ended = std::move(*first);
    }
    EXPECT_EQ(refusal().text, "");
}

TEST_F(StoreFileTest, TheLockEndsWithItsProcess) {
    const pid_t child = ::fork();
    if (child == 0) {
        const auto held = open_store({.path = path()});
        ::_exit(held ? 0 : 1);  // nothing is closed
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    EXPECT_EQ(refusal().text, "");
}

TEST_F(StoreFileTest, AFolderThatIsNotThereIsNamed) {
    const auto opened = open_store({.path = folder_.path() + "/missing/pawl.db"});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Code::config_invalid);
    EXPECT_THAT(opened.error().text, HasSubstr("missing does not exist"));
}

TEST_F(StoreFileTest, AFolderInTheStoresPlaceIsToldWithWhatToName) {
    std::filesystem::create_directory(path());
    EXPECT_EQ(refusal().code, Code::config_invalid);
    EXPECT_THAT(refusal().text, HasSubstr("is a folder"));
    EXPECT_THAT(refusal().text, HasSubstr(path() + "/pawl.db"));
}

TEST_F(StoreFileTest, APipeInTheStoresPlaceMakesNobodyWait) {
    ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
    EXPECT_EQ(refusal().code, Code::config_invalid);
    EXPECT_THAT(refusal().text, HasSubstr(path() + " is a pipe or a device; name a regular file"));
}

TEST_F(StoreFileTest, AFileThatIsNoDatabaseIsLeftAlone) {
    write("These are the minutes of a meeting, not a database.");
    EXPECT_EQ(refusal().code, Code::store_corrupt);
    EXPECT_THAT(refusal().text, HasSubstr("not begin as an SQLite file"));
    std::ifstream file(path());
    std::string word;
    file >> word;
    EXPECT_EQ(word, "These");
}

TEST_F(StoreFileTest, ADamagedDatabaseIsRefused) {
    write(std::string("SQLite format 3\0", 16) + std::string(4'000, '\x7F'));
    EXPECT_EQ(refusal().code, Code::store_corrupt);
}

TEST_F(StoreFileTest, AnEmptyFileBecomesAStore) {
    write("");
    EXPECT_EQ(refusal().text, "");
}

TEST_F(StoreFileTest, ADatabaseOfAnotherProgramIsLeftAlone) {
    {
        Connection other;
        ASSERT_EQ(other.open(path(), Connection::Access::write), 0);
        ASSERT_EQ(other.run("CREATE TABLE minutes (line TEXT)"), 0);
    }
    EXPECT_EQ(refusal().code, Code::store_corrupt);
    EXPECT_THAT(refusal().text, HasSubstr("another program"));
}

TEST_F(StoreFileTest, ANewerSchemaIsLeftAlone) {
    ASSERT_EQ(refusal().text, "");
    {
        Connection newer;
        ASSERT_EQ(newer.open(path(), Connection::Access::write), 0);
        ASSERT_EQ(newer.run("PRAGMA user_version = 1000"), 0);
    }
    EXPECT_EQ(refusal().code, Code::store_newer);
    EXPECT_THAT(refusal().text, HasSubstr("schema 1000"));
}

TEST_F(StoreFileTest, SchemaStepsAreNumberedFromOneWithoutAGap) {
    int expected = 0;
    for (const SchemaStep& step : schema_steps()) EXPECT_EQ(step.number, ++expected);
}

// Run as another user when the tests are root's: root may write everything.
class ReadOnly : public StoreFileTest {
  protected:
    template <class Look>
    bool as_nobody(Look look) {
        const pid_t child = ::fork();
        if (child == 0) {
            constexpr uid_t kNobody = 65'534;
            const bool dropped =
                ::geteuid() != 0 || (::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
            ::_exit(dropped && look() ? 0 : 1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return status == 0;
    }
};

TEST_F(ReadOnly, AFolderThatCannotBeWrittenIsRefused) {
    ASSERT_EQ(::chmod(folder_.path().c_str(), 0555), 0);
    EXPECT_TRUE(as_nobody([this] {
        const Error error = refusal();
        return error.code == Code::store_readonly && error.text.contains("cannot be written");
    }));
    ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
}

TEST_F(ReadOnly, AFileThatCannotBeWrittenIsRefused) {
    ASSERT_EQ(refusal().text, "");
    ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
    ASSERT_EQ(::chmod(path("pawl.db-lock").c_str(), 0666), 0);
    ASSERT_EQ(::chmod(path().c_str(), 0444), 0);
    EXPECT_TRUE(as_nobody([this] { return refusal().code == Code::store_readonly; }));
}

}  // namespace
}  // namespace pawl::sqlite
