// SPDX-License-Identifier: Apache-2.0
// The server over loopback: framing of both sides, bodies, deadlines, and how connections end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http_under_test.hpp"

namespace pawl::http {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kGet = "GET /answer HTTP/1.1\r\nHost: a\r\n\r\n";

std::string post(std::string_view path, std::string_view body, std::string_view lines = "") {
    return "POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n" + std::string(lines) +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
}

TEST(HttpServer, AnswersWithDateAndLengthAndKeepsTheConnection) {
    ServerUnderTest under;
    Talk talk = under.call();
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(talk.send(kGet));
        const auto answer = talk.read();
        EXPECT_EQ(answer.status(), 200);
        EXPECT_EQ(answer.body, "hello");
        EXPECT_EQ(answer["Content-Length"], "5");
        EXPECT_THAT(answer["Date"], EndsWith(" GMT"));
        EXPECT_EQ(answer["Connection"], "");
    }
    EXPECT_EQ(under.service.last_peer.address, "127.0.0.1");
    EXPECT_FALSE(under.service.last_peer.tls);
}

TEST(HttpServer, PipelinedRequestsAreAnsweredInOrder) {
    ServerUnderTest under;
    Talk talk = under.call();
    talk.send(post("/whole", "one") + kGet + post("/whole", "two") +
              "HEAD /answer HTTP/1.1\r\nHost: a\r\n\r\n" + post("/whole", "three"));
    EXPECT_EQ(talk.read().body, "one");
    EXPECT_EQ(talk.read().body, "hello");
    EXPECT_EQ(talk.read().body, "two");
    EXPECT_EQ(talk.read(true)["Content-Length"], "5");
    EXPECT_EQ(talk.read().body, "three");
}

TEST(HttpServer, ARequestMayComeByteByByte) {
    ServerUnderTest under;
    Talk talk = under.call();
    const std::string bytes =
        "POST /whole HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: "
        "y\r\n\r\n";
    for (const char& byte : bytes) ASSERT_TRUE(talk.send({&byte, 1}));
    EXPECT_EQ(talk.read().body, "abc");
    talk.send(kGet);
    EXPECT_EQ(talk.read().body, "hello");
}

TEST(HttpServer, EmptyAndBinaryBodiesComeUnchanged) {  // field case X12
    ServerUnderTest under;
    Talk talk = under.call();
    const std::string binary("%PDF\x00\xff\xfe\r\n\r\n\xed\xa0\x80", 13);
    for (const std::string& body : {std::string(), binary, std::string("0"), std::string("null")}) {
        talk.send(post("/whole", body));
        const auto answer = talk.read();
        EXPECT_EQ(answer.body, body);
        EXPECT_TRUE(answer.whole);
    }
}

TEST(HttpServer, AMalformedRequestIsRefusedOnceAndTheConnectionEnds) {
    ServerUnderTest under;
    for (const std::string_view bytes :
         {"POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: "
          "chunked\r\n\r\n0\r\n\r\nGET /answer",
          "POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
          "GET /answer HTTP/1.1\nHost: a\n\n",
          "GET /answer HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", "GET /answer HTTP/1.1\r\n\r\n",
          "GET /answer HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
          "GET /answer HTTP/1.1\r\nHost: a\r\nX Y: 1\r\n\r\n",
          "POST /whole HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
          "chunked\r\n\r\nffffffffffffffffff\r\nabc"}) {
        Talk talk = under.call();
        ASSERT_TRUE(talk.send(bytes));
        const auto answer = talk.read();
        EXPECT_EQ(answer.status(), 400) << bytes;
        EXPECT_EQ(answer["Connection"], "close");
        EXPECT_EQ(answer["Content-Type"], "application/problem+json");
        EXPECT_THAT(answer.body, HasSubstr("\"code\":\"request_invalid\""));
        EXPECT_EQ(talk.read_to_end(), "");
    }
    EXPECT_EQ(under.service.served, 0);
}

