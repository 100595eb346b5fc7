// SPDX-License-Identifier: Apache-2.0
// Unprotected requests through the relay: what reaches the upstream, what comes back, and what a broken
// upstream looks like to the client.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "http_under_test.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
// Freed memory is not held back for long, so that resident memory still tells something.
extern "C" const char* __asan_default_options() { return "quarantine_size_mb=1"; }
#endif
#endif

namespace pawl::http {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const std::string kGet = "GET /relay/x?y=%2F HTTP/1.1\r\nHost: shop\r\n\r\n";
const std::string kChunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";

// Answers every request on a connection alike.
ScriptedUpstream::Script always(std::string answer) {
    return [answer](Talk& talk) {
        while (talk.read().whole) talk.send(answer);
    };
}

TEST(HttpRelay, PassesEveryLineInOrderAndTakesOutOnlyHopByHop) {  // field case 21
    Seen seen;
    ScriptedUpstream upstream([&seen](Talk& talk) {
        seen.add(talk.read());
        talk.send(answer_of(
            "abc",
            "Set-Cookie: a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT\r\nset-cookie: b=2\r\n"
            "Link: </1>\r\nLink: </2>\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\n"
            "Content-Disposition: attachment; filename=\"a, b\"\r\nDate: then\r\n"));
        talk.read();
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send(
        "GET /relay/x?y=%2F HTTP/1.1\r\nHost: shop\r\nX-A: 1\r\nx-a: 2\r\nConnection: "
        "x-mine\r\nX-Mine: 1\r\n"
        "TE: trailers\r\nIdempotency-Key: k\r\nX-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Proto: "
        "https\r\n\r\n");
    const auto answer = talk.read();
    EXPECT_EQ(answer.head,
              "HTTP/1.1 200 OK\r\nSet-Cookie: a=1; Expires=Sun, 06 Nov 1994 08:49:37 "
              "GMT\r\nset-cookie: b=2\r\n"
              "Link: </1>\r\nLink: </2>\r\nContent-Disposition: attachment; filename=\"a, "
              "b\"\r\nDate: then\r\n"
              "Content-Length: 3\r\n");
    EXPECT_EQ(answer.body, "abc");
    EXPECT_EQ(
        seen.last().head,
        "GET /relay/x?y=%2F HTTP/1.1\r\nHost: shop\r\nX-A: 1\r\nx-a: 2\r\nIdempotency-Key: k\r\n"
        "X-Forwarded-For: 10.0.0.1, 127.0.0.1\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Host: "
        "shop\r\n");
    EXPECT_TRUE(eventually([&] { return under.service.relays == 1; }));
    EXPECT_EQ(under.service.last_relayed, 200);
}

TEST(HttpRelay, KeepsBothConnections) {
    ScriptedUpstream upstream(always(kChunked));
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    for (int i = 0; i < 5; ++i) {
        talk.send(kGet);
        const auto answer = talk.read();
        EXPECT_EQ(answer.body, "abcde");
        EXPECT_EQ(answer["Transfer-Encoding"], "chunked");
    }
    EXPECT_EQ(upstream.connections(), 1);
}

// The head of a request as a script sees it; the body has not come yet.
std::string read_head(Talk& talk) {
    std::string head;
    while (!head.ends_with("\r\n\r\n")) head += talk.read_bytes(1);
    return head;
}

TEST(HttpRelay, AfterAnAnswerThatOvertookAShortRequestTheNextRequestIsAnswered) {
    ScriptedUpstream upstream([](Talk& talk) {
        read_head(talk);
        talk.send(answer_of("no"));
        talk.read_to_end();
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    for (int i = 0; i < 3; ++i) {
        talk.send("POST /relay HTTP/1.1\r\nHost: shop\r\nContent-Length: 25\r\n\r\n01234");
        const auto answer = talk.read();
        EXPECT_EQ(answer.body, "no");
        EXPECT_EQ(answer["Connection"], "");
        talk.send("56789POST /nothing /");
        talk.send("GET /answer HTTP/1.1\r\nHost: shop\r\n\r\n");
        EXPECT_EQ(talk.read().body, "hello");
    }
}

TEST(HttpRelay, AnAnswerThatOvertakesALongRequestSaysThatTheConnectionEnds) {
    ScriptedUpstream upstream([](Talk& talk) {
        read_head(talk);
        talk.send(answer_of("no"));
        talk.read_to_end();
    });
    ServerUnderTest under({}, upstream.port());
    for (const std::string_view framing : {"Content-Length: 65537", "Transfer-Encoding: chunked"}) {
        Talk talk = under.call();
        talk.send("POST /relay HTTP/1.1\r\nHost: shop\r\n" + std::string(framing) + "\r\n\r\n");
        const auto answer = talk.read();
        EXPECT_EQ(answer.body, "no");
        EXPECT_EQ(answer["Connection"], "close");
        talk.end_sending();
        EXPECT_EQ(talk.read_to_end(), "");
        EXPECT_FALSE(talk.was_reset());
    }
}

TEST(HttpRelay, RequestBodiesOfEveryFramingGoUpUnchanged) {  // field case X12
    Seen seen;
    ScriptedUpstream upstream([&seen](Talk& talk) {
        for (auto request = talk.read(); !request.head.empty(); request = talk.read()) {
            seen.add(request);
            talk.send(answer_of("ok"));
        }
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    const std::string binary("\x00\xff\r\n\r\n", 6);
    talk.send("POST /relay HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n" + binary);
    EXPECT_EQ(talk.read().body, "ok");
    talk.send("POST /relay HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(talk.read().body, "ok");
    talk.send("POST /relay HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n" +
              binary + "\r\n0\r\nX-Sum: 1\r\nContent-Length: 9\r\n");
    std::this_thread::sleep_for(50ms);
    talk.send("\r\n");
    EXPECT_EQ(talk.read().status(), 400);  // a trailer that speaks about framing
    Talk other = under.call();
    other.send("POST /relay HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n" +
               binary);
    std::this_thread::sleep_for(50ms);
    other.send("\r\n0\r\nX-Sum: 1\r\n\r\n");
    EXPECT_EQ(other.read().body, "ok");
    const auto all = seen.all();
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].body, binary);
    EXPECT_EQ(all[0]["Content-Length"], "6");
    EXPECT_EQ(all[1]["Content-Length"], "0");
    // The request that was cut never looked whole to the upstream.
    const auto whole =
        std::ranges::count_if(all, [](const auto& request) { return request.whole; });
    EXPECT_EQ(whole, 3);
    EXPECT_EQ(all.back().body, binary);
    EXPECT_EQ(all.back().trailers, "X-Sum: 1\r\n");
}

TEST(HttpRelay, TrailersComeDown) {
    ScriptedUpstream upstream(always(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n"));
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send(kGet + kGet);
    EXPECT_EQ(talk.read().trailers, "X-Sum: 7\r\n");
    EXPECT_EQ(talk.read().body, "abc");
}

TEST(HttpRelay, AnAnswerThatEndsWithItsConnectionIsChunkedForTheClient) {
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read();
        talk.send("HTTP/1.1 200 OK\r\n\r\nabc");
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    for (int i = 0; i < 2; ++i) {
        talk.send(kGet);
        const auto answer = talk.read();
        EXPECT_EQ(answer["Transfer-Encoding"], "chunked");
        EXPECT_EQ(answer.body, "abc");
        EXPECT_TRUE(answer.whole);
    }
    EXPECT_EQ(upstream.connections(), 2);
}

TEST(HttpRelay, AnOldClientGetsChunkedAnswersPlain) {
    ScriptedUpstream upstream(always(kChunked));
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send("GET /relay HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const auto answer = talk.read();
    EXPECT_EQ(answer["Transfer-Encoding"], "");
    EXPECT_EQ(answer["Connection"], "close");
    EXPECT_EQ(answer.body, "abcde");
}

TEST(HttpRelay, HeadAndBodilessAnswersKeepBothConnectionsInStep) {
    ScriptedUpstream upstream([](Talk& talk) {
        for (const std::string_view answer :
             {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n",
              "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\n"}) {
            talk.read();
            talk.send(answer);
        }
        always(answer_of("last"))(talk);
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send("HEAD /relay HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(talk.read(true)["Content-Length"], "5");
    talk.send(kGet);
    EXPECT_EQ(talk.read().status(), 204);
    talk.send(kGet);
    EXPECT_EQ(talk.read()["ETag"], "\"a\"");
    talk.send(kGet);
    EXPECT_EQ(talk.read().body, "last");
    EXPECT_EQ(upstream.connections(), 1);
}

TEST(HttpRelay, TheUpstreamsOwnErrorComesUnchanged) {  // field case X15
    ScriptedUpstream upstream(
        always("HTTP/1.1 500 Broken Inside\r\nContent-Length: 4\r\nX-E: 1\r\n\r\noops"));
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send("POST /relay HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
    const auto answer = talk.read();
    EXPECT_THAT(answer.head, HasSubstr("HTTP/1.1 500 Broken Inside\r\n"));
    EXPECT_EQ(answer["X-E"], "1");
    EXPECT_EQ(answer.body, "oops");
}

TEST(HttpRelay, AnUnreachableUpstreamIs503AndTheConnectionStays) {
    ServerUnderTest under({}, refused_port());
    Talk talk = under.call();
    for (int i = 0; i < 2; ++i) {
        talk.send("POST /relay HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
        const auto answer = talk.read();
        EXPECT_EQ(answer.status(), 503);
        EXPECT_THAT(answer.body, HasSubstr("\"code\":\"unavailable\""));
    }
    EXPECT_EQ(under.service.last_relayed, 503);
}

TEST(HttpRelay, AnAnswerCutAtAnyByteIsNeverCompleted) {
    for (const std::string& answer : {answer_of("abcdef"), kChunked}) {
        for (std::size_t cut = 0; cut < answer.size(); ++cut) {
            for (const bool reset : {false, true}) {
                ScriptedUpstream upstream([&](Talk& talk) {
                    talk.read();
                    talk.send(std::string_view(answer).substr(0, cut));
                    if (reset) std::this_thread::sleep_for(1ms);
                    if (reset) talk.reset();
                });
                ServerUnderTest under({}, upstream.port());
                Talk talk = under.call();
                talk.send(kGet);
                const auto got = talk.read();
                if (got.status() == 502) continue;
                EXPECT_FALSE(got.whole) << cut << got.head << got.body;
            }
        }
    }
}

TEST(HttpRelay, ACutAnswerIsAResetForAClientThatReadsToTheEnd) {
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read();
        talk.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send("GET /relay HTTP/1.0\r\n\r\n");
    talk.read_to_end();
    EXPECT_TRUE(talk.was_reset());
}

TEST(HttpRelay, ARequestThatMayHaveBeenReadIsNotRepeated) {  // field case 25
    std::atomic<int> read = 0;
    ScriptedUpstream upstream([&read](Talk& talk) {
        if (talk.read().whole) ++read;
        talk.send(answer_of("first"));
        if (talk.read().whole) ++read;
        talk.reset();
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send("POST /relay HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
    EXPECT_EQ(talk.read().body, "first");
    talk.send("POST /relay HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
    const auto answer = talk.read();
    EXPECT_EQ(answer.status(), 502);
    EXPECT_THAT(answer.body, HasSubstr("\"code\":\"unknown\""));
    EXPECT_EQ(read, 2);
    EXPECT_EQ(upstream.connections(), 1);
}

TEST(HttpRelay, AnIdleConnectionThatDiedIsReplacedBeforeUse) {
    std::atomic<int> closed = 0;
    ScriptedUpstream upstream([&closed](Talk& talk) {
        talk.read();
        talk.send(answer_of("once"));
        talk.close();
        ++closed;
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    for (int i = 1; i <= 3; ++i) {
        talk.send("POST /relay HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
        EXPECT_EQ(talk.read().body, "once");
        ASSERT_TRUE(eventually([&] { return closed == i; }));
    }
    EXPECT_EQ(upstream.connections(), 3);
}

TEST(HttpRelay, NoAnswerInTimeIs504) {
    ServerLimits limits;
    limits.relay_timeout = 100ms;
    ScriptedUpstream upstream([](Talk& talk) { talk.read_to_end(); });
    ServerUnderTest under(limits, upstream.port());
    Talk talk = under.call();
    talk.send(kGet);
    EXPECT_EQ(talk.read().status(), 504);
}

TEST(HttpRelay, GarbageAndUpgradesThatNobodyAskedForAre502) {
    for (const std::string_view answer :
         {"garbage\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"}) {
        ScriptedUpstream upstream(always(std::string(answer)));
        ServerUnderTest under({}, upstream.port());
        Talk talk = under.call();
        talk.send(kGet);
        EXPECT_EQ(talk.read().status(), 502) << answer;
        talk.send(
            "GET /relay HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c, "
            "WebSocket\r\n\r\n");
        EXPECT_EQ(talk.read().status(), 502) << "another protocol than was asked for";
    }
}

TEST(HttpRelay, InterimAnswersAreSkipped) {
    ScriptedUpstream upstream(
        always("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" +
               answer_of("final")));
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send(kGet + kGet);
    EXPECT_EQ(talk.read().body, "final");
    EXPECT_EQ(talk.read().body, "final");
}

TEST(HttpRelay, ExpectContinueIsAnsweredHere) {
    Seen seen;
    ScriptedUpstream upstream([&seen](Talk& talk) {
        seen.add(talk.read());
        talk.send(answer_of("ok"));
        talk.read();
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send(
        "POST /relay HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    EXPECT_EQ(talk.read().status(), 100);
    talk.send("abc");
    EXPECT_EQ(talk.read().body, "ok");
    EXPECT_EQ(seen.last()["Expect"], "");
    EXPECT_EQ(seen.last().body, "abc");
}

TEST(HttpRelay, AnAnswerBeforeTheWholeRequestEndsTheConnection) {
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read_bytes(100);
        talk.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
        talk.end_sending();
        talk.read_to_end();
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    talk.send("POST /relay HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" +
              std::string(1000, 'x'));
    const auto answer = talk.read();
    EXPECT_EQ(answer.status(), 413);
    EXPECT_EQ(answer.body, "big");
    EXPECT_EQ(talk.read_to_end(), "");
}

TEST(HttpRelay, AClientThatLeavesMidBodyCutsTheUpstream) {
    Seen seen;
    ScriptedUpstream upstream([&](Talk& talk) { seen.add(talk.read()); });
    ServerUnderTest under({}, upstream.port());
    {
        Talk talk = under.call();
        talk.send(
            "POST /relay HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
        std::this_thread::sleep_for(50ms);
    }
    EXPECT_TRUE(eventually([&] { return !seen.all().empty(); }));
    EXPECT_FALSE(seen.last().whole);
}

// Resident memory of this process in bytes.
std::size_t resident() {
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0;
    std::size_t pages = 0;
    file >> total >> pages;
    return pages * 4096;
}

// Each side starts to read late, so that whoever relays without bounds holds everything by then.
TEST(HttpRelay, SixtyFourMebibytesPassBothWaysInConstantMemory) {
    constexpr std::size_t kPortion = 64U << 10;
    constexpr std::size_t kPortions = 1024;
    constexpr std::size_t kGrowthMax = 32U << 20;
    const std::string portion(kPortion, 'x');
    const std::string length =
        "Content-Length: " + std::to_string(kPortion * kPortions) + "\r\n\r\n";
    const auto read_portions = [](Talk& talk) {
        std::size_t got = 0;
        for (std::size_t size = 1; size > 0 && got < kPortion * kPortions; got += size) {
            const std::string bytes = talk.read_bytes(kPortion);
            size = bytes.find_first_not_of('x') == std::string::npos ? bytes.size() : 0;
        }
        return got;
    };
    std::atomic<std::size_t> held_up = 0;
    ScriptedUpstream upstream([&](Talk& talk) {
        std::string asked;
        while (!asked.ends_with("\r\n\r\n")) asked += talk.read_bytes(1);
        std::this_thread::sleep_for(300ms);
        held_up = resident();
        if (read_portions(talk) < kPortion * kPortions) return;
        talk.send("HTTP/1.1 200 OK\r\n" + length);
        for (std::size_t i = 0; i < kPortions; ++i) talk.send(portion);
        talk.read_to_end();
    });
    ServerUnderTest under({}, upstream.port());
    Talk talk = under.call();
    const std::size_t before = resident();
    talk.send("POST /relay HTTP/1.1\r\nHost: a\r\n" + length);
    for (std::size_t i = 0; i < kPortions; ++i) ASSERT_TRUE(talk.send(portion));
    EXPECT_LT(held_up, before + kGrowthMax);
    std::string head;
    while (!head.ends_with("\r\n\r\n")) head += talk.read_bytes(1);
    EXPECT_THAT(head, HasSubstr("200 OK"));
    std::this_thread::sleep_for(300ms);
    EXPECT_LT(resident(), before + kGrowthMax);
    EXPECT_EQ(read_portions(talk), kPortion * kPortions);
}

}  // namespace
}  // namespace pawl::http
