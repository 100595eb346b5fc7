// SPDX-License-Identifier: Apache-2.0
// Requests, and what their keys and their senders are told.
#include <gmock/gmock.h>

#include "engine/engine_fixture.hpp"
#include "net/http/message.hpp"

namespace pawl::engine {
namespace {

using Requests = EngineTest;
using testing::HasSubstr;

std::string header(const Outcome& outcome, std::string_view name) {
    return std::string(http::first_of(outcome.answer->headers, name));
}

TEST_F(Requests, ACreationIsAnsweredWithWhereItLies) {
    const auto made = send(keyed(creation("B1", 2), "k1"));
    ASSERT_EQ(told(made), "applied created");
    EXPECT_EQ(made->id, "1001");
    EXPECT_EQ(made->version, 1U);
    EXPECT_EQ(made->answer->status, 201);
    EXPECT_EQ(header(*made, "Location"), "/v1/flows/order/1001");
    EXPECT_EQ(header(*made, "ETag"), "\"1\"");
    EXPECT_THAT(made->answer->body, HasSubstr(R"("id":"1001")"));
    EXPECT_THAT(made->answer->body, HasSubstr(R"("amount":"12.50")"));
}

TEST_F(Requests, AnEventIsAnsweredWithTheEntityAfterIt) {
    say(creation("B1"));
    const auto begun = send(keyed(request("B1", "begin_payment"), "k2"));
    ASSERT_EQ(told(begun), "applied paying");
    EXPECT_EQ(begun->from, "created");
    EXPECT_EQ(begun->version, 2U);
    EXPECT_EQ(begun->answer->status, 200);
    EXPECT_EQ(header(*begun, "ETag"), "\"2\"");
    EXPECT_EQ(header(*begun, "Content-Location"), "/v1/flows/order/1001");
    EXPECT_THAT(begun->answer->body, HasSubstr(R"("state":"paying")"));
}

// Field case 23: the stored first answer, marked as replayed, although the order moved on.
TEST_F(Requests, ARepeatUnderItsKeyGetsTheFirstResult) {
    const auto first = send(keyed(creation("B1"), "k1"));
    say(request("B1", "begin_payment"));
    const auto again = send(keyed(creation("B1"), "k1"));
    EXPECT_EQ(told(again), "repeated");
    EXPECT_TRUE(again->replayed);
    EXPECT_EQ(again->id, first->id);
    EXPECT_EQ(again->answer, first->answer);
    EXPECT_EQ(version("B1"), 2U);
}

TEST_F(Requests, AnotherRequestUnderTheKeyIsRefused) {
    say(creation("B1"));
    say(keyed(request("B1", "touch"), "k2", "one"));
    const auto other = send(keyed(request("B1", "touch"), "k2", "other"));
    EXPECT_EQ(told(other), "recorded");
    EXPECT_EQ(other->verdict->outcome, record::Outcome::mismatch);
    EXPECT_EQ(other->answer->status, 422);
    EXPECT_EQ(version("B1"), 2U);
}

TEST_F(Requests, ARecordOfAnotherRuleIsComparedUnderThatRule) {
    say(creation("B1"));
    Sent old = keyed(request("B1", "touch"), "k2");
    old.claim->rule = sha256("old rule");
    old.claim->fingerprint = sha256("as of old");
    EXPECT_EQ(say(old), "applied created");
    Sent now = keyed(request("B1", "touch"), "k2", "as of now");
    now.fingerprint_under = [](const Digest& rule) -> std::optional<Digest> {
        if (rule == sha256("old rule")) return sha256("as of old");
        return std::nullopt;
    };
    EXPECT_EQ(say(now), "repeated");
    now.fingerprint_under = [](const Digest&) { return std::optional<Digest>(); };
    const auto unknown = send(now);
    EXPECT_EQ(told(unknown), "recorded");
    EXPECT_THAT(unknown->answer->body, HasSubstr("rule_changed"));
    EXPECT_EQ(version("B1"), 2U);
}

TEST_F(Requests, ANewKeyBeyondTheLimitIsToldSo) {
    say(keyed(creation("B1"), "k1"));
    shelf_.limit({.stored_bytes_per_tenant = 1});
    const auto limited = send(keyed(request("B1", "touch"), "k2"));
    EXPECT_EQ(told(limited), "recorded");
    EXPECT_EQ(limited->answer->status, 429);
    EXPECT_EQ(version("B1"), 1U);
}

TEST_F(Requests, ARefusalOfTheStateIsKept) {
    say(creation("B1"));
    const auto refused = send(keyed(request("B1", "ship"), "k2"));
    EXPECT_EQ(told(refused), "refused transition_refused");
    EXPECT_EQ(refused->answer->status, 409);
    EXPECT_EQ(header(*refused, "Link"), "</v1/flows/order/states>; rel=\"describedby\"");
    EXPECT_EQ(header(*refused, "ETag"), "\"1\"");
    say(payment("B1", "T1"));
    const auto again = send(keyed(request("B1", "ship"), "k2"));
    EXPECT_EQ(told(again), "repeated");
    EXPECT_EQ(again->answer, refused->answer);
}

TEST_F(Requests, AVersionConflictIsJudgedAnew) {
    say(creation("B1"));
    Sent sent = keyed(request("B1", "touch"), "k2");
    sent.event.if_match = 7;
    const auto refused = send(sent);
    EXPECT_EQ(told(refused), "refused version_conflict");
    EXPECT_EQ(refused->answer->status, 412);
    sent.event.if_match = 1;
    EXPECT_EQ(say(sent), "applied created");
}

TEST_F(Requests, WhoIsNotThereIsNotFound) {
    EXPECT_EQ(say(keyed(request("B9", "touch"), "k1")), "not_found");
    Sent elsewhere = request("B1", "touch");
    elsewhere.subject.flow = "parcel";
    EXPECT_EQ(say(elsewhere), "not_found");
    EXPECT_EQ(waiting(), 0U);
}

// A version that is lost is judged again; what others did in between is seen.
TEST_F(Requests, ALostVersionIsJudgedAgain) {
    say(creation("B1"));
    server_.set_carry_plan([&, left = 3](std::uint64_t) mutable -> std::optional<Fault> {
        if (left-- > 0) meddle("B1");
        return {};
    });
    const auto begun = send(keyed(request("B1", "begin_payment"), "k2"));
    EXPECT_EQ(told(begun), "applied paying");
    EXPECT_EQ(begun->version, 5U);
}

TEST_F(Requests, AfterThreeReloadsItIsContendedAndNothingIsKept) {
    say(creation("B1"));
    server_.set_carry_plan([&, left = 8](std::uint64_t) mutable -> std::optional<Fault> {
        if (left-- > 0) meddle("B1");
        return {};
    });
    const Sent sent = keyed(request("B1", "begin_payment"), "k2");
    const auto first = send(sent);
    EXPECT_EQ(told(first), "contended");
    EXPECT_EQ(first->answer->status, 409);
    EXPECT_EQ(header(*first, "Retry-After"), "1");
    EXPECT_EQ(version("B1"), 5U);
    EXPECT_EQ(say(sent), "contended");
    EXPECT_EQ(observer_.contended_count, 1) << "at most once a minute of one entity";
    EXPECT_EQ(desk_.figures().contended, 2U);
    EXPECT_EQ(say(sent), "applied paying");
}

TEST_F(Requests, TheNameOfSomebodyElseIsRefusedAndKept) {
    say(creation("B1"));
    const auto second = send(keyed(creation("B1"), "k2"));
    EXPECT_EQ(told(second), "refused business_key_taken");
    EXPECT_EQ(header(*second, "Location"), "/v1/flows/order/1001");
    EXPECT_EQ(say(keyed(creation("B1"), "k2")), "repeated");
}

TEST_F(Requests, AnIdOfItsOwnIsTakenOnce) {
    Sent own = keyed(creation("B1"), "k1");
    own.subject.id = "77";
    EXPECT_EQ(send(own)->id, "77");
    Sent other = keyed(creation("B2"), "k2");
    other.subject.id = "77";
    EXPECT_EQ(say(other), "refused business_key_taken");
    EXPECT_EQ(version("B2"), 0U);
}

TEST_F(Requests, WithoutAnIdNothingIsExecuted) {
    ids_.are_away = true;
    EXPECT_EQ(say(keyed(creation("B1"), "k1")), "unavailable");
    ids_.are_away = false;
    EXPECT_EQ(say(keyed(creation("B1"), "k1")), "applied created");
}

// Field case 40: two carts, each below stock, together above it; then a hundred on ten.
TEST_F(Requests, StockIsNeverOversold) {
    flow::Definition definition = flow::order_flow();
    definition.create.transitions[0].stock = stock::Action::reserve;
    committer_.reload(std::make_shared<const Machines>(
        std::vector{flow::Machine::compile(std::move(definition)).value()}));
    stock_up(5);
    EXPECT_EQ(say(keyed(creation("B1", 3), "k1")), "applied created");
    const auto refused = send(keyed(creation("B2", 3), "k2"));
    EXPECT_EQ(told(refused), "refused out_of_stock");
    EXPECT_EQ(version("B2"), 0U);
    EXPECT_EQ(level(), (stock::Level{2, 3, 0}));
    stock_up(13);
    int applied = 0;
    for (int i = 0; i < 100; ++i)
        applied += say(creation("C" + std::to_string(i))) == "applied created" ? 1 : 0;
    EXPECT_EQ(applied, 10);
    EXPECT_EQ(level(), (stock::Level{0, 13, 0}));
}

TEST_F(Requests, StockIsChangedOncePerKey) {
    const store::StockChange more{sku("A"), store::StockChange::Kind::adjust, 5};
    const auto first = run(committer_.change_stock("acme", more, claim("k1")));
    EXPECT_EQ(told(first), "applied ");
    EXPECT_EQ(first->level, (stock::Level{5, 0, 0}));
    const auto again = run(committer_.change_stock("acme", more, claim("k1")));
    EXPECT_EQ(told(again), "repeated");
    EXPECT_EQ(again->answer, first->answer);
    const store::StockChange less{sku("A"), store::StockChange::Kind::adjust, -6};
    const auto refused = run(committer_.change_stock("acme", less, claim("k2")));
    EXPECT_EQ(told(refused), "refused out_of_stock");
    EXPECT_EQ(refused->answer->status, 409);
    stock_up(100);
    const auto same = run(committer_.change_stock("acme", less, claim("k2")));
    EXPECT_EQ(told(same), "repeated") << "a refusal is kept under its key, as others are";
    EXPECT_EQ(same->answer, refused->answer);
    EXPECT_EQ(level(), (stock::Level{100, 0, 0}));
    stock_up(5);
    const auto other = run(committer_.change_stock("acme", less, claim("k1", "other")));
    EXPECT_EQ(other->answer->status, 422);
    EXPECT_EQ(level(), (stock::Level{5, 0, 0}));
}

TEST_F(Requests, ADeadlineIsRenewed) {
    say(creation("B1"));
    hand_.pass(10min);
    const std::string id = entity("B1")->id;
    const auto renewed = run(committer_.renew(by_key("B1"), "created"));
    EXPECT_EQ(told(renewed), "applied ");
    for (const timer::Running& one : entity("B1")->deadlines)
        if (one.name == "created") EXPECT_EQ(one.due_ms, shelf_.now_ms() + (15min / 1ms));
    EXPECT_EQ(version("B1"), 1U);
    EXPECT_EQ(told(run(committer_.renew(by_key("B1"), "unpaid"))), "refused transition_refused");
    EXPECT_EQ(told(run(committer_.renew(by_key("B9"), "created"))), "not_found");
}

flow::Definition with_payment_by(flow::OnRepeat on_repeat) {
    flow::Definition flow = touched_order();
    auto& pay = flow::named(flow.events, "pay");
    pay.allow = {"anyone"};
    pay.on_repeat = on_repeat;
    flow.create.on_repeat = on_repeat;
    return flow;
}

class Repeats : public EngineTest, public testing::WithParamInterface<flow::OnRepeat> {
  protected:
    Repeats() : EngineTest(with_payment_by(GetParam())) {
        stock_up(10);
        say(keyed(creation("B1"), "k1"));
        paid_ = send(paying("k2"));
        say(request("B1", "touch"));
    }
    Sent paying(const std::string& key, std::string caller = "ann") {
        Sent sent = keyed(payment("B1", "T1"), key);
        sent.event.sender = flow::Sender::caller;
        sent.event.caller = std::move(caller);
        return sent;
    }
    Result<Outcome> paid_;
};

// The same unique values under another key, and the same key again: one rule for both.
TEST_P(Repeats, AreAnsweredAsTheFlowSays) {
    ASSERT_EQ(told(paid_), "applied paid");
    for (const std::string key : {"k2", "k3", "k3"}) {
        const auto again = send(paying(key));
        ASSERT_EQ(told(again), "repeated") << key;
        EXPECT_EQ(again->id, paid_->id);
        if (GetParam() == flow::OnRepeat::replay) EXPECT_EQ(again->answer, paid_->answer);
        if (GetParam() == flow::OnRepeat::refuse) {
            EXPECT_EQ(again->answer->status, 409);
            EXPECT_THAT(again->answer->body, HasSubstr(R"("code":"duplicate_request")"));
            EXPECT_EQ(header(*again, "Location"), "/v1/flows/order/1001");
        }
        if (GetParam() == flow::OnRepeat::current) {
            EXPECT_EQ(again->answer->status, 200);
            // Kept under a key of its own, it is shown as it was then; asked for again, as it is now.
            EXPECT_EQ(header(*again, "ETag"), "\"3\"");
        }
    }
    EXPECT_EQ(version("B1"), 3U);
}

TEST_P(Repeats, OfACreationAreAnsweredAsTheFlowSays) {
    const auto again = send(keyed(creation("B1"), "k1"));
    ASSERT_EQ(told(again), "repeated");
    const int status = GetParam() == flow::OnRepeat::replay   ? 201
                       : GetParam() == flow::OnRepeat::refuse ? 409
                                                              : 200;
    EXPECT_EQ(again->answer->status, status);
}

TEST_P(Repeats, OfAFactAreAnybodys) {
    EXPECT_EQ(say(paying("k9", "bob")), "repeated") << "a fact is anybody's";
}

INSTANTIATE_TEST_SUITE_P(OnRepeat, Repeats,
                         testing::Values(flow::OnRepeat::replay, flow::OnRepeat::refuse,
                                         flow::OnRepeat::current));

}  // namespace
}  // namespace pawl::engine
