// SPDX-License-Identifier: Apache-2.0
// Answers whose body still comes in while they are written.
#include <gtest/gtest.h>

#include "http_under_test.hpp"
#include "runtime/task/byte_source.hpp"

namespace pawl::http {
namespace {

const std::string kPost = "POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nfirst,";

class Portions final : public ByteSource {
  public:
    Portions(std::vector<std::string> portions, bool says_size, bool breaks)
        : portions_(std::move(portions)), says_size_(says_size), breaks_(breaks) {}

    std::optional<std::uint64_t> size() const override {
        std::uint64_t size = 0;
        for (const std::string& portion : portions_) size += portion.size();
        return says_size_ ? std::optional(size) : std::nullopt;
    }
    Task<Result<std::string>> next(Loop&) override {
        if (at_ < portions_.size()) co_return portions_[at_++];
        if (breaks_) co_return fail(Code::unknown, "It broke off.");
        co_return std::string();
    }

  private:
    std::vector<std::string> portions_;
    bool says_size_;
    bool breaks_;
    std::size_t at_ = 0;
};

auto source(std::vector<std::string> portions, bool says_size, bool breaks = false) {
    return [=] { return std::make_shared<Portions>(portions, says_size, breaks); };
}

TEST(HttpRest, ABodyOfKnownSizeIsFramedByItsLength) {
    ServerUnderTest under;
    under.service.rest = source({"second,", std::string(1U << 20, 'x')}, true);
    Talk talk = under.call();
    for (int i = 0; i < 2; ++i) {
        talk.send(kPost);
        const auto answer = talk.read();
        EXPECT_TRUE(answer.whole);
        EXPECT_EQ(answer["Content-Length"], "1048589");
        EXPECT_EQ(answer["Transfer-Encoding"], "");
        EXPECT_TRUE(answer.body == "first,second," + std::string(1U << 20, 'x'));
    }
}

TEST(HttpRest, ABodyOfUnknownSizeIsChunked) {
    ServerUnderTest under;
    under.service.rest = source({"second,", "third"}, false);
    Talk talk = under.call();
    for (int i = 0; i < 2; ++i) {
        talk.send(kPost);
        const auto answer = talk.read();
        EXPECT_TRUE(answer.whole);
        EXPECT_EQ(answer["Transfer-Encoding"], "chunked");
        EXPECT_EQ(answer["Content-Length"], "");
        EXPECT_EQ(answer.body, "first,second,third");
    }
}

TEST(HttpRest, AnOldClientReadsABodyOfUnknownSizeToTheConnectionsEnd) {
    ServerUnderTest under;
    under.service.rest = source({"second"}, false);
    Talk talk = under.call();
    talk.send("POST /whole HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 6\r\n\r\nfirst,");
    const std::string answer = talk.read_to_end();
    EXPECT_TRUE(answer.ends_with("\r\n\r\nfirst,second")) << answer;
    EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos);
    EXPECT_EQ(answer.find("Transfer-Encoding"), std::string::npos);
    EXPECT_FALSE(talk.was_reset());
}

TEST(HttpRest, ABodyThatBreaksOffEndsInAReset) {
    ServerUnderTest under;
    for (const bool says_size : {true, false}) {
        under.service.rest = source({"second"}, says_size, true);
        Talk talk = under.call();
        talk.send(kPost);
        talk.read_to_end();
        EXPECT_TRUE(talk.was_reset());
    }
}

TEST(HttpRest, AClientThatLeavesEndsTheReading) {
    ServerUnderTest under;
    std::atomic<std::weak_ptr<ByteSource>> reading;
    under.service.rest = [&] {
        const auto made = std::make_shared<Portions>(
            std::vector<std::string>(1000, std::string(64U << 10, 'x')), true, false);
        reading.store(made);
        return made;
    };
    Talk talk = under.call();
    talk.send(kPost);
    talk.read_bytes(1000);
    ASSERT_FALSE(reading.load().expired());
    talk.reset();
    EXPECT_TRUE(eventually([&] { return reading.load().expired(); }));
}

}  // namespace
}  // namespace pawl::http
