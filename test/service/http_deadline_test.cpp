// SPDX-License-Identifier: Apache-2.0
// Slow and idle clients, full servers, and servers that end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>

#include "http_under_test.hpp"

namespace pawl::http {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using Steady = std::chrono::steady_clock;

const std::string kGet = "GET /answer HTTP/1.1\r\nHost: a\r\n\r\n";

ServerLimits short_limits() {
    ServerLimits limits;
    limits.head_timeout = 150ms;
    limits.idle_timeout = 2s;
    limits.body_timeout = 150ms;
    limits.write_timeout = 150ms;
    return limits;
}

TEST(HttpDeadlines, AHeadThatDripsIsCutAlthoughBytesKeepComing) {
    ServerUnderTest under(short_limits());
    Talk talk = under.call();
    const auto began = Steady::now();
    int sent = 0;
    for (const char& byte : std::string(200, 'G')) {
        if (!talk.send({&byte, 1})) break;
        ++sent;
        std::this_thread::sleep_for(20ms);
    }
    EXPECT_EQ(talk.read_to_end(), "");
    EXPECT_GE(Steady::now() - began, 150ms);
    EXPECT_LT(sent, 200);
}

TEST(HttpDeadlines, AnIdleConnectionIsClosedLaterThanASlowHead) {
    ServerUnderTest under(short_limits());
    Talk talk = under.call();
    talk.send(kGet);
    EXPECT_EQ(talk.read().body, "hello");
    std::this_thread::sleep_for(300ms);  // longer than a head may take
    talk.send(kGet);
    EXPECT_EQ(talk.read().body, "hello");
    EXPECT_EQ(talk.read_to_end(), "");
}

TEST(HttpDeadlines, ABodyThatStopsIsCut) {
    ServerUnderTest under(short_limits());
    Talk talk = under.call();
    talk.send("POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na");
    EXPECT_EQ(talk.read_to_end(), "");
    EXPECT_EQ(under.service.began, 0);
}

TEST(HttpDeadlines, ABodyThatDripsIsCutAlthoughBytesKeepComing) {
    ServerUnderTest under(short_limits());
    Talk talk = under.call();
    talk.send("POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 400\r\n\r\n");
    const auto began = Steady::now();
    int sent = 0;
    for (; sent < 400; ++sent) {
        if (!talk.send("x")) break;
        std::this_thread::sleep_for(20ms);  // a tenth of kBodyBytesPerSecondMin
    }
    EXPECT_EQ(talk.read_to_end(), "");
    EXPECT_GE(Steady::now() - began, 150ms);
    EXPECT_LT(sent, 400);
    EXPECT_EQ(under.service.began, 0);
}

TEST(HttpDeadlines, ABodyThatKeepsTheLeastSpeedMayTakeLongerThanAPause) {
    ServerLimits limits = short_limits();
    limits.body_timeout = 500ms;
    ServerUnderTest under(limits);
    const std::string piece(kBodyBytesPerSecondMin / 4, 'x');
    under.service.body_bytes_max = 8 * piece.size();
    Talk talk = under.call();
    talk.send("POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: " +
              std::to_string(8 * piece.size()) + "\r\n\r\n");
    for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(talk.send(piece));
        std::this_thread::sleep_for(150ms);
    }
    EXPECT_EQ(talk.read().body.size(), 8 * piece.size());
}

TEST(HttpDeadlines, AReaderThatStopsIsCut) {
    ServerUnderTest under(short_limits());
    under.thread.at([&] { under.service.answer.body = std::string(32U << 20, 'x'); });
    Talk talk = under.call();
    talk.send(kGet);
    EXPECT_TRUE(eventually([&] { return under.service.planned == 1; }));
    EXPECT_TRUE(eventually(
        [&] { return under.thread.at([&] { return under.server.connections(); }) == 0; }));
    EXPECT_FALSE(talk.read().whole);
}

TEST(HttpDeadlines, ManySlowClientsDoNotKeepOthersOut) {
    ServerLimits limits = short_limits();
    limits.head_timeout = 10s;
    limits.idle_timeout = 10s;
    ServerUnderTest under(limits);
    std::vector<Talk> slow;
    for (int i = 0; i < 300; ++i) {
        slow.push_back(under.call());
        slow.back().send("GET / HT");
    }
    Talk talk = under.call();
    talk.send(kGet);
    EXPECT_EQ(talk.read().body, "hello");
}

