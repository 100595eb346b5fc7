// SPDX-License-Identifier: Apache-2.0
// What is switched to, and what flows then: bytes at the edges of the two heads, an end on either side, a reader
// that is slow. Whole conversations, by a library that is not ours, are in websocket_test.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http_under_test.hpp"

namespace pawl::http {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

const std::string kAsk =
    "GET /relay HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c, "
    "WebSocket\r\nSec-WebSocket-Key: k\r\n\r\n";
const std::string kSwitch =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: a\r\n\r\n";

TEST(HttpTunnel, BytesThatComeWithTheHeadsAreHandedOnToo) {
    Seen seen;
    ScriptedUpstream upstream([&seen](Talk& talk) {
        seen.add(talk.read());
        talk.send(kSwitch + "welcome");
        talk.send("got " + talk.read_bytes(5));
        talk.read_to_end();
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send(kAsk + "early");
    const auto head = talk.read(true);
    EXPECT_EQ(head.head,
              "HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: a\r\nConnection: "
              "Upgrade\r\nUpgrade: websocket\r\n");
    EXPECT_EQ(talk.read_bytes(16), "welcomegot early");
    EXPECT_EQ(seen.last()["Upgrade"], "websocket");
    EXPECT_EQ(seen.last()["Connection"], "Upgrade");
    EXPECT_EQ(seen.last()["Sec-WebSocket-Key"], "k");
    EXPECT_EQ(under.service.last_relayed, 101);
}

TEST(HttpTunnel, WhatIsNoPlainWebSocketRequestGoesOnWithoutTheUpgrade) {
    Seen seen;
    ScriptedUpstream upstream([&seen](Talk& talk) {
        for (auto request = talk.read(); !request.head.empty(); request = talk.read()) {
            seen.add(request);
            talk.send(answer_of("plain"));
        }
    });
    ServerUnderTest under({}, upstream.port());
    for (const std::string_view start :
         {"GET /relay HTTP/1.0\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n",
          "GET /relay HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n",
          "GET /relay HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n",
          "POST /relay HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"}) {
        Talk talk = under.call();
        talk.send(std::string(start) + "Content-Length: 0\r\n\r\n");
        EXPECT_EQ(talk.read().body, "plain") << start;
        EXPECT_THAT(seen.last().head, Not(HasSubstr("pgrade"))) << start;
    }
}

TEST(HttpTunnel, WhatWasOnItsWayWhenTheClientEndedStillArrives) {
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read();
        talk.send(kSwitch);
        const std::string all = talk.read_to_end();
        talk.send("last words to " + all);
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send(kAsk);
    talk.read(true);
    talk.send("ada");
    talk.end_sending();
    EXPECT_EQ(talk.read_to_end(), "last words to ada");
    EXPECT_FALSE(talk.was_reset());
}

TEST(HttpTunnel, AnUpstreamThatEndsEndsTheClientInOrder) {
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read();
        talk.send(kSwitch + std::string(1U << 20, 'x'));
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send(kAsk);
    talk.read(true);
    EXPECT_EQ(talk.read_to_end().size(), 1U << 20);
    EXPECT_FALSE(talk.was_reset());
    EXPECT_TRUE(eventually(
        [&] { return under.thread.at([&] { return under.server.connections(); }) == 0; }));
}

TEST(HttpTunnel, ASlowReaderSlowsTheOtherSideDown) {
    constexpr std::size_t kBytes = 64U << 20;
    std::atomic<bool> all_sent = false;
    ScriptedUpstream upstream([&](Talk& talk) {
        talk.read();
        talk.send(kSwitch + std::string(kBytes, 'x'));
        all_sent = true;
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send(kAsk);
    talk.read(true);
    std::this_thread::sleep_for(300ms);
    EXPECT_FALSE(all_sent) << "64 MiB lie in somebody's memory";
    EXPECT_EQ(talk.read_to_end().size(), kBytes);
}

TEST(HttpTunnel, SilenceOnBothSidesEndsIt) {
    ServerLimits limits;
    limits.tunnel_idle = 200ms;
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read();
        talk.send(kSwitch);
        talk.read_to_end();
    });
    ServerUnderTest under(limits, upstream.port());
    Talk talk = under.call();
    talk.send(kAsk);
    talk.read(true);
    const auto began = std::chrono::steady_clock::now();
    talk.read_to_end();
    EXPECT_GE(std::chrono::steady_clock::now() - began, 150ms);
}

TEST(HttpTunnel, TheServersEndIsTheTunnels) {
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read();
        talk.send(kSwitch);
        talk.read_to_end();
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send(kAsk);
    talk.read(true);
    under.thread.at([&] { under.server.stop_accepting(); });
    EXPECT_EQ(talk.read_to_end(), "");
    EXPECT_FALSE(talk.was_reset());
}

}  // namespace
}  // namespace pawl::http
