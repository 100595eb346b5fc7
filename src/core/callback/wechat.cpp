// SPDX-License-Identifier: Apache-2.0
// WeChat Pay, APIv3. The signature is over time, nonce and body; the news itself lies encrypted in `resource`. WeChat
// Pay sends wrong signatures on purpose (WECHATPAY/SIGNTEST/...), to see that they are refused.
//
//   event_type            the opened resource says    news
//   TRANSACTION.SUCCESS   trade_state SUCCESS         paid
//                         anything else               attention
//   REFUND.SUCCESS        refund_status SUCCESS       refunded
//                         anything else               attention
//   REFUND.ABNORMAL       -                           attention: the money did not reach the payer
//   REFUND.CLOSED         -                           attention: the refund was not made
//   others                -                           nothing
#include <array>

#include <fmt/format.h>

#include "core/callback/proof.hpp"
#include "core/callback/providers.hpp"
#include "core/caller/timed_signature.hpp"
#include "runtime/codec/aead.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {
namespace {

constexpr std::string_view kCurrency = "CNY";  // where the amount does not say

std::expected<void, Refusal> verify(const WechatAccount& account, const Notification& notification,
                                    std::int64_t now_ms) {
    const auto time = required_header(notification, "Wechatpay-Timestamp");
    if (!time) return std::unexpected(time.error());
    const auto nonce = required_header(notification, "Wechatpay-Nonce");
    if (!nonce) return std::unexpected(nonce.error());
    const auto serial = required_header(notification, "Wechatpay-Serial");
    if (!serial) return std::unexpected(serial.error());
    const auto signature = required_header(notification, "Wechatpay-Signature");
    if (!signature) return std::unexpected(signature.error());

    const auto at_s = caller::parse_seconds(*time);
    const auto proof = from_base64(*signature);
    // A line's end in the nonce would let the boundary to the body be moved.
    if (!at_s || !proof || nonce->find('\n') != std::string_view::npos)
        return refuse(Refusal::Reason::not_authentic,
                      "The Wechatpay- headers are not of the form that WeChat Pay signs.");
    bool known = false;
    bool good = false;
    const std::string bytes = fmt::format("{}\n{}\n{}\n", *time, *nonce, notification.body);
    for (const WechatAccount::Key& key : account.keys) {
        if (key.serial != *serial) continue;
        known = true;
        good = good || key.key.verifies(bytes, *proof);
    }
    if (!known)
        return refuse(Refusal::Reason::key_unknown,
                      "Wechatpay-Serial names a key that is not configured. When WeChat Pay has "
                      "changed its certificate, add the new one beside the old.");
    if (!good)
        return refuse(Refusal::Reason::not_authentic,
                      "Wechatpay-Signature is not the signature of this time, nonce and body.");
    return in_time(*at_s, now_ms, kToleranceDefault);
}

// The news itself. nullopt: none of our keys opens it.
std::optional<std::string> opened(const WechatAccount& account, JsonMembers& members) {
    const std::string nonce = members.text({"resource", "nonce"});
    const std::string bound = members.text({"resource", "associated_data"});
    const auto hidden = from_base64(members.text({"resource", "ciphertext"}));
    if (members.text({"resource", "algorithm"}) != "AEAD_AES_256_GCM" ||
        nonce.size() != kAeadNonceBytes || !hidden)
        return std::nullopt;
    for (const std::string& key : account.api_keys)
        if (auto bytes = aead_open(key, nonce, bound, *hidden)) return bytes;
    return std::nullopt;
}

// For a service provider's account the sub-merchant is the merchant.
std::string first_of(JsonMembers& members, MemberNames one, MemberNames other) {
    std::string text = members.text(one);
    return text.empty() ? members.text(other) : text;
}

void read_resource(const WechatAccount& account, bool refund, JsonMembers& members,
                   Reading& reading) {
    Fact& fact = reading.fact;
    fact.kind = refund ? FactKind::refunded : FactKind::paid;
    fact.out_trade_no = members.text({"out_trade_no"});
    fact.transaction_id = members.text({"transaction_id"});
    fact.merchant = first_of(members, {"sub_mchid"}, {"mchid"});
    fact.app = first_of(members, {"sub_appid"}, {"appid"});
    if (fact.app.empty()) fact.app = members.text({"sp_appid"});
    if (refund) fact.refund_number = first_of(members, {"out_refund_no"}, {"refund_id"});
    const std::string amount = members.number({"amount", refund ? "refund" : "total"});
    std::string currency = members.text({"amount", "currency"});
    if (currency.empty()) currency = kCurrency;
    fact.amount = Amount::in_minor_units(amount, currency, iso_decimals(currency));
    const std::string state = members.text({refund ? "refund_status" : "trade_state"});

    reading.news = News::fact;
    if (!members.problem().empty()) {
        call_people(reading, members.problem());
    } else if (fact.merchant != account.mchid) {
        call_people(reading, "It is about a payment to another merchant (mchid).");
    } else if (!account.appid.empty() && !fact.app.empty() && fact.app != account.appid) {
        call_people(reading, "It is about a payment through another application (appid).");
    } else if (state != "SUCCESS") {
        call_people(reading, fmt::format("It is a {} whose {} is not SUCCESS.", reading.event_type,
                                         refund ? "refund_status" : "trade_state"));
    }
}

}  // namespace

Read read_wechat(const WechatAccount& account, const Notification& notification,
                 std::int64_t now_ms) {
    if (auto verified = verify(account, notification, now_ms); !verified)
        return std::unexpected(std::move(verified.error()));
    JsonMembers members(notification.body, "notification");
    Reading reading;
    reading.event_id = members.text({"id"});
    reading.event_type = members.text({"event_type"});
    if (!members.problem().empty()) return call_people(reading, members.problem());
    const bool refund = reading.event_type.starts_with("REFUND.");
    if (!refund && reading.event_type != "TRANSACTION.SUCCESS")
        return ignore(reading, "Events of this type say nothing about a payment here.");
    const auto resource = opened(account, members);
    if (!members.problem().empty()) return call_people(reading, members.problem());
    if (!resource)
        return refuse(Refusal::Reason::sealed,
                      "None of the APIv3 keys opens the resource of this notification. Look at the "
                      "keys of the account; WeChat Pay sends it again.");
    JsonMembers inner(*resource, "resource");
    read_resource(account, refund, inner, reading);
    if (refund && reading.news == News::fact && reading.event_type != "REFUND.SUCCESS")
        call_people(reading, "The refund did not reach the payer.");
    return reading;
}

}  // namespace pawl::callback
