// SPDX-License-Identifier: Apache-2.0
// R-PAYMENT: the tables of acknowledgements, row by row, as the providers' pages have them.
#include <gtest/gtest.h>

#include "core/callback/callback.hpp"

namespace pawl::callback {
namespace {

struct Row {
    Outcome outcome;
    int status;
    std::string type;
    std::string body;
};

void expect(const Account& account, const std::vector<Row>& rows) {
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(kOutcomeCount));
    for (const Row& row : rows) {
        const Acknowledgement answer = acknowledge(account, row.outcome);
        EXPECT_EQ(answer.status, row.status) << name_of(row.outcome);
        EXPECT_EQ(answer.body, row.body) << name_of(row.outcome);
        ASSERT_EQ(answer.headers.empty(), row.type.empty()) << name_of(row.outcome);
        if (row.type.empty()) continue;
        EXPECT_EQ(answer.headers[0].name, "Content-Type");
        EXPECT_EQ(answer.headers[0].value, row.type);
    }
}

TEST(Acknowledgement, WechatGoesByTheStatusAlone) {
    const std::string type = "application/json";
    expect({"shop", WechatAccount{}},
           {{Outcome::applied, 204, "", ""},
            {Outcome::seen, 204, "", ""},
            {Outcome::stored, 204, "", ""},
            {Outcome::ignored, 204, "", ""},
            {Outcome::failed, 500, type, R"({"code":"FAIL","message":"not taken, send it again"})"},
            {Outcome::not_authentic, 401, type,
             R"({"code":"FAIL","message":"the signature is wrong"})"}});
}

TEST(Acknowledgement, AlipayGoesByTheBodyAlone) {
    const std::string type = "text/plain";
    expect({"shop", AlipayAccount{}}, {{Outcome::applied, 200, type, "success"},
                                       {Outcome::seen, 200, type, "success"},
                                       {Outcome::stored, 200, type, "success"},
                                       {Outcome::ignored, 200, type, "success"},
                                       {Outcome::failed, 500, type, "fail"},
                                       {Outcome::not_authentic, 401, type, "fail"}});
}

TEST(Acknowledgement, StripeTakesAny2xx) {
    const std::string type = "application/json";
    expect({"shop", StripeAccount{}},
           {{Outcome::applied, 200, type, R"({"received":true})"},
            {Outcome::seen, 200, type, R"({"received":true})"},
            {Outcome::stored, 200, type, R"({"received":true})"},
            {Outcome::ignored, 200, type, R"({"received":true})"},
            {Outcome::failed, 500, type, R"({"received":false})"},
            {Outcome::not_authentic, 401, type, R"({"received":false})"}});
}

TEST(Acknowledgement, StandardWebhooksTakeAny2xx) {
    expect({"shop", StandardWebhooksAccount{}}, {{Outcome::applied, 204, "", ""},
                                                 {Outcome::seen, 204, "", ""},
                                                 {Outcome::stored, 204, "", ""},
                                                 {Outcome::ignored, 204, "", ""},
                                                 {Outcome::failed, 500, "", ""},
                                                 {Outcome::not_authentic, 401, "", ""}});
}

TEST(Acknowledgement, AnySendersIsConfigured) {
    HmacAccount account;
    account.taken = {202, "text/plain", "OK"};
    account.failed = {503, "", "later"};
    account.not_authentic = {403, "", ""};
    expect({"shop", account}, {{Outcome::applied, 202, "text/plain", "OK"},
                               {Outcome::seen, 202, "text/plain", "OK"},
                               {Outcome::stored, 202, "text/plain", "OK"},
                               {Outcome::ignored, 202, "text/plain", "OK"},
                               {Outcome::failed, 503, "", "later"},
                               {Outcome::not_authentic, 403, "", ""}});
}

TEST(Acknowledgement, OfARefusalIsWhatMakesItComeAgainOrNot) {
    EXPECT_EQ(outcome_of(Refusal::Reason::not_authentic), Outcome::not_authentic);
    EXPECT_EQ(outcome_of(Refusal::Reason::key_unknown), Outcome::not_authentic);
    EXPECT_EQ(outcome_of(Refusal::Reason::out_of_time), Outcome::not_authentic);
    EXPECT_EQ(outcome_of(Refusal::Reason::sealed), Outcome::failed);
}

TEST(Memory, IsLongerThanTheProviderRepeats) {
    using namespace std::chrono_literals;
    EXPECT_GT(memory_of({"shop", WechatAccount{}}), 30h);
    EXPECT_GT(memory_of({"shop", AlipayAccount{}}), 30h);
    EXPECT_EQ(memory_of({"shop", StripeAccount{}}), std::chrono::days{30});
    EXPECT_EQ(memory_of({"shop", StandardWebhooksAccount{}}), std::chrono::days{7});
    HmacAccount account;
    EXPECT_EQ(memory_of({"shop", account}), std::chrono::days{7});
    account.memory = 72h;
    EXPECT_EQ(memory_of({"shop", account}), 72h);
}

TEST(FactKey, IsOfEverythingThatTellsTwoFactsApart) {
    const Fact fact{FactKind::refunded, "order-1", "tx-1", "refund-1", {}, false, "m", "a"};
    const Digest key = fact_key(Provider::wechat, "shop", fact);
    Fact same = fact;
    same.merchant = "another";
    same.amount = Amount::in_decimal("1", "CNY");
    EXPECT_EQ(fact_key(Provider::wechat, "shop", same), key);
    EXPECT_NE(fact_key(Provider::alipay, "shop", fact), key);
    EXPECT_NE(fact_key(Provider::wechat, "shop2", fact), key);
    for (std::string Fact::* member :
         {&Fact::out_trade_no, &Fact::transaction_id, &Fact::refund_number}) {
        Fact other = fact;
        other.*member += "1";
        EXPECT_NE(fact_key(Provider::wechat, "shop", other), key);
    }
    Fact other = fact;
    other.kind = FactKind::closed;
    EXPECT_NE(fact_key(Provider::wechat, "shop", other), key);
}

TEST(NotificationKey, IsTheIdsOrElseTheBytes) {
    const Digest key = notification_key(Provider::stripe, "shop", "evt_1", "{}");
    EXPECT_EQ(notification_key(Provider::stripe, "shop", "evt_1", "{ }"), key);
    EXPECT_NE(notification_key(Provider::stripe, "shop", "evt_2", "{}"), key);
    EXPECT_NE(notification_key(Provider::stripe, "shop2", "evt_1", "{}"), key);
    EXPECT_NE(notification_key(Provider::hmac, "shop", "evt_1", "{}"), key);
    EXPECT_NE(notification_key(Provider::stripe, "shop", "", "evt_1"), key);
    EXPECT_NE(notification_key(Provider::stripe, "shop", "", "{}"),
              notification_key(Provider::stripe, "shop", "", "{ }"));
}

}  // namespace
}  // namespace pawl::callback
