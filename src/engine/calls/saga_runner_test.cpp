// SPDX-License-Identifier: Apache-2.0
// Refunds of payments that came too late, over a store in memory and a service that is scripted, on a clock that is
// moved by hand.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "engine/calls/late_payment_fixture.hpp"
#include "engine/calls/saga_runner.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;
using store::SagaState;
namespace json = boost::json;

effect::Found answered(int status, std::string retry_after = {}) {
    effect::Found found;
    found.kind = effect::Kind::answered;
    found.answer.status = status;
    if (!retry_after.empty()) found.answer.headers = {{"Retry-After", retry_after}};
    return found;
}

effect::Found silence(effect::Kind kind) {
    effect::Found found;
    found.kind = kind;
    return found;
}

// Gives its answers one after the other, the last one for ever; refunds what it says 2xx to, once per key.
class RefundService final : public gateway::Asker {
  public:
    explicit RefundService(Loop& loop) : loop_(loop) {}

    Task<effect::Found> ask(http::Target target, http::Request request, MonotonicTime) override {
        targets.push_back(target.host + ":" + std::to_string(target.port));
        requests.push_back(request);
        if (takes.count() > 0) co_await loop_.sleep_for(takes);
        effect::Found found = answers.front();
        if (answers.size() > 1) answers.erase(answers.begin());
        if (found.answer.status < 300 && found.kind == effect::Kind::answered)
            ++refunds[std::string(http::first_of(request.head.headers, "Idempotency-Key"))];
        co_return found;
    }

    std::vector<effect::Found> answers{answered(200)};
    std::chrono::milliseconds takes{};
    std::vector<std::string> targets;
    std::vector<http::Request> requests;
    std::map<std::string, int> refunds;

  private:
    Loop& loop_;
};

// Fails moves before or after they took effect.
class FaultySagas final : public store::Sagas {
  public:
    explicit FaultySagas(store::Sagas& inner) : inner_(inner) {}

    enum class Fault : std::uint8_t { none, before, after };
    std::function<Fault()> fault = [] { return Fault::none; };
    int looks = 0;

    Task<Result<store::SagaRows>> due_sagas(std::int64_t until_ms, std::size_t limit) override {
        ++looks;
        if (fault() == Fault::before) co_return fail(Code::unavailable, "the store is away");
        co_return co_await inner_.due_sagas(until_ms, limit);
    }
    Task<Result<bool>> move(store::SagaMove move) override {
        const Fault chosen = fault();
        if (chosen == Fault::before) co_return fail(Code::unavailable, "the store is away");
        auto moved = co_await inner_.move(std::move(move));
        if (chosen == Fault::after) co_return fail(Code::unknown, "no answer");
        co_return moved;
    }
    Task<Result<std::vector<store::SagaRow>>> sagas(std::optional<SagaState> state,
                                                    std::uint64_t after,
                                                    std::size_t limit) override {
        return inner_.sagas(state, after, limit);
    }
    Task<Result<std::vector<store::SagaRow>>> look_at_sagas(store::SagasQuery query) override {
        return inner_.look_at_sagas(std::move(query));
    }

  private:
    store::Sagas& inner_;
};

class SagaRunnerTest : public testing::Test, public LatePayments {
  protected:
    void start(std::shared_ptr<const Services> services = std::make_shared<const Services>(Services{
                   {"pay", {.host = "10.0.0.9", .port = 9000}}})) {
        runner.emplace(
            hand.loop, flows, sagas, service, figures,
            [this](const store::SagaRow& row) { alarms.push_back(row.said); }, SagaLimits{},
            [this](const store::SagaRow& row) {
                troubles.push_back(row.subject.id + " " + row.said);
            });
        runner->reload(std::make_shared<const Machines>(std::vector{machine()}),
                       std::move(services));
        group.spawn(runner->run());
        hand.poll();
    }
    FaultySagas sagas{flows};
    RefundService service{hand.loop};
    SagaFigures figures;
    std::vector<std::string> alarms;
    std::vector<std::string> troubles;
    TaskGroup group{hand.loop};
    std::optional<SagaRunner> runner;
};

