// SPDX-License-Identifier: Apache-2.0
// R-PAYMENT: Alipay, with keys that are made here.
#include <gtest/gtest.h>

#include "core/callback/form.hpp"
#include "core/callback/webhook_fixture.hpp"
#include "provider_key.hpp"

namespace pawl::callback {
namespace {

const ProviderKey& key() {
    static const ProviderKey made;
    return made;
}
const ProviderKey& next_key() {
    static const ProviderKey made;
    return made;
}

AlipayAccount alipay() {
    AlipayAccount account;
    account.app_id = "2015102700040153";
    account.seller_id = "2088102119685838";
    account.keys = {key().for_merchants()};
    return account;
}

Form paid() {
    return {{"notify_time", "2025-11-25 00:00:00"},
            {"notify_type", "trade_status_sync"},
            {"notify_id", "ac05099524730693a8b330c5ecf72da9786"},
            {"app_id", "2015102700040153"},
            {"charset", "utf-8"},
            {"version", "1.0"},
            {"trade_no", "2013112011001004330000121536"},
            {"out_trade_no", "6823789339978248"},
            {"seller_id", "2088102119685838"},
            {"trade_status", "TRADE_SUCCESS"},
            {"total_amount", "88.88"},
            {"subject", "XXX交易 + 1%"},
            {"fund_bill_list", R"([{"amount":"88.88","fundChannel":"ALIPAYACCOUNT"}])"},
            {"body", ""}};
}
const std::string kPaidTold =
    "ac05099524730693a8b330c5ecf72da9786 paid order=6823789339978248 "
    "tx=2013112011001004330000121536 88.88 CNY "
    "m=2088102119685838 a=2015102700040153";

std::string encoded(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                           (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
        if (c == ' ')
            out += '+';
        else
            out +=
                plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::string body_of(const Form& form) {
    std::string body;
    // In the order in which nobody signs.
    for (auto it = form.rbegin(); it != form.rend(); ++it)
        body += (body.empty() ? "" : "&") + encoded(it->first) + "=" + encoded(it->second);
    return body;
}

Form signed_form(Form form, const ProviderKey& signer = key()) {
    std::string bytes;
    for (const auto& [name, value] : form) bytes += (bytes.empty() ? "" : "&") + name + "=" + value;
    form["sign_type"] = "RSA2";
    form["sign"] = signer.sign(bytes);
    return form;
}

std::expected<Reading, Refusal> ask_body(const std::string& body,
                                         const AlipayAccount& account = alipay()) {
    return verify_and_read({"shop", account}, {{}, body}, kNowMs);
}
std::string ask(const Form& form, const AlipayAccount& account = alipay()) {
    return told(ask_body(body_of(signed_form(form)), account));
}
std::string with(const Form& changes, const AlipayAccount& account = alipay()) {
    Form form = paid();
    for (const auto& [name, value] : changes) form[name] = value;
    return ask(form, account);
}

TEST(Alipay, APaidTradeIsAFact) {
    ASSERT_TRUE(check({"shop", alipay()}));
    EXPECT_EQ(ask(paid()), kPaidTold);
    EXPECT_EQ(ask_body(body_of(signed_form(paid())))->event_type,
              "trade_status_sync.TRADE_SUCCESS");
}

TEST(Alipay, TheCharsetDoesNotMatterToTheSignature) {
    Form form = paid();
    form["charset"] = "GBK";
    form["subject"] = "\xbd\xbb\xd2\xd7";
    EXPECT_EQ(ask(form), kPaidTold);
    form["out_trade_no"] = "\xbd\xbb\xd2\xd7";
    EXPECT_EQ(ask(form), "attention One of its names is longer than 255 bytes, or no text.");
}

TEST(Alipay, EveryRowOfItsStates) {
    const std::string trade = " order=6823789339978248 tx=2013112011001004330000121536";
    const std::string who = " m=2088102119685838 a=2015102700040153";
    const std::string id = "ac05099524730693a8b330c5ecf72da9786 ";
    EXPECT_EQ(with({{"trade_status", "TRADE_FINISHED"}}), kPaidTold);
    EXPECT_EQ(with({{"trade_status", "TRADE_FINISHED"}, {"refund_fee", "1.00"}}), kPaidTold);
    EXPECT_EQ(with({{"trade_status", "TRADE_CLOSED"}}), id + "closed" + trade + " 88.88 CNY" + who);
    EXPECT_EQ(
        with({{"refund_fee", "2.50"}, {"out_biz_no", "r1"}, {"gmt_refund", "2025-11-25 00:00:01"}}),
        id + "refunded" + trade + " refund=r1 2.50 CNY so far" + who);
    EXPECT_EQ(with({{"trade_status", "TRADE_CLOSED"}, {"refund_fee", "88.88"}}),
              id + "refunded" + trade + " refund=refund_fee=88.88 88.88 CNY so far" + who);
    EXPECT_EQ(with({{"refund_fee", ""}}), kPaidTold) << "empty is not there";
    EXPECT_EQ(with({{"trade_status", "WAIT_BUYER_PAY"}}),
              "nothing A trade in this state is neither paid nor closed.");
    EXPECT_EQ(with({{"notify_type", "open_app_auth_notify"}}),
              "nothing Notifications of this type say nothing about a payment here.");
    EXPECT_EQ(with({{"trans_currency", "USD"}}), id + "paid" + trade + " 88.88 USD" + who);
}

TEST(Alipay, WhatIsAboutOthersWaitsForPeople) {
    EXPECT_EQ(with({{"app_id", "2015102700040154"}}),
              "attention It is about another application (app_id).");
    EXPECT_EQ(with({{"seller_id", "2088102119685839"}}),
              "attention It is about a payment to another seller (seller_id).");
    AlipayAccount account = alipay();
    account.seller_id = "";
    EXPECT_NE(with({{"seller_id", "2088102119685839"}}, account).find(" paid "), std::string::npos);
}

TEST(Alipay, WhatIsSignedAndCannotBeReadWaitsForPeople) {
    for (const std::string amount :
         {"-88.88", "88,88", "", "1e99", "88.88888888", "10000000000000.01", "0x58"})
        EXPECT_EQ(with({{"total_amount", amount}}), "attention Its amount or currency is none.")
            << amount;
    EXPECT_EQ(with({{"out_trade_no", ""}}), "attention It is a payment that names no order.");
    EXPECT_EQ(with({{"trade_no", ""}}), "attention It names no transaction.");
    EXPECT_EQ(with({{"notify_id", ""}}), "attention It has no id.");
}

TEST(Alipay, NothingPassesThatItsKeyDidNotSign) {
    const Form good = signed_form(paid());
    ASSERT_TRUE(ask_body(body_of(good)));
    for (const auto& [name, value] : good) {
        if (name == "sign" || name == "sign_type") continue;
        Form bad = good;
        bad[name] = value + "0";
        EXPECT_EQ(told(ask_body(body_of(bad))), "refused not_authentic") << name;
        bad.erase(name);
        EXPECT_EQ(told(ask_body(body_of(bad))), "refused not_authentic") << "no " << name;
    }
    Form bad = good;
    bad["refund_fee"] = "88.88";
    EXPECT_EQ(told(ask_body(body_of(bad))), "refused not_authentic") << "one more";
    const std::string proof = good.at("sign");
    for (const std::string& sign : {std::string(), proof.substr(0, proof.size() - 1),
                                    proof.substr(4), proof + "AAAA", next_key().sign("x")}) {
        bad = good;
        bad["sign"] = sign;
        EXPECT_EQ(told(ask_body(body_of(bad))), "refused not_authentic") << sign;
    }
    for (const std::string type : {"RSA", "rsa2", ""}) {
        bad = good;
        bad["sign_type"] = type;
        EXPECT_EQ(told(ask_body(body_of(bad))), "refused not_authentic") << type;
    }
    EXPECT_EQ(told(ask_body(body_of(signed_form(paid(), next_key())))), "refused not_authentic");
}

TEST(Alipay, ABodyThatCouldBeReadInTwoWaysIsRefused) {
    const std::string good = body_of(signed_form(paid()));
    EXPECT_EQ(told(ask_body(good + "&total_amount=1.00")), "refused not_authentic");
    EXPECT_EQ(told(ask_body(good + "&")), "refused not_authentic");
    EXPECT_EQ(told(ask_body(good + "&x")), "refused not_authentic");
    EXPECT_EQ(told(ask_body("")), "refused not_authentic");
    EXPECT_EQ(told(ask_body("{}")), "refused not_authentic");
    std::string broken = good;
    broken.replace(broken.find("%2B"), 3, "%2Z");
    EXPECT_EQ(told(ask_body(broken)), "refused not_authentic");
}

TEST(Alipay, KeysAreChangedWithoutAGap) {
    AlipayAccount account = alipay();
    account.keys = {next_key().for_merchants(), key().for_merchants()};
    EXPECT_TRUE(ask_body(body_of(signed_form(paid())), account));
    EXPECT_TRUE(ask_body(body_of(signed_form(paid(), next_key())), account));
    account.keys.push_back(ProviderKey(EVP_EC_gen("P-256")).for_merchants());
    EXPECT_FALSE(check({"shop", account}));
}

}  // namespace
}  // namespace pawl::callback
