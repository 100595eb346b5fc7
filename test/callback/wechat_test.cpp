// SPDX-License-Identifier: Apache-2.0
// R-PAYMENT: WeChat Pay, with keys that are made here.
#include <gtest/gtest.h>

#include "core/callback/webhook_fixture.hpp"
#include "provider_key.hpp"
#include "runtime/codec/aead.hpp"

namespace pawl::callback {
namespace {

const std::string kApiKey = "thirty-two bytes of an APIv3 key";
const std::string kNonce = "fdasflkja484";
const std::string kSerial = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";

const std::string kPaid =
    R"({"mchid":"1230000109","appid":"wxd678efh567hg6787","out_trade_no":"1217752501201407033233368018",)"
    R"("transaction_id":"1217752501201407033233368018","trade_type":"JSAPI","trade_state":"SUCCESS",)"
    R"("amount":{"payer_total":90,"total":100,"currency":"CNY","payer_currency":"CNY"}})";
const std::string kPaidTold =
    "EV-1 paid order=1217752501201407033233368018 tx=1217752501201407033233368018 1.00 CNY "
    "m=1230000109 "
    "a=wxd678efh567hg6787";

const ProviderKey& key() {
    static const ProviderKey made;
    return made;
}
const ProviderKey& next_key() {
    static const ProviderKey made;
    return made;
}

WechatAccount wechat() {
    WechatAccount account;
    account.mchid = "1230000109";
    account.appid = "wxd678efh567hg6787";
    account.keys = {{kSerial, key().for_merchants()}};
    account.api_keys = {kApiKey};
    return account;
}

std::string envelope(const std::string& type, const std::string& resource,
                     const std::string& api_key = kApiKey, const std::string& nonce = kNonce,
                     const std::string& algorithm = "AEAD_AES_256_GCM") {
    return fmt::format(
        R"({{"id":"EV-1","create_time":"2025-11-24T16:00:00+08:00","resource_type":"encrypt-resource",)"
        R"("event_type":"{}","summary":"\u652f\u4ed8","resource":{{"original_type":"transaction",)"
        R"("algorithm":"{}","ciphertext":"{}","associated_data":"transaction","nonce":"{}"}}}})",
        type, algorithm, to_base64(aead_seal(api_key, kNonce, "transaction", resource)), nonce);
}

Notification signed_by(const ProviderKey& signer, const std::string& body,
                       const std::string& serial = kSerial, std::int64_t at_s = kNowS) {
    return {{{"Wechatpay-Timestamp", std::to_string(at_s)},
             {"Wechatpay-Nonce", "5K8264ILTKCH16CQ2502SI8ZNMTM67VS"},
             {"Wechatpay-Serial", serial},
             {"Wechatpay-Signature",
              signer.sign(fmt::format("{}\n5K8264ILTKCH16CQ2502SI8ZNMTM67VS\n{}\n", at_s, body))}},
            body};
}

std::expected<Reading, Refusal> ask(const Notification& notification,
                                    const WechatAccount& account = wechat(),
                                    std::int64_t now_ms = kNowMs) {
    return verify_and_read({"shop", account}, notification, now_ms);
}
std::string read(const std::string& type, const std::string& resource,
                 const WechatAccount& account = wechat()) {
    return told(ask(signed_by(key(), envelope(type, resource)), account));
}

TEST(Wechat, APaidTransactionIsAFact) {
    ASSERT_TRUE(check({"shop", wechat()}));
    const auto reading = ask(signed_by(key(), envelope("TRANSACTION.SUCCESS", kPaid)));
    EXPECT_EQ(told(reading), kPaidTold);
    EXPECT_EQ(reading->event_type, "TRANSACTION.SUCCESS");
}

std::string refund(const std::string& status) {
    return R"({"mchid":"1230000109","transaction_id":"t","out_trade_no":"o","refund_id":"50","out_refund_no":"r",)"
           R"("refund_status":")" +
           status +
           R"(","amount":{"total":999,"refund":998,"payer_total":999,"payer_refund":999}})";
}

