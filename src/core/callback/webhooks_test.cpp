// SPDX-License-Identifier: Apache-2.0
// Standard Webhooks and any HMAC: what is verified, and what the mapping reads. The library of Standard Webhooks signs
// in test/service.
#include <gtest/gtest.h>

#include "core/callback/webhook_fixture.hpp"

namespace pawl::callback {
namespace {

const std::string kSecret = "twenty-four bytes, 24 of";
const std::string kPaid =
    R"({"id":"e1","type":"payment.paid","data":{"order":"o","payment":"p","amount":1250,)"
    R"("currency":"usd","shop":"shop-7"}})";
const std::string kPaidTold = " paid order=o tx=p 12.50 USD m=shop-7";

StandardWebhooksAccount standard() { return {{kSecret}, plain_mapping()}; }
std::expected<Reading, Refusal> ask(const Notification& notification,
                                    const StandardWebhooksAccount& account = standard(),
                                    std::int64_t now_ms = kNowMs) {
    return verify_and_read({"shop", account}, notification, now_ms);
}

// The example on the page of Standard Webhooks' reference implementations.
TEST(StandardWebhooks, AgreesWithItsExample) {
    StandardWebhooksAccount account = standard();
    account.secrets = {*standard_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")};
    const Notification notification{
        {{"webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"},
         {"webhook-timestamp", "1614265330"},
         {"webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}},
        R"({"test": 2432232314})"};
    EXPECT_EQ(told(ask(notification, account, 1'614'265'330'000)),
              "nothing Events of this type are not mapped to a fact.");
}

TEST(StandardWebhooks, ASignedOneIsAFactUnderItsId) {
    EXPECT_EQ(told(ask(standard_signed(kSecret, kPaid))), "msg_1" + kPaidTold);
}

TEST(StandardWebhooks, NothingPassesThatNoSecretSigned) {
    const Notification good = standard_signed(kSecret, kPaid);
    ASSERT_TRUE(ask(good));
    for (std::size_t i = 0; i < good.body.size(); ++i) {
        Notification bad = good;
        bad.body[i] = static_cast<char>(bad.body[i] ^ 1);
        ASSERT_EQ(told(ask(bad)), "refused not_authentic") << i;
    }
    const std::string mac = good.headers[2].value;
    const std::vector<std::array<std::string, 3>> rows{
        {"Webhook-Id", "msg_2", "another id"},
        {"Webhook-Id", "", "no id"},
        {"Webhook-Timestamp", "1764000001", "another time"},
        {"Webhook-Timestamp", "-1", "no time"},
        {"Webhook-Timestamp", "1764000000.0", "no whole time"},
        {"Webhook-Signature", "", "no signature"},
        {"Webhook-Signature", mac.substr(0, mac.size() - 1), "cut"},
        {"Webhook-Signature", mac.substr(3), "no version"},
        {"Webhook-Signature", "v1a" + mac.substr(2), "another version"},
        {"Webhook-Signature", "v1,AAAA" + mac.substr(7), "another signature"},
    };
    for (const auto& [name, value, why] : rows) {
        Notification bad = good;
        header_of(bad, name) = value;
        EXPECT_EQ(told(ask(bad)), "refused not_authentic") << why;
    }
    for (const char* name : {"webhook-id", "webhook-timestamp", "webhook-signature"}) {
        Notification bad = good;
        bad.headers.push_back({name, std::string(header_line(good, name).value)});
        EXPECT_EQ(told(ask(bad)), "refused not_authentic") << name;
        std::erase_if(bad.headers,
                      [&](const Header& header) { return equal_ignoring_case(header.name, name); });
        EXPECT_EQ(told(ask(bad)), "refused not_authentic") << name;
    }
}

TEST(StandardWebhooks, OneOfSeveralSignaturesAndSecretsIsEnough) {
    Notification notification = standard_signed(kSecret, kPaid);
    const std::string mac = notification.headers[2].value;
    StandardWebhooksAccount account = standard();
    account.secrets = {"another of twenty-four by", kSecret};
    EXPECT_TRUE(ask(notification, account));
    std::string most = "v1a,AAAA";
    for (std::size_t i = 1; i < 8; ++i) most += " v1,AAAA";
    header_of(notification, "Webhook-Signature") = most + " " + mac;
    EXPECT_TRUE(ask(notification));
    header_of(notification, "Webhook-Signature") = most + " v1,AAAA " + mac;
    EXPECT_FALSE(ask(notification)) << "more than eight";
}

TEST(StandardWebhooks, TheTimeIsFiveMinutesFromNowAtMost) {
    const Notification good = standard_signed(kSecret, kPaid);
    const std::int64_t tolerance = kToleranceDefault.count();
    for (const int side : {-1, 1}) {
        EXPECT_TRUE(ask(good, standard(), kNowMs + side * tolerance));
        EXPECT_EQ(told(ask(good, standard(), kNowMs + side * (tolerance + 1))),
                  "refused out_of_time");
    }
}

std::string mapped(const std::string& body, const JsonMapping& mapping = plain_mapping()) {
    return told(ask(standard_signed(kSecret, body), {{kSecret}, mapping}));
}
std::string data(const std::string& type, const std::string& members) {
    return fmt::format(R"({{"type":"{}","data":{{{},"shop":"shop-7"}}}})", type, members);
}

TEST(JsonMapping, ReadsWhatItsPathsSay) {
    EXPECT_EQ(mapped(data("payment.closed", R"("order":"o","payment":"p")")),
              "msg_1 closed order=o tx=p m=shop-7");
    EXPECT_EQ(
        mapped(data("payment.refunded",
                    R"("order":"o","payment":"p","refund":"r","amount":"5","currency":"EUR")")),
        "msg_1 refunded order=o tx=p refund=r 0.05 EUR m=shop-7");
    EXPECT_EQ(mapped(data("payment.paid",
                          R"("order":42,"payment":9007199254740993,"amount":5,"currency":"EUR")")),
              "msg_1 paid order=42 tx=9007199254740993 0.05 EUR m=shop-7")
        << "numbers are names by their digits";
    EXPECT_EQ(mapped(data("payment.unheard", "\"x\":1")),
              "nothing Events of this type are not mapped to a fact.");
    JsonMapping decimal = plain_mapping();
    decimal.minor_units = false;
    decimal.currency.reset();
    decimal.currency_default = "CNY";
    EXPECT_EQ(mapped(data("payment.paid", R"("order":"o","payment":"p","amount":88.88)"), decimal),
              "msg_1 paid order=o tx=p 88.88 CNY m=shop-7");
}

TEST(JsonMapping, WhatCannotBeReadWaitsForPeople) {
    EXPECT_EQ(
        mapped(data("payment.paid", R"("order":1.0,"payment":"p","amount":5,"currency":"EUR")")),
        "attention The webhook's $.data.order is not a text or a whole number.");
    EXPECT_EQ(mapped(data("payment.paid", R"("payment":"p","amount":5,"currency":"EUR")")),
              "attention It is a payment that names no order.");
    EXPECT_EQ(mapped(data("payment.paid", R"("order":"o","amount":5,"currency":"EUR")")),
              "attention It names no transaction.");
    EXPECT_EQ(mapped(data("payment.paid", R"("order":"o","payment":"p","currency":"EUR")")),
              "attention Its amount or currency is none.");
    EXPECT_EQ(mapped(data("payment.refunded",
                          R"("order":"o","payment":"p","amount":5,"currency":"EUR")")),
              "attention It is a refund without a number.");
    EXPECT_EQ(
        mapped(
            R"({"type":"payment.paid","data":{"order":"o","payment":"p","amount":5,"currency":"EUR","shop":"x"}})"),
        "attention It is about a payment to another merchant.");
    EXPECT_TRUE(mapped("not json").starts_with("attention The webhook cannot be read."));
    EXPECT_TRUE(mapped(R"({"type":{}})").starts_with("attention The webhook's $.type"));
}

HmacAccount hmac() {
    HmacAccount account;
    account.secrets = {kSecret};
    account.signature_header = "X-Signature";
    account.signature_prefix = "sha256=";
    account.event_id = *key::parse_json_path("$.id");
    account.mapping = plain_mapping();
    return account;
}
std::string ask_hmac(const HmacAccount& account, const std::vector<Header>& headers,
                     const std::string& body = kPaid, std::int64_t now_ms = kNowMs) {
    return told(verify_and_read({"shop", account}, {headers, body}, now_ms));
}

TEST(Hmac, OverTheBodyInHexadecimalOrBase64) {
    const std::string mac(hmac_sha256(kSecret, kPaid).view());
    const std::string hex = to_hex(mac);
    HmacAccount account = hmac();
    EXPECT_EQ(ask_hmac(account, {{"x-signature", "sha256=" + hex}}), "e1" + kPaidTold);
    EXPECT_EQ(ask_hmac(account, {{"x-signature", "sha256=" + hex}}, kPaid + " "),
              "refused not_authentic");
    for (const std::string& bad :
         {hex, "sha1=" + hex, "sha256=" + hex.substr(1), "sha256=" + hex.substr(2),
          "sha256=" + to_base64(mac), std::string("sha256="), std::string()})
        EXPECT_EQ(ask_hmac(account, {{"X-Signature", bad}}), "refused not_authentic") << bad;
    EXPECT_EQ(ask_hmac(account, {}), "refused not_authentic");
    EXPECT_EQ(
        ask_hmac(account, {{"X-Signature", "sha256=" + hex}, {"X-Signature", "sha256=" + hex}}),
        "refused not_authentic");
    account.encoding = HmacAccount::Encoding::base64;
    account.signature_prefix = "";
    EXPECT_EQ(ask_hmac(account, {{"X-Signature", to_base64(mac)}}), "e1" + kPaidTold);
    EXPECT_EQ(ask_hmac(account, {{"X-Signature", hex}}), "refused not_authentic");
}

TEST(Hmac, OverTheTimeToo) {
    HmacAccount account = hmac();
    account.time_header = "X-Time";
    account.tolerance = std::chrono::seconds{60};
    const std::string mac = "sha256=" + to_hex(hmac_sha256(kSecret, "1764000000." + kPaid).view());
    const std::vector<Header> good{{"X-Time", "1764000000"}, {"X-Signature", mac}};
    EXPECT_EQ(ask_hmac(account, good), "e1" + kPaidTold);
    EXPECT_EQ(ask_hmac(account, good, kPaid, kNowMs + 60'000), "e1" + kPaidTold);
    EXPECT_EQ(ask_hmac(account, good, kPaid, kNowMs + 60'001), "refused out_of_time");
    EXPECT_EQ(ask_hmac(account, good, kPaid, kNowMs - 60'001), "refused out_of_time");
    EXPECT_EQ(ask_hmac(account, {{"X-Time", "1764000001"}, {"X-Signature", mac}}),
              "refused not_authentic");
    EXPECT_EQ(ask_hmac(account, {{"X-Time", "now"}, {"X-Signature", mac}}),
              "refused not_authentic");
    EXPECT_EQ(ask_hmac(account, {{"X-Signature", mac}}), "refused not_authentic");
    EXPECT_EQ(ask_hmac(account, {good[0], good[0], good[1]}), "refused not_authentic");
}

TEST(Hmac, ANumberCanBeTheId) {
    const std::string body = R"({"id":18446744073709551615,"type":"x"})";
    const auto reading = verify_and_read(
        {"shop", hmac()},
        {{{"X-Signature", "sha256=" + to_hex(hmac_sha256(kSecret, body).view())}}, body}, kNowMs);
    EXPECT_EQ(reading->event_id, "18446744073709551615");
}

}  // namespace
}  // namespace pawl::callback