TEST_F(SagaRunnerTest, AsksTheServiceUnderTheKeyOfTheFact) {
    pay_too_late("7301", "T1");
    start();
    ASSERT_EQ(service.requests.size(), 1U);
    const http::Request& request = service.requests[0];
    EXPECT_EQ(service.targets[0], "10.0.0.9:9000");
    EXPECT_EQ(request.head.method, "POST");
    EXPECT_EQ(request.head.target, "/refunds/T1");
    EXPECT_EQ(http::first_of(request.head.headers, "Host"), "10.0.0.9:9000");
    EXPECT_EQ(http::first_of(request.head.headers, "Idempotency-Key"),
              to_hex(saga().start.key.view()));
    EXPECT_TRUE(http::first_of(request.head.headers, "traceparent").starts_with("00-0af7"));
    EXPECT_EQ(json::parse(request.body), json::parse(R"({"flow":"order","id":"7301",
        "business_key":"B7301","saga":"refund","amount":"12.50","currency":"EUR",
        "values":{"provider":"wx","transaction_id":"T1"}})"));
    EXPECT_EQ(saga().state, SagaState::done);
    EXPECT_EQ(figures.done.value(), 1U);
    hand.run_for(1h);
    EXPECT_EQ(service.requests.size(), 1U);
}

// Case 35: a service that fails, hangs and at last says yes has refunded once.
TEST_F(SagaRunnerTest, ItIsAskedUntilItSaysYesAndRefundsOnce) {
    pay_too_late("7301", "T1");
    service.answers = {answered(500),
                       silence(effect::Kind::no_answer),
                       silence(effect::Kind::not_sent),
                       answered(409),
                       answered(429),
                       answered(302),
                       answered(404),
                       answered(200)};
    start();
    hand.run_for(10min);
    EXPECT_EQ(service.requests.size(), 8U);
    EXPECT_EQ(service.refunds.size(), 1U);
    EXPECT_EQ(saga().state, SagaState::done);
    for (const http::Request& request : service.requests)
        EXPECT_EQ(request.body, service.requests[0].body);
    EXPECT_TRUE(alarms.empty());
}

TEST_F(SagaRunnerTest, StepsAreMadeInTheirOrderEachUnderItsOwnKey) {
    pay_too_late("7301", "T1");
    flow::Definition definition = flow::order_flow();
    definition.sagas[0].call.clear();
    definition.sagas[0].steps = {{"bill", "POST http://bill/credits", ""},
                                 {"money", "POST http://pay/refunds", ""}};
    const flow::Machine steps = flow::Machine::compile(std::move(definition)).value();
    service.answers = {answered(200), answered(503), answered(200)};
    start();
    runner->reload(std::make_shared<const Machines>(std::vector{steps}),
                   std::make_shared<const Services>());
    EXPECT_EQ(saga().state, SagaState::done);  // as it was configured when it began

    pay_too_late("7302", "T2");
    service.requests.clear();
    service.refunds.clear();
    service.answers = {answered(200), answered(503), answered(200)};
    runner->hint();
    hand.poll();
    EXPECT_EQ(saga(1).said, "`money`: its service answered 503");
    hand.run_for(1min);
    EXPECT_EQ(saga(1).state, SagaState::done);
    std::vector<std::string> asked;
    for (const http::Request& request : service.requests) asked.push_back(request.head.target);
    EXPECT_EQ(asked, (std::vector<std::string>{"/credits", "/refunds", "/credits", "/refunds"}));
    EXPECT_EQ(service.refunds.size(), 2U);  // keys, asked twice
    EXPECT_EQ(json::parse(service.requests[1].body).at("step"), "money");
}

TEST_F(SagaRunnerTest, TwoFactsAreTwoRefundsAndTheSameFactIsOne) {
    pay_too_late("7301", "T1");
    step("7301", flow::payment("T2"));
    start();
    hand.run_for(1min);
    EXPECT_EQ(service.refunds.size(), 2U);
}

// What a refund is made from cannot be read: no try would go better, and the others are made.
TEST_F(SagaRunnerTest, OneWhoseOrderCannotBeReadIsForAPersonAtOnce) {
    pay_too_late("7301", "T1");
    pay_too_late("7302", "T2");
    ASSERT_TRUE(shelf.damage("flow_entity", 0));
    start();
    EXPECT_EQ(saga(0).state, SagaState::needs_attention);
    EXPECT_NE(saga(0).said.find("cannot be read"), std::string::npos);
    EXPECT_EQ(saga(1).state, SagaState::done);
    EXPECT_EQ(service.requests.size(), 1U);
    EXPECT_EQ(alarms.size(), 1U);
}

// So it is where the row of history that began it cannot be read.
TEST_F(SagaRunnerTest, OneWhoseHistoryCannotBeReadIsForAPersonAtOnce) {
    pay_too_late("7301", "T1");
    ASSERT_TRUE(shelf.damage("flow_step", 2));
    start();
    EXPECT_EQ(saga().state, SagaState::needs_attention);
    EXPECT_TRUE(service.requests.empty());
}

