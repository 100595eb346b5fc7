// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/callback/webhook_fixture.hpp"

namespace pawl::callback {
namespace {

std::string wrong(const Account& account) {
    const auto checked = check(account);
    if (checked) return {};
    EXPECT_EQ(checked.error().code, Code::config_invalid);
    return checked.error().text;
}

TEST(CallbackAccount, NeedsANameAndKeysWithinTheirBounds) {
    StripeAccount stripe;
    EXPECT_EQ(wrong({"", stripe}), "A callback account needs a name, for its URL.");
    EXPECT_EQ(wrong({"shop", stripe}), "Callback account shop: it has 0 secrets; give 1 to 8.");
    stripe.secrets.assign(kKeysMax, std::string(kSecretBytesMin, 'x'));
    EXPECT_EQ(wrong({"shop", stripe}), "");
    stripe.secrets.push_back(std::string(kSecretBytesMin, 'x'));
    EXPECT_EQ(wrong({"shop", stripe}), "Callback account shop: it has 9 secrets; give 1 to 8.");
    stripe.secrets = {std::string(kSecretBytesMin - 1, 'x')};
    EXPECT_EQ(wrong({"shop", stripe}),
              "Callback account shop: a secret has 15 bytes; give 16 to 512.");
    stripe.secrets = {std::string(kSecretBytesMax, 'x')};
    EXPECT_EQ(wrong({"shop", stripe}), "");
    stripe.secrets = {std::string(kSecretBytesMax + 1, 'x')};
    EXPECT_NE(wrong({"shop", stripe}), "");
    stripe.secrets = {std::string(kSecretBytesMax, 'x')};
    stripe.order_member = "";
    EXPECT_NE(wrong({"shop", stripe}), "");
}

TEST(CallbackAccount, OfStandardWebhooksHasSecretsOf24To64Bytes) {
    const auto of = [](std::size_t size) {
        return wrong({"shop", StandardWebhooksAccount{{std::string(size, 'x')}, plain_mapping()}});
    };
    EXPECT_NE(of(kStandardSecretBytesMin - 1), "");
    EXPECT_EQ(of(kStandardSecretBytesMin), "");
    EXPECT_EQ(of(kStandardSecretBytesMax), "");
    EXPECT_NE(of(kStandardSecretBytesMax + 1), "");
    EXPECT_EQ(standard_secret("whsec_AAAA"), std::string(3, '\0'));
    EXPECT_EQ(standard_secret("AAAA"), std::string(3, '\0'));
    EXPECT_FALSE(standard_secret("whsec_AAA"));
    EXPECT_FALSE(standard_secret("whsec_A-_A"));
}

TEST(CallbackAccount, OfAlipayAndWechatNamesWhoseItIs) {
    EXPECT_EQ(wrong({"shop", WechatAccount{}}), "Callback account shop: its mchid is missing.");
    WechatAccount wechat;
    wechat.mchid = "1900000001";
    EXPECT_EQ(wrong({"shop", wechat}),
              "Callback account shop: it has 0 keys of WeChat Pay; give 1 to 8.");
    EXPECT_EQ(wrong({"shop", AlipayAccount{}}), "Callback account shop: its app_id is missing.");
    AlipayAccount alipay;
    alipay.app_id = "2021000000000001";
    EXPECT_EQ(wrong({"shop", alipay}),
              "Callback account shop: it has 0 keys of Alipay; give 1 to 8.");
    alipay.currency = "yuan";
    EXPECT_EQ(wrong({"shop", alipay}), "Callback account shop: its currency is not three letters.");
}

HmacAccount hmac() {
    HmacAccount account;
    account.secrets = {std::string(kSecretBytesMin, 'x')};
    account.signature_header = "X-Signature";
    account.mapping = plain_mapping();
    return account;
}

TEST(CallbackAccount, OfAnySenderSaysWhatItNeeds) {
    using namespace std::chrono_literals;
    EXPECT_EQ(wrong({"shop", hmac()}), "");
    const auto with = [](auto change) {
        HmacAccount account = hmac();
        change(account);
        return wrong({"shop", account});
    };
    EXPECT_NE(with([](HmacAccount& of) { of.signature_header = ""; }), "");
    EXPECT_NE(with([](HmacAccount& of) { of.tolerance = 999ms; }), "");
    EXPECT_EQ(with([](HmacAccount& of) { of.tolerance = 1s; }), "");
    EXPECT_EQ(with([](HmacAccount& of) { of.tolerance = kToleranceMax; }), "");
    EXPECT_NE(with([](HmacAccount& of) { of.tolerance = kToleranceMax + 1ms; }), "");
    EXPECT_EQ(with([](HmacAccount& of) { of.memory = kMemoryMin; }), "");
    EXPECT_NE(with([](HmacAccount& of) { of.memory = kMemoryMin - 1ms; }), "");
    EXPECT_EQ(with([](HmacAccount& of) { of.taken.status = 299; }), "");
    EXPECT_EQ(with([](HmacAccount& of) { of.taken.status = 300; }),
              "Callback account shop: the status 300 says no success; senders go by the status.");
    EXPECT_EQ(with([](HmacAccount& of) { of.failed.status = 200; }),
              "Callback account shop: the status 200 says no failure; senders go by the status.");
    EXPECT_EQ(with([](HmacAccount& of) { of.failed.status = 400; }), "");
    EXPECT_NE(with([](HmacAccount& of) { of.not_authentic.status = 399; }), "");
    EXPECT_NE(with([](HmacAccount& of) { of.not_authentic.status = 600; }), "");
}

TEST(CallbackAccount, MapsEverythingThatItsFactsNeed) {
    const auto with = [](auto change) {
        HmacAccount account = hmac();
        change(account.mapping);
        return wrong({"shop", account});
    };
    EXPECT_NE(with([](JsonMapping& of) { of.kinds.clear(); }), "");
    EXPECT_NE(with([](JsonMapping& of) { of.refund.reset(); }), "");
    EXPECT_NE(with([](JsonMapping& of) { of.amount.reset(); }), "");
    EXPECT_NE(with([](JsonMapping& of) { of.currency.reset(); }), "");
    EXPECT_NE(with([](JsonMapping& of) { of.merchant_expected.clear(); }), "");
    EXPECT_EQ(with([](JsonMapping& of) { of.merchant.reset(); }), "");
    EXPECT_EQ(with([](JsonMapping& of) {
                  of.kinds = {{"x", FactKind::closed}};
                  of.amount.reset();
                  of.refund.reset();
              }),
              "");
}

TEST(CallbackAccount, KnowsItsProvider) {
    EXPECT_EQ(name_of(provider_of({"a", WechatAccount{}})), "wechat");
    EXPECT_EQ(name_of(provider_of({"a", AlipayAccount{}})), "alipay");
    EXPECT_EQ(name_of(provider_of({"a", StripeAccount{}})), "stripe");
    EXPECT_EQ(name_of(provider_of({"a", StandardWebhooksAccount{}})), "standard_webhooks");
    EXPECT_EQ(name_of(provider_of({"a", HmacAccount{}})), "hmac");
}

}  // namespace
}  // namespace pawl::callback
