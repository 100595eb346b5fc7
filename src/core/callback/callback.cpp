// SPDX-License-Identifier: Apache-2.0
#include "core/callback/callback.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/callback/providers.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {
namespace {

// Names go into keys, header lines, logs and terminals.
bool is_fact_text(std::string_view text) {
    const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
    return text.size() <= kFactTextBytesMax && std::ranges::none_of(text, is_control) &&
           to_utf8(text) == text;
}

// What every provider's fact has to have. Money that cannot be laid to an order is never lost and never guessed at.
void judge(Reading& reading) {
    for (std::string* text : {&reading.event_id, &reading.event_type, &reading.fact.out_trade_no,
                              &reading.fact.transaction_id, &reading.fact.refund_number,
                              &reading.fact.merchant, &reading.fact.app}) {
        if (is_fact_text(*text)) continue;
        text->clear();
        call_people(reading, fmt::format("One of its names is longer than {} bytes, or no text.",
                                         kFactTextBytesMax));
    }
    if (reading.news != News::fact) return;
    const Fact& fact = reading.fact;
    if (reading.event_id.empty())
        call_people(reading, "It has no id.");
    else if (fact.transaction_id.empty())
        call_people(reading, "It names no transaction.");
    else if (fact.kind == FactKind::paid && fact.out_trade_no.empty())
        call_people(reading, "It is a payment that names no order.");
    else if (fact.kind == FactKind::refunded && fact.refund_number.empty())
        call_people(reading, "It is a refund without a number.");
    else if (fact.kind != FactKind::closed && !fact.amount)
        call_people(reading, "Its amount or currency is none.");
}

}  // namespace

Reading& ignore(Reading& reading, std::string why) {
    reading.news = News::nothing;
    reading.why = std::move(why);
    return reading;
}

Reading& call_people(Reading& reading, std::string why) {
    reading.news = News::attention;
    reading.why = std::move(why);
    return reading;
}

std::expected<Reading, Refusal> verify_and_read(const Account& account,
                                                const Notification& notification,
                                                std::int64_t now_ms) {
    struct {
        const Notification& notification;
        std::int64_t now_ms;
        Read operator()(const WechatAccount& of) { return read_wechat(of, notification, now_ms); }
        Read operator()(const AlipayAccount& of) { return read_alipay(of, notification); }
        Read operator()(const StripeAccount& of) { return read_stripe(of, notification, now_ms); }
        Read operator()(const StandardWebhooksAccount& of) {
            return read_standard_webhooks(of, notification, now_ms);
        }
        Read operator()(const HmacAccount& of) { return read_hmac(of, notification, now_ms); }
    } read{notification, now_ms};
    auto reading = std::visit(read, account.provider);
    if (reading) judge(*reading);
    return reading;
}

}  // namespace pawl::callback
