// SPDX-License-Identifier: Apache-2.0
// What a verified notification says, in the engine's words. An external fact is never refused: what is verified becomes
// a Reading, whatever stands in it, and is acknowledged; a Refusal is for what nobody vouches for.
//
//   news        what the engine does
//   fact        finds the order, compares amount, currency and merchant, applies or compensates or parks
//   nothing     acknowledges; the type says nothing about money here
//   attention   stores it for people, raises an alarm, acknowledges: it is real, and cannot be applied
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/callback/amount.hpp"
#include "runtime/codec/digest.hpp"

namespace pawl::callback {

enum class Provider : std::uint8_t { wechat, alipay, stripe, standard_webhooks, hmac };
inline constexpr int kProviderCount = 5;
std::string_view name_of(Provider provider);

enum class FactKind : std::uint8_t { paid, closed, refunded };
std::string_view name_of(FactKind kind);

inline constexpr std::size_t kFactTextBytesMax = 255;

struct Fact {
    FactKind kind = FactKind::paid;
    std::string out_trade_no;    // the order's business key; empty: only the transaction is named
    std::string transaction_id;  // the provider's
    std::string refund_number;   // refunded: which one
    std::optional<Amount> amount;
    bool amount_so_far =
        false;             // refunded: of all refunds of this payment together, not of this one
    std::string merchant;  // who was paid, as the provider calls them; empty: it does not say
    std::string app;       // through which of their applications; empty: it does not say
};

enum class News : std::uint8_t { fact, nothing, attention };
std::string_view name_of(News news);

struct Reading {
    std::string event_id;    // of the notification; empty: it has none that can be read
    std::string event_type;  // the provider's word
    News news = News::nothing;
    std::string why;  // nothing, attention: in our words, safe to show
    Fact fact;        // fact; for attention what could be read
};

struct Refusal {
    enum class Reason : std::uint8_t {
        not_authentic,  // no key in use made this signature over these bytes
        key_unknown,    // it names a key that is not configured
        out_of_time,    // signed too long ago, or ahead of the clock
        sealed,  // verified, but none of our keys opens it: ours are wrong, and it may come again
    };
    Reason reason = Reason::not_authentic;
    std::string text;  // ours, safe to show
};
std::string_view name_of(Refusal::Reason reason);

// Under which a notification is known as seen; one without an id, by its bytes.
Digest notification_key(Provider provider, std::string_view account, std::string_view event_id,
                        std::string_view body);
// Under which the business fact takes effect once, by however many notifications it is told.
Digest fact_key(Provider provider, std::string_view account, const Fact& fact);

// The fact in the names that a flow's events use: provider, account, out_trade_no, transaction_id, kind, refund_number,
// amount (decimal, or amount_so_far in its place), currency, merchant, app. What the provider does not say is left out.
std::map<std::string, std::string, std::less<>> named_values(Provider provider,
                                                             std::string_view account,
                                                             const Fact& fact);

}  // namespace pawl::callback
