// SPDX-License-Identifier: Apache-2.0
#include "net/http/body_file.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>
#include <filesystem>

namespace pawl::http {
namespace {

const std::string kFolder = std::filesystem::temp_directory_path();

std::string whole(const Request& request) {
    return std::string(WholeBody::of(request).value().view());
}

TEST(IncomingBody, StaysInMemoryUpToItsBoundAndGoesToAFileWithOneByteMore) {
    IncomingBody fits(10, kFolder);
    ASSERT_TRUE(fits.add("01234"));
    ASSERT_TRUE(fits.add("56789"));
    const Request small = fits.request_with({"POST", "/", 1, {}});
    EXPECT_FALSE(small.body_file);
    EXPECT_EQ(small.body, "0123456789");
    EXPECT_EQ(whole(small), "0123456789");
    EXPECT_EQ(body_size(small), 10U);

    IncomingBody longer(10, kFolder);
    for (const std::string_view part : {"01234", "567890", "", "12"}) ASSERT_TRUE(longer.add(part));
    EXPECT_EQ(longer.size(), 13U);
    const Request large = longer.request_with({"POST", "/", 1, {}});
    ASSERT_TRUE(large.body_file);
    EXPECT_EQ(large.body, "");
    EXPECT_EQ(whole(large), "0123456789012");
    EXPECT_EQ(body_size(large), 13U);
}

TEST(IncomingBody, AnEmptyBodyIsOne) {
    const Request request = IncomingBody(10, kFolder).request_with({"POST", "/", 1, {}});
    EXPECT_EQ(whole(request), "");
    EXPECT_FALSE(request.body_file);
}

TEST(BodyFile, IsReadInPortionsAndHasNoName) {
    const auto folder = std::filesystem::path(kFolder) / "pawl-body-file-test";
    std::filesystem::create_directory(folder);
    auto file = BodyFile::create(folder).value();
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    ASSERT_TRUE(file->append("hello world"));
    EXPECT_EQ(file->read(0, 5).value(), "hello");
    EXPECT_EQ(file->read(6, 100).value(), "world");
    EXPECT_EQ(file->read(11, 100).value(), "");
    std::filesystem::remove(folder);
    EXPECT_EQ(BodyFile::create(folder).error().code, Code::unavailable);
}

TEST(BodyRoom, IsTakenUpToItsBoundAndGivenBack) {
    BodyRoom room(10);
    EXPECT_TRUE(room.take(10));
    EXPECT_FALSE(room.take(1));
    EXPECT_TRUE(room.take(0));
    room.give_back(4);
    EXPECT_FALSE(room.take(5));
    EXPECT_TRUE(room.take(4));
    EXPECT_EQ(room.taken(), 10U);
}

TEST(BodyRoom, IsSharedByAllFilesAndFreeAgainWhenTheyGo) {
    const auto room = std::make_shared<BodyRoom>(30);
    IncomingBody first(10, kFolder, room);
    ASSERT_TRUE(first.add("0123456789"));
    EXPECT_EQ(room->taken(), 0U) << "what is in memory takes no room on the disk";
    ASSERT_TRUE(first.add("0123456789"));
    EXPECT_EQ(room->taken(), 20U);
    {
        IncomingBody second(5, kFolder, room);
        ASSERT_TRUE(second.add("0123456789"));
        const Status refused = second.add("x");
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Code::unavailable);
        EXPECT_EQ(refused.error().cause, "limits.body_disk_bytes_max");
        EXPECT_EQ(room->taken(), 30U);
    }
    EXPECT_EQ(room->taken(), 20U);
    {
        const Request request = first.request_with({"POST", "/", 1, {}});
    }
    EXPECT_EQ(room->taken(), 0U);
}

TEST(BodyFile, AFullDiskIsSaidToBeOne) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit little{4096, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
    IncomingBody body(10, kFolder);
    const Status first = body.add(std::string(4096, 'x'));
    const Status second = body.add("y");
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_TRUE(first);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::unavailable);
    EXPECT_NE(second.error().text.find("no room"), std::string::npos);
}

}  // namespace
}  // namespace pawl::http
