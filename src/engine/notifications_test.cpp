// SPDX-License-Identifier: Apache-2.0
// From the bytes to the acknowledgement, over what the engine may say of a fact. Over a store: see
// notified_orders_test.cpp.
#include "engine/notifications.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/notifications_fixture.hpp"
#include "runtime/task/promise.hpp"

namespace pawl::engine {
namespace {

using namespace std::chrono_literals;
using callback::Acknowledgement;
using testing::HasSubstr;

// Answers what it is told to, at once or when it is let go; keeps what it was sent.
class Scripted final : public FactTaker {
  public:
    explicit Scripted(Loop& loop) : loop_(loop) {}

    Task<Result<Outcome>> send(Sent one) override {
        sent.push_back(std::move(one));
        return answer();
    }
    Task<Result<Outcome>> keep_for_people(Sent one, std::string why) override {
        kept.push_back(std::move(one));
        reasons.push_back(std::move(why));
        return answer();
    }

    std::vector<Sent> sent;
    std::vector<Sent> kept;
    std::vector<std::string> reasons;
    std::deque<Result<Outcome>> answers;  // the last one goes on
    std::optional<Promise<bool>> gate;

  private:
    Task<Result<Outcome>> answer() {
        Result<Outcome> next = answers.empty() ? Result<Outcome>(Outcome{}) : answers.front();
        if (answers.size() > 1) answers.pop_front();
        if (gate) co_await gate->wait(loop_.now() + 1h);
        co_return next;
    }
    Loop& loop_;
};

struct Desk {
    HandLoop hand;
    Scripted facts{hand.loop()};
    HeardAll watch;
    Notifications notifications{hand.loop(), facts, watch, accounts_of({shop_account()}),
                                machines_of({flow::order_flow()})};

