// SPDX-License-Identifier: Apache-2.0
// What holds of every notification that was read, whatever bytes its provider signed.
#pragma once

#include <algorithm>
#include <string>

#include "core/callback/webhook_fixture.hpp"
#include "runtime/result/assert.hpp"

namespace pawl::callback {

inline void check_text(const std::string& text) {
    PAWL_ASSERT(text.size() <= kFactTextBytesMax && to_utf8(text) == text);
    PAWL_ASSERT(std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
}

inline void check_reading(const Reading& reading) {
    const Fact& fact = reading.fact;
    for (const std::string* text :
         {&reading.event_id, &reading.event_type, &fact.out_trade_no, &fact.transaction_id,
          &fact.refund_number, &fact.merchant, &fact.app})
        check_text(*text);
    PAWL_ASSERT((reading.news == News::fact) == reading.why.empty());
    if (fact.amount) {
        PAWL_ASSERT(fact.amount->units() >= 0 && fact.amount->units() <= kAmountUnitsMax);
        PAWL_ASSERT(fact.amount->decimals() >= 0 && fact.amount->decimals() <= kAmountDecimalsMax);
        PAWL_ASSERT(Amount::in_decimal(fact.amount->decimal_text(), fact.amount->currency()) ==
                    fact.amount);
    }
    if (reading.news != News::fact) return;
    PAWL_ASSERT(!reading.event_id.empty() && !fact.transaction_id.empty());
    PAWL_ASSERT(fact.kind != FactKind::paid || !fact.out_trade_no.empty());
    PAWL_ASSERT(fact.kind != FactKind::refunded || !fact.refund_number.empty());
    PAWL_ASSERT(fact.kind == FactKind::closed || fact.amount);
}

// Nobody signed it.
inline void check_refused(const Account& account, const Notification& notification) {
    const auto read = verify_and_read(account, notification, kNowMs);
    PAWL_ASSERT(!read && !read.error().text.empty() &&
                read.error().reason != Refusal::Reason::sealed);
}

// Signed, and read twice alike; and with one byte more it is nobody's.
inline void check_signed(const Account& account, Notification notification) {
    const auto read = verify_and_read(account, notification, kNowMs);
    if (read)
        check_reading(*read);
    else
        PAWL_ASSERT(read.error().reason == Refusal::Reason::sealed &&
                    provider_of(account) == Provider::wechat);
    PAWL_ASSERT(told(verify_and_read(account, notification, kNowMs)) == told(read));
    notification.body += ' ';
    check_refused(account, notification);
}

}  // namespace pawl::callback
