// SPDX-License-Identifier: Apache-2.0
// Attempts at an upstream: what is told apart, what is reused, and that nothing is ever sent twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effect/upstream_call.hpp"
#include "http_under_test.hpp"
#include "net/http/writer.hpp"

namespace pawl::effect {
namespace {

using namespace std::chrono_literals;
using http::answer_of;
using http::eventually;
using http::ScriptedUpstream;
using http::Seen;
using http::Talk;
using testing::HasSubstr;
using testing::Pair;

const std::string kChunked =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n";

struct Sent {
    Found found;
    bool ready = false;
};

// The calls of one test, each on the loop's thread.
struct Caller {
    explicit Caller(std::uint16_t port_, http::UpstreamLimits limits = http::patient_limits())
        : upstreams(thread.loop(), limits), port(port_) {}
    ~Caller() { thread.stop(); }

    static Task<Sent> act(Caller& caller, http::Request request, UpstreamRules rules,
                          std::chrono::milliseconds patience) {
        UpstreamCall call(caller.upstreams, {caller.host, caller.port, caller.tls},
                          std::make_shared<const http::Request>(std::move(request)),
                          {"192.0.2.1", false, ""}, rules);
        auto attempt = co_await call.prepare(caller.thread.loop().now() + 5s);
        if (!attempt) co_return Sent{{Kind::not_sent, {}, std::nullopt, attempt.error()}, false};
        Sent sent;
        sent.ready = (*attempt)->ready();
        Dispatch dispatch{record::Fence{7}, "op_x", {}, "", "00-trace"};
        sent.found =
            co_await (*attempt)->run(std::move(dispatch), caller.thread.loop().now() + patience);
        co_return sent;
    }
    Found post(std::string body, UpstreamRules rules = {},
               std::chrono::milliseconds patience = 5s) {
        http::Request request{{"POST", "/pay", 1, {{"Host", "shop"}, {"Idempotency-Key", "k"}}},
                              std::move(body)};
        return thread.run(act(*this, std::move(request), rules, patience)).found;
    }
    Found send(std::string method) {
        return thread.run(act(*this, {{method, "/", 1, {{"Host", "shop"}}}, ""}, {}, 5s)).found;
    }
    std::size_t idle() {
        return thread.at([this] { return upstreams.idle(); });
    }

