// SPDX-License-Identifier: Apache-2.0
// Stripe. The transaction is the payment intent wherever there is one, so that an intent and the checkout session it
// belongs to tell one fact. A charge tells it only where there is no intent; `charge.refunded` tells no refund that
// `refund.*` does not tell by its number. A declined try is no news: the next may succeed.
//
//   type                                      and                       news
//   payment_intent.succeeded                  -                         paid
//   payment_intent.canceled                   -                         closed
//   checkout.session.completed,               payment_status is paid    paid
//     .async_payment_succeeded                it is not, yet            nothing
//   checkout.session.expired                  -                         closed
//   charge.succeeded                          no payment intent         paid
//                                             an intent                 nothing
//   refund.created, .updated, .failed,        status is succeeded       refunded
//     charge.refund.updated                   failed or canceled        attention
//                                             another                   nothing
//   others                                    -                         nothing
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/callback/proof.hpp"
#include "core/callback/providers.hpp"
#include "core/caller/timed_signature.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {
namespace {

enum class Object : std::uint8_t { intent, session, charge, refund };
struct Row {
    std::string_view type;
    Object object;
    FactKind kind;
    std::string_view amount;  // the member of the object
};
constexpr std::array kRows{
    Row{"payment_intent.succeeded", Object::intent, FactKind::paid, "amount_received"},
    Row{"payment_intent.canceled", Object::intent, FactKind::closed, "amount"},
    Row{"checkout.session.completed", Object::session, FactKind::paid, "amount_total"},
    Row{"checkout.session.async_payment_succeeded", Object::session, FactKind::paid,
        "amount_total"},
    Row{"checkout.session.expired", Object::session, FactKind::closed, "amount_total"},
    Row{"charge.succeeded", Object::charge, FactKind::paid, "amount"},
    Row{"refund.created", Object::refund, FactKind::refunded, "amount"},
    Row{"refund.updated", Object::refund, FactKind::refunded, "amount"},
    Row{"refund.failed", Object::refund, FactKind::refunded, "amount"},
    Row{"charge.refund.updated", Object::refund, FactKind::refunded, "amount"},
};

// How many decimals Stripe's minor units have. It has its own view of some (ISK and UGX in hundredths, MGA whole).
int stripe_decimals(std::string_view currency) {
    std::string small(currency);
    std::ranges::transform(small, small.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (small == "isk" || small == "ugx") return 2;
    return small == "mga" ? 0 : iso_decimals(small);
}

std::expected<void, Refusal> verify(const StripeAccount& account, const Notification& notification,
                                    std::int64_t now_ms) {
    const auto header = required_header(notification, "Stripe-Signature");
    if (!header) return std::unexpected(header.error());
    const auto signature = caller::parse_timed_signature(*header);
    if (!signature)
        return refuse(Refusal::Reason::not_authentic,
                      "Stripe-Signature is not of the form `t=SECONDS,v1=HEX`.");
    const std::string bytes = fmt::format("{}.{}", signature->time, notification.body);
    if (!any_secret_made(account.secrets, bytes, signature->macs, to_hex))
        return refuse(Refusal::Reason::not_authentic,
                      "No v1 of Stripe-Signature was made by a secret of this endpoint.");
    return in_time(signature->at_s, now_ms, kToleranceDefault);
}

// Which order, at `data.object`: named by the metadata, or by a session's own member.
std::string order_of(const StripeAccount& account, const Row& row, JsonMembers& members) {
    std::string order = members.text({"data", "object", "metadata", account.order_member});
    if (order.empty() && row.object == Object::session)
        order = members.text({"data", "object", "client_reference_id"});
    return order;
}

void read_object(const StripeAccount& account, const Row& row, JsonMembers& members,
                 Reading& reading) {
    Fact& fact = reading.fact;
    fact.kind = row.kind;
    const std::string own_id = members.text({"data", "object", "id"});
    const std::string intent =
        row.object == Object::intent ? own_id : members.text({"data", "object", "payment_intent"});
    fact.transaction_id = intent.empty() ? own_id : intent;
    if (row.object == Object::refund) {
        if (intent.empty()) fact.transaction_id = members.text({"data", "object", "charge"});
        fact.refund_number = own_id;
    }
    fact.out_trade_no = order_of(account, row, members);
    fact.merchant = members.text({"account"});
    const std::string currency = members.text({"data", "object", "currency"});
    fact.amount = Amount::in_minor_units(members.number({"data", "object", row.amount}), currency,
                                         stripe_decimals(currency));

    reading.news = News::fact;
    const std::string status = members.text({"data", "object", "status"});
    if (row.object == Object::session && row.kind == FactKind::paid &&
        members.text({"data", "object", "payment_status"}) != "paid")
        ignore(reading, "The session is complete, but not paid yet.");
    if (row.object == Object::charge && !intent.empty())
        ignore(reading, "The payment intent of this charge says it.");
    if (row.object == Object::refund && status != "succeeded") {
        if (status == "failed" || status == "canceled")
            call_people(reading, "The refund did not reach the payer.");
        else
            ignore(reading, "The refund is not done yet.");
    }
    if (reading.news == News::fact && fact.out_trade_no.empty() && row.kind != FactKind::refunded &&
        (account.ignore_without_order || row.kind == FactKind::closed))
        ignore(reading, "It names no order.");
}

}  // namespace

Read read_stripe(const StripeAccount& account, const Notification& notification,
                 std::int64_t now_ms) {
    if (auto verified = verify(account, notification, now_ms); !verified)
        return std::unexpected(std::move(verified.error()));
    JsonMembers members(notification.body, "event");
    Reading reading;
    reading.event_id = members.text({"id"});
    reading.event_type = members.text({"type"});
    if (!members.problem().empty()) return call_people(reading, members.problem());
    const auto row = std::ranges::find(kRows, reading.event_type, &Row::type);
    if (row == kRows.end())
        return ignore(reading, "Events of this type say nothing about a payment here.");
    const bool live = members.flag({"livemode"}) == "true";
    read_object(account, *row, members, reading);
    if (!members.problem().empty()) return call_people(reading, members.problem());
    if (reading.fact.merchant != account.connected)
        return call_people(reading, "It is about another connected account (account).");
    if (live != account.live)
        return call_people(reading, live ? "It is a live event, and the account is for test mode."
                                         : "It is a test-mode event, and the account is live.");
    return reading;
}

}  // namespace pawl::callback