    int status(callback::Notification notification, const std::string& account = "main") {
        return hand.run(notifications.take("standard_webhooks", account, std::move(notification)))
            .value()
            .status;
    }
    int status(const Paid& paid = {}) { return status(signed_by_shop(hand, paid)); }
    NotificationFigures& figures() {
        return *notifications.accounts().find("standard_webhooks", "main")->figures;
    }
    std::uint64_t counted(callback::Outcome outcome) { return figures().of(outcome).value(); }
};

Outcome told(Told what, std::string reason = {}) {
    Outcome outcome;
    outcome.told = what;
    outcome.reason = std::move(reason);
    return outcome;
}

TEST(Notifications, AFactGoesToTheOrderThatItNames) {
    Desk desk;
    EXPECT_EQ(desk.status(), 204);
    ASSERT_EQ(desk.facts.sent.size(), 1U);
    const Sent& sent = desk.facts.sent[0];
    EXPECT_EQ(sent.subject, (store::FlowSubject{"t", "order", "", "B1"}));
    EXPECT_EQ(sent.event.name, "pay");
    EXPECT_EQ(sent.event.sender, flow::Sender::callback);
    EXPECT_EQ(sent.event.values.at("transaction_id"), "T1");
    EXPECT_EQ(sent.event.values.at("amount"), "12.50") << "exactly, and the currency beside it";
    EXPECT_EQ(sent.event.values.at("currency"), "EUR");
    EXPECT_TRUE(sent.store_first);
    EXPECT_EQ(desk.counted(callback::Outcome::applied), 1U);
}

TEST(Notifications, ValuesHaveTheFormsOfTheFlow) {
    flow::Definition plain = flow::order_flow();
    std::erase_if(plain.fields, [](const flow::Field& one) { return one.name == "currency"; });
    Desk desk;
    desk.notifications.reload(accounts_of({shop_account()}), machines_of({plain}));
    desk.status();
    EXPECT_EQ(desk.facts.sent.back().event.values.at("amount"), "12.50 EUR")
        << "money carries its currency where the flow has no field for it";
    EXPECT_EQ(desk.facts.sent.back().event.values.at("merchant"), "shop-7");
    callback::Subscription silent = shop_account();
    std::get<callback::StandardWebhooksAccount>(silent.account.provider).mapping.merchant.reset();
    desk.notifications.reload(accounts_of({silent}), machines_of({plain}));
    desk.status();
    EXPECT_EQ(desk.facts.sent.back().event.values.at("merchant"), "main")
        << "who was paid is whose account it is";
}

TEST(Notifications, ItIsRememberedUnderItsIdWithItsEffect) {
    Desk desk;
    desk.status();
    desk.status(callback::standard_signed(kShopSecret, Paid{}.body() + " ", "msg_1",
                                          seconds_of(desk.hand)));
    desk.status(signed_by_shop(desk.hand, {}, "msg_2"));
    desk.status(signed_by_shop(desk.hand, {.transaction = "T2"}, "msg_1"));
    ASSERT_EQ(desk.facts.sent.size(), 4U);
    ASSERT_TRUE(desk.facts.sent[0].claim && desk.facts.sent[1].claim && desk.facts.sent[2].claim);
    const record::Claim& claim = *desk.facts.sent[0].claim;
    EXPECT_EQ(claim.identity, callback::notification_key(callback::Provider::standard_webhooks,
                                                         "main", "msg_1", ""));
    EXPECT_EQ(claim.keep.key_ms, std::chrono::milliseconds(7 * 24h).count());
    EXPECT_EQ(claim.tenant, "t");
    EXPECT_EQ(desk.facts.sent[0].acknowledgement->status, 204);
    EXPECT_EQ(desk.facts.sent[1].claim->identity, claim.identity);
    EXPECT_EQ(desk.facts.sent[1].claim->fingerprint, claim.fingerprint)
        << "the same id in other bytes is the same notification";
    EXPECT_EQ(desk.facts.sent[3].claim->identity, claim.identity);
    EXPECT_NE(desk.facts.sent[3].claim->fingerprint, claim.fingerprint)
        << "in other words it is not";
    EXPECT_EQ(desk.facts.sent[0].fingerprint_under(Digest{}), claim.identity)
        << "as those were recorded of which only the id was compared";
    EXPECT_FALSE(desk.facts.sent[0].fingerprint_under(sha256("another rule")));
    EXPECT_NE(desk.facts.sent[2].claim->identity, claim.identity);
}

TEST(Notifications, WhatTheEngineSaysIsAcknowledgedInTheProvidersWords) {
    const std::vector<std::tuple<Told, int, callback::Outcome, bool>> rows{
        {Told::applied, 204, callback::Outcome::applied, false},
        {Told::repeated, 204, callback::Outcome::seen, false},
        {Told::present, 204, callback::Outcome::seen, false},
        {Told::recorded, 204, callback::Outcome::seen, false},
        {Told::settled_before, 204, callback::Outcome::seen, false},
        {Told::parked, 204, callback::Outcome::stored, false},
        {Told::deferred, 204, callback::Outcome::stored, false},
        {Told::ignored, 204, callback::Outcome::ignored, false},
        {Told::attention, 204, callback::Outcome::stored, true},
        {Told::refused, 500, callback::Outcome::failed, false},
        {Told::contended, 500, callback::Outcome::failed, false},
    };
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(kToldCount));
    for (const auto& [what, status, outcome, alarm] : rows) {
        Desk desk;
        desk.facts.answers = {told(what, "why")};
        EXPECT_EQ(desk.status(), status) << static_cast<int>(what);
        EXPECT_EQ(desk.counted(outcome), 1U) << static_cast<int>(what);
        ASSERT_EQ(desk.watch.all.size(), 1U);
        EXPECT_EQ(desk.watch.all[0].outcome, outcome);
        EXPECT_EQ(desk.watch.all[0].alarm, alarm);
        EXPECT_EQ(desk.figures().alarms.value(), alarm ? 1U : 0U);
    }
}

// Field case X16: the handler could not write, and the provider was told that it had.
TEST(Notifications, WhereTheStoreDoesNotAnswerItHasToComeAgain) {
    for (const Code code : {Code::unavailable, Code::unknown, Code::store_full}) {
        Desk desk;
        desk.facts.answers = {fail(code, "The store is away."), told(Told::applied)};
        EXPECT_EQ(desk.status(), 500);
        EXPECT_EQ(desk.watch.all[0].why, "The store is away.");
        EXPECT_EQ(desk.status(), 204) << "and then it does";
    }
}

TEST(Notifications, NobodysWordChangesNothing) {
    Desk desk;
    callback::Notification other = signed_by_shop(desk.hand, {});
    other.body[10] = 'P';
    EXPECT_EQ(desk.status(other), 401);
    EXPECT_EQ(desk.status(signed_by_shop(desk.hand, {}, "msg_1", std::string(32, 'x'))), 401);
    EXPECT_EQ(desk.status(callback::standard_signed(kShopSecret, Paid{}.body(), "msg_1",
                                                    seconds_of(desk.hand) - 301)),
              401)
        << "signed too long ago";
    EXPECT_EQ(desk.status(callback::standard_signed(kShopSecret, Paid{}.body(), "msg_1",
                                                    seconds_of(desk.hand) - 300)),
              204);
    EXPECT_EQ(desk.facts.sent.size(), 1U);
    EXPECT_EQ(desk.facts.kept.size(), 0U);
    EXPECT_EQ(desk.counted(callback::Outcome::not_authentic), 3U);
    EXPECT_THAT(desk.watch.all[2].why, HasSubstr("out_of_time"));
}

TEST(Notifications, AnAccountThatIsNotConfiguredIsNoAccount) {
    Desk desk;
    const auto take = [&](const std::string& provider, const std::string& account) {
        return desk.hand.run(
            desk.notifications.take(provider, account, signed_by_shop(desk.hand, {})));
    };
    EXPECT_EQ(take("standard_webhooks", "mian").error().code, Code::not_found);
    EXPECT_EQ(take("stripe", "main").error().code, Code::not_found);
    EXPECT_TRUE(desk.facts.sent.empty());
}

TEST(Notifications, OfOneAccountMovesNothingOfAnother) {
    Desk desk;
    callback::Subscription other = shop_account("other", "u");
    std::get<callback::StandardWebhooksAccount>(other.account.provider).secrets = {
        std::string(32, 'o')};
    desk.notifications.reload(accounts_of({shop_account(), other}),
                              machines_of({flow::order_flow()}));
    EXPECT_EQ(desk.status(signed_by_shop(desk.hand, {}), "other"), 401);
    EXPECT_EQ(desk.status(signed_by_shop(desk.hand, {}, "msg_1", std::string(32, 'o')), "other"),
              204);
    ASSERT_EQ(desk.facts.sent.size(), 1U);
    EXPECT_EQ(desk.facts.sent[0].subject.tenant, "u");
    EXPECT_EQ(desk.facts.sent[0].event.values.at("account"), "other");
}

TEST(Notifications, WhatSaysNothingAboutMoneyIsOnlyAcknowledged) {
    Desk desk;
    EXPECT_EQ(desk.status({.type = "customer.updated"}), 204);
    EXPECT_EQ(desk.status({.type = "payment.closed"}), 204) << "the flow has no event for it";
    EXPECT_TRUE(desk.facts.sent.empty());
    EXPECT_TRUE(desk.facts.kept.empty());
    EXPECT_EQ(desk.counted(callback::Outcome::ignored), 2U);
}

TEST(Notifications, MoneyThatCannotBeLaidToAnOrderIsKeptForPeople) {
    Desk desk;
    desk.facts.answers = {told(Told::attention)};
    EXPECT_EQ(desk.status({.shop = "shop-8"}), 204);
    EXPECT_EQ(desk.status({.order = ""}), 204);
    EXPECT_EQ(desk.status({.amount = "-5"}), 204);
    EXPECT_TRUE(desk.facts.sent.empty());
    ASSERT_EQ(desk.facts.kept.size(), 3U);
    EXPECT_EQ(desk.facts.kept[0].subject, (store::FlowSubject{"t", "order", "", ""}));
    EXPECT_EQ(desk.facts.kept[0].event.values.at("event_id"), "msg_1");
    EXPECT_TRUE(desk.facts.kept[0].claim);
    for (const std::string& why : desk.facts.reasons) EXPECT_FALSE(why.empty());
    EXPECT_EQ(desk.figures().alarms.value(), 3U);
    desk.facts.answers = {fail(Code::unavailable, "away")};
    EXPECT_EQ(desk.status({.order = ""}), 500) << "not kept: it has to come again";
}

TEST(Notifications, AFactOfAFlowThatIsNotServedAnyMoreIsKeptForPeople) {
    Desk desk;
    desk.facts.answers = {told(Told::attention)};
    desk.notifications.reload(accounts_of({shop_account()}), machines_of({}));
    EXPECT_EQ(desk.status(), 204);
    ASSERT_EQ(desk.facts.reasons.size(), 1U);
    EXPECT_EQ(desk.facts.reasons[0], "`order` is no flow here that takes facts");
}

TEST(Notifications, WithoutRoomForARecordTheFactIsTakenAllTheSame) {
    Desk desk;
    Outcome limited = told(Told::recorded);
    limited.verdict = record::Verdict{.outcome = record::Outcome::limited};
    desk.facts.answers = {limited, told(Told::applied)};
    EXPECT_EQ(desk.status(), 204);
    ASSERT_EQ(desk.facts.sent.size(), 2U);
    EXPECT_TRUE(desk.facts.sent[0].claim);
    EXPECT_FALSE(desk.facts.sent[1].claim);
    EXPECT_FALSE(desk.facts.sent[1].acknowledgement);
    EXPECT_EQ(desk.facts.sent[1].event.values, desk.facts.sent[0].event.values);
}

TEST(Notifications, InOtherWordsUnderTheSameIdItIsKeptForPeople) {
    Desk desk;
    Outcome other = told(Told::recorded);
    other.verdict = record::Verdict{.outcome = record::Outcome::mismatch};
    desk.facts.answers = {other, told(Told::attention)};
    EXPECT_EQ(desk.status(), 204);
    ASSERT_EQ(desk.facts.kept.size(), 1U);
    EXPECT_TRUE(desk.facts.kept[0].contradicts);
    EXPECT_FALSE(desk.facts.kept[0].claim);
    EXPECT_EQ(desk.facts.kept[0].event.values.at("event_id"), "msg_1");
    EXPECT_EQ(desk.figures().alarms.value(), 1U);
    EXPECT_EQ(desk.counted(callback::Outcome::stored), 1U);
    desk.facts.answers = {other, fail(Code::unavailable, "away")};
    EXPECT_EQ(desk.status(), 500) << "not kept: it has to come again";
}

TEST(Notifications, TwoThatCannotBeReadAndHaveNoIdAreTwoEntries) {
    Desk desk;
    callback::HmacAccount provider;
    provider.secrets = {kShopSecret};
    provider.signature_header = "X-Signature";
    provider.event_id = *key::parse_json_path("$.id");
    provider.mapping = callback::plain_mapping();
    callback::Subscription account = shop_account();
    account.account.provider = provider;
    desk.notifications.reload(accounts_of({account}), machines_of({flow::order_flow()}));
    desk.facts.answers = {told(Told::attention)};
    for (const std::string body : {"not json 1", "not json 2", "not json 1"})
        desk.hand.run(desk.notifications.take(
            "hmac", "main",
            {{{"X-Signature", to_hex(hmac_sha256(kShopSecret, body).view())}}, body}));
    ASSERT_EQ(desk.facts.kept.size(), 3U);
    EXPECT_NE(desk.facts.kept[0].event.values, desk.facts.kept[1].event.values);
    EXPECT_EQ(desk.facts.kept[0].event.values, desk.facts.kept[2].event.values);
}

TEST(Notifications, BeyondTheBudgetItIsCarriedOutAndComesAgain) {
    Desk desk;
    desk.facts.gate.emplace(desk.hand.loop());
    std::optional<Result<Acknowledgement>> answer;
    const auto ask = [&](callback::Notification one) {
        answer.reset();
        boost::asio::co_spawn(desk.hand.loop().executor(),
                              desk.notifications.take("standard_webhooks", "main", std::move(one)),
                              [&](std::exception_ptr, Result<Acknowledgement> got) {
                                  answer.emplace(std::move(got));
                              });
        desk.hand.poll();
    };
    ask(signed_by_shop(desk.hand, {}));
    desk.hand.pass(kNotificationBudget - 1ms);
    EXPECT_FALSE(answer);
    desk.hand.pass(1ms);
    desk.hand.poll();
    ASSERT_TRUE(answer);
    EXPECT_EQ((*answer)->status, 500);
    EXPECT_EQ(desk.figures().late.value(), 1U);
    EXPECT_TRUE(desk.watch.all.empty());
    desk.facts.gate->set(true);
    desk.hand.poll();
    ASSERT_EQ(desk.watch.all.size(), 1U) << "it was carried out";
    EXPECT_EQ(desk.watch.all[0].outcome, callback::Outcome::applied);
    EXPECT_EQ(desk.figures().durations.bucket(6), 1U) << "5 s is within the last bound";
}

TEST(Notifications, SoManyAtOnceAndNoMore) {
    Desk desk;
    desk.facts.gate.emplace(desk.hand.loop());
    std::map<int, std::size_t> answered;
    const auto ask = [&] {
        boost::asio::co_spawn(
            desk.hand.loop().executor(),
            desk.notifications.take("standard_webhooks", "main", signed_by_shop(desk.hand, {})),
            [&](std::exception_ptr, Result<Acknowledgement> got) { ++answered[got->status]; });
        desk.hand.poll();
    };
    for (std::size_t i = 0; i < kNotificationsMax; ++i) ask();
    EXPECT_TRUE(answered.empty());
    ask();
    EXPECT_EQ(answered, (std::map<int, std::size_t>{{500, 1}}));
    EXPECT_EQ(desk.facts.sent.size(), kNotificationsMax);
    desk.facts.gate->set(true);
    desk.hand.poll();
    EXPECT_EQ(answered[204], kNotificationsMax);
}

TEST(Notifications, EachProviderIsAnsweredInItsOwnWords) {
    Desk desk;
    callback::StripeAccount stripe;
    stripe.secrets = {"whsec_0123456789abcdef"};
    desk.notifications.reload(
        accounts_of({{{"eu", stripe}, "t", "order", {{callback::FactKind::paid, "pay"}}}}),
        machines_of({flow::order_flow()}));
    const auto take = [&](const std::string& secret) {
        const std::string body =
            R"({"id":"evt_1","type":"payment_intent.succeeded","livemode":true,"data":{"object":)"
            R"({"id":"pi_1","amount_received":1250,"currency":"eur","metadata":{"out_trade_no":"B1"}}}})";
        return desk.hand
            .run(desk.notifications.take(
                "stripe", "eu", callback::stripe_signed(secret, body, seconds_of(desk.hand))))
            .value();
    };
    EXPECT_EQ(take("whsec_0123456789abcdef").body, R"({"received":true})");
    EXPECT_EQ(desk.facts.sent.back().event.values.at("transaction_id"), "pi_1");
    EXPECT_EQ(desk.facts.sent.back().acknowledgement->body, R"({"received":true})");
    EXPECT_EQ(desk.facts.sent.back().claim->keep.key_ms,
              std::chrono::milliseconds(30 * 24h).count());
    EXPECT_EQ(take("whsec_another_123456").status, 401);
}

TEST(Notifications, AReloadGoesOnCounting) {
    Desk desk;
    desk.status();
    const CallbackAccounts& former = desk.notifications.accounts();
    desk.notifications.reload(std::make_shared<const CallbackAccounts>(
                                  std::vector{shop_account(), shop_account("b")}, &former),
                              machines_of({flow::order_flow()}));
    desk.status();
    EXPECT_EQ(desk.counted(callback::Outcome::applied), 2U);
    EXPECT_EQ(desk.notifications.accounts().all().size(), 2U);
}

TEST(NotificationDurations, HaveTheBoundsThatTheAlarmNames) {
    NotificationDurations durations;
    for (const auto one : {200ms, 201ms, 500ms, 1'000ms, 5'000ms, 5'001ms}) durations.add(one);
    EXPECT_EQ(durations.bucket(2), 1U) << "0.2 s";
    EXPECT_EQ(durations.bucket(3), 2U) << "0.5 s";
    EXPECT_EQ(durations.bucket(4), 1U) << "1 s";
    EXPECT_EQ(durations.bucket(6), 1U) << "5 s";
    EXPECT_EQ(durations.bucket(7), 1U) << "longer";
    EXPECT_EQ(durations.sum_microseconds(), 11'902'000U);
}

}  // namespace
}  // namespace pawl::engine