    http::LoopThread thread;
    http::Upstreams upstreams;
    std::string host = "127.0.0.1";
    std::uint16_t port;
    bool tls = false;
};

ScriptedUpstream::Script once(std::string answer) {
    return [answer](Talk& talk) {
        talk.read();
        talk.send(answer);
    };
}

TEST(UpstreamCall, SendsTheRewrittenHeadAndTheBodysBytes) {
    Seen seen;
    ScriptedUpstream upstream([&seen](Talk& talk) {
        seen.add(talk.read());
        talk.send(answer_of(
            "done", "X-A: 1\r\nx-a: 2\r\nPawl-Outcome: applied\r\nConnection: keep-alive\r\n"));
        talk.read();
    });
    Caller caller(upstream.port());
    const std::string body("\x00\xff\r\n\r\n", 6);
    const Found found = caller.post(body);
    ASSERT_EQ(found.kind, Kind::answered);
    EXPECT_EQ(found.answer.status, 200);
    EXPECT_EQ(found.answer.body, "done");
    EXPECT_TRUE(found.answer.body_kept);
    EXPECT_EQ(found.declared, Declared::applied);
    EXPECT_THAT(found.answer.headers,
                testing::ElementsAre(Pair("X-A", "1"), Pair("x-a", "2"),
                                     Pair("Pawl-Outcome", "applied"), Pair("Content-Length", "4")));
    const Talk::Message request = seen.last();
    EXPECT_EQ(request.body, body);
    EXPECT_EQ(request["Idempotency-Key"], "k");
    EXPECT_EQ(request["Pawl-Fence"], "7");
    EXPECT_EQ(request["Pawl-Operation-Key"], std::string(64, '0'));
    EXPECT_EQ(request["X-Forwarded-For"], "192.0.2.1");
    EXPECT_EQ(request["Accept-Encoding"], "identity");
}

TEST(UpstreamCall, AConnectionIsReusedAfterEveryKindOfWholeAnswer) {  // field case 19
    ScriptedUpstream upstream([](Talk& talk) {
        for (const std::string& answer :
             {answer_of("a"), kChunked, std::string("HTTP/1.1 204 No Content\r\n\r\n"),
              answer_of(""), std::string("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
              "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + answer_of("b")}) {
            talk.read();
            talk.send(answer);
        }
        talk.read();
        talk.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n");  // to HEAD
        talk.read();
        talk.send(answer_of("last"));
        talk.read();
    });
    Caller caller(upstream.port());
    EXPECT_EQ(caller.post("x").answer.body, "a");
    EXPECT_EQ(caller.post("x").answer.body, "abc");
    EXPECT_EQ(caller.post("x").answer.status, 204);
    EXPECT_EQ(caller.post("x").answer.body, "");
    EXPECT_EQ(caller.post("x").answer.status, 304);
    EXPECT_EQ(caller.post("x").answer.body, "b");
    EXPECT_EQ(caller.send("HEAD").answer.body, "");
    EXPECT_EQ(caller.post("x").answer.body, "last");
    EXPECT_EQ(upstream.connections(), 1);
}

TEST(UpstreamCall, AnAnswerThatEndsWithItsConnectionIsWholeUnlessItWasReset) {
    ScriptedUpstream ended(once("HTTP/1.1 200 OK\r\n\r\nabc"));
    Caller caller(ended.port());
    EXPECT_EQ(caller.post("x").answer.body, "abc");
    EXPECT_EQ(caller.idle(), 0U);
    ScriptedUpstream reset([](Talk& talk) {
        talk.read();
        talk.send("HTTP/1.1 200 OK\r\n\r\nabc");
        std::this_thread::sleep_for(50ms);
        talk.reset();
    });
    Caller other(reset.port());
    EXPECT_EQ(other.post("x").kind, Kind::no_answer);
}

TEST(UpstreamCall, AnAnswerCutAtAnyByteIsNoAnswer) {
    for (const std::string& answer : {answer_of("abcdef"), kChunked}) {
        for (std::size_t cut = 0; cut < answer.size(); ++cut) {
            for (const bool reset : {false, true}) {
                ScriptedUpstream upstream([&](Talk& talk) {
                    talk.read();
                    talk.send(std::string_view(answer).substr(0, cut));
                    if (reset) talk.reset();
                });
                Caller caller(upstream.port());
                const Found found = caller.post("x");
                EXPECT_EQ(found.kind, Kind::no_answer) << cut;
                EXPECT_EQ(found.error.code, Code::unknown);
                EXPECT_EQ(upstream.connections(), 1);
            }
        }
    }
}

TEST(UpstreamCall, GarbageIsNoAnswer) {
    for (const std::string& answer :
         {std::string("garbage\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
          std::string("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: "
                      "chunked\r\n\r\n0\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc"),
          std::string("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
          std::string("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n"),
          "HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x')}) {
        ScriptedUpstream upstream([&answer](Talk& talk) {
            talk.read();
            talk.send(answer);
            talk.read_to_end();
        });
        Caller caller(upstream.port());
        EXPECT_EQ(caller.post("x").kind, Kind::no_answer) << answer.substr(0, 60);
        EXPECT_EQ(caller.idle(), 0U);
    }
}

TEST(UpstreamCall, SurplusBytesAfterAnAnswerSpoilTheConnection) {
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read();
        talk.send(answer_of("abc") + answer_of("forged"));
        talk.read_to_end();
    });
    Caller caller(upstream.port());
    EXPECT_EQ(caller.post("x").answer.body, "abc");
    EXPECT_EQ(caller.post("x").answer.body, "abc");
    EXPECT_EQ(upstream.connections(), 2);
}

TEST(UpstreamCall, ARefusedConnectionIsNotSent) {
    Caller caller(http::refused_port());
    const Found found = caller.post("x");
    EXPECT_EQ(found.kind, Kind::not_sent);
    EXPECT_EQ(found.error.code, Code::unavailable);
    caller.host = "no-such-host.invalid";
    EXPECT_EQ(caller.post("x").kind, Kind::not_sent);
}

TEST(UpstreamCall, AReadRequestIsNeverRepeated) {  // field case 25
    Seen seen;
    ScriptedUpstream upstream([&seen](Talk& talk) {
        seen.add(talk.read());
        talk.send(answer_of("first"));
        seen.add(talk.read());
        talk.reset();
    });
    Caller caller(upstream.port());
    EXPECT_EQ(caller.post("one").answer.body, "first");
    EXPECT_EQ(caller.post("two").kind, Kind::no_answer);
    EXPECT_EQ(seen.all().size(), 2U);
    EXPECT_EQ(upstream.connections(), 1);
}

TEST(UpstreamCall, NoAnswerInTimeIsNoAnswerAndTheConnectionIsDropped) {
    ScriptedUpstream upstream([](Talk& talk) { talk.read_to_end(); });
    Caller caller(upstream.port());
    const Found found = caller.post("x", {}, 100ms);
    EXPECT_EQ(found.kind, Kind::no_answer);
    EXPECT_EQ(found.error.code, Code::unknown);
    EXPECT_EQ(caller.idle(), 0U);
}

TEST(UpstreamCall, AnUpstreamThatDoesNotReadALargeBodyDoesNotHoldTheCallForever) {
    ScriptedUpstream upstream([](Talk& talk) {
        std::this_thread::sleep_for(300ms);
        talk.close();
    });
    Caller caller(upstream.port());
    EXPECT_EQ(caller.post(std::string(32U << 20, 'x'), {}, 100ms).kind, Kind::no_answer);
}

TEST(UpstreamCall, AnAnswerBeforeTheWholeRequestCounts) {
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read_bytes(1000);
        talk.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
        talk.read_to_end();
    });
    Caller caller(upstream.port());
    const Found found = caller.post(std::string(32U << 20, 'x'));
    EXPECT_EQ(found.kind, Kind::answered);
    EXPECT_EQ(found.answer.status, 413);
    EXPECT_EQ(caller.idle(), 0U);
}

// The first part and the rest; "<broke off>" at the end when it did.
Task<std::string> whole_body(Caller& caller, Found found) {
    std::string body = std::move(found.answer.body);
    while (found.rest) {
        auto portion = co_await found.rest->next(caller.thread.loop());
        if (!portion) co_return body + "<broke off>";
        if (portion->empty()) break;
        EXPECT_LE(portion->size(), http::kRelayBufferBytes);
        body += *portion;
    }
    co_return body;
}

std::string long_body() {
    std::string body(3U << 20, 'x');
    for (std::size_t i = 0; i < body.size(); i += 1013) body[i] = static_cast<char>('a' + i % 26);
    return body;
}

const UpstreamRules kTenBytes{.answer_bytes_max = 10};

TEST(UpstreamCall, AnAnswerAboveTheCapComesInTwoPartsAndIsNotKept) {
    ScriptedUpstream upstream([](Talk& talk) {
        for (const std::string& body : {std::string(10, 'x'), std::string(11, 'x'), long_body()}) {
            talk.read();
            talk.send(answer_of(body));
        }
        talk.read();
    });
    Caller caller(upstream.port());
    const Found fits = caller.post("x", kTenBytes);
    EXPECT_TRUE(fits.answer.body_kept);
    EXPECT_FALSE(fits.rest);
    for (const std::string& body : {std::string(11, 'x'), long_body()}) {
        Found longer = caller.post("x", kTenBytes);
        EXPECT_FALSE(longer.answer.body_kept);
        ASSERT_TRUE(longer.rest);
        EXPECT_EQ(longer.rest->size(), body.size() - longer.answer.body.size());
        EXPECT_TRUE(caller.thread.run(whole_body(caller, std::move(longer))) == body);
        EXPECT_TRUE(eventually([&] { return caller.idle() == 1; }));
    }
    EXPECT_EQ(upstream.connections(), 1);
}

TEST(UpstreamCall, ARestOfUnknownSizeEndsWithItsLastChunk) {
    const std::string body = long_body();
    ScriptedUpstream upstream([&](Talk& talk) {
        talk.read();
        std::string chunk;
        http::append_chunk(chunk, body);
        talk.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + "0\r\n\r\n");
        talk.read();
    });
    Caller caller(upstream.port());
    Found found = caller.post("x", kTenBytes);
    ASSERT_TRUE(found.rest);
    EXPECT_EQ(found.rest->size(), std::nullopt);
    EXPECT_TRUE(caller.thread.run(whole_body(caller, std::move(found))) == body);
    EXPECT_TRUE(eventually([&] { return caller.idle() == 1; }));
}

TEST(UpstreamCall, ARestThatBreaksOffIsSeenToHaveBrokenOff) {
    ScriptedUpstream upstream([](Talk& talk) {
        talk.read();
        talk.send("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n" + long_body());
        talk.close();
    });
    Caller caller(upstream.port());
    Found found = caller.post("x", kTenBytes);
    ASSERT_TRUE(found.rest);
    const std::string body = caller.thread.run(whole_body(caller, std::move(found)));
    EXPECT_THAT(body, testing::EndsWith("<broke off>"));
    EXPECT_EQ(caller.idle(), 0U);
}

TEST(UpstreamCall, ARestThatNobodyReadsIsReadOutForTheUpstreamsSake) {
    std::atomic<bool> undisturbed{false};
    ScriptedUpstream upstream([&](Talk& talk) {
        talk.read();
        undisturbed = talk.send(answer_of(std::string(32U << 20, 'x')));
        talk.read();
    });
    Caller caller(upstream.port());
    EXPECT_TRUE(caller.post("x", kTenBytes).rest);  // and dropped
    EXPECT_TRUE(eventually([&] { return caller.idle() == 1; }));
    EXPECT_TRUE(undisturbed);
}

TEST(UpstreamCall, AnAnswerMayOutgrowTheCapBeforeTheRequestIsThrough) {
    ScriptedUpstream upstream([](Talk& talk) {
        std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 33554432\r\n\r\n";
        talk.send(head + std::string(100, 'x'));
        talk.read();
        talk.send(std::string((32U << 20) - 100, 'x'));
        talk.read();
    });
    Caller caller(upstream.port());
    Found found = caller.post(std::string(32U << 20, 'y'), kTenBytes);
    ASSERT_TRUE(found.rest);
    EXPECT_EQ(caller.thread.run(whole_body(caller, std::move(found))).size(), 32U << 20);
    EXPECT_TRUE(eventually([&] { return caller.idle() == 1; }));
}

TEST(UpstreamCall, LargeBodiesGoBothWays) {
    std::string body(8U << 20, 'x');
    body[7'654'321] = 'y';
    ScriptedUpstream upstream([](Talk& talk) {
        for (auto request = talk.read(); request.whole && !request.head.empty();
             request = talk.read())
            talk.send(answer_of(request.body));
    });
    Caller caller(upstream.port());
    const UpstreamRules rules{.answer_bytes_max = body.size()};
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(caller.post(body, rules).answer.body == body);
    EXPECT_EQ(upstream.connections(), 1);
}

Task<std::unique_ptr<Attempt>> prepared(Caller& caller) {
    UpstreamCall call(caller.upstreams, {caller.host, caller.port, false},
                      std::make_shared<const http::Request>(), {}, {});
    auto attempt = co_await call.prepare(caller.thread.loop().now() + 5s);
    co_return attempt ? *std::move(attempt) : nullptr;
}

TEST(UpstreamCall, ReadySeesAConnectionThatDiedOrSpokeUnasked) {
    for (const std::string_view last : {"", "HTTP/1.1 408 Request Timeout\r\n\r\n"}) {
        std::atomic<bool> taken = false;
        ScriptedUpstream upstream([&taken, last](Talk& talk) {
            taken.wait(false);
            if (last.empty()) talk.close();
            if (!last.empty()) talk.send(last);
            if (!last.empty()) talk.read_to_end();
        });
        Caller caller(upstream.port());
        auto attempt = caller.thread.run(prepared(caller));
        EXPECT_TRUE(caller.thread.at([&] { return attempt->ready(); }));
        taken = true;
        taken.notify_all();
        EXPECT_TRUE(
            eventually([&] { return !caller.thread.at([&] { return attempt->ready(); }); }));
        caller.thread.at([&] { attempt = nullptr; });
        EXPECT_EQ(upstream.connections(), 1);
    }
}

TEST(UpstreamCall, WhatTheKernelRefusesToTakeIsNotSent) {
    std::atomic<bool> taken = false;
    std::atomic<bool> reset = false;
    ScriptedUpstream upstream([&](Talk& talk) {
        taken.wait(false);
        talk.reset();
        reset = true;
    });
    Caller caller(upstream.port());
    auto attempt = caller.thread.run(prepared(caller));
    ASSERT_NE(attempt, nullptr);
    taken = true;
    taken.notify_all();
    ASSERT_TRUE(eventually([&] { return reset.load(); }));
    const auto blind = [](Caller& calling, Attempt& attempt_) -> Task<Found> {  // without the look
        co_return co_await attempt_.run({}, calling.thread.loop().now() + 5s);
    };
    const Found found = caller.thread.run(blind(caller, *attempt));
    EXPECT_EQ(found.kind, Kind::not_sent);
    EXPECT_EQ(found.error.code, Code::unavailable);
    caller.thread.at([&] { attempt = nullptr; });
}

TEST(UpstreamCall, AnAttemptThatIsNotRunLeavesItsConnectionToTheNext) {
    ScriptedUpstream upstream([](Talk& talk) {
        while (talk.read().whole) talk.send(answer_of("ok"));
    });
    Caller caller(upstream.port());
    const auto prepare = [](Caller& calling) -> Task<bool> {
        UpstreamCall call(calling.upstreams, {calling.host, calling.port, false},
                          std::make_shared<const http::Request>(), {}, {});
        co_return (co_await call.prepare(calling.thread.loop().now() + 5s)).has_value();
    };
    EXPECT_TRUE(caller.thread.run(prepare(caller)));
    EXPECT_EQ(caller.idle(), 1U);
    EXPECT_EQ(caller.post("x").answer.body, "ok");
    EXPECT_EQ(upstream.connections(), 1);
}

TEST(Upstreams, IdleConnectionsAreDroppedBeforeTheirPeerWould) {
    ScriptedUpstream upstream([](Talk& talk) {
        for (const std::string_view lines :
             {"Keep-Alive: timeout=1\r\n", "Keep-Alive: max=9, timeout=2\r\n", ""}) {
            talk.read();
            talk.send(answer_of("x", lines));
        }
        talk.read();
    });
    http::UpstreamLimits limits;
    limits.idle = 100ms;
    {
        Caller caller(upstream.port(), limits);
        caller.post("x");
        EXPECT_EQ(caller.idle(), 0U);  // one second before one second
        caller.post("x");
        EXPECT_EQ(caller.idle(), 0U);  // another connection, the first answer again
    }
    ScriptedUpstream silent([](Talk& talk) {
        while (talk.read().whole) talk.send(answer_of("x"));
    });
    Caller caller(silent.port(), limits);
    caller.post("x");
    std::this_thread::sleep_for(150ms);
    caller.post("x");
    EXPECT_EQ(silent.connections(), 2);
    EXPECT_TRUE(eventually([&] { return caller.idle() == 0; }));  // swept without use
}

TEST(Upstreams, ANamedHostIsResolved) {
    ScriptedUpstream upstream(once(answer_of("ok")));
    Caller caller(upstream.port());
    caller.host = "localhost";
    EXPECT_EQ(caller.post("x").answer.body, "ok");
}

TEST(Upstreams, AQuestionOfOurOwnIsSentAsItIs) {
    Seen seen;
    ScriptedUpstream upstream([&seen](Talk& talk) {
        seen.add(talk.read());
        talk.send(answer_of("found"));
        talk.read();
    });
    Caller caller(upstream.port());
    http::Request question{{"GET", "/orders/1", 1, {{"Pawl-Fence", "7"}}}, ""};
    const Found found =
        caller.thread.run(ask(caller.upstreams, {"127.0.0.1", upstream.port(), false},
                              std::move(question), caller.thread.loop().now() + 5s));
    EXPECT_EQ(found.answer.body, "found");
    EXPECT_EQ(seen.last().head, "GET /orders/1 HTTP/1.1\r\nHost: 127.0.0.1:" +
                                    std::to_string(upstream.port()) + "\r\nPawl-Fence: 7\r\n");
}

}  // namespace
}  // namespace pawl::effect