TEST(HttpDeadlines, AFullServerMakesRoomByIdleConnections) {
    ServerLimits limits;
    limits.connections_max = 2;
    ServerUnderTest under(limits);
    Talk first = under.call();
    first.send(kGet);
    EXPECT_EQ(first.read().body, "hello");
    Talk second = under.call();
    second.send(kGet);
    EXPECT_EQ(second.read().body, "hello");
    Talk third = under.call();
    third.send(kGet);
    EXPECT_EQ(third.read().body, "hello");
    EXPECT_LE(under.thread.at([&] { return under.server.connections(); }), 2U);
}

TEST(HttpDeadlines, DrainingLetsRunningRequestsEndAndClosesTheRest) {
    ServerUnderTest under;
    under.service.held = true;
    Talk idle = under.call();
    idle.send(kGet);
    EXPECT_EQ(idle.read().body, "hello");
    Talk busy = under.call();
    busy.send("POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
    ASSERT_TRUE(eventually([&] { return under.service.began == 1; }));
    under.thread.at([&] { under.server.stop_accepting(); });
    EXPECT_EQ(idle.read_to_end(), "");
    const auto soon = [&](auto time) {
        return under.thread.run(under.server.drain(under.thread.loop().now() + time));
    };
    EXPECT_FALSE(soon(50ms));
    under.service.held = false;
    const auto answer = busy.read();
    EXPECT_EQ(answer.body, "abc");
    EXPECT_EQ(answer["Connection"], "close");
    EXPECT_TRUE(soon(10s));
    EXPECT_THROW(under.call(), std::runtime_error);
}

TEST(HttpDeadlines, AnAnswerThatIsBeingReadWhileTheServerDrainsIsTheLast) {
    ServerUnderTest under;
    under.thread.at([&] { under.service.answer.body = std::string(16U << 20, 'x'); });
    Talk talk = under.call();
    talk.send(kGet);
    ASSERT_TRUE(eventually([&] { return under.service.planned == 1; }));
    under.thread.at([&] { under.server.stop_accepting(); });
    EXPECT_TRUE(talk.read().whole);
    EXPECT_EQ(talk.read_to_end(), "");
}

TEST(HttpDeadlines, ClosingCutsWhatIsLeft) {
    ServerUnderTest under;
    under.service.held = true;
    Talk busy = under.call();
    busy.send("POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
    ASSERT_TRUE(eventually([&] { return under.service.began == 1; }));
    under.thread.at([&] {
        under.server.stop_accepting();
        under.server.close();
    });
    EXPECT_EQ(busy.read_to_end(), "");
    under.service.held = false;
    EXPECT_TRUE(under.thread.run(under.server.drain(under.thread.loop().now() + 5s)));
    EXPECT_EQ(under.service.served, 1);
}

TEST(HttpServer, SeveralLoopsListenOnOnePort) {
    ServerUnderTest first;
    LoopThread thread;
    Upstreams upstreams(thread.loop());
    StubService service(thread.loop());
    Server second(thread.loop(), service, upstreams);
    EXPECT_EQ(thread.at([&] { return second.listen("127.0.0.1", first.port).value(); }),
              first.port);
    for (int i = 0; i < 200 && (first.service.planned == 0 || service.planned == 0); ++i) {
        Talk talk = first.call();
        talk.send(kGet);
        EXPECT_EQ(talk.read().body, "hello");
    }
    EXPECT_GT(first.service.planned, 0);
    EXPECT_GT(service.planned, 0);
    thread.stop();
}

TEST(HttpServer, SaysWhatItCannotListenOn) {
    ServerUnderTest under;
    EXPECT_EQ(under.thread.at([&] { return under.server.listen("nowhere", 0).error().code; }),
              Code::config_invalid);
    EXPECT_EQ(under.thread.at([&] { return under.server.listen("192.0.2.1", 0).error().code; }),
              Code::unavailable);
}

}  // namespace
}  // namespace pawl::http
