// SPDX-License-Identifier: Apache-2.0
// Alipay's asynchronous notification: a form. Signed (RSA2) are its parameters as they are once decoded, sorted by
// name, without `sign` and `sign_type`, as `name=value` joined by `&`; since these are bytes, the charset does not
// matter. There is no time of signing: an old one that is played again says a fact that is known.
//
//   trade_status     refund in it   news
//   TRADE_SUCCESS    no             paid
//                    yes            refunded, in part
//   TRADE_FINISHED   -              paid: no refund is possible any more
//   TRADE_CLOSED     no             closed, unpaid
//                    yes            refunded, all of it
//   others           -              nothing
#include <algorithm>

#include <fmt/format.h>

#include "core/callback/form.hpp"
#include "core/callback/proof.hpp"
#include "core/callback/providers.hpp"
#include "runtime/codec/text.hpp"

namespace pawl::callback {
namespace {

// Empty: not there, or empty.
std::string parameter(const Form& form, std::string_view name) {
    const auto found = form.find(name);
    return found == form.end() ? std::string() : found->second;
}

std::string signed_bytes(const Form& form) {
    std::string bytes;
    for (const auto& [name, value] : form) {
        if (name == "sign" || name == "sign_type") continue;
        if (!bytes.empty()) bytes += '&';
        bytes.append(name).append("=").append(value);
    }
    return bytes;
}

std::expected<Form, Refusal> verified(const AlipayAccount& account, std::string_view body) {
    auto form = parse_form(body);
    if (!form)
        return refuse(Refusal::Reason::not_authentic,
                      "The body is not a form, or has a parameter twice.");
    if (parameter(*form, "sign_type") != "RSA2")
        return refuse(Refusal::Reason::not_authentic,
                      "The notification is not signed with RSA2. Choose RSA2 for the application's "
                      "key at Alipay.");
    const auto proof = from_base64(parameter(*form, "sign"));
    const std::string bytes = signed_bytes(*form);
    const bool good = proof && std::ranges::any_of(account.keys, [&](const PublicKey& key) {
                          return key.verifies(bytes, *proof);
                      });
    if (!good)
        return refuse(Refusal::Reason::not_authentic,
                      "`sign` is not Alipay's signature of these parameters.");
    return *std::move(form);
}

void read_trade(const AlipayAccount& account, const Form& form, Reading& reading) {
    const std::string status = parameter(form, "trade_status");
    const std::string refunded = parameter(form, "refund_fee");
    const bool success = status == "TRADE_SUCCESS";
    const bool closed = status == "TRADE_CLOSED";
    Fact& fact = reading.fact;
    fact.kind = closed ? FactKind::closed : FactKind::paid;
    fact.out_trade_no = parameter(form, "out_trade_no");
    fact.transaction_id = parameter(form, "trade_no");
    fact.merchant = parameter(form, "seller_id");
    fact.app = parameter(form, "app_id");
    std::string amount = parameter(form, "total_amount");
    if ((success || closed) && !refunded.empty()) {
        fact.kind = FactKind::refunded;
        fact.refund_number = parameter(form, "out_biz_no");
        // What is told is the sum; a refund without a number of its own is known by it.
        fact.amount_so_far = true;
        amount = refunded;
        if (fact.refund_number.empty()) fact.refund_number = fmt::format("refund_fee={}", refunded);
    }
    std::string currency = parameter(form, "trans_currency");
    if (currency.empty()) currency = account.currency;
    fact.amount = Amount::in_decimal(amount, currency);

    reading.news = News::fact;
    if (fact.app != account.app_id) {
        call_people(reading, "It is about another application (app_id).");
    } else if (!account.seller_id.empty() && fact.merchant != account.seller_id) {
        call_people(reading, "It is about a payment to another seller (seller_id).");
    } else if (!success && !closed && status != "TRADE_FINISHED") {
        ignore(reading, "A trade in this state is neither paid nor closed.");
    }
}

}  // namespace

Read read_alipay(const AlipayAccount& account, const Notification& notification) {
    const auto form = verified(account, notification.body);
    if (!form) return std::unexpected(form.error());
    Reading reading;
    reading.event_id = parameter(*form, "notify_id");
    const std::string type = parameter(*form, "notify_type");
    const std::string status = parameter(*form, "trade_status");
    reading.event_type = status.empty() ? type : fmt::format("{}.{}", type, status);
    if (type != "trade_status_sync")
        return ignore(reading, "Notifications of this type say nothing about a payment here.");
    read_trade(account, *form, reading);
    return reading;
}

}  // namespace pawl::callback