// Nor does one that cannot be read itself stop the others.
TEST_F(SagaRunnerTest, OneThatCannotBeReadStopsNoOthers) {
    for (const char* id : {"7301", "7302", "7303"}) pay_too_late(id, std::string("T") + id);
    ASSERT_TRUE(shelf.damage("flow_saga", 0));
    start();
    hand.run_for(10s);
    EXPECT_EQ(service.refunds.size(), 2U);
}

TEST_F(SagaRunnerTest, ARefusalThatWillNotChangeIsForAPersonAtOnce) {
    pay_too_late("7301", "T1");
    service.answers = {answered(422)};
    start();
    EXPECT_EQ(saga().state, SagaState::needs_attention);
    EXPECT_EQ(saga().said, "its service answered 422");
    EXPECT_EQ(alarms, (std::vector<std::string>{"its service answered 422"}));
    hand.run_for(1h);
    EXPECT_EQ(service.requests.size(), 1U);
}

// What runs and fails is told at once, and once: an operator reads it before a customer asks.
TEST_F(SagaRunnerTest, AFirstFailureIsToldAndTheNextOnesAreNot) {
    pay_too_late("7301", "T1");
    service.answers = {answered(503), silence(effect::Kind::no_answer), answered(200)};
    start();
    EXPECT_EQ(troubles, (std::vector<std::string>{"7301 its service answered 503"}));
    hand.run_for(1min);
    EXPECT_EQ(saga().state, SagaState::done);
    EXPECT_EQ(troubles.size(), 1U);
    pay_too_late("7302", "T2");
    runner->hint();
    hand.run_for(1s);
    EXPECT_EQ(troubles.size(), 1U) << "this one did not fail";
    EXPECT_TRUE(alarms.empty());
}

TEST_F(SagaRunnerTest, WhatFailedIsSeenWhileItIsTriedAgainAndWhatWasAnsweredAfterIt) {
    pay_too_late("7301", "T1");
    service.answers = {answered(503), answered(200)};
    start();
    EXPECT_EQ(saga().said, "its service answered 503");
    service.takes = 5s;
    hand.run_for(2s);
    ASSERT_EQ(service.requests.size(), 2U) << "it is being asked";
    EXPECT_EQ(saga().said, "its service answered 503");
    hand.run_for(10s);
    EXPECT_EQ(saga().state, SagaState::done);
    EXPECT_TRUE(saga().said.starts_with("its service answered 200 at 2")) << saga().said;
}

TEST_F(SagaRunnerTest, WhatAPersonSentAgainIsToldAgainWhenItFails) {
    pay_too_late("7301", "T1");
    service.answers = {answered(422), answered(503), answered(200)};
    start();
    ASSERT_EQ(saga().state, SagaState::needs_attention);
    EXPECT_TRUE(troubles.empty()) << "the alarm says it";
    store::SagaMove again{.number = saga().number, .tries = saga().tries};
    again.claim.bytes[0] = 9;
    ASSERT_TRUE(hand.run(flows.move(again)).value());
    runner->hint();
    hand.run_for(1s);
    EXPECT_EQ(troubles, (std::vector<std::string>{"7301 its service answered 503"}));
}

// Case 75: never given up in silence.
TEST_F(SagaRunnerTest, AServiceThatNeverComesBackIsForAPersonAfterADay) {
    pay_too_late("7301", "T1");
    service.answers = {answered(503)};
    start();
    hand.run_for(23h);
    EXPECT_EQ(saga().state, SagaState::running);
    EXPECT_TRUE(alarms.empty());
    hand.run_for(2h);
    EXPECT_EQ(saga().state, SagaState::needs_attention);
    EXPECT_EQ(alarms.size(), 1U);
    EXPECT_EQ(figures.needs_attention.value(), 1U);
    const std::size_t asked = service.requests.size();
    EXPECT_GT(asked, 24U * 60);
    EXPECT_LT(asked, 24U * 60 * 4);
    hand.run_for(24h);
    EXPECT_EQ(service.requests.size(), asked);
}

// What a person sends again has its tries anew, however old the fact is.
TEST_F(SagaRunnerTest, WhatAPersonSendsAgainIsTriedAgain) {
    pay_too_late("7301", "T1");
    service.answers = {answered(422)};
    start();
    hand.run_for(48h);
    service.answers = {answered(500), answered(500), answered(200)};
    const store::SagaRow now = saga();
    store::SagaMove again{.number = now.number, .tries = now.tries};
    ASSERT_TRUE(hand.run(flows.move(again)).value());
    runner->hint();
    hand.run_for(1min);
    EXPECT_EQ(saga().state, SagaState::done);
    EXPECT_EQ(service.refunds.size(), 1U);
}

