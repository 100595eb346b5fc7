// SPDX-License-Identifier: Apache-2.0
// For tests: notifications signed as the senders of webhooks sign them, and what is read of them in one line.
#pragma once

#include <string>

#include <fmt/format.h>

#include "core/callback/callback.hpp"
#include "core/callback/standard_signature.hpp"
#include "runtime/codec/signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {

inline constexpr std::int64_t kNowS = 1'764'000'000;
inline constexpr std::int64_t kNowMs = kNowS * 1'000;

inline Notification stripe_signed(const std::string& secret, const std::string& body,
                                  std::int64_t at_s = kNowS) {
    const std::string bytes = std::to_string(at_s) + "." + body;
    return {{{"Content-Type", "application/json"},
             {"Stripe-Signature",
              fmt::format("t={},v1={}", at_s, to_hex(hmac_sha256(secret, bytes).view()))}},
            body};
}

inline Notification standard_signed(const std::string& secret, const std::string& body,
                                    const std::string& id = "msg_1", std::int64_t at_s = kNowS) {
    return {{{"Webhook-Id", id},
             {"Webhook-Timestamp", std::to_string(at_s)},
             {"Webhook-Signature", standard_signature({&secret, 1}, id, at_s, body)}},
            body};
}

inline std::string& header_of(Notification& notification, std::string_view name) {
    for (Header& header : notification.headers)
        if (header.name == name) return header.value;
    return notification.headers.emplace_back(Header{std::string(name), {}}).value;
}

inline JsonMapping plain_mapping() {
    const auto path = [](std::string_view text) { return *key::parse_json_path(text); };
    JsonMapping mapping;
    mapping.type = path("$.type");
    mapping.kinds = {{"payment.paid", FactKind::paid},
                     {"payment.closed", FactKind::closed},
                     {"payment.refunded", FactKind::refunded}};
    mapping.order = path("$.data.order");
    mapping.transaction = path("$.data.payment");
    mapping.refund = path("$.data.refund");
    mapping.amount = path("$.data.amount");
    mapping.currency = path("$.data.currency");
    mapping.merchant = path("$.data.shop");
    mapping.merchant_expected = "shop-7";
    return mapping;
}

// "fact paid order=… tx=… refund=… 12.5 USD m=… a=…", "nothing WHY", "attention WHY", or "refused REASON".
inline std::string told(const std::expected<Reading, Refusal>& read) {
    if (!read) return fmt::format("refused {}", name_of(read.error().reason));
    if (read->news != News::fact) return fmt::format("{} {}", name_of(read->news), read->why);
    const Fact& fact = read->fact;
    std::string text = fmt::format("{} {} order={} tx={}", read->event_id, name_of(fact.kind),
                                   fact.out_trade_no, fact.transaction_id);
    if (!fact.refund_number.empty()) text += " refund=" + fact.refund_number;
    if (fact.amount) text += " " + fact.amount->money_text();
    if (fact.amount_so_far) text += " so far";
    if (!fact.merchant.empty()) text += " m=" + fact.merchant;
    if (!fact.app.empty()) text += " a=" + fact.app;
    return text;
}

}  // namespace pawl::callback
