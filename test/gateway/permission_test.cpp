// SPDX-License-Identifier: Apache-2.0
// What a permission is good for, and for how long (A1, A2), on virtual time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/permission.hpp"
#include "home_fixture.hpp"

namespace pawl::gateway {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// The endpoint.
class FakeEndpoint final : public Asker {
  public:
    explicit FakeEndpoint(Loop& loop) : loop_(loop) {}
    Task<effect::Found> ask(http::Target, http::Request request, MonotonicTime give_up) override {
        asked.push_back(std::move(request.head));
        effect::Found found;
        if (dying > 0) {
            --dying;
            found.kind = effect::Kind::no_answer;
            co_return found;
        }
        found.kind = kind;
        found.answer.status = status;
        found.answer.headers = headers;
        const MonotonicTime done = loop_.now() + takes;
        co_await loop_.sleep_until(std::min(done, give_up));
        if (done > give_up) found.kind = effect::Kind::no_answer;
        co_return found;
    }

    std::vector<http::RequestHead> asked;
    effect::Kind kind = effect::Kind::answered;
    int status = 200;
    http::Headers headers;
    std::chrono::nanoseconds takes{};
    int dying = 0;  // so many connections break under a question

  private:
    Loop& loop_;
};

class PermissionTest : public HomeTest {
  protected:
    using Got = std::shared_ptr<std::shared_ptr<const Permit>>;

    PermissionTest() {
        route.name = "orders";
        route.authorize.emplace();
        route.authorize->upstream = {.host = "127.0.0.1", .port = 9};
        route.authorize->path = "/check";
    }
    Digest name() const { return question_name(route, head, peer, who); }
    // Null until it comes.
    Got ask() {
        auto got = std::make_shared<std::shared_ptr<const Permit>>();
        clients.spawn([](Permissions& there, Question question, Got out) -> Task<void> {
            *out = co_await there.ask(std::move(question));
        }(permissions, question_of(route, head, peer, who), got));
        poll();
        return got;
    }
    Permit::Word word() {
        const Got got = ask();
        EXPECT_NE(*got, nullptr);
        return *got ? (*got)->word : Permit::Word::unavailable;
    }

