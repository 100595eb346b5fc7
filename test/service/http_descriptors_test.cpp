// SPDX-License-Identifier: Apache-2.0
// A server that the system gives no more descriptors.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "http_under_test.hpp"

namespace pawl::http {
namespace {

const std::string kGet = "GET /answer HTTP/1.1\r\nHost: a\r\n\r\n";

// While it lives, this process gets no descriptor but those it has.
class NoneLeft {
  public:
    NoneLeft() {
        getrlimit(RLIMIT_NOFILE, &before_);
        const int next = ::dup(0);
        ::close(next);
        rlimit none = before_;
        none.rlim_cur = static_cast<rlim_t>(next);
        setrlimit(RLIMIT_NOFILE, &none);
        for (int filler = ::dup(0); filler >= 0; filler = ::dup(0)) fillers_.push_back(filler);
    }
    NoneLeft(const NoneLeft&) = delete;
    NoneLeft& operator=(const NoneLeft&) = delete;
    ~NoneLeft() {
        for (const int filler : fillers_) ::close(filler);
        setrlimit(RLIMIT_NOFILE, &before_);
    }

  private:
    rlimit before_{};
    std::vector<int> fillers_;
};

TEST(HttpDescriptors, WithoutADescriptorTheServerPausesAndGoesOn) {
    ServerUnderTest under;
    Talk idle = under.call();
    idle.send(kGet);
    ASSERT_EQ(idle.read().body, "hello");
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    ASSERT_GE(socket, 0);
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(under.port);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    {
        const NoneLeft none;
        ASSERT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&there), sizeof(there)), 0);
        EXPECT_TRUE(eventually(
            [&] { return under.thread.at([&] { return under.server.refused_by_system(); }) > 0; }));
        EXPECT_EQ(idle.read_to_end(), "");  // nobody waits on it: it makes room
    }
    Talk talk(socket);
    talk.send(kGet);
    EXPECT_EQ(talk.read().body, "hello");
}

}  // namespace
}  // namespace pawl::http