TEST_F(SagaRunnerTest, RetryAfterIsHonoured) {
    pay_too_late("7301", "T1");
    service.answers = {answered(429, "120"), answered(200)};
    start();
    hand.run_for(119s);
    EXPECT_EQ(service.requests.size(), 1U);
    hand.run_for(3s);
    EXPECT_EQ(service.requests.size(), 2U);
}

// The process dies between the call and its note: after the lease another asks under the same key.
TEST_F(SagaRunnerTest, ACrashAfterTheCallAsksAgainUnderTheSameKey) {
    pay_too_late("7301", "T1");
    sagas.fault = [&] {
        return service.requests.empty() ? FaultySagas::Fault::none : FaultySagas::Fault::before;
    };
    start();
    EXPECT_EQ(service.requests.size(), 1U);
    sagas.fault = [] { return FaultySagas::Fault::none; };

    HandLoop next(2);  // the first process runs no more
    SagaRunner other(next.loop, flows, sagas, service, figures, SagaRunner::Alarm());
    other.reload(std::make_shared<const Machines>(std::vector{machine()}),
                 std::make_shared<const Services>());
    TaskGroup tasks(next.loop);
    tasks.spawn(other.run());
    const auto pass = [&](int seconds) {
        for (int i = 0; i < seconds; ++i) {
            next.run_for(1s);
            hand.clock.now += 1s;  // the store's
        }
    };
    pass(25);
    EXPECT_EQ(service.requests.size(), 1U);  // the lease still runs
    pass(10);
    EXPECT_EQ(service.requests.size(), 2U);
    EXPECT_EQ(service.refunds.size(), 1U);
    EXPECT_EQ(saga().state, SagaState::done);
}

TEST_F(SagaRunnerTest, WhatIsNotKnownToBeWrittenIsWrittenAgain) {
    pay_too_late("7301", "T1");
    int calls = 0;
    sagas.fault = [&] {
        return ++calls % 3 == 0 ? FaultySagas::Fault::none : FaultySagas::Fault::after;
    };
    start();
    hand.run_for(1min);
    EXPECT_EQ(service.requests.size(), 1U);
    EXPECT_EQ(saga().state, SagaState::done);
}

TEST_F(SagaRunnerTest, TwoRunnersOfOneStoreAskOnce) {
    pay_too_late("7301", "T1");
    service.takes = 5s;
    SagaFigures others;
    SagaRunner other(hand.loop, flows, sagas, service, others, SagaRunner::Alarm());
    other.reload(std::make_shared<const Machines>(std::vector{machine()}),
                 std::make_shared<const Services>());
    TaskGroup tasks(hand.loop);
    tasks.spawn(other.run());
    start();
    hand.run_for(1min);
    EXPECT_EQ(service.requests.size(), 1U);
}

TEST_F(SagaRunnerTest, WhatTheConfigurationDoesNotKnowIsForAPerson) {
    pay_too_late("7301", "T1");
    start();
    ASSERT_EQ(saga().state, SagaState::done);
    pay_too_late("7302", "..");
    runner->hint();
    hand.run_for(1s);
    EXPECT_EQ(saga(1).state, SagaState::needs_attention);
    EXPECT_NE(saga(1).said.find("would lead elsewhere"), std::string::npos) << saga(1).said;
    runner->reload(std::make_shared<const Machines>(), std::make_shared<const Services>());
    pay_too_late("7303", "T3");
    runner->hint();
    hand.run_for(1s);
    EXPECT_EQ(saga(2).said, "no flow `order` with a saga `refund` is configured");
    EXPECT_EQ(alarms.size(), 2U);
}

TEST_F(SagaRunnerTest, OneThatHangsHoldsUpNoOther) {
    for (int i = 1; i <= 30; ++i) pay_too_late(std::to_string(i), "T" + std::to_string(i));
    service.takes = 1s;
    start();
    EXPECT_EQ(service.requests.size(), SagaLimits{}.parallel_max);
    hand.run_for(10s);
    EXPECT_EQ(service.refunds.size(), 30U);
}

TEST_F(SagaRunnerTest, AnIdleRunnerLooksOnceASecond) {
    start();
    sagas.looks = 0;
    hand.run_for(10s);
    EXPECT_EQ(sagas.looks, 10);
}

TEST_F(SagaRunnerTest, WhatIsUnderWayEndsBeforeItLeaves) {
    pay_too_late("7301", "T1");
    service.takes = 5s;
    start();
    runner->stop();
    hand.run_for(1s);
    EXPECT_EQ(group.running(), 1U);
    hand.run_for(5s);
    EXPECT_EQ(group.running(), 0U);
    EXPECT_EQ(saga().state, SagaState::done);
}

}  // namespace
}  // namespace pawl::engine