    policy::Route route;
    http::RequestHead head{"POST",
                           "/orders?a=1",
                           1,
                           {{"Host", "shop"}, {"Authorization", "Bearer a"}, {"X-Other", "1"}}};
    http::Peer peer{"192.0.2.7", true, {}};
    Who who;
    FakeEndpoint endpoint{loop};
    Permissions permissions{loop, &endpoint};
};

TEST_F(PermissionTest, TheEndpointIsToldMethodPathAndTheChosenHeaders) {
    head.headers.emplace_back("cookie", "s=1");
    head.headers.emplace_back("X-Forwarded-For", "10.0.0.1");
    who = {"acme", "anna"};
    EXPECT_EQ(word(), Permit::Word::allowed);
    ASSERT_EQ(endpoint.asked.size(), 1U);
    EXPECT_EQ(endpoint.asked[0].method, "GET");
    EXPECT_EQ(endpoint.asked[0].target, "/check");
    EXPECT_THAT(
        endpoint.asked[0].headers,
        ElementsAre(Pair("Authorization", "Bearer a"), Pair("Cookie", "s=1"),
                    Pair("X-Forwarded-For", "10.0.0.1, 192.0.2.7"),
                    Pair("X-Forwarded-Proto", "https"), Pair("X-Forwarded-Host", "shop"),
                    Pair("X-Forwarded-Method", "POST"), Pair("X-Forwarded-Uri", "/orders?a=1"),
                    Pair("Pawl-Caller", "anna"), Pair("Pawl-Tenant", "acme")));
}

TEST_F(PermissionTest, APermissionIsGoodForItsQuestionAlone) {
    EXPECT_EQ(word(), Permit::Word::allowed);
    ASSERT_NE(permissions.recall(name()), nullptr);
    const auto is_another = [this](auto change) {
        const auto before = std::tuple(route, head, peer, who);
        change();
        EXPECT_EQ(permissions.recall(name()), nullptr);
        std::tie(route, head, peer, who) = before;
    };
    is_another([this] { route.name = "refunds"; });
    is_another([this] { head.method = "PUT"; });
    is_another([this] { head.target = "/orders?a=2"; });
    is_another([this] { head.headers[1].second = "Bearer b"; });
    is_another([this] { head.headers.emplace_back("Authorization", "Bearer b"); });
    is_another([this] { head.headers.emplace_back("Cookie", "s=1"); });
    is_another([this] { head.headers[0].second = "other"; });
    is_another([this] { peer.address = "192.0.2.8"; });
    is_another([this] { peer.tls = false; });
    is_another([this] { who.caller = "bert"; });
    is_another([this] { who.tenant = "acme"; });
    head.headers[2].second = "2";  // not told, so it cannot have been judged by
    EXPECT_NE(permissions.recall(name()), nullptr);
}

TEST_F(PermissionTest, CountsFiveSecondsFromTheQuestionNotFromTheAnswer) {
    endpoint.takes = 1500ms;
    const Got got = ask();
    advance(1500ms);
    ASSERT_NE(*got, nullptr);
    EXPECT_EQ((*got)->good_until(), clock.now + 3500ms);
    advance(3499ms);
    EXPECT_NE(permissions.recall(name()), nullptr);
    advance(1ms);
    EXPECT_EQ(permissions.recall(name()), nullptr);
    EXPECT_EQ(permissions.remembered(), 0U);
}

TEST_F(PermissionTest, NoRefusalIsRememberedAndItsChallengePasses) {
    endpoint.status = 401;
    endpoint.headers = {{"WWW-Authenticate", "Bearer realm=\"a\""}, {"WWW-Authenticate", "Basic"}};
    const Got got = ask();
    EXPECT_EQ((*got)->word, Permit::Word::unauthenticated);
    EXPECT_EQ((*got)->error.code, Code::caller_unknown);
    EXPECT_THAT((*got)->challenges, ElementsAre("Bearer realm=\"a\"", "Basic"));
    EXPECT_EQ(permissions.recall(name()), nullptr);
    endpoint.status = 403;
    EXPECT_EQ(word(), Permit::Word::forbidden);
    endpoint.status = 204;
    EXPECT_EQ(word(), Permit::Word::allowed);
    EXPECT_EQ(endpoint.asked.size(), 3U);
}

TEST_F(PermissionTest, WhatIsNeitherYesNorNoIsNoPermission) {
    for (const int status : {100, 199, 300, 302, 400, 402, 404, 407, 429, 500, 503}) {
        endpoint.status = status;
        const Got got = ask();
        EXPECT_EQ((*got)->word, Permit::Word::unavailable) << status;
        EXPECT_EQ((*got)->error.code, Code::unavailable) << status;
        EXPECT_THAT((*got)->error.text, HasSubstr(std::to_string(status)));
    }
    endpoint.kind = effect::Kind::not_sent;
    EXPECT_EQ(word(), Permit::Word::unavailable);
    endpoint.kind = effect::Kind::no_answer;
    EXPECT_EQ(word(), Permit::Word::unavailable);
    EXPECT_EQ(permissions.remembered(), 0U);
}

TEST_F(PermissionTest, ASlowEndpointIsWaitedForOnlySoLong) {
    route.authorize->timeout = 300ms;
    endpoint.takes = 10s;
    const Got got = ask();
    advance(299ms);
    EXPECT_EQ(*got, nullptr);
    advance(1ms);
    ASSERT_NE(*got, nullptr);
    EXPECT_EQ((*got)->word, Permit::Word::unavailable);
}

TEST_F(PermissionTest, AYesThatBecameOldOnItsWayIsAskedForAgain) {
    endpoint.takes = 1s;
    const Got got = ask();
    clock.now += 6s;  // the process stood still
    poll();
    EXPECT_EQ(*got, nullptr);
    EXPECT_EQ(endpoint.asked.size(), 2U);
    advance(1s);
    ASSERT_NE(*got, nullptr);
    EXPECT_EQ((*got)->word, Permit::Word::allowed);
    EXPECT_EQ((*got)->good_until(), clock.now + 4s);

    head.target = "/other";
    const Got late = ask();
    for (int i = 0; i < 2; ++i) {
        clock.now += 6s;
        poll();
    }
    ASSERT_NE(*late, nullptr);
    EXPECT_EQ((*late)->word, Permit::Word::unavailable);
}

TEST_F(PermissionTest, AConnectionThatDiesUnderAQuestionIsNotTheEndpointsWord) {
    endpoint.dying = 1;
    EXPECT_EQ(word(), Permit::Word::allowed);
    endpoint.dying = 2;
    head.target = "/other";
    EXPECT_EQ(word(), Permit::Word::unavailable);
}

TEST_F(PermissionTest, WhoAsksTheSameMeanwhileSharesTheAnswer) {
    endpoint.takes = 100ms;
    const Got first = ask();
    const Got second = ask();
    advance(100ms);
    EXPECT_EQ(endpoint.asked.size(), 1U);
    ASSERT_NE(*first, nullptr);
    EXPECT_EQ(*first, *second);
}

TEST_F(PermissionTest, WithoutACacheEachRequestAsks) {
    route.authorize->cache = 0ms;
    endpoint.takes = 100ms;
    const Got first = ask();
    const Got second = ask();
    advance(100ms);
    EXPECT_EQ(endpoint.asked.size(), 2U);
    EXPECT_NE(*second, nullptr);
    EXPECT_EQ(permissions.recall(name()), nullptr);
}

TEST_F(PermissionTest, NewRulesForgetWhatWasPermittedAndWhatIsBeingAsked) {
    EXPECT_EQ(word(), Permit::Word::allowed);
    permissions.forget();
    EXPECT_EQ(permissions.recall(name()), nullptr);
    endpoint.takes = 100ms;
    const Got late = ask();
    permissions.forget();
    advance(100ms);
    EXPECT_NE(*late, nullptr);
    EXPECT_EQ(permissions.recall(name()), nullptr);
}

TEST_F(PermissionTest, RemembersSoManyAndNoMore) {
    for (std::size_t i = 0; i <= kPermissionsMax; ++i) {
        head.target = "/orders/" + std::to_string(i);
        ASSERT_EQ(word(), Permit::Word::allowed);
    }
    EXPECT_EQ(permissions.remembered(), kPermissionsMax);
    EXPECT_NE(permissions.recall(name()), nullptr) << "the last";
    head.target = "/orders/0";
    EXPECT_EQ(permissions.recall(name()), nullptr) << "the oldest went";
}

TEST_F(PermissionTest, TheCallerIsTheOneThatTheEndpointNames) {
    route.authorize->caller_header = "X-User";
    head.headers.emplace_back("X-User", "forged");
    endpoint.headers = {{"x-user", "anna"}};
    const Got got = ask();
    EXPECT_EQ((*got)->word, Permit::Word::allowed);
    EXPECT_EQ((*got)->caller, "anna");
    for (const http::Headers& lines : {http::Headers{},
                                       {{"X-User", ""}},
                                       {{"X-User", "a"}, {"X-User", "b"}},
                                       {{"X-User", std::string(513, 'a')}}}) {
        endpoint.headers = lines;
        head.target += "x";
        EXPECT_EQ(word(), Permit::Word::unavailable) << lines.size();
    }
}

TEST_F(PermissionTest, WhatGoesOnNamesTheCallerOnceInEverySpelling) {
    policy::AuthorizeRule rule;
    rule.headers = {"X-Session"};
    rule.caller_header = "X-User";
    http::Headers lines{{"X-User", "forged"},  {"x_user", "forged"}, {"X-USER", "forged"},
                        {"X_Session", "mine"}, {"X-Session", "s"},   {"X-Use", "1"}};
    mark_permitted(rule, "anna", lines);
    EXPECT_THAT(lines,
                ElementsAre(Pair("X-Session", "s"), Pair("X-Use", "1"), Pair("X-User", "anna")));
    rule.caller_header.clear();
    mark_permitted(rule, "anna", lines);
    EXPECT_EQ(lines.size(), 3U);
}

}  // namespace
}  // namespace pawl::gateway
