// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/http/limits.hpp"
#include "net/http/reader.hpp"

namespace pawl::http {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using Event = MessageReader::Event;
using Side = MessageReader::Side;

struct Outcome {
    Event event = Event::more;  // end, broken, or more
    std::string body;
    std::size_t taken = 0;
    bool head = false;
};

// Feeds `bytes` in portions, as a connection would.
Outcome read_in(MessageReader& reader, std::string_view bytes, std::size_t portion) {
    Outcome outcome;
    std::size_t received = 0;
    for (;;) {
        const std::string_view waiting = bytes.substr(outcome.taken, received - outcome.taken);
        const auto step = reader.next(waiting);
        outcome.taken += step.taken;
        outcome.event = step.event;
        if (step.event == Event::head) outcome.head = true;
        if (step.event == Event::piece)
            outcome.body += waiting.substr(step.piece_offset, step.piece_size);
        if (step.event == Event::end || step.event == Event::broken) return outcome;
        if (step.event != Event::more) continue;
        if (received == bytes.size()) return outcome;
        received = std::min(bytes.size(), received + portion);
    }
}

Outcome read_all(MessageReader& reader, std::string_view bytes) {
    return read_in(reader, bytes, bytes.size());
}

MessageReader request_reader() { return {Side::request, kHeadBytesMax}; }
MessageReader response_reader(bool to_head = false) {
    MessageReader reader{Side::response, kHeadBytesMax};
    reader.restart(to_head);
    return reader;
}

struct Sample {
    const char* what;
    std::string bytes;
    int status;
};

// Every line is one way to make two readers disagree about where a request ends, or what it asks.
std::vector<Sample> ambiguous_lengths() {
    const std::string h = "Host: a\r\n";
    return {
        {"length and coding",
         "POST / HTTP/1.1\r\n" + h + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
         400},
        {"coding and length",
         "POST / HTTP/1.1\r\n" + h + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
         400},
        {"two lengths",
         "POST / HTTP/1.1\r\n" + h + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400},
        {"two equal lengths",
         "POST / HTTP/1.1\r\n" + h + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400},
        {"a list of lengths", "POST / HTTP/1.1\r\n" + h + "Content-Length: 3, 3\r\n\r\nabc", 400},
        {"a signed length", "POST / HTTP/1.1\r\n" + h + "Content-Length: +3\r\n\r\nabc", 400},
        {"a negative length", "POST / HTTP/1.1\r\n" + h + "Content-Length: -1\r\n\r\n", 400},
        {"an empty length", "POST / HTTP/1.1\r\n" + h + "Content-Length:\r\n\r\n", 400},
        {"a hexadecimal length", "POST / HTTP/1.1\r\n" + h + "Content-Length: 0x3\r\n\r\n", 400},
        {"a length beyond 64 bits",
         "POST / HTTP/1.1\r\n" + h + "Content-Length: 18446744073709551616\r\n\r\n", 400},
        {"another coding", "POST / HTTP/1.1\r\n" + h + "Transfer-Encoding: gzip\r\n\r\n", 501},
        {"chunked not last", "POST / HTTP/1.1\r\n" + h + "Transfer-Encoding: chunked, gzip\r\n\r\n",
         501},
        {"identity",
         "POST / HTTP/1.1\r\n" + h + "Transfer-Encoding: identity\r\nContent-Length: 3\r\n\r\n",
         400},
        {"chunked twice",
         "POST / HTTP/1.1\r\n" + h +
             "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
         400},
        {"a vertical tab before chunked",
         "POST / HTTP/1.1\r\n" + h + "Transfer-Encoding: \vchunked\r\n\r\n", 400},
        {"coding in HTTP/1.0", "POST / HTTP/1.0\r\n" + h + "Transfer-Encoding: chunked\r\n\r\n",
         400},
    };
}

std::vector<Sample> ambiguous_lines() {
    const std::string h = "Host: a\r\n";
    return {
        {"lone line feeds", "GET / HTTP/1.1\nHost: a\n\n", 400},
        {"a lone line feed in a value", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
        {"a lone carriage return", "GET / HTTP/1.1\r\nX: a\rb\r\n" + h + "\r\n", 400},
        {"a line feed ends the head", "GET / HTTP/1.1\r\n" + h + "\nX: a\r\n\r\n", 400},
        {"a folded line", "GET / HTTP/1.1\r\n" + h + "X: a\r\n b\r\n\r\n", 400},
        {"a folded line by tab", "GET / HTTP/1.1\r\n" + h + "X: a\r\n\tb\r\n\r\n", 400},
        {"a blank before the first name", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400},
        {"a blank before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
        {"an empty name", "GET / HTTP/1.1\r\n" + h + ": a\r\n\r\n", 400},
        {"a line without a colon", "GET / HTTP/1.1\r\n" + h + "X\r\n\r\n", 400},
        {"a bracket in a name", "GET / HTTP/1.1\r\n" + h + "X(y): a\r\n\r\n", 400},
        {"a byte above 127 in a name", "GET / HTTP/1.1\r\n" + h + "X\xe4: a\r\n\r\n", 400},
        {"a zero byte in a value",
         "GET / HTTP/1.1\r\n" + h + "X: a" + std::string(1, '\0') + "\r\n\r\n", 400},
    };
}

std::vector<Sample> ambiguous_addresses() {
    const std::string h = "Host: a\r\n";
    return {
        {"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
        {"two Hosts", "GET / HTTP/1.1\r\n" + h + "Host: b\r\n\r\n", 400},
        {"two equal Hosts", "GET / HTTP/1.1\r\n" + h + h + "\r\n", 400},
        {"two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\n" + h + h + "\r\n", 400},
        {"a list of Hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400},
        {"a path in Host", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
        {"a user in Host", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400},
        {"two ports in Host", "GET / HTTP/1.1\r\nHost: a:80:80\r\n\r\n", 400},
        {"colons for a Host", "GET / HTTP/1.1\r\nHost: ::\r\n\r\n", 400},
        {"a port without a host", "GET / HTTP/1.1\r\nHost: :80\r\n\r\n", 400},
        {"letters for a port", "GET / HTTP/1.1\r\nHost: a:http\r\n\r\n", 400},
        {"an open bracket in Host", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", 400},
        {"a bracket within Host", "GET / HTTP/1.1\r\nHost: a[::1]\r\n\r\n", 400},
        {"a name behind brackets", "GET / HTTP/1.1\r\nHost: [::1]a\r\n\r\n", 400},
        {"two ports behind brackets", "GET / HTTP/1.1\r\nHost: [::1]:1:2\r\n\r\n", 400},
        {"empty brackets", "GET / HTTP/1.1\r\nHost: []\r\n\r\n", 400},
        {"two ports in the target", "GET http://a:1:2/ HTTP/1.1\r\n" + h + "\r\n", 400},
        {"no version", "GET /\r\n\r\n", 400},
        {"HTTP/2 in plain text", "PRI * HTTP/2.0\r\n\r\n", 505},
        {"HTTP/1.2", "GET / HTTP/1.2\r\n" + h + "\r\n", 505},
        {"a small version name", "GET / http/1.1\r\n" + h + "\r\n", 400},
        {"two blanks before the target", "GET  / HTTP/1.1\r\n" + h + "\r\n", 400},
        {"a blank in the target", "GET /a b HTTP/1.1\r\n" + h + "\r\n", 400},
        {"a fragment", "GET /a#b HTTP/1.1\r\n" + h + "\r\n", 400},
        {"a target without a slash", "GET a HTTP/1.1\r\n" + h + "\r\n", 400},
        {"a foreign scheme", "GET ftp://a/b HTTP/1.1\r\n" + h + "\r\n", 400},
        {"a tunnel", "CONNECT a:443 HTTP/1.1\r\n" + h + "\r\n", 501},
        {"the first bytes of TLS", "\x16\x03\x01\x02", 400},
        {"nothing that begins a method", " GET / HTTP/1.1\r\n", 400},
        {"two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\n" + h + "\r\n", 400},
    };
}

void expect_all_refused(const std::vector<Sample>& samples) {
    for (const auto& sample : samples) {
        for (const std::size_t portion : {std::size_t{1}, sample.bytes.size()}) {
            MessageReader reader = request_reader();
            const Outcome outcome = read_in(reader, sample.bytes, portion);
            EXPECT_EQ(outcome.event, Event::broken) << sample.what << " by " << portion;
            EXPECT_EQ(reader.flaw().status, sample.status) << sample.what << " by " << portion;
        }
    }
}

TEST(Reader, RefusesLengthsThatTwoReadersCouldReadDifferently) {
    expect_all_refused(ambiguous_lengths());
}
TEST(Reader, RefusesLinesThatTwoReadersCouldReadDifferently) {
    expect_all_refused(ambiguous_lines());
}
TEST(Reader, RefusesHostsAndTargetsThatTwoReadersCouldReadDifferently) {
    expect_all_refused(ambiguous_addresses());
}

TEST(Reader, RefusesMalformedChunks) {
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (const std::string_view body :
         {"x\r\nabc\r\n0\r\n\r\n", "+3\r\nabc\r\n0\r\n\r\n", "-3\r\nabc\r\n0\r\n\r\n",
          "0x3\r\nabc\r\n0\r\n\r\n", " 3\r\nabc\r\n0\r\n\r\n", "\r\nabc\r\n0\r\n\r\n",
          "3\nabc\r\n0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc\n0\r\n\r\n",
          "10000000000000000\r\nabc\r\n0\r\n\r\n", "ffffffffffffffffff\r\nabc\r\n0\r\n\r\n",
          "3 x\r\nabc\r\n0\r\n\r\n", "3;\r\nabc\r\n0\r\n\r\n", "3\rX\nabc\r\n0\r\n\r\n",
          "0\r\nContent-Length: 3\r\n\r\n", "0\r\nTransfer-Encoding: chunked\r\n\r\n"}) {
        for (const std::size_t portion : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
            MessageReader reader = request_reader();
            EXPECT_EQ(read_in(reader, head + std::string(body), portion).event, Event::broken)
                << body << portion;
            EXPECT_EQ(reader.flaw().status, 400);
        }
    }
}

TEST(Reader, BoundsWhatAChunkMaySayBesidesItsBytes) {
    MessageReader reader = request_reader();
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=";
    EXPECT_EQ(read_all(reader, head + std::string(kChunkLineBytesMax - 4, 'y')).event,
              Event::broken);
    reader.restart();
    EXPECT_EQ(read_all(reader, head + std::string(kChunkLineBytesMax - 5, 'y')).event, Event::more);
}

TEST(Reader, ReadsTheSameMessageHoweverItIsCut) {
    const std::string bytes =
        "\r\nPOST /a?b=%2F HTTP/1.1\r\nhost: a:80\r\nX:  one \r\nx: "
        "two\t\r\nEmpty:\r\nTransfer-Encoding: Chunked\r\n\r\n"
        "3;a=\"b\"\r\nabc\r\n00000a ; c\r\n0123456789\r\n0\r\nX-Sum: 7\r\n\r\nGET / HTTP/1.1\r\n";
    for (std::size_t portion = 1; portion <= bytes.size(); ++portion) {
        MessageReader reader = request_reader();
        const Outcome outcome = read_in(reader, bytes, portion);
        ASSERT_EQ(outcome.event, Event::end) << portion;
        EXPECT_EQ(outcome.body, "abc0123456789");
        EXPECT_EQ(bytes.substr(outcome.taken), "GET / HTTP/1.1\r\n");
        EXPECT_EQ(reader.request().method, "POST");
        EXPECT_EQ(reader.request().target, "/a?b=%2F");
        EXPECT_THAT(reader.request().headers,
                    ElementsAre(Pair("host", "a:80"), Pair("X", "one"), Pair("x", "two"),
                                Pair("Empty", ""), Pair("Transfer-Encoding", "Chunked")));
        EXPECT_THAT(reader.trailers(), ElementsAre(Pair("X-Sum", "7")));
        EXPECT_EQ(reader.framing().body, Framing::Body::chunked);
        EXPECT_TRUE(reader.framing().keep_alive);
    }
}

TEST(Reader, AnEmptyChunkedBodyMayComeByteByByte) {
    const std::string bytes =
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    MessageReader reader = request_reader();
    const Outcome outcome = read_in(reader, bytes, 1);
    EXPECT_EQ(outcome.event, Event::end);
    EXPECT_EQ(outcome.taken, bytes.size());
}

TEST(Reader, TheHeadIsBoundedAtTheLimitAndOneBeyond) {
    const std::string start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
    const auto head_of = [&start](std::size_t size) {
        return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
    };
    MessageReader fits = request_reader();
    EXPECT_EQ(read_in(fits, head_of(kHeadBytesMax), 1000).event, Event::end);
    MessageReader longer = request_reader();
    EXPECT_EQ(read_in(longer, head_of(kHeadBytesMax + 1), 1000).event, Event::broken);
    EXPECT_EQ(longer.flaw().status, 431);
    MessageReader endless = request_reader();
    EXPECT_EQ(read_in(endless, std::string(kHeadBytesMax, 'x'), 1000).event, Event::broken);
}

TEST(Reader, BinaryBodiesComeUnchangedAndStopAtTheirLength) {  // field case X12
    const std::string body("\x00\xff\xfe\r\n\r\n\xed\xa0\x80", 10);
    MessageReader reader = request_reader();
    const Outcome outcome = read_in(
        reader, "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n" + body + "rest", 3);
    EXPECT_EQ(outcome.event, Event::end);
    EXPECT_EQ(outcome.body, body);
}

TEST(Reader, AnAbsoluteTargetNamesTheHost) {
    MessageReader reader = request_reader();
    EXPECT_EQ(read_all(reader, "GET HTTP://b:8080/x?y HTTP/1.1\r\nHost: a\r\n\r\n").event,
              Event::end);
    EXPECT_EQ(reader.request().target, "/x?y");
    EXPECT_THAT(reader.request().headers, ElementsAre(Pair("Host", "b:8080")));
    reader.restart();
    EXPECT_EQ(read_all(reader, "GET http://b?y HTTP/1.1\r\nHost: a\r\n\r\n").event, Event::end);
    EXPECT_EQ(reader.request().target, "/?y");
    reader.restart();
    EXPECT_EQ(read_all(reader, "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").event, Event::end);
}

TEST(Reader, AHostHasItsPortOrNone) {
    for (const std::string_view host : {"", "a", "a.example:8080", "a:", "127.0.0.1:1", "[::1]",
                                        "[fe80::1%25eth0]:65535", "a_b"}) {
        MessageReader reader = request_reader();
        EXPECT_EQ(
            read_all(reader, "GET / HTTP/1.1\r\nHost: " + std::string(host) + "\r\n\r\n").event,
            Event::end)
            << host;
    }
}

TEST(Reader, KeepAliveFollowsVersionAndConnection) {
    const auto keeps = [](const char* version, const char* line) {
        MessageReader reader = request_reader();
        EXPECT_EQ(
            read_all(reader, std::string("GET / ") + version + "\r\nHost: a\r\n" + line + "\r\n")
                .event,
            Event::end);
        return reader.framing().keep_alive;
    };
    EXPECT_TRUE(keeps("HTTP/1.1", ""));
    EXPECT_FALSE(keeps("HTTP/1.1", "Connection: x, Close\r\n"));
    EXPECT_FALSE(keeps("HTTP/1.0", ""));
    EXPECT_TRUE(keeps("HTTP/1.0", "Connection: keep-alive\r\n"));
}

TEST(Reader, OnlyHttp11MayExpectContinue) {
    const auto expects = [](const char* version) {
        MessageReader reader = request_reader();
        read_all(reader, std::string("POST / ") + version +
                             "\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n");
        return reader.framing().expects_continue;
    };
    EXPECT_TRUE(expects("HTTP/1.1"));
    EXPECT_FALSE(expects("HTTP/1.0"));
}

TEST(Reader, AnAnswersBodyFollowsStatusMethodAndFraming) {
    MessageReader reader = response_reader();
    EXPECT_EQ(
        read_all(reader, "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nHTTP/1.1 ").event,
        Event::end);
    EXPECT_EQ(reader.framing().body, Framing::Body::none);
    reader.restart();
    EXPECT_EQ(read_all(reader, "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n").event,
              Event::end);
    reader.restart(true);
    EXPECT_EQ(read_all(reader, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n").event, Event::end);
    reader.restart(true);
    EXPECT_EQ(read_all(reader, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").event,
              Event::end);
    reader.restart();
    EXPECT_EQ(read_all(reader, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde").body, "abcde");
    reader.restart();
    EXPECT_EQ(read_all(reader, "HTTP/1.1 100 Continue\r\n\r\n").event, Event::end);
    EXPECT_EQ(reader.response().status, 100);
}

TEST(Reader, AnAnswerWithoutFramingEndsWithTheConnection) {
    MessageReader reader = response_reader();
    const Outcome outcome = read_all(reader, "HTTP/1.0 200 OK\r\n\r\nabc");
    EXPECT_EQ(outcome.event, Event::more);
    EXPECT_EQ(outcome.body, "abc");
    EXPECT_FALSE(reader.framing().keep_alive);
    EXPECT_EQ(reader.finish(), Event::end);
}

TEST(Reader, AnAnswerWithoutFramingMayBeLong) {
    const std::string body(3 * kChunkLineBytesMax, 'x');
    for (const std::size_t portion : {std::size_t{1000}, kChunkLineBytesMax, body.size() * 2}) {
        MessageReader reader = response_reader();
        const Outcome outcome = read_in(reader, "HTTP/1.1 201 Created\r\n\r\n" + body, portion);
        EXPECT_EQ(outcome.event, Event::more) << reader.flaw().text;
        EXPECT_EQ(outcome.body, body);
        EXPECT_EQ(reader.finish(), Event::end);
    }
}

TEST(Reader, AnAnswerCutAnywhereIsNeverWhole) {
    const std::string length = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc";
    const std::string chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    for (const std::string& bytes : {length, chunked}) {
        for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
            MessageReader reader = response_reader();
            const Outcome outcome = read_in(reader, std::string_view(bytes).substr(0, cut), 7);
            EXPECT_NE(outcome.event, Event::end) << cut;
            EXPECT_EQ(reader.finish(), Event::broken) << cut;
        }
    }
}

TEST(Reader, AnswersThatCannotBeFramedAreBroken) {
    for (const std::string_view bytes :
         {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
          "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
          "HTTP/1.1 000 OK\r\n\r\n", "HTTP/3.0 200 OK\r\n\r\n", "garbage\r\n\r\n",
          "HTTP/1.1 200 OK\nX: y\n\n",
          "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"}) {
        MessageReader reader = response_reader();
        EXPECT_EQ(read_all(reader, bytes).event, Event::broken) << bytes;
    }
}

TEST(Reader, MendsAnswersThatAreOnlyOldFashioned) {
    MessageReader reader = response_reader();
    EXPECT_EQ(read_all(reader, "HTTP/1.1 200\r\nX: a\r\n  b\r\nContent-Length: 0\r\n\r\n").event,
              Event::end);
    EXPECT_EQ(reader.response().status, 200);
    EXPECT_EQ(reader.response().reason, "");
    EXPECT_THAT(reader.response().headers,
                ElementsAre(Pair("X", "a b"), Pair("Content-Length", "0")));
}

TEST(Reader, ManyMessagesComeFromOneConnection) {
    const std::string one = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab";
    const std::string two = "GET /two HTTP/1.1\r\nHost: a\r\n\r\n";
    const std::string bytes = one + two;
    MessageReader reader = request_reader();
    const Outcome first = read_all(reader, bytes);
    EXPECT_EQ(first.taken, one.size());
    reader.restart();
    EXPECT_FALSE(reader.begun());
    const Outcome second = read_all(reader, std::string_view(bytes).substr(first.taken));
    EXPECT_EQ(second.event, Event::end);
    EXPECT_EQ(reader.request().target, "/two");
    EXPECT_THAT(reader.request().headers, ElementsAre(Pair("Host", "a")));
}

}  // namespace
}  // namespace pawl::http
