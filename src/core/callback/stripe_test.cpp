// SPDX-License-Identifier: Apache-2.0
// R-PAYMENT: Stripe's own library signs in test/service; here are the rows, and what must not pass.
#include <gtest/gtest.h>

#include "core/callback/webhook_fixture.hpp"

namespace pawl::callback {
namespace {

const std::string kSecret = "whsec_test_0123456789abcdef";

StripeAccount stripe() {
    StripeAccount account;
    account.secrets = {kSecret};
    return account;
}

std::string event(const std::string& type, const std::string& object,
                  const std::string& more = "") {
    return fmt::format(
        R"({{"id":"evt_1","object":"event","type":"{}","livemode":true{},"data":{{"object":{}}}}})",
        type, more, object);
}

constexpr std::string_view kIntent =
    R"({"id":"pi_1","object":"payment_intent","amount":1250,"amount_received":1250,"currency":"usd",)"
    R"("metadata":{"out_trade_no":"order-1"},"status":"succeeded"})";

std::expected<Reading, Refusal> ask(const Notification& notification,
                                    const StripeAccount& account = stripe(),
                                    std::int64_t now_ms = kNowMs) {
    return verify_and_read({"shop", account}, notification, now_ms);
}
std::string read(const std::string& body, const StripeAccount& account = stripe()) {
    return told(ask(stripe_signed(kSecret, body), account));
}

TEST(Stripe, APaidIntentIsAFact) {
    const auto reading =
        ask(stripe_signed(kSecret, event("payment_intent.succeeded", std::string(kIntent))));
    EXPECT_EQ(told(reading), "evt_1 paid order=order-1 tx=pi_1 12.50 USD");
    EXPECT_EQ(reading->event_type, "payment_intent.succeeded");
}

struct Row {
    std::string type;
    std::string object;
    std::string said;
};

TEST(Stripe, EveryRowOfItsTypes) {
    const std::string order = R"("metadata":{"out_trade_no":"o"},)";
    const std::vector<Row> rows{
        {"payment_intent.canceled", R"({"id":"pi_1",)" + order + R"("amount":5,"currency":"eur"})",
         "evt_1 closed order=o tx=pi_1 0.05 EUR"},
        {"payment_intent.canceled", R"({"id":"pi_1","amount":5,"currency":"eur"})",
         "nothing It names no order."},
        {"checkout.session.completed",
         R"({"id":"cs_1","client_reference_id":"o","payment_intent":"pi_1","payment_status":"paid","amount_total":700,)"
         R"("currency":"jpy","status":"complete"})",
         "evt_1 paid order=o tx=pi_1 700 JPY"},
        {"checkout.session.completed",
         R"({"id":"cs_1","client_reference_id":"o","payment_intent":"pi_1","payment_status":"unpaid",)"
         R"("amount_total":700,)"
         R"("currency":"jpy"})",
         "nothing The session is complete, but not paid yet."},
        {"checkout.session.async_payment_succeeded",
         R"({"id":"cs_1",)" + order +
             R"("client_reference_id":"other","payment_intent":"pi_1","payment_status":"paid","amount_total":1,)"
             R"("currency":"kwd"})",
         "evt_1 paid order=o tx=pi_1 0.001 KWD"},
        {"checkout.session.expired",
         R"({"id":"cs_1","client_reference_id":"o","payment_intent":null,"amount_total":1,"currency":"usd"})",
         "evt_1 closed order=o tx=cs_1 0.01 USD"},
        {"charge.succeeded",
         R"({"id":"ch_1",)" + order + R"("payment_intent":null,"amount":5,"currency":"usd"})",
         "evt_1 paid order=o tx=ch_1 0.05 USD"},
        {"charge.succeeded",
         R"({"id":"ch_1",)" + order + R"("payment_intent":"pi_1","amount":5,"currency":"usd"})",
         "nothing The payment intent of this charge says it."},
        {"refund.created",
         R"({"id":"re_1","payment_intent":"pi_1","charge":"ch_1","amount":5,"currency":"usd","status":"succeeded"})",
         "evt_1 refunded order= tx=pi_1 refund=re_1 0.05 USD"},
        {"refund.updated",
         R"({"id":"re_1",)" + order +
             R"("charge":"ch_1","amount":5,"currency":"isk","status":"succeeded"})",
         "evt_1 refunded order=o tx=ch_1 refund=re_1 0.05 ISK"},
        {"charge.refund.updated",
         R"({"id":"re_1","charge":"ch_1","amount":5,"currency":"mga","status":"pending"})",
         "nothing The refund is not done yet."},
        {"refund.failed",
         R"({"id":"re_1","charge":"ch_1","amount":5,"currency":"usd","status":"failed"})",
         "attention The refund did not reach the payer."},
        {"charge.refunded", R"({"id":"ch_1"})",
         "nothing Events of this type say nothing about a payment here."},
        {"payment_intent.payment_failed", std::string(kIntent),
         "nothing Events of this type say nothing about a payment here."},
        {"made.up.tomorrow", "7", "nothing Events of this type say nothing about a payment here."},
    };
    for (const Row& row : rows) EXPECT_EQ(read(event(row.type, row.object)), row.said) << row.type;
}

// Intent, session and refunds tell one fact each, by whatever events.
TEST(Stripe, OneFactToldTwiceHasOneKey) {
    const auto fact = [](const std::string& type, const std::string& object) {
        return fact_key(Provider::stripe, "shop",
                        ask(stripe_signed(kSecret, event(type, object)))->fact);
    };
    EXPECT_EQ(
        fact("payment_intent.succeeded", std::string(kIntent)),
        fact(
            "checkout.session.completed",
            R"({"id":"cs_1","client_reference_id":"order-1","payment_intent":"pi_1","payment_status":"paid",)"
            R"("amount_total":1250,"currency":"usd"})"));
    const std::string refund =
        R"({"id":"re_1","payment_intent":"pi_1","amount":5,"currency":"usd","status":"succeeded"})";
    EXPECT_EQ(fact("refund.created", refund), fact("charge.refund.updated", refund));
}

TEST(Stripe, APaymentWithoutAnOrderWaitsForPeopleUnlessItIsSomebodyElses) {
    const std::string body =
        event("payment_intent.succeeded", R"({"id":"pi_1","amount_received":5,"currency":"usd"})");
    EXPECT_EQ(read(body), "attention It is a payment that names no order.");
    StripeAccount account = stripe();
    account.ignore_without_order = true;
    EXPECT_EQ(read(body, account), "nothing It names no order.");
    account = stripe();
    account.order_member = "order.id";
    EXPECT_EQ(
        read(
            event(
                "payment_intent.succeeded",
                R"({"id":"pi_1","amount_received":5,"currency":"usd","metadata":{"order.id":"o"}})"),
            account),
        "evt_1 paid order=o tx=pi_1 0.05 USD");
}

TEST(Stripe, WhatIsAboutAnotherAccountWaitsForPeople) {
    const std::string connected =
        event("payment_intent.succeeded", std::string(kIntent), R"(,"account":"acct_9")");
    EXPECT_EQ(read(connected), "attention It is about another connected account (account).");
    StripeAccount account = stripe();
    account.connected = "acct_9";
    EXPECT_EQ(read(connected, account), "evt_1 paid order=order-1 tx=pi_1 12.50 USD m=acct_9");
    account.connected = "acct_8";
    EXPECT_EQ(read(connected, account),
              "attention It is about another connected account (account).");
    account = stripe();
    account.live = false;
    EXPECT_EQ(read(event("payment_intent.succeeded", std::string(kIntent)), account),
              "attention It is a live event, and the account is for test mode.");
}

// What is signed is an external fact: it is kept for people, whatever stands in it, and never refused.
TEST(Stripe, WhatIsSignedAndCannotBeReadWaitsForPeople) {
    const auto of_amount = [](const std::string& amount, const std::string& currency) {
        return read(event("payment_intent.succeeded", R"({"id":"pi_1","amount_received":)" +
                                                          amount + R"(,"currency":)" + currency +
                                                          R"(,"metadata":{"out_trade_no":"o"}})"));
    };
    EXPECT_EQ(of_amount("1e2", "\"usd\""), "evt_1 paid order=o tx=pi_1 1.00 USD");
    for (const std::string amount : {"-5", "12.5", "1000000000000001", "null", "\"x\""})
        EXPECT_EQ(of_amount(amount, "\"usd\""), "attention Its amount or currency is none.")
            << amount;
    EXPECT_EQ(of_amount("5", "\"dollars\""), "attention Its amount or currency is none.");
    EXPECT_EQ(of_amount("{}", "\"usd\""),
              "attention The event's $.data.object.amount_received is not a number.");
    EXPECT_EQ(of_amount("5", "7"), "attention The event's $.data.object.currency is not a text.");
    EXPECT_TRUE(
        read("{").starts_with("attention The event cannot be read. Not valid JSON at byte 1"));
    EXPECT_EQ(read("[]"), "attention The event is not a JSON object.");
    EXPECT_TRUE(read(R"({"id":"evt_1","type":"a","type":"payment_intent.succeeded"})")
                    .starts_with("attention The event cannot be read."));
    EXPECT_TRUE(read(std::string(100'000, '[')).starts_with("attention The event cannot be read."));
    EXPECT_EQ(
        read(event(
            "payment_intent.succeeded",
            R"({"id":"pi_1","amount_received":5,"currency":"usd","metadata":{"out_trade_no":"a\u0000b"}})")),
        "attention One of its names is longer than 255 bytes, or no text.");
    for (const std::size_t size : {kFactTextBytesMax, kFactTextBytesMax + 1}) {
        const std::string order(size, 'o');
        EXPECT_EQ(read(event("payment_intent.succeeded",
                             R"({"id":"pi_1","amount_received":5,"currency":"usd",)"
                             R"("metadata":{"out_trade_no":")" +
                                 order + "\"}}"))
                      .starts_with("evt_1 paid"),
                  size == kFactTextBytesMax);
    }
    EXPECT_EQ(read(R"({"type":"payment_intent.succeeded","livemode":true,"data":{"object":)" +
                   std::string(kIntent) + "}}"),
              "attention It has no id.");
}

TEST(Stripe, AHugeEventIsRead) {
    const std::string padding = R"(,"padding":")" + std::string(4U << 20, 'x') + "\"";
    EXPECT_EQ(read(event("payment_intent.succeeded", std::string(kIntent), padding)),
              "evt_1 paid order=order-1 tx=pi_1 12.50 USD");
}

// Field case 24: verified as received, whatever its spelling.
TEST(Stripe, TheBytesAreVerifiedAsTheyCame) {
    const std::string spelled =
        " {\t\"id\":\"evt_\\u0031\" ,\"n\":1.0,\"e\":1e2,\"h\":\"\\u00FC\",\"livemode\": true,"
        "\"type\":\"payment_intent.succeeded\",\"data\":{\"object\":" +
        std::string(kIntent) + "}}\n";
    EXPECT_EQ(read(spelled), "evt_1 paid order=order-1 tx=pi_1 12.50 USD");
}

TEST(Stripe, NothingPassesThatNoSecretSigned) {
    const std::string body = event("payment_intent.succeeded", std::string(kIntent));
    const Notification good = stripe_signed(kSecret, body);
    ASSERT_TRUE(ask(good));
    for (std::size_t i = 0; i < body.size(); ++i) {
        Notification bad = good;
        bad.body[i] = static_cast<char>(bad.body[i] ^ 1);
        ASSERT_EQ(told(ask(bad)), "refused not_authentic") << i;
    }
    EXPECT_EQ(told(ask(stripe_signed("whsec_another_0123456789", body))), "refused not_authentic");
    for (const std::string& header :
         {std::string(), std::string("t=1764000000"), std::string("v1=00"),
          std::string("t=1764000000,v1="), std::string("t=x,v1=00"),
          good.headers[1].value.substr(0, 60)}) {
        Notification bad = good;
        header_of(bad, "Stripe-Signature") = header;
        EXPECT_EQ(told(ask(bad)), "refused not_authentic") << header;
    }
    Notification twice = good;
    twice.headers.push_back({"stripe-signature", header_of(twice, "Stripe-Signature")});
    ASSERT_EQ(told(ask(twice)), "refused not_authentic");
    EXPECT_EQ(ask(twice).error().text, "The header Stripe-Signature comes more than once.");
    EXPECT_EQ(ask({{}, body}).error().text, "The header Stripe-Signature is missing.");
}

TEST(Stripe, TheTimeOfSigningIsFiveMinutesFromNowAtMost) {
    const Notification good =
        stripe_signed(kSecret, event("payment_intent.succeeded", std::string(kIntent)));
    const std::int64_t tolerance = kToleranceDefault.count();
    EXPECT_TRUE(ask(good, stripe(), kNowMs + tolerance));
    EXPECT_EQ(told(ask(good, stripe(), kNowMs + tolerance + 1)), "refused out_of_time");
    EXPECT_TRUE(ask(good, stripe(), kNowMs - tolerance));
    EXPECT_EQ(told(ask(good, stripe(), kNowMs - tolerance - 1)), "refused out_of_time");
    Notification moved = good;
    header_of(moved, "Stripe-Signature").replace(2, 10, "1764000001");
    EXPECT_EQ(told(ask(moved)), "refused not_authentic") << "the time is signed too";
}

TEST(Stripe, SecretsAreChangedWithoutAGap) {
    const std::string body = event("payment_intent.succeeded", std::string(kIntent));
    StripeAccount account = stripe();
    account.secrets = {"whsec_next_0123456789abcdef", kSecret};
    EXPECT_TRUE(ask(stripe_signed(kSecret, body), account));
    EXPECT_TRUE(ask(stripe_signed("whsec_next_0123456789abcdef", body), account));
    Notification both = stripe_signed("whsec_next_0123456789abcdef", body);
    const std::string old = stripe_signed(kSecret, body).headers[1].value;
    header_of(both, "Stripe-Signature") += old.substr(old.find(',')) + ",v0=00";
    EXPECT_TRUE(ask(both)) << "one of its signatures is the secret's that is known here";
}

}  // namespace
}  // namespace pawl::callback
