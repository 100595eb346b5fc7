// SPDX-License-Identifier: Apache-2.0
#include "runtime/file/named_file.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace pawl {
namespace {

class NamedFile : public testing::Test {
  protected:
    void SetUp() override { std::filesystem::create_directory(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string written(std::string_view text) const {
        const std::string path = folder_ + "/file";
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    static std::string said(const std::string& path, std::size_t bytes_max = 8) {
        const auto text = read_named_file(path, "callers.main", bytes_max);
        if (text) return *text;
        EXPECT_EQ(text.error().code, Code::config_invalid);
        EXPECT_EQ(text.error().place, "callers.main");
        const std::string named = "the file `" + path + "` of `callers.main` ";
        EXPECT_TRUE(text.error().text.starts_with(named)) << text.error().text;
        return text.error().text.substr(named.size());
    }
    std::string folder_ = testing::TempDir() + "pawl_named_" + std::to_string(::getpid());
};

TEST_F(NamedFile, IsReadWholeUpToItsBound) {
    EXPECT_EQ(said(written("12345678")), "12345678");
    EXPECT_EQ(said(written(std::string_view("\0\n\xff", 3))), std::string("\0\n\xff", 3));
    EXPECT_EQ(said(written("123456789")), "is too long; look whether it is the one that is meant");
    EXPECT_EQ(said(written("")), "is empty; write into it what is asked for");
    EXPECT_EQ(read_start_of(written("123456789"), 8), "12345678");
    EXPECT_EQ(read_start_of(written("12"), 8), "12");
}

TEST_F(NamedFile, IsFollowedWhereALinkLeads) {
    const std::string link = folder_ + "/link";
    std::filesystem::create_symlink(written("secret"), link);
    EXPECT_EQ(said(link), "secret");
}

TEST_F(NamedFile, ThatCannotBeReadIsToldOf) {
    EXPECT_EQ(said(folder_ + "/none"), "cannot be read; look at its name and rights");
    EXPECT_EQ(said(""), "cannot be read; look at its name and rights");
}

// Each of them had whoever reads it wait, or read for ever.
TEST_F(NamedFile, IsNoPipeNoFolderAndNoDevice) {
    constexpr const char* kRefused = "is a pipe, a folder or a device; name a regular file";
    const std::string pipe = folder_ + "/pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(said(pipe), kRefused);
    EXPECT_EQ(said(folder_), kRefused);
    EXPECT_EQ(said("/dev/zero"), kRefused);
    std::filesystem::create_symlink(pipe, folder_ + "/link");
    EXPECT_EQ(said(folder_ + "/link"), kRefused);
}

}  // namespace
}  // namespace pawl