TEST(Wechat, EveryRowOfItsEvents) {
    EXPECT_EQ(read("REFUND.SUCCESS", refund("SUCCESS")),
              "EV-1 refunded order=o tx=t refund=r 9.98 CNY m=1230000109");
    EXPECT_EQ(read("REFUND.SUCCESS", refund("PROCESSING")),
              "attention It is a REFUND.SUCCESS whose refund_status is not SUCCESS.");
    EXPECT_EQ(read("REFUND.ABNORMAL", refund("ABNORMAL")),
              "attention It is a REFUND.ABNORMAL whose refund_status is not SUCCESS.");
    EXPECT_EQ(read("REFUND.CLOSED", refund("SUCCESS")),
              "attention The refund did not reach the payer.");
    std::string open = kPaid;
    open.replace(open.find("SUCCESS"), 7, "NOTPAY");
    EXPECT_EQ(read("TRANSACTION.SUCCESS", open),
              "attention It is a TRANSACTION.SUCCESS whose trade_state is not SUCCESS.");
    EXPECT_EQ(read("PAYSCORE.USER_PAID", "{}"),
              "nothing Events of this type say nothing about a payment here.");
    EXPECT_EQ(read("COUPON.USE", "not even JSON"),
              "nothing Events of this type say nothing about a payment here.");
}

TEST(Wechat, OfAServiceProviderTheSubMerchantIsPaid) {
    const std::string paid =
        R"({"sp_mchid":"1","sp_appid":"wx1","sub_mchid":"1230000109","sub_appid":"wxd678efh567hg6787",)"
        R"("out_trade_no":"o",)"
        R"("transaction_id":"t","trade_state":"SUCCESS","amount":{"total":1,"currency":"HKD"}})";
    EXPECT_EQ(read("TRANSACTION.SUCCESS", paid),
              "EV-1 paid order=o tx=t 0.01 HKD m=1230000109 a=wxd678efh567hg6787");
}

TEST(Wechat, WhatIsAboutOthersWaitsForPeople) {
    WechatAccount account = wechat();
    account.mchid = "1230000110";
    EXPECT_EQ(read("TRANSACTION.SUCCESS", kPaid, account),
              "attention It is about a payment to another merchant (mchid).");
    account = wechat();
    account.appid = "wx0";
    EXPECT_EQ(read("TRANSACTION.SUCCESS", kPaid, account),
              "attention It is about a payment through another application (appid).");
    account.appid = "";
    EXPECT_EQ(read("TRANSACTION.SUCCESS", kPaid, account), kPaidTold);
}

TEST(Wechat, WhatIsSignedAndCannotBeReadWaitsForPeople) {
    EXPECT_TRUE(
        read("TRANSACTION.SUCCESS", "{").starts_with("attention The resource cannot be read."));
    EXPECT_EQ(told(ask(signed_by(key(), "[]"))),
              "attention The notification is not a JSON object.");
    const std::string twice = R"({"id":"EV-1","id":"EV-2","event_type":"TRANSACTION.SUCCESS"})";
    EXPECT_TRUE(told(ask(signed_by(key(), twice)))
                    .starts_with("attention The notification cannot be read."));
    const auto of_amount = [](const std::string& total) {
        std::string paid = kPaid;
        return read("TRANSACTION.SUCCESS",
                    paid.replace(paid.find("\"total\":100"), 11, "\"total\":" + total));
    };
    for (const std::string total : {"-100", "1.5", "1000000000000001", "null"})
        EXPECT_EQ(of_amount(total), "attention Its amount or currency is none.") << total;
    EXPECT_EQ(of_amount("[]"), "attention The resource's $.amount.total is not a number.");
}

// Our keys are wrong, or not there yet: it comes again, and is read then.
TEST(Wechat, WhatNoneOfOurKeysOpensHasToComeAgain) {
    const std::string other = "thirty-two bytes of another key!";
    const Notification notification =
        signed_by(key(), envelope("TRANSACTION.SUCCESS", kPaid, other));
    EXPECT_EQ(told(ask(notification)), "refused sealed");
    EXPECT_EQ(outcome_of(ask(notification).error().reason), Outcome::failed);
    WechatAccount account = wechat();
    account.api_keys = {kApiKey, other};
    EXPECT_EQ(told(ask(notification, account)), kPaidTold);
    for (
        const std::string& body :
        {envelope("TRANSACTION.SUCCESS", kPaid, kApiKey, "eleven byte"),
         envelope("TRANSACTION.SUCCESS", kPaid, kApiKey, "thirteen byte"),
         envelope("TRANSACTION.SUCCESS", kPaid, kApiKey, "fdasflkja485"),
         envelope("TRANSACTION.SUCCESS", kPaid, kApiKey, kNonce, "AEAD_AES_128_GCM"),
         std::string(R"({"id":"EV-1","event_type":"TRANSACTION.SUCCESS"})"),
         std::string(
             R"({"id":"EV-1","event_type":"TRANSACTION.SUCCESS","resource":{"algorithm":"AEAD_AES_256_GCM",)"
             R"("nonce":"fdasflkja484","ciphertext":"AAA"}})")})
        EXPECT_EQ(told(ask(signed_by(key(), body))), "refused sealed") << body;
}

