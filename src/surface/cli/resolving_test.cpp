// SPDX-License-Identifier: Apache-2.0
#include "surface/cli/resolving.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/policy/limits.hpp"

namespace pawl::cli {
namespace {

using testing::HasSubstr;

class Body : public testing::Test {
  protected:
    Body() {
        std::string pattern = testing::TempDir() + "pawl_body_XXXXXX";
        folder_ = mkdtemp(pattern.data());
    }
    ~Body() override { std::filesystem::remove_all(folder_); }
    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    std::string file(const std::string& name, std::size_t size) const {
        std::ofstream(path(name)) << "x";
        std::filesystem::resize_file(path(name), size);
        return path(name);
    }
    static std::string refusal(const std::string& path) {
        const auto body = read_body(path);
        if (body) return "nothing was refused";
        EXPECT_EQ(body.error().code, Code::request_invalid);
        return body.error().text;
    }

  private:
    std::string folder_;
};

TEST_F(Body, IsReadWholeUpToWhatARecordKeeps) {
    EXPECT_EQ(read_body(""), "");
    EXPECT_EQ(read_body(file("empty", 0)), "");
    EXPECT_EQ(read_body(file("small", 1)), "x");
    EXPECT_EQ(read_body(file("largest", policy::kAnswerBytesLimit))->size(),
              policy::kAnswerBytesLimit);
    EXPECT_THAT(refusal(file("large", policy::kAnswerBytesLimit + 1)), HasSubstr("16MiB"));
    EXPECT_THAT(refusal(file("huge", std::size_t{1} << 40)), HasSubstr("larger than"));
}

TEST_F(Body, ThatIsNoFileIsRefusedWithTheRemedy) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    for (const std::string& one : {path(""), path("pipe"), std::string("/dev/zero")}) {
        EXPECT_THAT(refusal(one), HasSubstr(one));
        EXPECT_THAT(refusal(one), HasSubstr("--body -")) << one;
    }
    EXPECT_THAT(refusal(path("nowhere")), HasSubstr("there is no file"));
    EXPECT_THAT(refusal(path("small/below/a/file")), HasSubstr("there is no file"));
}

TEST_F(Body, ThatCannotBeReadToItsEndIsRefused) {
    // A file whose first page cannot be read, whoever asks.
    EXPECT_THAT(refusal("/proc/self/mem"), HasSubstr("cannot be read"));
}

TEST(ResolveDocument, SaysWhenThePersonLooked) {
    Resolve resolve;
    resolve.reason = "seen";
    EXPECT_FALSE(resolve_document(resolve, "op_x", "", "ada").contains("looked_ms_ago"));
    resolve.looked = std::chrono::minutes(5);
    EXPECT_EQ(resolve_document(resolve, "op_x", "", "ada").at("looked_ms_ago"), 300'000);
}

}  // namespace
}  // namespace pawl::cli
