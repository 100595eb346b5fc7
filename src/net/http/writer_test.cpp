// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "net/http/writer.hpp"

namespace pawl::http {
namespace {

const std::string kDate = "Date: D\r\n";

std::string written(const Response& response, const AnswerForm& form = {}) {
    std::string out;
    if (append_answer_head(out, response, form, kDate)) out += response.body;
    return out;
}

TEST(Writer, FramesAnAnswerItself) {  // field case 19
    const Response response{200,
                            {{"Content-Length", "999"},
                             {"Transfer-Encoding", "chunked"},
                             {"Connection", "close"},
                             {"Keep-Alive", "timeout=5"},
                             {"Link", "</a>"},
                             {"Link", "</b>"}},
                            "abc"};
    EXPECT_EQ(
        written(response),
        "HTTP/1.1 200 OK\r\nLink: </a>\r\nLink: </b>\r\nDate: D\r\nContent-Length: 3\r\n\r\nabc");
}

TEST(Writer, SaysWhatBecomesOfTheConnection) {
    EXPECT_EQ(written({200, {}, ""}, {.keep_alive = false}),
              "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(written({200, {}, ""}, {.minor_version = 0}),
              "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n");
}

TEST(Writer, AnswersWithoutABodyHaveNone) {
    EXPECT_EQ(written({204, {{"Content-Length", "5"}}, "abc"}),
              "HTTP/1.1 204 No Content\r\nDate: D\r\n\r\n");
    EXPECT_EQ(written({304, {{"Content-Length", "5"}}, ""}),
              "HTTP/1.1 304 Not Modified\r\nDate: D\r\nContent-Length: 5\r\n\r\n");
    EXPECT_EQ(written({200, {}, "abc"}, {.to_head = true}),
              "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 3\r\n\r\n");
    EXPECT_EQ(written({200, {{"content-length", "7"}}, ""}, {.to_head = true}),
              "HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 7\r\n\r\n");
}

TEST(Writer, AnUpstreamsDateIsKept) {
    EXPECT_EQ(written({200, {{"date", "X"}}, ""}),
              "HTTP/1.1 200 OK\r\ndate: X\r\nContent-Length: 0\r\n\r\n");
}

TEST(Writer, NoValueEndsItsLine) {
    EXPECT_EQ(
        written({200, {{"X", "a\r\nSet-Cookie: b"}, {"Y\n", "c"}, {"", "d"}, {"Z", "e"}}, ""}),
        "HTTP/1.1 200 OK\r\nZ: e\r\nDate: D\r\nContent-Length: 0\r\n\r\n");
}

TEST(Writer, DatesAreThoseOfTheProtocol) {
    DateLine line;
    EXPECT_EQ(line.at(wall_time(784'111'777'999)), "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
    EXPECT_EQ(line.at(wall_time(784'111'778'000)), "Date: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
}

TEST(Writer, ChunksCarryTheirSizeInHexadecimal) {
    std::string out;
    append_chunk(out, std::string(26, 'x'));
    EXPECT_EQ(out, "1a\r\n" + std::string(26, 'x') + "\r\n");
}

std::string last_chunk(std::string_view name) {
    std::string out;
    append_last_chunk(out, {{std::string(name), "v"}});
    return out;
}

TEST(Writer, NoTrailerSaysWhatAHeadHasToSay) {
    for (const std::string_view name : {"Host",
                                        "content_length",
                                        "Transfer-Encoding",
                                        "Trailer",
                                        "Connection",
                                        "Expect",
                                        "Range",
                                        "If-Match",
                                        "If-None-Match",
                                        "Cache-Control",
                                        "Authorization",
                                        "authorization",
                                        "Proxy-Authorization",
                                        "Cookie",
                                        "Set-Cookie",
                                        "Set-Cookie2",
                                        "WWW-Authenticate",
                                        "Location",
                                        "Vary",
                                        "Date",
                                        "Content-Type",
                                        "Content-Encoding",
                                        "Content-Range",
                                        "Pawl-Fence",
                                        "pawl_operation_key",
                                        "Pawl-Outcome",
                                        "Idempotency-Key",
                                        "Idempotent-Replayed",
                                        "Access-Control-Allow-Origin",
                                        "access-control-expose-headers",
                                        "Origin",
                                        "Forwarded",
                                        "X-Forwarded-For",
                                        "x_forwarded_proto",
                                        "X-Real-IP"})
        EXPECT_EQ(last_chunk(name), "0\r\n\r\n") << name;
    for (const std::string_view name : {"X-Sum", "Content-Digest", "Repr-Digest", "ETag",
                                        "Server-Timing", "x-amz-checksum-crc32", "If", "X-Pawl"})
        EXPECT_EQ(last_chunk(name), "0\r\n" + std::string(name) + ": v\r\n\r\n") << name;
}

TEST(Writer, UnregisteredStatusesHaveNoPhrase) { EXPECT_EQ(reason_of(299), ""); }

}  // namespace
}  // namespace pawl::http