TEST(HttpServer, ExpectContinueIsAnsweredBeforeTheBody) {
    ServerUnderTest under;
    Talk talk = under.call();
    talk.send(
        "POST /whole HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    EXPECT_EQ(talk.read().status(), 100);
    talk.send("abc");
    EXPECT_EQ(talk.read().body, "abc");
    talk.send(post("/whole", "sent unasked", "Expect: 100-continue\r\n"));
    EXPECT_EQ(talk.read().body, "sent unasked");
}

TEST(HttpServer, ABodyThatIsExpectedToBeRefusedIsNotAskedFor) {
    ServerUnderTest under;
    Talk talk = under.call();
    talk.send(
        "POST /whole HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1001\r\n\r\n");
    const auto answer = talk.read();
    EXPECT_EQ(answer.status(), 413);
    EXPECT_EQ(answer["Connection"], "close");
}

TEST(HttpServer, BodiesAreBoundedAtTheLimitAndOneBeyond) {  // field case X14
    ServerUnderTest under;
    const auto chunked = [](std::size_t size) {
        return "POST /whole HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n" +
               (size > 1 ? fmt::format("{:x}\r\n{}\r\n", size - 1, std::string(size - 1, 'x'))
                         : "") +
               "0\r\n\r\n";
    };
    Talk fits = under.call();
    fits.send(post("/whole", std::string(1000, 'x')));
    EXPECT_EQ(fits.read().body.size(), 1000U);
    fits.send(chunked(1000));
    EXPECT_EQ(fits.read().body.size(), 1000U);
    for (const std::string& bytes : {post("/whole", std::string(1001, 'x')), chunked(1001)}) {
        Talk longer = under.call();
        longer.send(bytes);
        const auto answer = longer.read();
        EXPECT_EQ(answer.status(), 413);
        EXPECT_THAT(answer.body, HasSubstr("body_too_large"));
    }
    EXPECT_EQ(under.service.served, 2);
}

TEST(HttpServer, ARefusalOfAHugeBodyReachesAClientThatStillSends) {
    ServerUnderTest under;
    Talk talk = under.call();
    bool sent = false;
    std::thread sender([&] {
        talk.send("POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n");
        sent = talk.send(std::string(900000, 'x'));
    });
    const auto answer = talk.read();
    sender.join();
    EXPECT_TRUE(sent);  // a reset would have stopped it
    EXPECT_EQ(answer.status(), 413);
    EXPECT_TRUE(answer.whole);
    EXPECT_EQ(talk.read_to_end(), "");
    EXPECT_FALSE(talk.was_reset());
}

TEST(HttpServer, AnUnreadShortBodyIsSkippedAndALongOneEndsTheConnection) {
    ServerUnderTest under;
    Talk talk = under.call();
    talk.send(post("/answer", std::string(1000, 'x')) + kGet);
    EXPECT_EQ(talk.read().body, "hello");
    EXPECT_EQ(talk.read().body, "hello");
    talk.send(post("/answer", std::string(kDrainedBodyMax, 'x')) + kGet);
    EXPECT_EQ(talk.read()["Connection"], "");
    EXPECT_EQ(talk.read().body, "hello");
    talk.send(post("/answer", std::string(kDrainedBodyMax + 1, 'x')) + kGet);
    const auto last = talk.read();
    EXPECT_EQ(last.body, "hello");
    EXPECT_EQ(last["Connection"], "close");
    EXPECT_EQ(talk.read_to_end(), "");
}

TEST(HttpServer, OldClientsGetWhatTheyUnderstand) {
    ServerUnderTest under;
    Talk closing = under.call();
    closing.send("GET /answer HTTP/1.0\r\n\r\n");
    const std::string all = closing.read_to_end();
    EXPECT_THAT(all, HasSubstr("Connection: close\r\n"));
    EXPECT_THAT(all, EndsWith("\r\n\r\nhello"));
    Talk keeping = under.call();
    for (int i = 0; i < 2; ++i) {
        keeping.send("GET /answer HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        EXPECT_EQ(keeping.read()["Connection"], "keep-alive");
    }
}

TEST(HttpServer, ClosesWhenClientOrServiceAskForIt) {
    ServerUnderTest under;
    Talk talk = under.call();
    talk.send("GET /answer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(talk.read()["Connection"], "close");
    EXPECT_EQ(talk.read_to_end(), "");
    under.thread.at([&] { under.service.answer.close = true; });
    Talk other = under.call();
    other.send(kGet + kGet);
    EXPECT_EQ(other.read()["Connection"], "close");
    EXPECT_EQ(other.read_to_end(), "");
}

TEST(HttpServer, HeadAndBodilessAnswersKeepTheConnectionInStep) {
    ServerUnderTest under;
    Talk talk = under.call();
    for (const int status : {204, 304}) {
        under.thread.at([&] { under.service.answer = {status, {}, "not sent"}; });
        talk.send(kGet);
        const auto answer = talk.read();
        EXPECT_EQ(answer.status(), status);
        EXPECT_EQ(answer["Content-Length"], "");
    }
    under.thread.at([&] { under.service.answer = {200, {}, "hello"}; });
    talk.send(kGet);
    EXPECT_EQ(talk.read().body, "hello");
}

TEST(HttpServer, LargeAnswersArriveWhole) {
    ServerUnderTest under;
    std::string body(5U << 20, 'x');
    body[1234567] = 'y';
    under.thread.at([&] { under.service.answer.body = body; });
    Talk talk = under.call();
    talk.send(kGet + kGet);
    EXPECT_TRUE(talk.read().body == body);
    EXPECT_TRUE(talk.read().body == body);
}

TEST(HttpServer, AClientThatLeavesDoesNotStopWhatRunsForIt) {  // field case 4
    ServerUnderTest under;
    under.service.held = true;
    {
        Talk talk = under.call();
        talk.send(post("/whole", "x"));
        ASSERT_TRUE(eventually([&] { return under.service.began == 1; }));
        talk.reset();
    }
    under.service.held = false;
    EXPECT_TRUE(eventually([&] { return under.service.served == 1; }));
}

TEST(HttpServer, AnUnfinishedBodyIsNeverServed) {
    ServerUnderTest under;
    for (const std::string_view bytes :
         {"POST /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab",
          "POST /whole HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
          "chunked\r\n\r\n2\r\nab\r\n0\r\n"}) {
        Talk talk = under.call();
        talk.send(bytes);
        talk.end_sending();
        EXPECT_EQ(talk.read_to_end(), "");
    }
    EXPECT_EQ(under.service.began, 0);
}

TEST(HttpServer, AClientThatEndsItsHalfStillGetsItsAnswer) {
    ServerUnderTest under;
    under.service.held = true;
    Talk talk = under.call();
    talk.send(post("/whole", "abc"));
    talk.end_sending();
    under.service.held = false;
    EXPECT_EQ(talk.read().body, "abc");
}

}  // namespace
}  // namespace pawl::http