TEST(Wechat, NothingPassesThatItsKeyDidNotSign) {
    const Notification good = signed_by(key(), envelope("TRANSACTION.SUCCESS", kPaid));
    for (std::size_t i = 0; i < good.body.size(); i += 7) {
        Notification bad = good;
        bad.body[i] = static_cast<char>(bad.body[i] ^ 1);
        ASSERT_EQ(told(ask(bad)), "refused not_authentic") << i;
    }
    const std::string proof = good.headers[3].value;
    const std::vector<std::array<std::string, 3>> rows{
        {"Wechatpay-Timestamp", "1764000001", "not_authentic"},
        {"Wechatpay-Timestamp", "", "not_authentic"},
        {"Wechatpay-Timestamp", "1764000000 ", "not_authentic"},
        {"Wechatpay-Nonce", "another", "not_authentic"},
        {"Wechatpay-Nonce", "a\nb", "not_authentic"},
        {"Wechatpay-Serial", "another", "key_unknown"},
        {"Wechatpay-Serial", "", "key_unknown"},
        {"Wechatpay-Signature", "", "not_authentic"},
        {"Wechatpay-Signature", proof.substr(0, proof.size() - 4), "not_authentic"},
        {"Wechatpay-Signature", proof.substr(0, proof.size() - 1), "not_authentic"},
        {"Wechatpay-Signature", "WECHATPAY/SIGNTEST/" + proof.substr(19), "not_authentic"},
        {"Wechatpay-Signature", "WECHATPAY/SIGNTEST/" + proof, "not_authentic"},
        {"Wechatpay-Signature", next_key().sign("x"), "not_authentic"},
    };
    for (const auto& [name, value, reason] : rows) {
        Notification bad = good;
        header_of(bad, name) = value;
        EXPECT_EQ(told(ask(bad)), "refused " + reason) << name << ": " << value;
    }
    for (const Header& header : good.headers) {
        Notification bad = good;
        bad.headers.push_back(header);
        EXPECT_EQ(told(ask(bad)), "refused not_authentic") << header.name << " twice";
        std::erase_if(bad.headers, [&](const Header& other) { return other.name == header.name; });
        EXPECT_EQ(told(ask(bad)), "refused not_authentic") << "no " << header.name;
    }
}

TEST(Wechat, TheTimeIsFiveMinutesFromNowAtMost) {
    const Notification good = signed_by(key(), envelope("TRANSACTION.SUCCESS", kPaid));
    const std::int64_t tolerance = kToleranceDefault.count();
    for (const int side : {-1, 1}) {
        EXPECT_TRUE(ask(good, wechat(), kNowMs + side * tolerance));
        EXPECT_EQ(told(ask(good, wechat(), kNowMs + side * (tolerance + 1))),
                  "refused out_of_time");
    }
}

TEST(Wechat, KeysAreChangedWithoutAGap) {
    WechatAccount account = wechat();
    account.keys.push_back({"PUB_KEY_ID_0112300001", next_key().for_merchants()});
    const std::string body = envelope("TRANSACTION.SUCCESS", kPaid);
    EXPECT_TRUE(ask(signed_by(key(), body), account));
    EXPECT_TRUE(ask(signed_by(next_key(), body, "PUB_KEY_ID_0112300001"), account));
    EXPECT_EQ(told(ask(signed_by(next_key(), body), account)), "refused not_authentic")
        << "the serial says which key, and another's signature is none";
    EXPECT_EQ(told(ask(signed_by(next_key(), body, "PUB_KEY_ID_0112300001"))),
              "refused key_unknown");
}

TEST(Wechat, AnAccountNeedsKeysOfTheRightKind) {
    WechatAccount account = wechat();
    account.api_keys.push_back("short");
    EXPECT_EQ(check({"shop", account}).error().text,
              "Callback account shop: an APIv3 key does not have 32 bytes.");
    account = wechat();
    account.keys[0].serial = "";
    EXPECT_FALSE(check({"shop", account}));
    account = wechat();
    account.keys.push_back({"S2", ProviderKey(EVP_EC_gen("P-256")).for_merchants()});
    EXPECT_EQ(check({"shop", account}).error().text,
              "Callback account shop: a public key is not RSA; the provider signs with RSA.");
    account = wechat();
    account.keys.resize(kKeysMax + 1, account.keys[0]);
    EXPECT_FALSE(check({"shop", account}));
}

}  // namespace
}  // namespace pawl::callback
