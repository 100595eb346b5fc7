// SPDX-License-Identifier: Apache-2.0
// `callbacks:` as it is meant, and what is told of it where it is not.
#include "surface/config/broken_fixture.hpp"
#include "surface/config/config_fixture.hpp"
#include "surface/config/read_callbacks.hpp"

namespace pawl::config {
namespace {

using namespace callback;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr std::string_view kServed =
    "services: { pay: demo, stock: demo, courier: demo, billing: demo, coupons: demo }\n"
    "callers: { main: { jwt: { algorithm: RS256, key: { file: a } } } }\n"
    "flows: { use: [order, payment, packing], caller: { jwt: main }, roles: { support: [ann] } }\n"
    "callbacks:\n";

std::string account(std::string_view lines) { return std::string(kServed).append(lines); }

constexpr std::string_view kEvery = R"(  - provider: wechat
    name: main
    flow: payment
    mchid: "1900000001"
    appid: wx1
    keys: [{ serial: S1, file: a.pem }, { serial: S2, env: PAWL_B }]
    api_keys: [{ env: PAWL_SECRET }]
  - { provider: alipay, name: main, flow: order, app_id: "2021", seller_id: "2088", keys: [{ file: a.pem }] }
  - provider: stripe
    name: eu
    flow: order
    tenant: shop
    events: { paid: pay }
    connected: acct_1
    live: false
    order_member: order
    ignore_without_order: true
    secrets: [{ env: PAWL_SECRET }, { file: new }]
  - provider: standard_webhooks
    name: couriers
    flow: order
    events: { closed: deliver }
    secrets: [{ file: a }]
    body: { type: $.type, kinds: { parcel.delivered: closed }, order: $.order, transaction: $.parcel }
  - provider: hmac
    name: till-7.a
    flow: payment
    secrets: [{ file: a }]
    signature: { header: X-Sign, prefix: "sha256=", encoding: base64, time_header: X-Time, tolerance: 1m }
    event_id: $.id
    body:
      type: $.type
      kinds: { sale: paid, back: refunded }
      order: $.order
      transaction: $.receipt
      refund: $.refund
      amount: $.total
      minor_units: false
      currency: $.currency
      currency_default: EUR
      merchant: $.till
      merchant_expected: "7"
    memory: 2d
    answers:
      taken: { status: 202, content_type: text/plain, body: "OK\n" }
      failed: { status: 503 }
      not_authentic: { status: 403 }
)";

const Environment kSecrets{{"PAWL_SECRET", "thirty-two bytes of a secret, 32"}, {"PAWL_B", "pem"}};

TEST(Accounts, OfEveryProviderAreReadWithAllTheirSettings) {
    const Loaded loaded = load(account(kEvery), kSecrets);
    EXPECT_THAT(loaded.warnings, IsEmpty());
    const std::vector<CallbackSetting>& all = loaded.config.callbacks;
    ASSERT_EQ(all.size(), 5U);
    const auto& wechat = std::get<WechatAccount>(all[0].subscription.account.provider);
    EXPECT_EQ(wechat.mchid, "1900000001");
    EXPECT_EQ(all[0].keys[1].serial, "S2");
    EXPECT_EQ(all[0].keys[1].secret.value, "pem");
    EXPECT_EQ(all[0].api_keys.size(), 1U);
    EXPECT_EQ(std::get<AlipayAccount>(all[1].subscription.account.provider).currency, "CNY");
    EXPECT_EQ(all[2].subscription.tenant, "shop");
    EXPECT_FALSE(std::get<StripeAccount>(all[2].subscription.account.provider).live);
    const auto& till = std::get<HmacAccount>(all[4].subscription.account.provider);
    EXPECT_EQ(till.signature_prefix, "sha256=");
    EXPECT_EQ(till.encoding, HmacAccount::Encoding::base64);
    EXPECT_FALSE(till.mapping.minor_units);
    EXPECT_EQ(till.mapping.kinds.at("back"), FactKind::refunded);
    EXPECT_EQ(till.taken.body, "OK\n");
    EXPECT_EQ(till.failed.status, 503);
    const std::string text = describe(loaded.config);
    EXPECT_THAT(text, testing::Not(HasSubstr("a secret, 32"))) << "no secret is shown";
    EXPECT_EQ(describe(load(text, kSecrets).config), text) << "what is in effect can be loaded";
}

TEST(Accounts, FactsAreTheEventsThatTheFlowUsuallyCallsThem) {
    const Config config = load(account(kEvery), kSecrets).config;
    EXPECT_THAT(config.callbacks[0].subscription.events,
                ElementsAre(Pair(FactKind::paid, "paid"), Pair(FactKind::closed, "closed"),
                            Pair(FactKind::refunded, "refunded")));
    EXPECT_THAT(config.callbacks[1].subscription.events, ElementsAre(Pair(FactKind::paid, "pay")))
        << "`close` of an order is its deadline's, and no fact";
    EXPECT_THAT(config.callbacks[3].subscription.events,
                ElementsAre(Pair(FactKind::closed, "deliver")));
}

TEST(Accounts, OrdersBelongToTheFilesTenantUnlessRequestsSayTheirs) {
    const std::string_view stripe =
        "  - { provider: stripe, name: eu, flow: order, secrets: [{ file: a }] }\n";
    EXPECT_EQ(load("tenant: shop\n" + account(stripe)).config.callbacks[0].subscription.tenant,
              "shop");
    EXPECT_THAT(said("tenant: { header: X-Tenant }\n" + account(stripe)),
                ElementsAre("f:6:5: error: whose orders the account's facts are about is not said; "
                            "write `tenant: NAME`"));
}

TEST(Accounts, GetTheirKeysWhenThoseAreRead) {
    const auto made = [](std::string secret, std::string_view provider) {
        Config config = load(account(fmt::format(
                                 "  - {{ provider: {}, name: a, flow: order, secrets: [{{ env: "
                                 "PAWL_SECRET }}]{} }}\n",
                                 provider,
                                 provider == "stripe"
                                     ? ""
                                     : ", events: { closed: deliver }, body: { type: $.t, kinds: { "
                                       "d: closed }, order: $.o, transaction: $.x }")),
                             {{"PAWL_SECRET", std::move(secret)}})
                            .config;
        return subscriptions_of(config);
    };
    const auto stripe = made("whsec_0123456789", "stripe");
    ASSERT_TRUE(stripe);
    EXPECT_THAT(std::get<StripeAccount>(stripe->at(0).account.provider).secrets,
                ElementsAre("whsec_0123456789"));
    EXPECT_THAT(made("short", "stripe").error().text, HasSubstr("a secret has 5 bytes"));
    EXPECT_EQ(
        std::get<StandardWebhooksAccount>(
            made("whsec_" + std::string(32, 'A'), "standard_webhooks")->at(0).account.provider)
            .secrets[0]
            .size(),
        24U);
    EXPECT_THAT(made("no base64!", "standard_webhooks").error().text,
                HasSubstr("a secret of `callbacks.standard_webhooks.a`"));
    Config wechat = load(account(kEvery), kSecrets).config;
    wechat.callbacks.resize(1);
    EXPECT_THAT(subscriptions_of(wechat).error().text,
                HasSubstr("a key of `callbacks.wechat.main`"));
    wechat.callbacks[0].keys[0].secret.file = "/nowhere";
    EXPECT_THAT(read_callback_files(wechat.callbacks).error().text, HasSubstr("/nowhere"));
}

TEST(Accounts, WhatMayGoWrongLaterIsSaidNow) {
    const std::string own = account(
        "  - { provider: stripe, name: a, flow: order, events: { refunded: deliver }, secrets: [{ "
        "file: a }] }\n");
    EXPECT_THAT(said(own),
                ElementsAre(HasSubstr("warning: `deliver` of `order` takes any amount")));
}

// An account of Stripe that is good but for some settings.
std::string stripe(std::string_view settings) {
    return account(
        fmt::format("  - {{ provider: stripe, secrets: [{{ file: a }}], {} }}\n", settings));
}

std::vector<BrokenFile> account_rows() {
    return {
        {"map",
         std::string(kServed).append("  stripe: {}\n"),
         {"f:5:3: error: `callbacks` is a map; write each account below it as `- provider: …`"}},
        {"scalar",
         account("  - stripe\n"),
         {"f:5:5: error: an account is a single value; write `- provider: stripe` and its settings "
          "below"}},
        {"provider",
         account("  - { provider: paypal, name: a, flow: order }\n"),
         {"f:5:17: error: `provider`: `paypal` is not known; write one of wechat, alipay, stripe, "
          "standard_webhooks, hmac"}},
        {"no_provider",
         account("  - { name: a, flow: order }\n"),
         {"f:5:5: error: `provider` is missing; write one of wechat, alipay, stripe, "
          "standard_webhooks, hmac"}},
        {"no_name",
         stripe("flow: order"),
         {"f:5:5: error: an account needs a name for its address; write `name: main`: letters, "
          "digits, `-`, `_` and `.`, at most 64"}},
        {"name_too_long",
         stripe("flow: order, name: " + std::string(65, 'a')),
         {"f:5:5: error: an account needs a name for its address; write `name: main`: letters, "
          "digits, `-`, `_` and `.`, at most 64"}},
        {"no_flow",
         stripe("name: a"),
         {"f:5:5: error: which flow the account's facts are about is not said; write `flow: "
          "order`"}},
        {"other_flow",
         stripe("name: a, flow: oder"),
         {"f:5:5: error: `oder` is no flow that is served; did you mean `order`?"}},
        {"no_correlation",
         stripe("name: a, flow: packing, events: { paid: pack }"),
         {"f:5:5: error: `pack` of `packing` takes no facts; write `external: true` into it, in "
          "the "
          "flow's file",
          "f:5:5: error: `packing` says not which order a fact is about; write `correlate: { "
          "callback: out_trade_no, field: business_key }` into its file"}},
        {"other_event",
         stripe("name: a, flow: order, events: { paid: pya }"),
         {"f:5:5: error: `pya` is no event of `order`; did you mean `pay`?"}},
        {"no_fact",
         stripe("name: a, flow: order, events: { paid: ship }"),
         {"f:5:5: error: `ship` of `order` takes no facts; write `external: true` into it, in the "
          "flow's file"}},
        {"no_events",
         stripe("name: a, flow: order, events: {}"),
         {"f:5:5: error: `events` maps nothing; write `events: { paid: pay }`, or leave it out"}},
        {"twice",
         stripe("name: a, flow: order") +
             "  - { provider: stripe, secrets: [{ file: a }], name: a, flow: payment }\n",
         {"f:6:5: error: there is an account `a` of stripe already; give it another `name`"}},
    };
}

std::vector<BrokenFile> setting_rows() {
    return {
        {"secret_in_file",
         account("  - { provider: stripe, name: a, flow: order, secrets: [whsec_1] "
                 "}\n"),
         {"f:5:57: error: `callbacks.secrets` stands in the file itself; write "
          "`callbacks.secrets: [{ file: /run/secrets/… }]` or `callbacks.secrets: [{ env: PAWL_… "
          "}]`"}},
        {"no_secret",
         account("  - { provider: stripe, name: a, flow: order }\n"),
         {"f:5:5: error: `secrets` is missing; write `secrets: [{ file: /run/secrets/… }]`"}},
        {"wechat",
         account("  - { provider: wechat, name: a, flow: order, keys: [{ file: a }] }\n"),
         {"f:5:5: error: `api_keys` is missing; write `api_keys: [{ file: /run/secrets/… }]`",
          "f:5:5: error: `mchid` is missing; write the merchant's number at WeChat Pay",
          "f:5:54: error: a key has no serial; write `{ serial: …, file: wechatpay.pem }`, as "
          "Wechatpay-Serial says it"}},
        {"alipay",
         account("  - { provider: alipay, name: a, flow: order, currency: YUAN, keys: [] "
                 "}\n"),
         {"f:5:5: error: `app_id` is missing; write the application's number at Alipay",
          "f:5:5: error: `currency` is not three letters; write one such as `CNY`",
          "f:5:69: error: `keys` has 0; give 1 to 8"}},
        {"other_providers_setting",
         stripe("name: a, flow: order, mchid: x"),
         {"f:5:71: error: `mchid` is not known in `callbacks`; known are provider, connected, "
          "live, "
          "order_member, ignore_without_order, secrets, name, flow, tenant, events"}},
        {"hmac",
         account("  - { provider: hmac, name: a, flow: order, secrets: [{ file: a }], memory: 23h, "
                 "signature: { tolerance: 999ms }, answers: { taken: { status: 300 }, failed: { "
                 "status: 399 } } }\n"),
         {"f:5:5: error: `body` is missing, so nobody knows where the facts stand; write `body: { "
          "type: $.type, kinds: { paid: paid }, order: $.order, … }`",
          "f:5:5: error: `event_id` is missing; write `event_id: $.id`, where a notification's id "
          "is",
          "f:5:5: error: `memory` is less than a day; write at least `1d`",
          "f:5:5: error: which header carries the signature is not said; write `signature: { "
          "header: X-Signature }`",
          "f:5:93: error: `tolerance` is not between 1s and 1h; write one such as `5m`",
          "f:5:143: error: `status`: `300` is not a whole number from 200 to 299",
          "f:5:168: error: `status`: `399` is not a whole number from 400 to 599"}},
        {"body",
         account("  - { provider: standard_webhooks, name: a, flow: order, secrets: [{ file: a }], "
                 "body: { type: type, kinds: { a: paied }, order: $.o } }\n"),
         {"f:5:88: error: `transaction` is missing; write `transaction: $.…`, where it stands in "
          "the body",
          "f:5:96: error: `type`: JSON path \"type\", character 1: a path begins with $.",
          "f:5:114: error: `paied` is no kind of fact; did you mean `paid`?"}},
    };
}

INSTANTIATE_TEST_SUITE_P(Accounts, Broken, testing::ValuesIn(account_rows()), name_of_broken);
INSTANTIATE_TEST_SUITE_P(AccountSettings, Broken, testing::ValuesIn(setting_rows()),
                         name_of_broken);

}  // namespace
}  // namespace pawl::config
